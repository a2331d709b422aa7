#!/usr/bin/env bash
# The kernel tool's layouts, byte for byte: on a small tree of our own with everything that moves a
# column, and on trees of real kernels, compared with what the kernel's tool printed on them, where
# they are at hand ($SLABKIT_SHARED).
. "$(dirname "$0")/tap.sh"

# NAME of the expected output, options. The names are those of the real trees' files.
layouts='
aliases-1 -a -1
aliases-i -a -i
aliases -a
empty -e
first-alias -f
list-B -B
list-z -z
list
loss -L
numa -n ^dentry$
partial -P
report-dentry -r ^dentry$
report-kmalloc64 -r ^kmalloc-64$
size -S
totals-B -T -B
totals -T
tracking -t ^dentry$
unreclaim -U
xtotals-N5 -X -N 5
'
# These only our own tree pins.
own='
activity -D
activity-sorted -A -D
report-rcu -r rcu
loss-inverted -L -i
numa-all -n
ops -o dentry
single pid
'

untree "$top/tests/data/trees/two-nodes.txt" "$tmp/two-nodes/sys/kernel/slab"
while read -r name options; do
	[ -n "$name" ] || continue
	# shellcheck disable=SC2086
	run slabinfo --root "$tmp/two-nodes" $options
	status_is 0
	ok "$name: as pinned" same "$out" "$top/tests/data/layouts/two-nodes/$name.txt"
done <<<"$layouts$own"

# A mended defect changes what is compared, never how:
#   totals*, xtotals*	the average of PartObjs is an average
#   aliases*		one line a target, users in order; the directory's order there
#   list-z, empty	:A-1 before :a-1; the directory's order there
#   numa		works with one node
#   tracking		a pattern leaves out merged caches too
mend()
{
	case $1 in
	*totals*) sed 's/^PartObjs  .\{15\}/PartObjs/' ;;
	aliases-i) sort ;;
	aliases*) sort_users ;;
	list-z | empty) sort ;;
	numa) sed 's/^Slab  .*//; s/^dentry: No NUMA.*//; /^-*$/d; /^dentry  /d' ;;
	tracking) awk '/^\*: /{hide=1} /^[^*-].*: Kernel/{hide=0} !hide' | sed '/^$/d' ;;
	*) cat ;;
	esac
}

# Each line's users in order, and the lines of one target joined.
sort_users()
{
	awk 'NF { for (i = 3; i <= NF; i++) print $1, $i }' | sort
}

# TREE, then the options that name it: its listing, or a directory made from it.
compare_real_tree()
{
	local tree=$1 name options wanted lines next
	shift
	while read -r name options; do
		[ -n "$name" ] || continue
		wanted=$tree/kernel-tool-after/$name.txt
		# shellcheck disable=SC2086
		run slabinfo "$@" $options
		lines=$(wc -l <"$wanted")
		[ "$name" = numa ] && lines=$(wc -l <"$out")
		[ "$name" = tracking ] && lines=$(wc -l <"$out")
		head -n "$lines" "$out" | mend "$name" >"$tmp/got"
		mend "$name" <"$wanted" >"$tmp/kernel"
		ok "${tree##*/}: $name: as the kernel's tool" same "$tmp/got" "$tmp/kernel"
		# What follows is set apart by a blank line.
		next=$(sed -n "$((lines + 1)){p;q;}" "$out")
		[ -z "$next" ] || ok "${tree##*/}: $name: additions are set apart" false
	done <<<"$layouts"
}

trees=0
for tree in "$shared"/data/trees/*/; do
	[ -d "$tree/kernel-tool-after" ] || continue
	trees=$((trees + 1))
	compare_real_tree "${tree%/}" -F "$tree/slab-after.txt"
done
# As a directory too, one of them: thousands of files take their time.
tree=$shared/data/trees/6.12.117-default
if [ -d "$tree/kernel-tool-after" ]; then
	untree "$tree/slab-after.txt" "$tmp/real/sys/kernel/slab"
	layouts=$(grep -E '^(list|totals-B|report-dentry|first-alias)( |$)' <<<"$layouts")
	compare_real_tree "$tree" --root "$tmp/real"
fi
[ "$trees" -gt 0 ] || skip 1 "no trees of real kernels at $shared/data/trees"
done_testing
