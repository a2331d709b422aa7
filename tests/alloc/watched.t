#!/bin/sh
# Every test with red zones, poison, consistency checks and user tracking in every cache, but those that
# count on merging, on sheaves or on the size of a slot, which caches that watch have not.
. "${0%/*}/variants.sh"
try debug=FZPU $(every_but merge tune publish numa)
try 'debug=FZPU,none*' cache
echo "1..$n"
