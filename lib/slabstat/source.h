/* SPDX-License-Identifier: MIT */
/*
 * source.h - what a source is to the rest of the library: a table of four functions.
 *
 * source.c opens the right kind and forwards; each source_KIND.c knows one format and fills a
 * snapshot (snapshot.h). A source knows nothing of what follows, and nothing behind a snapshot
 * knows where it came from.
 */
#ifndef SLABSTAT_SOURCE_H
#define SLABSTAT_SOURCE_H

#include "slabstat/error.h"
#include "slabstat/snapshot.h"

#include <string.h>

struct slabstat_source {
	struct slabstat *h;			/* for errors */
	const struct source_ops *ops;
	enum slabstat_source_kind kind;
	struct slabstat_spec spec;		/* strings owned by the source */
	const char *text;			/* whole content of a file or buffer source */
	size_t text_len;
	char *content;				/* the text where the source owns it */
	/* name of the cache of which everything is read; or NULL */
	char *focus;
	void *state;				/* of the kind */
};

/* source_in_focus - whether everything is to be read of a cache of this name. */
static inline bool source_in_focus(const struct slabstat_source *src, const char *name)
{
	return src->focus && strcmp(src->focus, name) == 0;
}

struct source_ops {
	enum slabstat_source_kind kind;
	/* sniff - how sure this text is of this kind: 0 no, 100 certain. NULL: never from text. */
	int (*sniff)(const char *text, size_t len);
	/*
	 * open - make state ready. 0 or a negative errno with the error set; close follows anyway.
	 */
	int (*open)(struct slabstat_source *src);
	/* read - fill an unsealed snapshot; source.c finishes it. */
	int (*read)(struct slabstat_source *src, const struct slabstat_fieldset *want,
		    struct slabstat_snapshot *s);
	void (*close)(struct slabstat_source *src);
	/* samples, seek - NULL: one sample for text, none for live. */
	size_t (*samples)(const struct slabstat_source *src);
	int (*seek)(struct slabstat_source *src, size_t n);
	/* instant - times of sample n without reading its caches. NULL: read them. */
	int (*instant)(struct slabstat_source *src, size_t n, struct slabstat_instant *instant);
};

/* source_label - the file or buffer in messages: its name, "standard input", or NULL for a root. */
const char *source_label(const struct slabstat_source *src);

extern const struct source_ops source_sysfs, source_procfs, source_hybrid, source_text, source_tree,
	source_record, source_process;

#endif
