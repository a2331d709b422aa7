#!/usr/bin/env bash
# Our own forms: the table, tabs, CSV and JSON, of every mode.
. "$(dirname "$0")/tap.sh"

tree=$tmp/two-nodes
untree "$top/tests/data/trees/two-nodes.txt" "$tree/sys/kernel/slab"
root="--root $tree"

# ---- columns, sorting, filters ------------------------------------------------------------------

run slabinfo $root --top 3 -c name,footprint_bytes,loss_bytes,objects
status_is 0
err_is ''
out_is 'NAME                                   FOOTPRINT       LOSS  OBJECTS
rcu_cache                              781.3 MiB   66.0 MiB  1250000
a_name_that_is_longer_than_the_column   96.0 KiB    8.1 KiB       30
fallback                               ~64.0 KiB  ~24.0 KiB       40'

run slabinfo $root -b --sort +objects,name -c NAME,OBJECTS,%EFF --top 2
out_is 'NAME         OBJECTS  %EFF
debugged          12     9
buffer_head       20    10'
run slabinfo $root -b --sort name -c name -m '^r' -m 'x$|dentry'
out_is 'NAME
dentry
raced
rcu_cache'
run slabinfo $root -b --sort -name -c name -m '^r'
out_is 'NAME
rcu_cache
raced'
run slabinfo $root -H --sort footprint_bytes -i -c name --top 1
out_is alpha
run slabinfo $root -H -c +members --top 1
is "-c + adds a column" "$(awk -F'\t' '{ print NF }' "$out")" 11
run slabinfo $root -H -c name,users,flags,id -m '^pid$|debugged'
out_is "$(printf 'eventpoll_epi\teventpoll_epi,Kiocb,pid\tA\t:A-0000128\ndebugged\t-\tFZPUT\tdebugged')"
run slabinfo $root -H -e -c name,slabs
out_is "$(printf 'dma-kmalloc-64\t0')"
run slabinfo $root -H -z -c name
is "-z shows empty caches" "$(wc -l <"$out")" 11
run slabinfo $root -H -U -c name,reclaim_account
out_hasnt '	1$'

run slabinfo $root --families -H -b -c name,members,footprint_bytes -z -m kmalloc
out_is "$(printf 'kmalloc-*\t2\t8192')"
# A fold's sum is its members'.
run slabinfo $root -H -b -z -c footprint_bytes
sum=$(awk '{ s += $1 } END { print s }' "$out")
run slabinfo $root -H -b -z --families -c footprint_bytes
is "families add up" "$(awk '{ s += $1 } END { print s }' "$out")" "$sum"

run slabinfo -c help
status_is 0
out_has '^footprint_bytes +FOOTPRINT +bytes +memory that the slabs take'
out_has '^users +USERS +text '

# ---- CSV ----------------------------------------------------------------------------------------

run slabinfo $root --csv -c name,users,object_size,failslab,inexact -m '^pid$|fallback'
out_is 'name,users,object_size,failslab,inexact
fallback,,1024,,"footprint_bytes:upper,loss_bytes:upper,tail_bytes:upper,efficiency_percent:lower,loss_percent:estimate"
eventpoll_epi,"eventpoll_epi,Kiocb,pid",128,,""'
run slabinfo $root --csv -H -c name,slabs -m dentry
out_is 'dentry,10'

# Every line of every mode has as many cells as the first.
i=0
for mode in '' -r -T -X -a '-a -1' -n -t -o -D -A; do
	slabinfo $root --csv $mode >"$tmp/csv.$((i++))" 2>"$err"
done
cat >"$tmp/cells.py" <<'EOF'
import csv, sys
for path in sys.argv[1:]:
    rows = list(csv.reader(open(path)))
    if not rows or len({len(r) for r in rows}) != 1:
        sys.exit("%s: rows of different lengths" % path)
EOF
run python3 "$tmp/cells.py" "$tmp"/csv.*
label="--csv of $i modes: rows of one length"
status_is 0
err_is ''

# ---- JSON: every document is collected, one python looks at all ----------------------------------

mkdir "$tmp/json"
: >"$tmp/checks"
docs=0
document() # OPTIONS...: make one; the checks that follow look at it
{
	docs=$((docs + 1))
	slabinfo "$@" --json >"$tmp/json/$docs" 2>"$err" || echo "$docs|exit status|False" >>"$tmp/checks"
}
json() # NAME EXPRESSION over d (document) and s (its first sample)
{
	echo "$docs|$1|$2" >>"$tmp/checks"
}

for mode in '' -l -r -T -X -a '-a -1 -i' -n -t -o -D -A '-L -N 2' -e -z -S -P -U -f -B --families '-c all'; do
	document $root $mode
	json "--json $mode" 'd["format"] == "slabinfo" and d["version"] == 1 and len(d["samples"]) == 1'
