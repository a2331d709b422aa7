#!/bin/bash
# report.t: growth, shapes and suspects of recordings whose answer is known.
. "$(dirname "$0")/tap.sh"

# 60 samples, one a second: a line of /proc/slabinfo for each cache, by awk.
heading()
{
	echo 'slabinfo - version: 2.1'
	echo '# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>'
}
for n in $(seq 0 59); do
	echo "@$((1767225600 + n))"
	heading
	awk -v n="$n" 'function put(name, objects) {
		slabs = int((objects + 15) / 16)
		printf "%s %d %d 256 16 1 : tunables 0 0 0 : slabdata %d %d 0\n", name, objects, slabs * 16, slabs, slabs
	}
	BEGIN {
		put("leaking", 1000 + 160 * n)
		put("stepped", n < 25 ? 1000 : 5000)
		put("toothed", 1000 + 500 * (n % 12))
		put("warmed", 1000 + 5000 * (1 - exp(-n / 5)))
		put("steady", 1000)
		put("falling", 9000 - 100 * n)
		put("visited", n >= 28 && n < 31 ? 8000 : 1000)
	}'
done >"$tmp/loop"
run slabinfo import -o "$tmp/a.rec" "$tmp/loop"
status_is 0

run slabinfo report -H "$tmp/a.rec"
status_is 0
shape() { awk -F'\t' -v name="$1" '$1 == name { print $12 }' "$out"; }
is "leaking" "$(shape leaking)" growing
is "stepped" "$(shape stepped)" step
is "toothed" "$(shape toothed)" sawtooth
is "warmed" "$(shape warmed)" 'levelled off'
is "steady" "$(shape steady)" steady
is "falling" "$(shape falling)" shrinking
is "growth of the leak" "$(awk -F'\t' '$1 == "leaking" { print $4, $5 }' "$out")" '+2416640 +9440'
is "its peak is the last sample" "$(awk -F'\t' '$1 == "leaking" { print $10, $9 }' "$out")" '59 2674688'
is "the only suspect" "$(awk -F'\t' '$14 == "suspect" { print $1 }' "$out")" leaking

run slabinfo report "$tmp/a.rec"
out_has '^.*a\.rec: 60 samples in 59 s$'
out_has '^Leak suspect: leaking$'
out_has '^visited +252\.0 KiB.* \+?0 B'
out_has '^\(1 unchanged\)$'
out_has 'grew \+[0-9.]+ MiB, by 40960\.0 bytes a s \(95 %: 40960\.0 to 40960\.0\)'
out_has 'whether it is reclaimable is not known'
out_hasnt '^Leak suspect: (stepped|toothed|warmed|steady|falling)'
run slabinfo report --top 1 "$tmp/a.rec"
out_has '^\(5 more: --top 0\)$'
run slabinfo report --csv "$tmp/a.rec"
out_has '^name,start_bytes,end_bytes,growth_bytes,growth_objs,slope_bytes_per_hour,'
if command -v python3 >/dev/null; then
	slabinfo report --json "$tmp/a.rec" >"$tmp/json"
	cat >"$tmp/check.py" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
first = d["caches"][0]
assert d["suspects"] == 1 and first["name"] == "leaking" and first["suspect"], d
assert abs(first["over_time"]["slope_bytes_per_s"] - 40960) < 1e-6, first
END
	run python3 "$tmp/check.py" "$tmp/json"
	status_is 0
	err_is ''
else
	skip 2 "no python3"
fi

# Reclaimable caches grow because nobody needs the memory: no suspects.
for n in $(seq 0 40); do
	printf '%s\n' "@$((1767225600 + n))" "dentry/object_size:192" "dentry/slab_size:192" "dentry/objs_per_slab:21" \
		"dentry/order:0" "dentry/reclaim_account:1" "dentry/objects:$((n * 2100))" \
		"dentry/total_objects:$((n * 2100))" "dentry/slabs:$((n * 100))" "dentry/partial:0"  >"$tmp/tree.$n"
	sed -i 1d "$tmp/tree.$n"
done
# shellcheck disable=SC2046
run slabinfo import -i 1 -o "$tmp/b.rec" $(for n in $(seq 0 40); do echo "$tmp/tree.$n"; done)
status_is 0
run slabinfo report "$tmp/b.rec"
out_has '^No leak suspects$'
out_has 'dentry .*growing +yes +reclaimable'

# ---- runs ----
. "$(dirname "$0")/recordroot.sh"
machine
rec=$tmp/runs.rec
cat >"$tmp/leak" <<END
#!/bin/bash
# Each run leaves 160 dentries and warms filp up once.
n=\$(cat $tmp/n 2>/dev/null || echo 0)
echo \$((n + 1)) >$tmp/n
$set filp 5000
$set dentry \$((1000 + (n + 1) * 160))
END
chmod +x "$tmp/leak"
record --runs 8 -- "$tmp/leak"
status_is 0
run slabinfo report "$rec"
status_is 0
out_has '^Leak suspect: dentry$'
out_has 'grew in 7 of 7 runs after the first by 160\.0 objects a run \(95 %: 160\.0 to 160\.0\)'
out_hasnt '^Leak suspect: filp'
rm "$rec"
record --runs 8 -- true
run slabinfo report "$rec"
out_has '^No leak suspects$'

# ---- little to tell from ----
rm "$rec"
record -n 1
run slabinfo report "$rec"
status_is 0
out_has 'too few samples'
run slabinfo report "$tmp/none.rec"
status_is 1
ok "$label: one line" one_line "$err"
head -c 100 "$rec" >"$tmp/torn.rec"
run slabinfo report "$tmp/torn.rec"
status_is 1
err_has 'no samples in it'
run slabinfo report a b
status_is 2

done_testing
