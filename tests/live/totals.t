#!/usr/bin/env bash
# Totals of the running kernel against two readings by the shell: one before, one after. A total
# must lie between them, widened by their difference; caches come and go, so there are five tries.
. "$(dirname "$0")/../cli/tap.sh"

dir=/sys/kernel/slab
[ -r $dir/kmalloc-64/slab_size ] || skip_all "no readable $dir here"
page=$(getconf PAGESIZE)

# Sums over caches with slabs and objects, as -T counts: objects slabs partial footprint used loss
shell_totals()
{
	find $dir -mindepth 1 -maxdepth 1 -type d | awk -v page="$page" '
	function number(file,  line) {
		line = 0
		getline line < file
		close(file)
		split(line, part, " ")
		return part[1] + 0
	}
	{
		slabs = number($0 "/slabs"); objects = number($0 "/objects")
		if (!slabs || !objects)
			next
		size = slabs * page * 2 ^ number($0 "/order")
		used = objects * number($0 "/object_size")
		o += objects; s += slabs; p += number($0 "/partial"); f += size; u += used; l += size - used
	}
	END { printf "%d %d %d %d %d %d\n", o, s, p, f, u, l }'
}

our_totals()
{
	slabinfo -T -B "$@" | awk '
	/^#Objects/ { o = $NF } /^#Slabs/ { s = $NF } /^#PartSlab/ { p = $NF }
	/^Memory  / && !f { f = $NF } /^Used/ && !u { u = $NF } /^Loss  / && !l { l = $NF }
	END { print o, s, p, f, u, l }'
}

names=(objects slabs partial footprint used loss)

# between BEFORE OURS AFTER: tick off in $open each figure that lies within; the rest stays
between()
{
	local -a a b c
	local i low high width left=
	read -ra a <<<"$1"; read -ra b <<<"$2"; read -ra c <<<"$3"
	for i in $open; do
		low=$((a[i] < c[i] ? a[i] : c[i])) high=$((a[i] < c[i] ? c[i] : a[i])) width=$((high - low))
		if ((b[i] < low - width || b[i] > high + width)); then
			left="$left $i"
			echo "# ${names[i]}: ${a[i]} before, ${b[i]} ours, ${c[i]} after"
		fi
	done
	open=$left
}

for options in '' --exact '--from sysfs' '--root /'; do
	open='0 1 2 3 4 5'
	for try in 1 2 3 4 5; do
		before=$(shell_totals)
		# shellcheck disable=SC2086
		ours=$(our_totals $options)
		between "$before" "$ours" "$(shell_totals)"
		[ -n "$open" ] || break
	done
	is "slabinfo -T $options: each total between two readings, in try $try" "$open" ''
done

# The three parts of loss add up to it, in one snapshot, to the byte.
slabinfo -T --json >"$out"
ok "free + padding + tail = loss" python3 - "$out" <<'EOF'
import json, sys
t = json.load(open(sys.argv[1]))["samples"][0]["totals"]
s = {k: v["sum"] for k, v in t.items() if isinstance(v, dict)}
sys.exit(not (s["free_bytes"] + s["padding_bytes"] + s["tail_bytes"] == s["loss_bytes"] ==
              s["footprint_bytes"] - s["used_bytes"]))
EOF

# Every mode works here, and writes nothing on standard error that is not explained.
for mode in '' -T -X -S -L -P -a -f -r -n -t -o -z -U -e; do
	# shellcheck disable=SC2086
	run slabinfo $mode
	status_is 0
done

done_testing
