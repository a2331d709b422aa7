#!/bin/bash
# tune_try.t: comparing two values, advice, profiles.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/tunetree.sh"

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

tune --ab cpu_partial=0,120 --runs 4 dentry -- sh -c 'exit 3'
status_is 3
unchanged "--ab of a command that fails"
tune --ab cpu_partial=0,4294967296 dentry -- touch "$tmp/ran"
status_is 125
ok "a refused B: the command is not run" [ ! -e "$tmp/ran" ]
for arguments in '--ab cpu_partial=0 dentry -- true' '--ab cpu_partial=1,1 dentry -- true' \
	'--ab cpu_partial=0,1 dentry' '--ab cpu_partial=0,1 -- true' '--ab nonsense=0,1 dentry -- true' \
	'--ab cpu_partial=0,1 --runs 1 dentry -- true'; do
	# shellcheck disable=SC2086
	tune $arguments
	status_is 2
done

# ---- --advise ----
tree 6.18.5
tune --advise --seconds 0.3
status_is 0
out_has '^nothing to propose: 3 caches, [0-9]+ samples'
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
echo 1000 >"$slab/filp/min_partial"
echo 800 >"$slab/filp/partial"
echo 900 >"$slab/filp/slabs"
echo 14400 >"$slab/filp/total_objects"
echo 2000 >"$slab/filp/objects"
tune --advise --seconds 0.3
out_has '^filp: min_partial 1000 -> 5$'
out_has '^    seen: 800 partial slabs with room for 12800 objects, of which 12400 are free \(3.0 MiB in whole slabs\)$'
tune --advise --seconds 0.3 dentry
out_has '^nothing to propose'
tune --advise --json --seconds 0.3
ok "--json is JSON" python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))
assert d["proposals"][0]["proposed"] == 5 and d["proposals"][0]["cost_bytes"] < 0' "$out"

# ---- profiles ----
tree 6.18.5
tune dentry,pool cpu_partial=7
tune --save "$tmp/profile"
status_is 0
ok "what differs from the defaults is saved" has "$tmp/profile" '^item,pool cpu_partial=7$'
is "a comment, and a line a cache" "$(grep -c . "$tmp/profile")" 3
tune --restore-all
tune --dry-run --load "$tmp/profile"
out_is 'item (shared by item, pool): cpu_partial 52, would become 7
dentry: cpu_partial 120, would become 7'
unchanged "--load --dry-run"
tune --load "$tmp/profile"
status_is 0
out_has '^dentry: cpu_partial 120 -> 7$'
tune --load "$tmp/profile"
out_is 'everything is as the profile says'
tune --undo
unchanged "--undo of a profile"

cache $'a b,c#\n' 64 120
tune --save "$tmp/odd" $'a b,c#\n'
tune $'a b,c#\n' cpu_partial=1
tune --load "$tmp/odd"
is "an odd name survives" "$(cat "$slab"/$'a b,c#\n'/cpu_partial)" 120
rm -r "$slab"/$'a b,c#\n'

printf '%s\n' '# comment' '' 'dentry  min_partial=6 cpu_partial=60 # why' 'gone cpu_partial=1' >"$tmp/profile"
tune --load "$tmp/profile"
status_is 1
err_has 'profile:4: no such cache here, passed over'
is "the rest is applied" "$(value dentry min_partial)" 6
tune --undo
printf '%s\n' 'dentry min_partial=6' 'filp cpu_partial=4294967296' >"$tmp/profile"
tune --load "$tmp/profile"
status_is 1
unchanged "a profile with a value that is refused"
for line in 'dentry' 'dentry min_partial' 'dentry order=1' 'dentry min_partial=x'; do
	echo "$line" >"$tmp/profile"
	tune --load "$tmp/profile"
	status_is 1
	err_has 'profile:1: '
done
tune --load "$tmp/nothing"
status_is 1
tune --save "$tmp/no/such/dir"
status_is 1
unchanged "bad profiles"

done_testing
