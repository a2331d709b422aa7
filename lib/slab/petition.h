/* SPDX-License-Identifier: MIT */
/* petition.h - what others ask of this process through its page: checked, then done. */
#ifndef SLABKIT_SLAB_PETITION_H
#define SLABKIT_SLAB_PETITION_H

#include "wire/wire.h"

/*
 * petition_serve - does what ask says, by the calls of slab.h and so with their refusals, and fills
 * in the answer. -ENOENT: there is no cache of this serial any more, or no such setting;
 * -EOPNOTSUPP: not a verb that is known here.
 */
void petition_serve(const struct wire_ask *ask, struct wire_answer *answer);

#endif
