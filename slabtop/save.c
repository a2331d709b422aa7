// SPDX-License-Identifier: MIT
/* save.c - the sample on the screen as a recording of one sample; see save.h. */
#include "save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "top.h"

unsigned save_ask(struct top *t)
{
	time_t s = (time_t)(slabstat_snapshot_wall_ns(t->feed.snapshot) / 1000000000);
	char name[64] = "slabtop.rec";
	struct tm tm;

	if (s && localtime_r(&s, &tm))
		strftime(name, sizeof(name), "slabtop-%Y%m%d-%H%M%S.rec", &tm);
	return top_ask(t, FOR_SAVE, "save this sample to: ", name, false);
}

unsigned save_sample(struct top *t, const char *path)
{
	struct slabstat_record_spec spec = {
		.tool = "slabtop " SLABKIT_VERSION,
		.source = slabstat_snapshot_source(t->feed.snapshot),
	};
	struct slabstat_record *record = NULL;
	struct stat st;
	int err = -EINVAL;

	/* A pipe that nobody reads would keep the screen waiting, a terminal be scribbled on. */
	if (*path && lstat(path, &st) == 0)
		err = -EEXIST;
	else if (*path)
		err = slabstat_record_open(t->h, path, &spec, t->feed.snapshot, NULL, &record);
	if (!err)
		err = slabstat_record_close(record);
	if (!*path)
		top_say(t, "nothing was saved");
	else if (err == -EEXIST)
		top_warn(t, "nothing was saved: %s is there already; use another name", path);
	else if (err)
		top_warn(t, "%s: %s", path,
			 slabstat_error(t->h)->text ? slabstat_error(t->h)->text : strerror(-err));
	else
		top_say(t, "saved: slabinfo -F %s shows it", path);
	return ENGINE_REDRAW;
}
