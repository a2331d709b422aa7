#!/usr/bin/env bash
# Programs that publish their slab caches: --pid, --list-processes, --clean.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/publisher.sh"

run slabinfo --list-processes
status_is 0
err_has 'SLAB_OPTIONS=publish'

publisher p
tell p create widgets 200 nomerge
tell p create gears 700
tell p create cogs 700
tell p create pins 64 reclaim
tell p create plain 64 nosheaf
tell p alloc widgets 1000
tell p free widgets 300
tell p alloc gears 10

run slabinfo --pid "$p_pid" -H -b -c name,in_use_objs,used_bytes,inexact '^widgets$'
status_is 0
err_is ''
out_has '^widgets	700	[0-9]+	$'
tell p walk widgets
is "the program's own walk" "$answer" 700

run slabinfo --pid publisher --json -r widgets
status_is 0
ok "in use + cached + free + padding + tail = footprint, figures by CPU" python3 - "$out" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))["samples"][0]
c = s["caches"][0]
assert s["source"]["kind"] == "process", s["source"]
parts = ("in_use_bytes", "cached_bytes", "free_bytes", "padding_bytes", "tail_bytes")
assert sum(c[k] for k in parts) == c["footprint_bytes"], c
assert c["in_use_objs"] == 700 and c["inexact"] == {}, c
assert c["in_use_objs"] + c["cached_objs"] + c["free_objs"] == c["total_objects"], c
assert sum(c["shares"]["sheaf_objs"].values()) == c["sheaf_objs"], c
assert sum(c["shares"]["slabs"].values()) == c["slabs"], c
assert c["cached_objs"] == c["sheaf_objs"] + c["barn_objs"] + c["rcu_objs"], c
PY
cp "$out" "$tmp/quiet.json"

run slabinfo --pid "$p_pid" -r widgets
out_has '^  In use +700 objects, room for'
out_has '^  Cached +[0-9]+ free objects: sheaves [0-9]+ \(CPU [0-9]+: [0-9]+.*\), barns .*, grace periods 0$'

# Without a slow path nobody is told: the program is asked.
tell p free widgets 1
run slabinfo --pid "$p_pid" -H -c in_use_objs '^widgets$'
out_is 699

run slabinfo --pid "$p_pid" -a
out_has '^:0000704 +<- .*cogs gears'
for mode in -l -T -X -S -L -n -r -D -A -P -z -o -t '-c all' --csv --json --families; do
	run slabinfo --pid "$p_pid" $mode
	status_is 0
done
tell p alloc plain 1
run slabinfo --pid "$p_pid" -H -c cpu_partial,sheaf_capacity '^plain$'
ok "a cache without sheaves has cpu_partial" grep -qE '^[1-9][0-9]*	0$' "$out"

# Kernel files are no program's: nothing is written to, or shown of, the kernel beside.
run slabinfo --pid "$p_pid" -dFZ widgets
status_is 2
run slabinfo --pid "$p_pid" --root /
status_is 2

# ---- tuning --------------------------------------------------------------------------------------

journal="--journal $tmp/journal"
run slabinfo tune --pid "$p_pid" $journal widgets min_partial=9 sheaf_capacity=30
status_is 0
tell p get widgets min_partial
is "the program has it" "$answer" 9
tell p get widgets sheaf_capacity
is "a sheaf of another size" "$answer" 30
run slabinfo tune --pid "$p_pid" $journal widgets
out_has '^widgets +min_partial +9 +5 +0..2\^32-1 +yes'
out_has '^widgets +sheaf_capacity +30 +- +1..1022 +yes'
run slabinfo tune --pid "$p_pid" $journal --undo
status_is 0
tell p get widgets sheaf_capacity
is "undone" "$answer" 126
tell p get widgets min_partial
is "undone" "$answer" 5
refuse() # CACHE KEY VALUE: by both
{
	run slabinfo tune --pid "$p_pid" $journal "$1" "$2=$3"
	status_is 1
	tell p tune "$@"
	is "the call refuses $1 $2=$3 too" "$answer" -22
}
refuse widgets cpu_partial 5
refuse widgets sheaf_capacity 0
refuse widgets sheaf_capacity 1023
refuse widgets min_partial 4294967296
refuse plain sheaf_capacity 10
refuse plain cpu_partial 1000001
run slabinfo tune --pid "$p_pid" $journal gears cpu_partial=0
status_is 0
run slabinfo tune --pid "$p_pid" $journal plain cpu_partial=1000
tell p get plain cpu_partial
is "without sheaves" "$answer" 1000
run slabinfo tune --pid "$p_pid" $journal widgets skip_kfence=1
status_is 1
run slabinfo tune --pid "$p_pid" $journal widgets min_partial=7 -- "$build/bin/slabinfo" --pid "$p_pid" -H -c min_partial '^widgets$'
status_is 0
out_has '^7$'
tell p get widgets min_partial
is "for one command only" "$answer" 5
run slabinfo --pid "$p_pid" -s widgets
status_is 0
run slabinfo --pid "$p_pid" -H -c cached_objs,free_objs '^widgets$'
out_has '^0	'
run slabinfo --pid "$p_pid" -v widgets
status_is 0
tell p alloc widgets 10
tell p free widgets 10

# ---- recording, comparing, looking ---------------------------------------------------------------

