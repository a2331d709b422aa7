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

# The comparison with real trees is made by one program: thousands of small ones take their time. A
# mended defect changes what is compared, never how.
cat >"$tmp/compare.py" <<'EOF'
import difflib, os, re, sys

def totals(lines):		# the average of PartObjs is an average
    return [re.sub(r"^(PartObjs  ).{15}", r"\1", l) for l in lines]
def users(lines):		# one line a target, users in order; the directory's order there
    return sorted(l.split()[0] + " " + u for l in lines if l for u in l.split()[2:])
def no_order(lines):		# :A-1 before :a-1; the directory's order there
    return sorted(lines)
def nodes(lines):		# works with one node
    return [l for l in lines if l and not re.match(r"Slab  |-+$|dentry", l)]
def matching(lines):		# a pattern leaves out merged caches too
    kept, hide = [], False
    for l in lines:
        if ": Kernel object" in l:
            hide = l.startswith("*: ")
        if l and not hide:
            kept.append(l)
    return kept
mend = {"totals": totals, "totals-B": totals, "xtotals-N5": totals, "aliases": users,
        "aliases-1": users, "aliases-i": no_order, "list-z": no_order, "empty": no_order,
        "numa": nodes, "tracking": matching}
whole = {"numa", "tracking"}	# of other lengths

got_dir, wanted_dir = sys.argv[1:]
for name in sorted(os.listdir(got_dir)):
    got = open(os.path.join(got_dir, name)).read().split("\n")[:-1]
    wanted = open(os.path.join(wanted_dir, name + ".txt")).read().split("\n")[:-1]
    rest = [] if name in whole else got[len(wanted):]
    if name not in whole:
        got = got[:len(wanted)]
    same = mend.get(name, list)
    good = same(got) == same(wanted) and (not rest or rest[0] == "")
    print("ok" if good else "not", name)
    if not good:
        for l in list(difflib.unified_diff(same(got), same(wanted), "ours", "the kernel tool's", lineterm=""))[:20]:
            print("#", l)
        if rest and rest[0] != "":
            print("# additions are not set apart:", rest[0])
EOF

# TREE, then the options that name it: its listing, or a directory made from it.
compare_real_tree()
{
	local tree=$1 name options result
	shift
	rm -rf "$tmp/got"
	mkdir "$tmp/got"
	while read -r name options; do
		# shellcheck disable=SC2086
		[ -z "$name" ] || slabinfo "$@" $options >"$tmp/got/$name" 2>"$err" ||
			ok "${tree##*/}: $name: exit status" false
	done <<<"$layouts"
	while read -r result name; do
		case $result in
		ok) ok "${tree##*/}: $name: as the kernel's tool" true ;;
		not) ok "${tree##*/}: $name: as the kernel's tool" false ;;
		*) printf '%s %s\n' "$result" "$name" ;;
		esac
	done < <(python3 "$tmp/compare.py" "$tmp/got" "$tree/kernel-tool-after")
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
