#!/bin/bash
# diff.t: what grew from one snapshot to another, and between groups of recordings.
. "$(dirname "$0")/tap.sh"

head='slabinfo - version: 2.1
# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>'
row() # NAME OBJECTS SLABS: 16 objects of 256 bytes in a page
{
	echo "$1 $2 $(($3 * 16)) 256 16 1 : tunables 0 0 0 : slabdata $3 $3 0"
}

{ echo "$head"; row dentry 100 10; row filp 64 4; row gone 16 1; row same 10 1; } >"$tmp/a"
{ echo "$head"; row dentry 400 26; row filp 30 3; row same 10 1; row born 40 3; } >"$tmp/b"

# ---- two snapshots ----
run slabinfo diff "$tmp/a" "$tmp/a"
status_is 0
out_is ''
err_is ''
run slabinfo diff -H "$tmp/a" "$tmp/b"
status_is 1
out_is "dentry	40960	106496	+65536	+300	-11264	
born	-	12288	+12288	+40	+2048	new
gone	4096	-	-4096	-16	0	vanished
filp	16384	12288	-4096	-34	+4608	"
run slabinfo diff --csv "$tmp/a" "$tmp/b"
out_has '^name,before_bytes,after_bytes,growth_bytes,growth_objs,growth_loss_bytes,state$'
out_has '^gone,4096,,-4096,-16,0,vanished$'
run slabinfo diff "$tmp/a" "$tmp/b"
out_has '^dentry +40\.0 KiB +104\.0 KiB +\+64\.0 KiB +\+300'
out_has '^\(total\) +64\.0 KiB +132\.0 KiB +\+68\.0 KiB +\+290'
out_hasnt '^same'
run slabinfo diff --top 1 "$tmp/a" "$tmp/b"
out_has '^\(3 more: --top 0\)'
out_hasnt '^born'

# B to A is the negative of A to B.
growth() # SIGN A B: name and growths, times SIGN
{
	slabinfo diff -H --top 0 "$2" "$3" | awk -F'\t' -v sign="$1" '{ print $1, sign * $4, sign * $5, sign * $6 }' | sort
}
growth 1 "$tmp/a" "$tmp/b" >"$tmp/ab"
growth -1 "$tmp/b" "$tmp/a" >"$tmp/ba"
ok "diff A B is the negative of diff B A" same "$tmp/ba" "$tmp/ab"

# A file that was cut: what is missing would pass for a cache that vanished.
{ cat "$tmp/a"; echo 'filp 64 6'; } >"$tmp/cut"
run slabinfo diff "$tmp/a" "$tmp/cut"
status_is 2
err_has 'cut:7: not understood, row left out'

# Nothing grew: exit status 0, even where something shrank.
{ echo "$head"; row dentry 90 9; row filp 64 4; row gone 16 1; row same 10 1; } >"$tmp/less"
run slabinfo diff "$tmp/a" "$tmp/less"
status_is 0
out_has '^dentry'
# More objects in the same slabs take no more memory.
{ echo "$head"; row dentry 110 10; row filp 64 4; row gone 16 1; row same 10 1; } >"$tmp/fuller"
run slabinfo diff "$tmp/a" "$tmp/fuller"
status_is 0
out_has '\+10'

if command -v python3 >/dev/null; then
	slabinfo diff --json "$tmp/a" "$tmp/b" >"$tmp/json"
	cat >"$tmp/check.py" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["format"], d["mode"]) == ("slabinfo", "diff"), d
assert [c["name"] for c in d["caches"]] == ["dentry", "born", "gone", "filp"], d
assert d["caches"][0]["growth_bytes"] == 65536 and d["caches"][1]["new"] and d["caches"][2]["vanished"]
assert d["total"]["growth_bytes"] == 69632
END
	run python3 "$tmp/check.py" "$tmp/json"
	status_is 0
	err_is ''
else
	skip 2 "no python3"
fi

