// SPDX-License-Identifier: MIT
/*
 * error.c - the handle: it keeps the last error, and nothing else.
 *
 * An error is kept as copies, so that it outlives what it is about. Where memory is exhausted the
 * code stays and path and text give way.
 */
#include "slabstat/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slabstat {
	struct slabstat_error error;
	char *path, *text;
};

struct slabstat *slabstat_new(void)
{
	return calloc(1, sizeof(struct slabstat));
}

void slabstat_free(struct slabstat *h)
{
	if (!h)
		return;
	free(h->path);
	free(h->text);
	free(h);
}

const struct slabstat_error *slabstat_error(const struct slabstat *h)
{
	return &h->error;
}

const char *slabstat_version(void)
{
	return SLABKIT_VERSION;
}

int error_set(struct slabstat *h, int code, const char *path, unsigned long line, const char *fmt,
	      ...)
{
	char *new_path, *text = NULL;
	va_list ap;

	if (!h)
		return code;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	/* The arguments may point into the error that is replaced: free it last. */
	new_path = path ? strdup(path) : NULL;
	free(h->path);
	free(h->text);
	h->path = new_path;
	h->text = text;
	h->error.code = code;
	h->error.path = new_path;
	h->error.line = line;
	h->error.text = text ? text : strerror(-code);
	return code;
}