run slabinfo record --pid "$p_pid" -q -i 0.1 -n 2 -o "$tmp/p.rec"
status_is 0
tell p alloc gears 5000
run slabinfo record --pid "$p_pid" -q -i 0.1 -n 2 -o "$tmp/p.rec" --append
status_is 0
run slabinfo -F "$tmp/p.rec" -H -c in_use_objs,cpu_partial,sheaf_objs '^:0000704$'
ok "a recording has what the page has" grep -qE '^5010	0	[0-9]+$' "$out"
run slabinfo diff "$tmp/p.rec" --at first --pid "$p_pid"
status_is 1
out_has 'cogs|gears'
run slabinfo report "$tmp/p.rec"
status_is 0
if command -v gnuplot >/dev/null; then
	run slabplot top "$tmp/p.rec" -o "$tmp/p.svg"
	status_is 0
fi
run slabtop --pid "$p_pid" -o
status_is 0
out_has 'gears|cogs'

# A program that takes its time to answer costs nothing while it is waited for.
kill -STOP "$p_pid"
run slabinfo record --pid "$p_pid" -q -i 0.05 --max-overhead 50 -n 3 -o "$tmp/slow.rec"
kill -CONT "$p_pid"
status_is 0
ok "waiting for an answer is no reason to sample less often" hasnt "$tmp/slow.rec" '"read_ns".*"interval_s":'

# ---- which ---------------------------------------------------------------------------------------

run slabinfo --list-processes -H
status_is 0
out_has "^$p_pid	publisher	runs	"
tell p path
page=$answer
run slabinfo --pid "$page" -H -c in_use_objs '^widgets$'
out_is 699
run slabinfo -F "$page" -H -c name '^widgets$'
out_is widgets
ln -s "$page" "$tmp/link"
run slabinfo --pid "$tmp/link" -H -c name '^widgets$'
out_is widgets
publisher q
# Caches of one name are no samples.
for _ in 1 2 3 4; do tell q create twin 100 nomerge; done
run slabinfo --pid "$q_pid" -e -H -c name
out_has '^twin'
err_is ''
run slabinfo --pid publisher -T
status_is 1
err_has "2 programs of this name publish.*$p_pid"
run slabinfo --pid no-such-program
status_is 1
err_has 'SLAB_OPTIONS=publish'
publisher_end q
ok "an orderly end takes the page away" [ "$(ls "$tmp/run/slab" | wc -l)" = 1 ]

# ---- ends ----------------------------------------------------------------------------------------

run slabinfo --list-processes --clean
err_is ''
ok "who runs keeps its page" [ -e "$page" ]
kill -9 "$p_pid"
wait "$p_job" 2>/dev/null
run slabinfo --pid "$p_pid" -H -c in_use_objs '^widgets$'
status_is 0
out_is 699
err_has 'has died: figures of [0-9.]+ s ago'
run slabinfo --list-processes -H
out_has "^$p_pid	publisher	died	"

publisher k publish=keep
tell k create kept 100 nomerge
tell k alloc kept 77
publisher_end k
run slabinfo --pid "$k_pid" -H -c in_use_objs '^kept$'
out_is 77
err_has 'has ended: figures of'

# Another program by exec, of the same process: the page is not its own any more, and replaced.
publisher x
tell x create before 100 nomerge
tell x exec
is "the same process" "$answer" "$x_pid"
run slabinfo --pid "$x_pid" -H -c name before
out_is ''
ok "one page for it" [ "$(ls "$tmp/run/slab" | grep -c "^$x_pid-")" = 1 ]

printf 'slabpage' >"$tmp/run/slab/99999999-1"
printf 'hello' >"$tmp/run/slab/notes"
run slabinfo --list-processes
err_has '99999999-1: is too short'
run slabinfo --list-processes --clean
is "what died, what ended, what is damaged" "$(grep -c removed "$err")" 3
ok "a file of another name stays" [ -e "$tmp/run/slab/notes" ]
run slabinfo --list-processes -H
out_has "^$x_pid	exe	runs	"
publisher_end x

# ---- a fork ----------------------------------------------------------------------------------------

publisher f
tell f create shared 100 nomerge
tell f alloc shared 500
tell f fork
child=$answer
tell f alloc shared 200
run slabinfo --pid "$child" -H -c in_use_objs '^shared$'
out_is 700
run slabinfo --pid "$f_pid" -H -c in_use_objs '^shared$'
out_is 500

# ---- a tree ----------------------------------------------------------------------------------------

sum() # WHAT: objects really in use of "shared" in the tree
{
	run slabinfo --pid "$1" --children -H -c in_use_objs '^shared$'
	status_is 0
}
sum "$f_pid"
out_is 1200
sum "$child"
out_is 700
publisher_end f

# Short lives: each ends before anybody looked, and keeps its page.
cat >"$tmp/lives.sh" <<'EOF2'
for n in 1 2 3; do
	printf 'create shared 100 nomerge\nalloc shared %d\n' $((n * 100)) | "$1" >/dev/null
done
sleep 0.6
EOF2
run slabinfo record --children -q -i 0.2 --max-overhead 100 --settle 0.7 -o "$tmp/tree.rec" -- sh "$tmp/lives.sh" "$build/tests/cli/publisher"
status_is 0
err_is ''
run slabinfo -F "$tmp/tree.rec" --at peak -H -c in_use_objs '^shared$'
ok "what short lives held is met" [ "$(cat "$out")" -ge 300 ]
run slabinfo -F "$tmp/tree.rec" --at last -H -c in_use_objs,barn_get_fail '^shared$' -z
# Who ended is met in one reading and gone in the next.
if [ "${build##*/}" = asan ]; then
	skip 1 'programs that a sanitizer looks through at their end answer late, so readings are far apart'
else
	ok "what they counted stays, what they held does not" grep -qE '^0	([5-9]|[1-9][0-9])' "$out"
fi
ok "their pages are gone" [ -z "$(ls "$tmp/run/slab" | grep -v notes)" ]
run slabinfo --children
status_is 2
run slabinfo record --children
status_is 2

done_testing
