# tunetree.sh - for tests of `slabinfo tune`: a tree of plain files to tune, and a journal beside it.
#
#	tree RELEASE	$root with dentry, :0000256 (users item and pool) and filp; $slab, $journal
#	value CACHE KEY	what stands in the file
#	tune ARGUMENT...	slabinfo tune on that tree, through run of tap.sh
# shellcheck shell=bash disable=SC2154

cache() # NAME SIZE CPU_PARTIAL [ALIASES]
{
	local key
	mkdir -p "$slab/$1"
	for key in sanity_checks red_zone poison store_user trace skip_kfence failslab cache_dma \
		hwcache_align destroy_by_rcu reclaim_account partial objects_partial cpu_slabs; do
		echo 0 >"$slab/$1/$key"
	done
	for key in shrink validate ctor; do : >"$slab/$1/$key"; done
	echo "$2" >"$slab/$1/slab_size"
	echo "$2" >"$slab/$1/object_size"
	echo "$3" >"$slab/$1/cpu_partial"
	echo "${4:-0}" >"$slab/$1/aliases"
	echo 5 >"$slab/$1/min_partial"
	echo 100 >"$slab/$1/remote_node_defrag_ratio"
	echo 0 >"$slab/$1/order"
	echo $((4096 / $2)) >"$slab/$1/objs_per_slab"
	echo 10 >"$slab/$1/slabs"
	echo $((40960 / $2)) >"$slab/$1/total_objects"
	echo $((40960 / $2)) >"$slab/$1/objects"
	echo 0 >"$slab/$1/sheaf_capacity"
}

tree() # RELEASE
{
	rm -rf "$tmp/root" "$tmp/state"
	root=$tmp/root slab=$tmp/root/sys/kernel/slab journal=$tmp/state
	mkdir -p "$slab" "$root/proc"
	echo "Linux version $1 (builder) #1 SMP" >"$root/proc/version"
	cache dentry 192 120
	cache :0000256 256 52 1
	cache filp 256 52
	ln -s :0000256 "$slab/pool"
	ln -s :0000256 "$slab/item"
}

value()
{
	cat "$slab/$1/$2"
}

tune()
{
	run slabinfo tune --root "$root" --journal "$journal" "$@"
}

# unchanged NAME: every tunable is as tree made it
unchanged()
{
	is "$1: nothing is changed" \
		"$(cat "$slab"/{dentry,:0000256,filp}/{cpu_partial,min_partial,remote_node_defrag_ratio,failslab} | tr '\n' ' ')" \
		"120 5 100 0 52 5 100 0 52 5 100 0 "
}
