// SPDX-License-Identifier: MIT
/* procfs_fuzz.c - any bytes, read as /proc/slabinfo: as a file, and in pieces with seams. */
#include "reader.h"
#include "slabstat/procfs.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names are whole, rows stand in order and within the text. */
static void check_rows(const char *text, size_t size)
{
	size_t seam[] = { size / 3, size / 2, size };
	struct procfs_seams seams = { seam, 3, 3 };
	struct procfs_table t;

	check(procfs_parse(&t, text, size, &seams) == 0);
	for (size_t i = 0; i < t.count; i++) {
		check(t.row[i].name >= text && t.row[i].name_len > 0);
		check(t.row[i].name + t.row[i].name_len <= text + size);
		check(i == 0 || t.row[i].offset > t.row[i - 1].offset);
	}
	procfs_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_rows((const char *)data, size);
	read_as(SLABSTAT_SOURCE_PROCFS, data, size);
	return 0;
}
