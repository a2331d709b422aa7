/* SPDX-License-Identifier: MIT */
/* cmocka_all.h - cmocka.h with the headers that it wants before itself. */
#ifndef SLABKIT_TESTS_CMOCKA_ALL_H
#define SLABKIT_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#endif
