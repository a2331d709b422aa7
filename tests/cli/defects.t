#!/usr/bin/env bash
# What the kernel's tool gets wrong, and this one must not.
. "$(dirname "$0")/tap.sh"

tree=$tmp/two-nodes
untree "$top/tests/data/trees/two-nodes.txt" "$tree/sys/kernel/slab"
names() { awk 'NR > 1 { print $1 }' "$out" | paste -sd' '; }

# -N counts the rows that are shown, not hidden ones.
run slabinfo --root "$tree" -N 3
is "-N 3 shows three rows" "$(names)" ':A-0000128 :a-0000128 a_name_that_is_longer_than_the_column'
run slabinfo --root "$tree" -X -N 2 -i
is "-X -N 2 -i fills each block" "$(grep -c '^Name' "$out")" 3

# -i turns every order round, not only names.
for order in -S -L -P -A; do
	run slabinfo --root "$tree" $order
	forth=$(names)
	run slabinfo --root "$tree" $order -i
	is "$order -i is $order backwards" "$(names)" "$(tr ' ' '\n' <<<"$forth" | tac | paste -sd' ')"
done

# A pattern restricts everything: merged caches and totals too.
run slabinfo --root "$tree" -T dentry
out_has '^Slabcaches : +1 +Aliases  : +0->0 '
out_has '^Memory used: +40\.9K'
run slabinfo --root "$tree" -T nomatch
status_is 0
out_is 'No objects'
# A cache matches by its own name and by each user's.
run slabinfo --root "$tree" -a EVENTPOLL
out_is ''
run slabinfo --root "$tree" -a -1 EVENTPOLL
out_is '
:A-0000128   <- eventpoll_epi'
run slabinfo --root "$tree" -l A-0000128
out_has '^:A-0000128 +100 '

# One row left is a report, whatever empty caches matched as well.
run slabinfo --root "$tree" kmalloc-64
out_has '^Slabcache: kmalloc-64 '

# Differences never wrap.
run slabinfo --root "$tree" -z raced
out_hasnt '[0-9]{18}'
run slabinfo --root "$tree" -L
out_hasnt '[0-9]{18}| -[0-9]'
out_has '^raced .* 0/0/3 '

# The average of partial objects is an average.
run slabinfo --root "$tree" -T -B
out_has '^PartObjs +2611 '

# Names that differ in case only: one line a target.
run slabinfo --root "$tree" -a
out_is '
:A-0000128   <- eventpoll_epi Kiocb pid
:a-0000128   <- alpha Zeta'

# -n works with one node.
mkdir -p "$tmp/one/sys/kernel"
cp -r "$tree/sys/kernel/slab" "$tmp/one/sys/kernel/slab"
for f in "$tmp"/one/sys/kernel/slab/*/{slabs,partial,objects,cpu_slabs,total_objects,objects_partial}; do
	sed -i 's/ N.*//; s/^\([0-9]*\)$/\1 N0=\1/' "$f"
done
run slabinfo --root "$tmp/one" -n dentry
out_is '
Slab                 :    0
---------------------------
dentry                   10'

# More caches, users, nodes and longer lines than the kernel's tool has room for.
big=$tmp/big/sys/kernel/slab
mkdir -p "$big"
cp -r "$tree/sys/kernel/slab/dentry" "$tmp/proto"
nodes=$(for ((i = 0; i < 1500; i++)); do printf ' N%d=1' "$i"; done)
echo "1500$nodes" >"$tmp/proto/slabs"
cp -r "$tmp/proto" "$big/:0000192"
perl -e 'symlink ":0000192", "$ARGV[0]/user$_" or die for 0..699' "$big"
run slabinfo --root "$tmp/big" -a
is "700 users in one line" "$(wc -w <"$out")" 702
run slabinfo --root "$tmp/big" -n
is "1500 nodes" "$(awk 'END { print NF }' "$out")" 1501
rm -r "$tmp/big"

# Long options as the help has them, and as the kernel tool's help called one.
run slabinfo --root "$tree" --display-active
out_has '^Name  .* %Fast '
run slabinfo --root "$tree" --partial -N 1
out_has '^rcu_cache '

# -o says what replaced it.
run slabinfo --root "$tree" -o rcu
out_is '
rcu_cache has no kmem_cache operations

The file "ops" went with Linux 2.6.23; constructors, from the attribute ctor:
rcu_cache             init_once+0x0/0x20'

# A cache without a directory to go into is left out, and the rest is whole.
mkdir -p "$tmp/gone/sys/kernel"
cp -r "$tree/sys/kernel/slab" "$tmp/gone/sys/kernel/slab"
ln -s nowhere "$tmp/gone/sys/kernel/slab/dangling"
run slabinfo --root "$tmp/gone" -a
status_is 0
out_hasnt dangling

# Missing counters do not look like an idle cache: it is said that they are absent.
rm "$tmp"/gone/sys/kernel/slab/*/{alloc_,free_,order_,cmpx,deact}*
run slabinfo --root "$tmp/gone" -D
err_has 'absent, because .*CONFIG_SLUB_STATS.*: alloc_fastpath alloc_slowpath'

done_testing
