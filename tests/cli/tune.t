#!/bin/bash
# tune.t: show, set, refuse, undo: on files, which are tuned as a kernel is.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/tunetree.sh"

# ---- looking ----
tree 6.18.5
tune
status_is 0
out_has '^3 caches; every tunable that can be read is as the kernel set it'
err_is ''
tune dentry,pool
status_is 0
out_has '^dentry +cpu_partial +120 +120 +0..2\^32-1 +yes'
out_has '^dentry +min_partial +5 +5 +0..2\^64-1 +yes'
out_has '^pool: one cache for 2 users, changed for all of them: item, pool$'
out_has '^pool +failslab +0 +0 +0 +yes'
out_has '^failslab: the kernel refuses it for a cache that several users share$'
tune --json pool
ok "--json is JSON with the value" sh -c "python3 -c 'import json, sys; d = json.load(sys.stdin)
assert d[\"format\"] == \"slabinfo\" and d[\"version\"] == 1 and d[\"mode\"] == \"tune\"
c = d[\"caches\"][0]; assert c[\"cache\"] == \":0000256\" and c[\"users\"] == [\"item\", \"pool\"]
assert c[\"tunables\"][0][\"value\"] == 52 and d[\"live\"] is False' <'$out'"

# ---- setting and undoing ----
tune dentry,pool cpu_partial=0 min_partial=9
status_is 0
out_is - <<'OUT'
dentry: cpu_partial 120 -> 0
dentry: min_partial 5 -> 9
pool (shared by item, pool): cpu_partial 52 -> 0
pool (shared by item, pool): min_partial 5 -> 9
OUT
err_has "editing files under .*/sys/kernel/slab, not a kernel"
is "written to the file" "$(value dentry cpu_partial)" 0
is "written once for the shared cache" "$(value :0000256 min_partial)" 9
tune
out_has '^:0000256 +cpu_partial +0 +52 '
tune dentry cpu_partial=0
out_is 'dentry: cpu_partial is 0 already'
tune --history
out_has '^1 .* in force '
out_has '^     dentry cpu_partial: 120 -> 0$'
tune --undo
tune --undo
status_is 0
unchanged "two undos"
tune --undo
status_is 1
err_has 'there is nothing to undo'
tune --history
out_has '^1 .* undone '
tune filp cpu_partial=1
tune item cpu_partial=2
tune filp cpu_partial=3
tune --undo=3
status_is 1
err_has 'entry 5 changed the same tunable later: undo that one first'
tune --restore-all
status_is 0
unchanged "--restore-all"
tune --restore-all
out_is 'nothing to restore'

# ---- trying without writing ----
tune --dry-run dentry min_partial=9
status_is 0
out_is 'dentry: min_partial 5, would become 9'
unchanged "--dry-run"
ok "no entry for a dry run" hasnt "$journal/journal" 'min_partial.*new=9.*6'

# ---- several caches only by commas, -m or --all, and those are listed first ----
tune -m '^(dentry|item)$' cpu_partial=7
out_has '^2 caches: dentry, :0000256$'
is "an alias that matches means its cache" "$(value :0000256 cpu_partial)" 7
tune --undo
tune --all min_partial=6
out_has '^3 caches: dentry, filp, :0000256$'
tune --undo
tune -m nothing cpu_partial=7
status_is 1
err_has 'no cache matches'
tune 'dentry filp' cpu_partial=7
status_is 1
err_has 'there is no cache called "dentry filp"'

# ---- refused before anything is written ----
refused() # STATUS REGEX ARGUMENT...
{
	local want=$1 regex=$2
	shift 2
	tune "$@"
	status_is "$want"
	err_has "$regex"
}
refused 2 'no whole number' dentry cpu_partial=-1
refused 2 'no whole number' dentry cpu_partial=abc
refused 2 'no whole number' dentry cpu_partial=5x
refused 2 'no whole number' dentry cpu_partial=0x10
refused 2 'no whole number' dentry 'cpu_partial= 5'
refused 2 'no whole number' dentry cpu_partial=
refused 1 'the kernel takes 0 to 4294967295' dentry cpu_partial=4294967296
refused 2 'more than 2\^64-1' dentry min_partial=18446744073709551616
refused 1 'more than 16384 slabs a node only with --force' dentry min_partial=18446744073709551615
refused 1 'more than 16384 objects a CPU only with --force' dentry cpu_partial=4294967295
refused 1 'the kernel takes 0 to 100' dentry remote_node_defrag_ratio=101
refused 1 'the kernel takes 0 or 1' dentry skip_kfence=2
refused 1 'several users share' pool failslab=1
refused 2 'order: fixed when the cache is made' dentry order=2
refused 2 'trace: set at boot only: slab_debug=T,CACHE' dentry trace=1
refused 2 "not a tunable: 'objects'" dentry objects=1
refused 2 "no such tunable: 'nonsense'" dentry nonsense=1
refused 2 'given twice' dentry cpu_partial=1 cpu_partial=2
refused 2 'do not go with this option' --restore-all dentry cpu_partial=1
refused 1 'the first word names the caches' cpu_partial=1
refused 1 'this kernel validates debug caches only; boot with slab_debug=FZPU,dentry' dentry validate
refused 1 'there is no cache called "nobody"' dentry,nobody cpu_partial=1
unchanged "every refusal"
tune --force dentry min_partial=18446744073709551615
status_is 0
is "--force lifts our own limit" "$(value dentry min_partial)" 18446744073709551615
tune --undo

# ---- kernels that refuse more ----
tree 7.3.4
tune dentry
out_has '^dentry +cpu_partial +120 +0 +0 +yes'
out_has '^cpu_partial: no CPU-partial slabs since 7.0'
refused 1 'no CPU-partial slabs since 7.0' dentry cpu_partial=30
unchanged "7.3"
tree 6.18.5
echo 1 >"$slab/dentry/red_zone"
refused 1 'a debug cache has no CPU-partial slabs' dentry cpu_partial=30
tune dentry validate
status_is 0
out_has 'the kernel log: dmesg'
tree 5.10.1
tune dentry
out_has '^dentry +min_partial +5 +5 +5..10 +yes'
out_has '^min_partial: before 5.17 the kernel silently stores 5 to 10'
tune dentry validate
status_is 0

# ---- shrink ----
tree 6.18.5
tune dentry,filp shrink
status_is 0
out_has '^dentry: 10 -> 10 slabs, nothing given back, in [0-9.]+ ms; what stays is full, or held by a CPU$'
out_has '^together: 0 B given back$'

# ---- usage ----
tune --help
status_is 0
out_has '^usage: slabinfo tune '
tune dentry bogus
status_is 2
tune --undo=x
status_is 2
tune --undo --history
status_is 2
tune -F x dentry
status_is 2
tune dentry -- true
status_is 2
err_has 'what should be set while the command runs'
for arguments in '--json dentry cpu_partial=1' '--runs 3 dentry' '--seconds 3 dentry' '--force dentry' \
	'--dry-run --history' '--undo dentry' '--load /dev/null dentry' '-F x -F y --advise'; do
	# shellcheck disable=SC2086
	tune $arguments
	status_is 2
done
run slabinfo tune --root "$tmp/none" dentry
status_is 1

# ---- the manual ----
page=$top/man/slabinfo-tune.1
sed 's/\\-/-/g; s/\\f[BIR]//g' "$page" >"$tmp/page"
slabinfo --complete-words tune | grep '^-' >"$tmp/options"
ok "there are options" [ "$(wc -l <"$tmp/options")" -gt 15 ]
is "every option stands in the manual" "$(while read -r option; do
	grep -qE -- "(^|[^-[:alnum:]])$option([^-[:alnum:]]|\$)" "$tmp/page" || printf '%s ' "$option"
done <"$tmp/options")" ''
if command -v man >/dev/null; then
	is "no warnings" "$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)" ''
else
	skip 1 "no man here"
fi

# ---- what stands in the way of a copy ----
tree 6.18.5
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 755 "$tmp"
	mkdir "$tmp/theirs"
	chown 65534 "$tmp/theirs"
	nobody_tunes() # ARGUMENT...
	{
		run $as_nobody "$build/bin/slabinfo" tune --root "$root" --journal "$tmp/theirs" "$@"
	}
	if $as_nobody test -x "$build/bin/slabinfo" -a -x "$slab"; then
		nobody_tunes dentry
		out_has '^cpu_partial: belongs to another user: run as that user, or tune a copy of your own$'
		nobody_tunes dentry cpu_partial=1
		status_is 1
		err_has 'dentry: cpu_partial=1: belongs to another user'
		nobody_tunes dentry shrink
		status_is 1
		err_has 'dentry: shrink: belongs to another user'
		chown -R 65534 "$root"
		chmod 444 "$slab/dentry/cpu_partial"
		nobody_tunes dentry cpu_partial=1
		status_is 1
		err_has 'cpu_partial=1: read-only by its own mode: chmod u\+w lifts that'
		chmod 0 "$slab/filp"
		nobody_tunes filp
		out_has '^cpu_partial: its directory may not be entered: chmod u\+x lifts that$'
		nobody_tunes filp cpu_partial=1
		status_is 1
		err_has 'cpu_partial=1: its directory may not be entered'
		chmod 0 "$root"
		nobody_tunes filp
		status_is 1
		err_has 'root: Permission denied'
		chmod 755 "$root"
	else
		skip 14 "another user cannot reach $build or $slab"
	fi
else
	skip 14 "to become another user one has to be root, and have setpriv"
fi

# ---- a profile that is none ----
tree 6.18.5
tune --load "$tmp"
status_is 1
err_has ': Is a directory, not a profile; name a file that --save wrote'

# ---- while another run has values in force ----
mkfifo "$tmp/go"
slabinfo tune --root "$root" --journal "$journal" dentry cpu_partial=3 -- cat "$tmp/go" >/dev/null 2>&1 &
exec {go}>"$tmp/go"
tune --restore-all
status_is 1
out_is ''
err_has 'process [0-9]+ is tuning while it runs cat [^;]*go; it puts its values back itself when that ends'
exec {go}>&-
wait
tune --restore-all
status_is 0
out_is 'nothing to restore'
unchanged "the run ended"

done_testing
