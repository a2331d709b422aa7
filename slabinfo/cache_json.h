/* SPDX-License-Identifier: MIT */
/*
 * cache_json.h - a cache, a snapshot's head and the frame of a document, as slabinfo-json(5) says.
 * One schema for every mode; its version changes when a key changes meaning or goes away.
 */
#ifndef SLABINFO_CACHE_JSON_H
#define SLABINFO_CACHE_JSON_H

#include <slab/slabstat.h>

#include "columns.h"
#include "util/json.h"

#define SLABINFO_JSON_VERSION 1

/* document_head - what every document begins with: format, version, tool_version, mode. */
void document_head(struct json_doc *d, FILE *out, const char *mode);

/* document_open - the head of the document and "samples": [. document_close - the ends of both. */
void document_open(struct json_doc *d, FILE *out, const char *mode);
void document_close(struct json_doc *d);

/* sample_open - one element of samples: source, time, machine, meminfo, notes, absent. */
void sample_open(struct json_doc *d, const char *label, const struct slabstat_snapshot *s);

/*
 * cache_json - *returns owned*. With columns their keys alone, else name, id, users, ctor, members
 * and every field (null where absent), "inexact" and the shares by node and CPU.
 */
cJSON *cache_json(const struct slabstat_cache *cache, const struct columns *columns,
		  size_t members);

#endif
