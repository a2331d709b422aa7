/* SPDX-License-Identifier: MIT */
/* fork.h - a child of a running program finds every layer at rest. */
#ifndef SLABKIT_SLAB_FORK_H
#define SLABKIT_SLAB_FORK_H

/* fork_install - the handlers; once, while the root is made. */
void fork_install(void);

#endif
