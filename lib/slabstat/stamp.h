/* SPDX-License-Identifier: MIT */
/*
 * stamp.h - a line that is a time and nothing else, as scripts print one between samples.
 *
 *	Mon Nov 30 10:31:31 UTC 2026		date; also without a zone, and with AM and PM
 *	2026-11-30 10:31:31, 2026-11-30T10:31:31.25+01:00
 *	1796034691, 1796034691.25, @1796034691	seconds since 1970
 *
 * A time without a zone, or with one other than UTC by name, is taken as UTC: what matters between
 * samples is the distance.
 */
#ifndef SLABSTAT_STAMP_H
#define SLABSTAT_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* stamp_scan - wall-clock time in ns of a line without blanks at its ends. */
bool stamp_scan(const char *text, size_t len, int64_t *wall_ns);

#endif
