#!/bin/bash
# tune_try.t: comparing two values, advice, profiles.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/tunetree.sh"

# ---- --ab: what a command does to the cache depends on the value; times are not judged here ----
tree 6.18.5
echo '0 C0=0' >"$slab/dentry/alloc_slab"
cat >"$tmp/work" <<'SH'
#!/bin/bash
if [ "$(cat "$1/cpu_partial")" = 0 ]; then grow=20 slabs=30; else grow=3 slabs=10; fi
read -r n _ <"$1/alloc_slab"
echo "$((n + grow)) C0=$((n + grow))" >"$1/alloc_slab"
echo $slabs >"$1/slabs"
SH
chmod +x "$tmp/work"
tune --ab cpu_partial=0,120 --runs 3 dentry -- "$tmp/work" "$slab/dentry"
status_is 0
out_has '^cpu_partial of dentry: A = 0, B = 120, 3 runs of each, in pairs; intervals are 95 %$'
out_has '^alloc_slab +20.0 +3.0 +-17.0 +\+-0.0 +B is 85.0 % lower$'
out_has '^loss at the end +80.1 KiB +64 B +-80.0 KiB +\+-0 B '
out_has '^slabs held by CPUs, at the end +0.0 +0.0 +\+0.0 +\+-0.0 +the same$'
err_has 'pair 3 of 3'
unchanged "--ab"
tune --json --ab cpu_partial=0,120 --runs 3 dentry -- "$tmp/work" "$slab/dentry"
ok "--json has every run" python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))
m = {x["measure"]: x for x in d["measures"]}
assert d["mode"] == "tune-ab" and m["alloc_slab"]["a"] == [20, 20, 20] and m["alloc_slab"]["b"] == [3, 3, 3]
assert m["alloc_slab"]["beyond_spread"] and len(m["time_s"]["a"]) == 3' "$out"

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
# The kernel's own counters tell of a hundred thousand slabs that came and went.
echo '7 C0=7' >"$slab/dentry/alloc_slab"
echo '5 C1=5' >"$slab/dentry/free_slab"
tune --advise -- sh -c "echo 100007 >$slab/dentry/alloc_slab; echo 100005 >$slab/dentry/free_slab; exit 4"
status_is 4
out_has '^dentry: min_partial 5 -> 6$'
out_has '^    seen: 100000 slabs came and 100000 went in [0-9.]+ s .* between 10 and 10$'
out_has '^    memory: 4.0 KiB more at most$'
out_has '^    try it: slabinfo tune --ab min_partial=5,6 dentry -- COMMAND$'
rm "$slab"/dentry/{alloc,free}_slab
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
tune --dry-run dentry cpu_partial=120
out_is 'dentry: cpu_partial is 120 already'
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
if [ "${build##*/}" = asan ]; then
	skip 4 'a sanitizer wants more address space than the limit'
else
	for file in /dev/zero "$tmp"; do
		(ulimit -v 4000000; slabinfo tune --root "$root" --journal "$journal" --load "$file") >"$out" 2>"$err" </dev/null
		is "--load ${file#"$tmp"}: exit status" $? 1
		err_has 'not text, or a line without an end|Is a directory'
	done
fi

# ---- where a profile is saved ----
echo old >"$tmp/real"
ln -s real "$tmp/link"
: >"$tmp/real.new"
tune --save "$tmp/link" dentry
status_is 0
ok "a link to a profile stays one" [ -L "$tmp/link" ]
ok "what it points to is written" has "$tmp/real" '^dentry '
ln -sf /dev/full "$tmp/link"
tune --save "$tmp/link" dentry
status_is 1
err_has 'No space left'
ok "a device stays one" [ -c "$tmp/link" ]

# ---- no advice from a command that did not run ----
tune --advise -- "$tmp/nothing"
status_is 127
out_is ''

done_testing
