/* SPDX-License-Identifier: MIT */
/* detail.h - what the page of one cache and the column chooser offer to the rest. */
#ifndef SLABTOP_DETAIL_H
#define SLABTOP_DETAIL_H

#include <stdbool.h>

struct top;
struct row;
struct track;
struct detail;
struct chooser;

/* detail_open - the page of a row's cache; of a family, its caches. Dirty bits. */
unsigned detail_open(struct top *t, const struct row *row);

/* detail_forget - a track is about to go: a page that shows it is left. */
void detail_forget(struct top *t, const struct track *track);

/* detail_typed - a tunable, or the answer to a question about one, was typed. Dirty bits. */
unsigned detail_typed(struct top *t, bool accepted);
void detail_free(struct detail *d);

/* chooser_open - choose the columns of the current list. Dirty bits. */
unsigned chooser_open(struct top *t);
void chooser_free(struct chooser *c);

#endif
