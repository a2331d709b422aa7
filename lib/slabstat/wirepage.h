/* SPDX-License-Identifier: MIT */
/*
 * wirepage.h - the page of a process (wire/wire.h), read and distrusted.
 *
 * A page is a file that another process writes, or bytes in memory. Nothing of it is used before
 * its sum was found right and its sizes were found to fit; a torn part is read again. Whoever made
 * the page up can make us show wrong figures, and nothing worse.
 */
#ifndef SLABSTAT_WIREPAGE_H
#define SLABSTAT_WIREPAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

/* Whether the numbers of its process mean anything here; see process.c. */
enum wirepage_origin {
	WIREPAGE_UNKNOWN,
	WIREPAGE_HERE,
	WIREPAGE_OTHER_BOOT,
	WIREPAGE_OTHER_NAMESPACE,
};

struct wirepage {
	int fd;			/* -1: bytes in memory */
	const char *text;
	size_t len;
	struct wire_head head;
	char *front;		/* head and counters as they stand there */
	const char *names;	/* counters, head.counters of head.counter_bytes each */
	unsigned count[WIRE_SCOPES];	/* counters of each scope */
	struct wire_slot slot;	/* the figures read last */
	char *records;
	size_t room;
	enum wirepage_origin origin;
	const char *why;	/* one clause, after an error */
};

/* wirepage_sniff - whether these bytes begin as a page does. */
bool wirepage_sniff(const char *text, size_t len);

/*
 * wirepage_open_file - takes the descriptor, wirepage_open_text - borrows the bytes; both read the
 * head. 0; -EINVAL: no page; -EPROTO: of another version or machine; -EBADMSG: damaged; or another
 * negative errno. why is set. wirepage_close follows in any case.
 */
int wirepage_open_file(struct wirepage *p, int fd);
int wirepage_open_text(struct wirepage *p, const char *text, size_t len);
void wirepage_close(struct wirepage *p);

/*
 * wirepage_read - the latest whole figures: slot and records. -EBADMSG: there are none, and why
 * says so; -ENOMEM.
 */
int wirepage_read(struct wirepage *p);

/* wirepage_name - counter i of the table; its id is terminated. */
struct wire_name wirepage_name(const struct wirepage *p, unsigned i);

/* A record inside records, found to fit: values of its scope, then a name where it has one. */
struct wirepage_record {
	enum wire_record_type type;
	unsigned index;
	const char *values;
	const char *name;	/* terminated; NULL: none */
};

/*
 * wirepage_next - the record at *at, which moves past it; types that are not known are passed over.
 * 1, 0 at the end, -EBADMSG where it does not fit.
 */
int wirepage_next(const struct wirepage *p, size_t *at, struct wirepage_record *r);

/* wirepage_value - value number place of a record. */
uint64_t wirepage_value(const struct wirepage_record *r, unsigned place);

#endif
