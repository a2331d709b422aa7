/* SPDX-License-Identifier: MIT */
/* pack.h - files compressed with zstd or gzip: told by their magic number or by their name. */
#ifndef SLABSTAT_PACK_H
#define SLABSTAT_PACK_H

#include <stddef.h>

enum pack { PACK_NONE, PACK_ZSTD, PACK_GZIP };

/* pack_of_content - by the first bytes. pack_of_name - by the ending, .zst or .gz. */
enum pack pack_of_content(const void *data, size_t len);
enum pack pack_of_name(const char *path);
/* pack_ending - ".zst", ".gz" or "". */
const char *pack_ending(enum pack pack);

/*
 * pack_open - the content of a compressed text, *returned owned* in *out with a terminator behind
 * it. A torn end gives what stands before it. 0; -EBADMSG: not so compressed; -ENOMEM; -EFBIG: more
 * than size_t or a thousand times the input holds.
 */
int pack_open(enum pack pack, const void *data, size_t len, char **out, size_t *out_len);

/*
 * pack_copy - compress what stands in descriptor in (from its start) to descriptor out. 0 or
 * -errno.
 */
int pack_copy(enum pack pack, int in, int out);

#endif