done
document $root
json "a merged cache" '[c["name"] for c in s["caches"] if c["id"] == ":A-0000128"] == ["eventpoll_epi"]'
json "largest first" 's["caches"][0]["name"] == "rcu_cache" and s["matched"] == 10'
json "integers" 's["caches"][0]["footprint_bytes"] == 819200000'
json "absent is null" 's["caches"][0]["failslab"] is None and "failslab" in s["absent"]'
json "users" '[c["users"] for c in s["caches"] if c["id"] == ":A-0000128"] == [["eventpoll_epi", "Kiocb", "pid"]]'
json "bounds" '[c["inexact"].get("footprint_bytes") for c in s["caches"] if c["name"] == "fallback"] == ["upper"]'
json "nodes" 's["caches"][0]["shares"]["slabs"] == {"0": 20000, "1": 5000}'
json "constructor" 's["caches"][0]["ctor"] == "init_once+0x0/0x20"'
document $root -c name,objects --top 1
json "chosen keys alone" 's["caches"] == [{"name": "rcu_cache", "objects": 1250000}]'
document $root -T
json "totals add up" 's["totals"]["loss_bytes"]["sum"] == sum(s["totals"][k]["sum"] for k in ("free_bytes", "padding_bytes", "tail_bytes"))'
json "no meminfo, no reconciliation" 's["totals"]["unattributed_bytes"] is None and s["meminfo"] is None'
document $root -X -N 2
json "rankings" '[len(s[k]) for k in ("by_size", "by_loss", "by_partial")] == [2, 2, 2]'
document $root -a
json "merged caches" '[m["id"] for m in s["merged"]] == [":a-0000128", ":A-0000128"]'
document $root -n dentry
json "nodes of a cache" 's["caches"][0]["nodes"][1] == {"node": 1, "slabs": 4, "partial": 1, "objects": 74, "total_objects": 84}'

# Integers that a double cannot hold.
mkdir -p "$tmp/huge/sys/kernel/slab"
cp -r "$tree/sys/kernel/slab/dentry" "$tmp/huge/sys/kernel/slab/huge"
echo 18446744073709551615 >"$tmp/huge/sys/kernel/slab/huge/min_partial"
document --root "$tmp/huge" -c min_partial
json "2^64-1 is exact" 's["caches"] == [{"min_partial": 18446744073709551615}]'
run slabinfo --root "$tmp/huge" --csv -c min_partial -H
out_is 18446744073709551615

# ---- several sources ----------------------------------------------------------------------------

cat >"$tmp/a.txt" <<'EOF'
slabinfo - version: 2.1
# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>
fsverity_info          5      15    264   15    1 : tunables    0    0    0 : slabdata      1      1      0
dentry               180     210    192   21    1 : tunables    0    0    0 : slabdata     10     10      0
EOF
sed 's/^dentry  */other /' "$tmp/a.txt" >"$tmp/b.txt"
run slabinfo -F "$tmp/a.txt" -F "$tmp/b.txt" --csv -c name,objects
sed -i "s#$tmp/##" "$out"
out_is 'source,name,objects
a.txt,dentry,180
a.txt,fsverity_info,5
b.txt,other,180
b.txt,fsverity_info,5'
for mode in -T -X -r -n -a -o; do
	run slabinfo -F "$tmp/a.txt" -F "$tmp/b.txt" $mode --csv
	is "$mode --csv of two files: one heading" "$(grep -c '^source,' "$out")" 1
	is "$mode --csv: each row has its source" "$(grep -cvE '^(source|.*/[ab]\.txt),' "$out")" 0
done
document -F "$tmp/a.txt" -F "$tmp/b.txt" -c name
json "a sample a file" '[x["source"]["kind"] for x in d["samples"]] == ["procfs", "procfs"]'
run slabinfo -F "$tmp/a.txt" -F "$tmp/b.txt" -l
is "a heading a file" "$(grep -c '^==> .* <==$' "$out")" 2
label='-F - takes standard input'
slabinfo -F - -H -c name <"$tmp/a.txt" >"$out" 2>"$err"
out_is 'dentry
fsverity_info'

# /proc/slabinfo alone: used and padding are absent, not 0, and it is said.
run slabinfo -F "$tmp/a.txt" --csv -c name,object_size,used_bytes,loss_bytes,inexact
out_is 'name,object_size,used_bytes,loss_bytes,inexact
dentry,,,6400,"loss_bytes:lower,loss_percent:lower"
fsverity_info,,,2776,"loss_bytes:lower,loss_percent:lower"'
err_has 'absent, because .*: object_size used_bytes$'
run slabinfo -F "$tmp/a.txt" -T
out_has '^> lower bound'
out_has '^Used is absent, not 0'

# ---- colour -------------------------------------------------------------------------------------

esc=$'\033'
run slabinfo $root --top 1
ok "a pipe has no colour" hasnt "$out" "$esc"
run slabinfo $root --top 1 --color=always
ok "--color=always" has "$out" "$esc"
run env CLICOLOR_FORCE=1 slabinfo $root --top 1
ok "CLICOLOR_FORCE" has "$out" "$esc"
run env CLICOLOR_FORCE=1 NO_COLOR=1 slabinfo $root --top 1
ok "NO_COLOR" hasnt "$out" "$esc"
run env CLICOLOR_FORCE=1 slabinfo $root -S
ok "the kernel tool's layout has none" hasnt "$out" "$esc"

# ---- the JSON checks ----------------------------------------------------------------------------

cat >"$tmp/check.py" <<'EOF'
import json, sys
folder, checks = sys.argv[1:]
for line in open(checks):
    n, name, expression = line.rstrip("\n").split("|", 2)
    d = json.load(open(folder + "/" + n))
    s = d["samples"][0] if d["samples"] else None
    print("ok" if eval(expression, {"d": d, "s": s}) else "not ok", name)
EOF
python3 "$tmp/check.py" "$tmp/json" "$tmp/checks" >"$tmp/results" 2>&1
while read -r result name; do
	case $result in
	ok) ok "$name" true ;;
	*) ok "$name $result" false ;;
	esac
done <"$tmp/results"
is "every JSON check was made" "$(grep -c '^ok\|^not' "$tmp/results")" "$(grep -c ^ "$tmp/checks")"

done_testing
