/* SPDX-License-Identifier: MIT */
/*
 * process.h - programs that publish: where their pages are, which is whose, which still run.
 */
#ifndef SLABSTAT_PROCESS_H
#define SLABSTAT_PROCESS_H

#include "slabstat/error.h"
#include "slabstat/wirepage.h"

/* process_state - of the process that made a page. */
enum slabstat_process_state process_state(struct wirepage *p);

/* process_counter - a counter of the process itself in the figures read last, by name; 0: none. */
uint64_t process_counter(const struct wirepage *p, const char *id);

/* process_describe - what is known of it; strings are borrowed from the page and path. */
void process_describe(struct wirepage *p, const char *path, struct slabstat_process *process);

/* process_describe_figures - of that, what its figures tell, once they were read again. */
void process_describe_figures(const struct wirepage *p, struct slabstat_process *process);

/*
 * process_ask_fresh - asks one that runs for figures of now. Who does not answer is read as it
 * stands.
 */
void process_ask_fresh(const struct wirepage *p);

/*
 * processes_reread - as slabstat_processes_read(), in the place of *list (NULL: none yet), whose
 * pages stay open: of those that were in it, the figures of programs that run are not read again.
 * Frees *list also when it fails.
 */
int processes_reread(struct slabstat *h, struct slabstat_processes **list);

/* processes_page - of process i, its figures read; NULL: damaged. *Borrows* from the list. */
struct wirepage *processes_page(const struct slabstat_processes *list, size_t i);

/*
 * process_find - the page of the program that what names: a number, a path, or a name as in
 * /proc/PID/comm. Opened in *p; *path is owned by the caller (free). Of several those that run
 * count. 0 or a negative errno with the error set: -ENOENT there is none, -EEXIST more than one.
 */
int process_find(struct slabstat *h, const char *what, struct wirepage *p, char **path);

#endif
