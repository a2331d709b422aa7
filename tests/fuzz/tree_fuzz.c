// SPDX-License-Identifier: MIT
/* tree_fuzz.c - any bytes, read as a listing of a slab directory. */
#include "reader.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(SLABSTAT_SOURCE_TREE, data, size);
	return 0;
}
