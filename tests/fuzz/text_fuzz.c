// SPDX-License-Identifier: MIT
/* text_fuzz.c - any bytes, read as what slabinfo, slabtop and vmstat print. */
#include "reader.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(SLABSTAT_SOURCE_TEXT, data, size);
	return 0;
}