# Merged caches have other names after another boot: who shares them tells.
mkdir -p "$tmp/listing"
make_listing() # ID OBJECTS SLABS ALIAS...
{
	local id=$1 objects=$2 slabs=$3 alias
	shift 3
	printf '%s/%s\n' "$id" "object_size:128" "$id" "slab_size:128" "$id" "objs_per_slab:32" "$id" "order:0" \
		"$id" "objects:$objects" "$id" "total_objects:$((slabs * 32))" "$id" "slabs:$slabs" "$id" "partial:0" "$id" "aliases:$(($# - 1))"
	for alias; do echo "$alias -> $id"; done
}
{ make_listing :0000128 64 2 uid_cache pid eventpoll; make_listing :A-0000128 32 1 lonely other; } >"$tmp/one"
{ make_listing :0000136 128 4 uid_cache pid eventpoll; make_listing :A-0000128 32 1 lonely other; } >"$tmp/two"
run slabinfo diff -H "$tmp/one" "$tmp/two"
status_is 1
is "matched by its users" "$(cut -f 4-7 "$out")" "+8192	+64	0	"

# Families add up their members.
{ echo "$head"; row kmalloc-8 16 1; row kmalloc-16 16 1; row kmalloc-rnd-03-16 16 1; } >"$tmp/k1"
{ echo "$head"; row kmalloc-8 32 2; row kmalloc-16 48 3; row kmalloc-rnd-03-16 16 1; } >"$tmp/k2"
run slabinfo diff --families -H "$tmp/k1" "$tmp/k2"
out_is "kmalloc-*	12288	24576	+12288	+48	0	"

# ---- usage and trouble ----
run slabinfo diff
status_is 2
run slabinfo diff a b c
status_is 2
err_has 'part two groups by the word vs'
run slabinfo diff vs "$tmp/a"
status_is 2
run slabinfo diff "$tmp/a" vs "$tmp/b" vs "$tmp/a"
status_is 2
run slabinfo diff "$tmp/a" "$tmp/none"
status_is 2
err_has 'none: No such file'
cp "$tmp/b" "$tmp/vs"
label="a file called vs"
(cd "$tmp" && exec slabinfo diff -H a ./vs) >"$out" 2>"$err"
status=$?
status_is 1
label="standard input"
slabinfo diff -H - "$tmp/b" <"$tmp/a" >"$out" 2>"$err"
status=$?
status_is 1
if [ -w /dev/full ]; then
	label="a full disk"
	slabinfo diff "$tmp/a" "$tmp/b" >/dev/full 2>"$err"
	status=$?
	status_is 2
else
	skip 1 "no /dev/full"
fi

# ---- groups ----
numbers() # FILE NUMBER...: a recording of a column of numbers
{
	local file=$1
	shift
	printf '%s\n' "$@" >"$tmp/column"
	slabinfo import --force -i 1 -o "$file" "$tmp/column"
}
numbers "$tmp/a1.rec" 1000 1100 1200
numbers "$tmp/a2.rec" 1000 1110 1220
numbers "$tmp/a3.rec" 1000 1090 1180
numbers "$tmp/b1.rec" 2000 2100 2200
numbers "$tmp/b2.rec" 2000 2110 2220
numbers "$tmp/b3.rec" 2000 2090 2180
run slabinfo diff "$tmp"/a?.rec vs "$tmp"/b?.rec
status_is 1
out_has '^loss +1100 +1100 +10 +2100 +2100 +10 +\+1000 +\+977 +\+1023 +\+90\.9 +B is higher'
out_has '^loss: B is higher than A by \+1000 B \(95 %: \+977 B to \+1022 B\)|^loss: B is higher than A by \+1000 B'
run slabinfo diff "$tmp/a1.rec" "$tmp/b3.rec" vs "$tmp/b1.rec" "$tmp/a3.rec"
status_is 0
out_has '^loss: no difference beyond the spread between runs'
run slabinfo diff "$tmp/a1.rec" vs "$tmp/b1.rec"
status_is 1
out_has 'the spread between runs is not known'
out_has '^loss +1100 +- +- +2100 +- +- +\+1000 +- +- +\+90\.9 +spread not known'
run slabinfo diff "$tmp/a1.rec" "$tmp/b1.rec"
out_has '^.*a1\.rec +3 +loss +1100 +1100 +100 +1000 +1200$'

