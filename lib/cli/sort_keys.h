/* SPDX-License-Identifier: MIT */
/*
 * sort_keys.h - --sort FIELD[,FIELD]: the first field counts first. Largest first; +FIELD smallest
 * first, -FIELD says largest first again. "name" goes from a to z unless it is -name.
 */
#ifndef SLABKIT_CLI_SORT_KEYS_H
#define SLABKIT_CLI_SORT_KEYS_H

#include <slab/slabstat.h>

/*
 * sort_keys_parse - *returns owned* n keys in *keys (free them). False after a message on stderr
 * (exit with status 2).
 */
bool sort_keys_parse(const char *list, struct slabstat_sort_key **keys, size_t *n,
		     const char *program);

#endif
