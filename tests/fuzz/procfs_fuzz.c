// SPDX-License-Identifier: MIT
/* procfs_fuzz.c - any bytes, read as /proc/slabinfo. */
#include "reader.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(SLABSTAT_SOURCE_PROCFS, data, size);
	return 0;
}
