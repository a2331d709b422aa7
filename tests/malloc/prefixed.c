// SPDX-License-Identifier: MIT
/* prefixed.c - the malloc family as shim_malloc, shim_free, ...: beside the C library's own. */
#define MALLOC_NAME(name) shim_##name
#include "prefixed.h"

#include "malloc/info.c"
#include "malloc/malloc.c"
#include "malloc/run.c"
