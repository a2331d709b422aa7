#!/bin/bash
# Every view of a frozen tree, at two sizes, against the screens that are expected.
. "$(dirname "$0")/../cli/tap.sh"
. "$top/tests/tui/term.sh"

root=$tmp/root
frozen_root "$root"

for size in '80 24' '132 40'; do
	read -r w h <<<"$size"
	term "$w" "$h" slabtop --root "$root" -d 600
	screen_is "caches-${w}x$h"
	keys 2
	screen_is "families-${w}x$h"
	keys 3
	screen_is "growth-${w}x$h"
	keys 4
	screen_is "aliases-${w}x$h"
	keys 5
	screen_is "nodes-${w}x$h"
	keys 6
	screen_is "totals-${w}x$h"
	# Typed ahead: the keys mean what they would have meant one by one.
	keys 1 Down Down Enter
	screen_is "detail-${w}x$h"
	keys PageDown
	screen_is "detail-more-${w}x$h"
	keys Escape
	screen_is "back-${w}x$h"
	keys f
	screen_is "columns-${w}x$h"
	keys Escape
	keys '?'
	screen_is "help-${w}x$h"
	keys q
	ended "views at ${w}x$h"
done

for size in '40 10' '20 5'; do
	read -r w h <<<"$size"
	term "$w" "$h" slabtop --root "$root" -d 600
	screen_is "caches-${w}x$h"
	keys q
	ended "${w}x$h"
done

# Without Unicode, and in one colour, nothing is lost.
utf8=C
term 80 24 slabtop --root "$root" -d 600
screen_is caches-ascii
keys q
ended "a locale without Unicode"

done_testing
