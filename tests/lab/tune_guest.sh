#!/bin/busybox sh
# tune_guest.sh: run on the kernel under test; prints one "name: value" a line for tune.t to judge.
# Errors and figures are told as they come; nothing is judged in here.
slab=/sys/kernel/slab
tune() { slabinfo tune "$@" 2>&1; echo "status $?"; }
one() { tr '\n' ' ' | sed 's/ $//'; }

echo "release: $(uname -r)"
there=0
for key in cpu_partial min_partial remote_node_defrag_ratio skip_kfence failslab; do
	[ ! -e $slab/dentry/$key ] || there=$((there + 1))
done
echo "table: $(tune dentry | grep -c '^dentry ')/$there"
# Each key that is there: set, read back with cat, undone, read back.
try() { # KEY VALUE
	[ -e $slab/dentry/$1 ] || { echo "$1: absent"; return; }
	before=$(cat $slab/dentry/$1)
	said=$(tune dentry $1=$2 | one)
	during=$(cat $slab/dentry/$1)
	case $said in
	*'status 0'*) undo=$(tune --undo | tail -n 1) ;;
	*) undo= ;;
	esac
	echo "$1: $before/$during/$(cat $slab/dentry/$1) $said undo $undo"
}
try cpu_partial 31
try min_partial 30
try remote_node_defrag_ratio 50
try skip_kfence 1
echo "range: $(tune dentry remote_node_defrag_ratio=101 | one)"
echo "validate: $(tune dentry validate | one)"
echo "run: $(tune dentry min_partial=9 -- cat $slab/dentry/min_partial | one) after $(cat $slab/dentry/min_partial)"
echo "open: $(slabinfo tune --history | grep -cE 'in force|left behind|running')"
echo "links: $(find $slab -maxdepth 1 -type l | wc -l)"
cd $slab
holes -k 40 true
echo "shrink: $(for c in *; do [ -L $c ] || [ ! -e $c/slabs ] || echo $c; done | one | tr ' ' ',' |
	{ read -r all; slabinfo tune "$all" shrink 2>&1; } | tail -n 1)"
