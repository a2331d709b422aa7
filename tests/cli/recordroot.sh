# recordroot.sh - a machine of three caches whose counts a test sets. Source it after tap.sh.
#
#	machine			make $root with $counts objects in each
#	count dentry 4000	dentry has 4000 objects from here on
#	$set dentry 4000	the same for a command
#	record ARGUMENT...	slabinfo record of it, into $rec, without waiting to settle
# shellcheck shell=bash disable=SC2034

root=$tmp/root rec=$tmp/a.rec set=$tmp/set

rows()
{
	echo 'slabinfo - version: 2.1'
	echo '# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>'
	local name size per n
	while read -r name size per; do
		n=$(cat "$tmp/count.$name")
		echo "$name $n $(((n + per - 1) / per * per)) $size $per 1 : tunables 0 0 0 : slabdata $(((n + per - 1) / per)) $(((n + per - 1) / per)) 0"
	done <<-END
	dentry 192 21
	filp 256 16
	kmalloc-64 64 64
	END
}

count() # NAME OBJECTS
{
	echo "$2" >"$tmp/count.$1"
	rows >"$root/proc/slabinfo.new"
	mv "$root/proc/slabinfo.new" "$root/proc/slabinfo"
}

machine()
{
	mkdir -p "$root/proc/sys/kernel/random"
	echo "${1:-11111111-2222-3333-4444-555555555555}" >"$root/proc/sys/kernel/random/boot_id"
	echo 'Linux version 6.18.1-test (builder@nowhere) #1 SMP' >"$root/proc/version"
	echo 'quiet slab_nomerge' >"$root/proc/cmdline"
	local name
	for name in dentry filp kmalloc-64; do echo 1000 >"$tmp/count.$name"; done
	count dentry 1000
	{
		echo '#!/bin/bash'
		echo "tmp='$tmp' root='$root'"
		declare -f rows count
		echo 'count "$@"'
	} >"$set"
	chmod +x "$set"
}

record()
{
	run slabinfo record --root "$root" -o "$rec" -i 0.05 --settle 0 "$@"
}

# samples FILE: how many the file has
samples()
{
	grep -c '^{"sample":' "$1"
}
