#!/bin/bash
# tune.t: `slabinfo tune` on this machine's own kernel. Needs root; whatever happens, every value
# that was there is there again at the end. KILLS: random instants a kill (50).
. "$(dirname "$0")/../cli/tap.sh"
. "$(dirname "$0")/../cli/tunekill.sh"

slab=/sys/kernel/slab
[ "$(id -u)" = 0 ] || skip_all "not root"
[ -w $slab/dentry/min_partial ] || skip_all "no slab directory that can be written to"
journal=$tmp/state
options=(--journal "$journal")

values()
{
	find $slab -mindepth 2 -maxdepth 2 \( -name cpu_partial -o -name min_partial -o -name skip_kfence \
		-o -name remote_node_defrag_ratio \) -exec grep -H . {} + 2>/dev/null | sed 's/:\([0-9]*\)$/ \1/' | sort
}
values >"$tmp/before"

# By hand and not through the program under test.
put_back()
{
	local path value
	while read -r path value; do
		[ "$(cat "$path" 2>/dev/null)" = "$value" ] || echo "$value" >"$path" 2>/dev/null
	done <"$tmp/before"
	rm -rf "$tmp"
}
trap put_back EXIT
trap 'exit 1' INT TERM HUP

tune()
{
	run slabinfo tune "${options[@]}" "$@"
}

# Caches come and go; a value of one that is there now as before must be the same.
restored()
{
	values >"$tmp/after"
	[ -z "$(join "$tmp/before" "$tmp/after" | awk '$2 != $3')" ] && echo restored
}

# ---- every key that is there: set, read back, undone ----
for setting in cpu_partial=7 min_partial=9 remote_node_defrag_ratio=50 skip_kfence=1; do
	key=${setting%=*} value=${setting#*=}
	if [ ! -e $slab/dentry/$key ]; then
		tune dentry "$setting"
		status_is 1
		err_has "$key.*: this kernel is built without"
		continue
	fi
	before=$(cat $slab/dentry/$key)
	tune dentry "$setting"
	if [ "$(cat $slab/dentry/cpu_partial)" = 0 ] && [ $key = cpu_partial ] && [ "$status" = 1 ]; then
		err_has 'only 0 is taken'
		continue
	fi
	status_is 0
	out_is "dentry: $key $before -> $value"
	is "$key: read back with cat" "$(cat $slab/dentry/$key)" "$value"
	tune --undo
	status_is 0
	is "$key: undone" "$(cat $slab/dentry/$key)" "$before"
done
alias=$(find $slab -maxdepth 1 -type l -printf '%f\n' | sort | head -n 1)
if [ -n "$alias" ]; then
	tune "$alias" min_partial=8
	status_is 0
	is "through an alias, the cache that it stands for" \
		"$(cat "$slab/$(readlink "$slab/$alias")/min_partial")" 8
	tune --restore-all
	status_is 0
fi
tune --history
ok "no entry is open" hasnt "$out" 'in force|left behind|running'
is "after every key" "$(restored)" restored

# ---- what the kernel would refuse is refused before a write ----
# Writes to anything below the slab directory, as strace sees them.
writes()
{
	strace -f -y -e trace=write,pwrite64,writev,openat -o "$tmp/strace" "$@" >"$out" 2>"$err" </dev/null
	status=$?
	grep -cE '(write|pwrite64|writev)\([0-9]+<[^>]*/slab/|O_WRONLY.*<[^>]*/slab/|O_RDWR.*<[^>]*/slab/' "$tmp/strace"
}
if command -v strace >/dev/null; then
	is "strace sees a write that is one" "$(writes slabinfo tune "${options[@]}" dentry min_partial=9 | awk '{ print ($1 > 0) }')" 1
	tune --undo
	while IFS='|' read -r arguments reason; do
		# shellcheck disable=SC2086
		n=$(writes slabinfo tune "${options[@]}" dentry $arguments)
		is "$arguments: writes" "$n" 0
		label=$arguments
		err_has "$reason"
	done <<'REFUSED'
cpu_partial=4294967296|0 to 4294967295|
cpu_partial=18446744073709551616|more than 2\^64-1
cpu_partial=-1|no whole number
cpu_partial=abc|no whole number
cpu_partial=5x|no whole number
cpu_partial=0x10|no whole number
cpu_partial=|no whole number
min_partial=-1|no whole number
min_partial=18446744073709551616|more than 2\^64-1
min_partial=18446744073709551615|--force
remote_node_defrag_ratio=101|0 to 100
remote_node_defrag_ratio=abc|no whole number
skip_kfence=2|0 or 1|CONFIG_KFENCE
failslab=2|0 or 1|CONFIG_FAILSLAB
order=1|fixed when the cache is made
trace=1|slab_debug=T
sanity_checks=1|slab_debug=F
objects=1|not a tunable
shrink=0|no such tunable
validate|debug cache
REFUSED
else
	skip 1 "no strace"
fi
is "after every refusal" "$(restored)" restored

# ---- shrink gives a receipt ----
tune dentry shrink
status_is 0
out_has '^dentry: [0-9]+ -> [0-9]+ slabs, .*in [0-9.]+ ms'

# ---- killed at random instants ----
kill_matrix "${KILLS:-50}" restored slabinfo tune "${options[@]}" dentry,filp,kmalloc-64 min_partial=9 remote_node_defrag_ratio=60
tune --restore-all
tune --history
ok "no entry is open after the kills" hasnt "$out" 'in force|left behind|running'
is "at the end" "$(restored)" restored

done_testing
