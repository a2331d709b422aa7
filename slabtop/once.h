/* SPDX-License-Identifier: MIT */
/*
 * once.h - slabtop --once: what procps slabtop -o prints, all rows.
 *
 * Bytes as of procps 4.0.2, or with --compat=4.0.6 as of that, whose columns are wider and whose
 * sizes have no unit. Everything here is that tool's own arithmetic: OBJ SIZE is the slot, USE is
 * rounded down in single precision, sizes in the head are objects times slot.
 */
#ifndef SLABTOP_ONCE_H
#define SLABTOP_ONCE_H

#include "options.h"

/* once_run - an exit status. */
int once_run(const struct options *o);

#endif