# Caches that one side merges and the other keeps apart are counted together.
slabs() # NAME SLABS USED: a directory of 64-byte objects
{
	printf "$1/%s\n" object_size:64 slab_size:64 objs_per_slab:64 order:0 slabs:$2 objects:$3 total_objects:$(($2 * 64))
}
{ slabs :0000064 10 640; echo 'chain -> :0000064'; echo 'pwq -> :0000064'; slabs dentry 2 100; } >"$tmp/merged"
{ slabs chain 8 400; slabs pwq 5 240; slabs dentry 2 100; } >"$tmp/apart"
run slabinfo diff --top 0 "$tmp/merged" vs "$tmp/apart"
status_is 1
out_has '^chain \(\+1\) +40960 .* 53248 .* \+12288 .* \+30 '
out_hasnt '^pwq|^dentry'
run slabinfo diff --top 0 "$tmp/apart" vs "$tmp/apart"
status_is 0
out_hasnt '\(\+1\)'

# ---- the figures of the seed data ----
if [ -e "$shared/data/seed/unused-merge.txt" ]; then
	slabinfo import -i 1 -o "$tmp/merge.rec" "$shared/data/seed/unused-merge.txt"
	slabinfo import -i 1 -o "$tmp/nomerge.rec" "$shared/data/seed/unused-nomerge.txt"
	run slabinfo diff "$tmp/merge.rec" "$tmp/nomerge.rec"
	status_is 0
	out_has 'nomerge\.rec +2152 +loss +190446\.8 +188392 .* 435904$'
	out_has '/merge\.rec +2236 +loss +372725 +355872 .* 2141120$'
else
	skip 3 "no ${shared##*/}/data/seed"
fi

# ---- real trees: the growth of slabs x pages, computed by awk ----
for tree in "$shared"/data/trees/*/; do
	[ -e "$tree/slab-after.txt" ] || continue
	name=$(basename "$tree")
	for when in slab slab-after; do
		awk -F'[/:]' '
			{ cut = match($0, /\/[a-z_]+:/); cache = substr($0, 1, cut - 1); rest = substr($0, cut + 1) }
			rest ~ /^slabs:/ { sub(/^slabs:/, "", rest); split(rest, n, " "); slabs[cache] = n[1] }
			rest ~ /^order:/ { order[cache] = substr(rest, 7) }
			END { for (c in slabs) sum += slabs[c] * 4096 * 2 ^ order[c]; printf "%d\n", sum }' "$tree/$when.txt" >"$tmp/sum.$when"
	done
	slabinfo diff -H --top 0 "$tree/slab.txt" "$tree/slab-after.txt" >"$tmp/rows"
	is "$name: growth of all caches" \
		"$(awk -F'\t' '{ sum += $4 } END { printf "%d\n", sum }' "$tmp/rows")" \
		"$(($(cat "$tmp/sum.slab-after") - $(cat "$tmp/sum.slab")))"
	growth 1 "$tree/slab.txt" "$tree/slab-after.txt" >"$tmp/ab"
	growth -1 "$tree/slab-after.txt" "$tree/slab.txt" >"$tmp/ba"
	ok "$name: diff B A is the negative" same "$tmp/ba" "$tmp/ab"
	run slabinfo diff "$tree/slab-after.txt" "$tree/slab-after.txt"
	out_is ''
	status_is 0
done
[ -d "$shared/data/trees" ] || skip 1 "no ${shared##*/}/data/trees"

done_testing
