// SPDX-License-Identifier: MIT
/* report.c - telling about misuse: stderr, the hook, abort. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "debug.h"
#include "root.h"
#include "slab.h"

/* Long enough for one report; a longer name is cut. No stream: stdio may be what is broken. */
#define REPORT_SIZE 1024

static void put(const char *text, int len)
{
	size_t n = len < 0 ? 0 : len >= REPORT_SIZE ? REPORT_SIZE - 1 : (size_t)len;

	while (n) {
		ssize_t did = write(STDERR_FILENO, text, n);

		if (did <= 0)
			return;
		text += did;
		n -= (size_t)did;
	}
}

void report_misuse(const struct kmem_cache *s, const void *object, const char *what)
{
	int (*hook)(const char *) = __atomic_load_n(&root.report_hook, __ATOMIC_ACQUIRE);
	char text[REPORT_SIZE];
	int len;

	if (s)
		len = snprintf(text, sizeof(text), "slabkit: %s: cache %s (size %u), object %p\n",
			       what, s->name, s->object_size, object);
	else
		len = snprintf(text, sizeof(text), "slabkit: %s: object %p\n", what, object);
	if (s && s->debug && len > 0 && len < REPORT_SIZE && slab_holds(s, object))
		len += (int)debug_describe(s, object, text + len, sizeof(text) - (size_t)len);
	put(text, len);
	if (hook && !hook(text))
		return;
	abort();
}

void report_leak(struct kmem_cache *s, unsigned long long objects)
{
	int (*hook)(const char *) = __atomic_load_n(&root.report_hook, __ATOMIC_ACQUIRE);
	char text[REPORT_SIZE];
	int len =
		snprintf(text, sizeof(text),
			 "slabkit: cache %s destroyed with %llu objects in use; their slabs stay\n",
			 s->name, objects);

	if (len > 0 && len < REPORT_SIZE)
		len += (int)check_describe_used(s, text + len, sizeof(text) - (size_t)len);
	put(text, len);
	if (hook)
		hook(text);
}

void report_warn(const char *format, ...)
{
	char text[REPORT_SIZE];
	va_list ap;
	int len, more;

	len = snprintf(text, sizeof(text), "slabkit: ");
	va_start(ap, format);
	more = vsnprintf(text + len, sizeof(text) - (size_t)len, format, ap);
	va_end(ap);
	put(text, more < 0 ? len : len + more);
}

void slab_set_report_hook(int (*hook)(const char *text))
{
	__atomic_store_n(&root.report_hook, hook, __ATOMIC_RELEASE);
}
