#!/bin/bash
# tune_timed.t: comparisons and advice that depend on time, on a tree of files. No root is wanted,
# but a machine that has a little time to spare; each may be tried again.
. "$(dirname "$0")/../cli/tap.sh"
. "$(dirname "$0")/../cli/tunetree.sh"

# ---- --ab: a command whose time depends on the value ----
# 20 ms with 0, 420 ms with 120. A busy machine makes intervals wide, and one in twenty of them
# misses in any case: four times its width, and three tries.
tree 6.18.5
cat >"$tmp/work" <<'SH'
#!/bin/bash
sleep "0.$(printf %03d $(($(cat "$1") * 10 / 3 + 20)))"
SH
chmod +x "$tmp/work"
cat >"$tmp/ab.py" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
m = {x["measure"]: x for x in d["measures"]}
t = m["time_s"]
assert d["runs"] == 3 and len(t["a"]) == 3 == len(t["b"]), d
assert t["difference"] > 0 and abs(t["difference"] - 0.400) <= 4 * t["half_width"] + 0.01, t
assert m["footprint_mean_bytes"]["difference"] == 0 and not m["footprint_mean_bytes"]["beyond_spread"]
assert m["footprint_mean_bytes"]["a_mean"] == 40960
PY
known_effect()
{
	local try
	for try in 1 2 3; do
		tune --json --ab cpu_partial=0,120 --runs 3 dentry -- "$tmp/work" "$slab/dentry/cpu_partial"
		[ "$status" = 0 ] && python3 "$tmp/ab.py" "$out" 2>"$tmp/why" && return
	done
	sed 's/^/# /' "$tmp/why"
	return 1
}
ok "the known effect is found" known_effect
unchanged "--ab"

# Slabs that come while A runs and not while B does.
cat >"$tmp/grow" <<'SH'
#!/bin/bash
put() { echo "$2" >"$1/new" && mv "$1/new" "$1/slabs"; }
[ "$(cat "$1/cpu_partial")" = 0 ] && put "$1" 30
sleep 0.25
put "$1" 10
SH
chmod +x "$tmp/grow"
tune --ab cpu_partial=0,120 --runs 3 dentry -- "$tmp/grow" "$slab/dentry"
status_is 0
out_has '^cpu_partial of dentry: A = 0, B = 120, 3 runs of each, in pairs; intervals are 95 %$'
out_has '^slabs allocated +>20.0 +>0.0 +-20.0 +\+-0.0 +B is 100.0 % lower$'
out_has '^footprint, peak +>120.0 KiB +>40.0 KiB +-80.0 KiB '
err_has 'pair 3 of 3'

# ---- --advise: slabs that come and go ----
tree 6.18.5
cat >"$tmp/churn" <<'SH'
#!/bin/bash
put() { echo "$2" >"$1/new" && mv "$1/new" "$1/slabs"; }
for ((i = 0; i < 6; i++)); do
	put "$1" 60; sleep 0.2
	put "$1" 10; sleep 0.2
done
exit 4
SH
chmod +x "$tmp/churn"
tune --advise -- "$tmp/churn" "$slab/dentry"
status_is 4
out_has '^dentry: min_partial 5 -> 55$'
out_has '^    seen: at least [0-9]+ slabs came and [0-9]+ went in [0-9.]+ s .* between 10 and 60$'
out_has '^    memory: 200.0 KiB more at most$'
out_has '^    try it: slabinfo tune --ab min_partial=5,55 dentry -- COMMAND$'
unchanged "--advise"

done_testing
