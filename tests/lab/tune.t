#!/bin/bash
# tune.t: `slabinfo tune` on real kernels, each with its own refusals; see boot.
. "$(dirname "$0")/../cli/tap.sh"
here=$top/tests/lab

cc -O2 -static -D_GNU_SOURCE -o "$tmp/holes" "$here/holes.c" 2>"$tmp/cc" || skip_all "no static libc to build with"
export LAB_FILES="slabinfo $tmp/holes"

says() # NAME REGEX: the guest's line NAME
{
	ok "$kernel $parameters: $1" has "$tmp/lines" "^$1: .*$2"
}

boot() # VERSION PARAMETERS
{
	kernel=$1 parameters=$2
	LAB_SECONDS=${3:-90} "$here/boot" "$1" "$2" sh -c "$(cat "$here/tune_guest.sh")" >"$tmp/lines" 2>"$tmp/why"
	case $? in
	0) ok "$1 ${2:-default}: $(sed -n 's/^release: //p' "$tmp/lines")" true ;;
	77) skip 1 "kernel $1: $(tail -n 1 "$tmp/why")"; return 1 ;;
	*) ok "$1 ${2:-default}: boots" false; sed 's/^/# /' "$tmp/why" "$tmp/lines"; return 1 ;;
	esac
}

common()
{
	says table '([0-9])/\1$'
	says remote_node_defrag_ratio '100/50/100 .* 100 -> 50 status 0 undo status 0'
	says range 'the kernel takes 0 to 100 status 1'
	says run 'status 0 after [0-9]+$'
	says open '0$'
	says shrink 'together: [0-9.]+ [KM]iB given back$'
}

min_partial_free()
{
	says min_partial '5/30/5 dentry: min_partial 5 -> 30 status 0 undo status 0'
}

if boot 5.10 ''; then
	common
	says cpu_partial '([0-9]+)/31/\1 dentry: cpu_partial [0-9]+ -> 31 status 0 undo status 0'
	says min_partial '5/10/5 dentry: min_partial 5 -> 10: the kernel stored 10, not 30 status 0 undo status 0'
	says validate 'dentry: validated .* status 0'
	says skip_kfence 'absent'
fi
for version in 6.1 6.12 6.18; do
	boot $version '' || continue
	common
	min_partial_free
	says cpu_partial '([0-9]+)/31/\1 dentry: cpu_partial [0-9]+ -> 31 status 0 undo status 0'
	says validate 'validates debug caches only; boot with slab_debug=FZPU,dentry for that status 1'
done
if boot 7.3 ''; then
	common
	min_partial_free
	says cpu_partial '0/0/0 .*no CPU-partial slabs since 7.0 .*status 1'
	says validate 'validates debug caches only; .* status 1'
	says skip_kfence '0/1/0 .* status 0 undo status 0'
fi
for version in 5.10 6.1 6.18 7.3; do
	boot $version slub_debug=FZPU 180 || continue
	says links '0$'
	says cpu_partial '0/0/0 .*(a debug cache|since 7.0).* status 1'
	says validate 'dentry: validated What it found.* status 0'
	says open '0$'
done

done_testing
