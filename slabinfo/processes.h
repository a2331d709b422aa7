/* SPDX-License-Identifier: MIT */
/* processes.h - programs that publish their slab caches: which there are, and cleaning up. */
#ifndef SLABINFO_PROCESSES_H
#define SLABINFO_PROCESSES_H

#include "request.h"

/* processes_list - --list-processes, with --clean: in the form that the request asks for. */
int processes_list(const struct request *r, struct out *out);

#endif
