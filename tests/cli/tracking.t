#!/usr/bin/env bash
# Call sites: debugfs of newer kernels, alloc_calls of older ones, megabytes of them.
. "$(dirname "$0")/tap.sh"

root=$tmp/root
slab=$root/sys/kernel/slab
untree "$top/tests/data/trees/two-nodes.txt" "$slab"
traces=$root/sys/kernel/debug/slab/kmalloc-64
mkdir -p "$traces"
cat >"$traces/alloc_traces" <<'EOF'
    256 acpi_ds_build+0x353/0x380 waste=6144/24 age=1037/1052/1068 pid=1-27 cpus=0-1 nodes=0
        __kmalloc+0x49/0x150
        acpi_ds_build+0x353/0x380

    214 <not-available> age=1211 pid=1

      3 plain+0x1/0x2
        a+0x1/0x2

EOF
printf '      7 freed_here+0x0/0x10 age=5/6/7 pid=9 cpus=1\n        caller+0x1/0x2\n\n' >"$traces/free_traces"

dashes() { printf '%*s\n' "$1" '' | tr ' ' -; }
run slabinfo --root "$root" -t '^kmalloc-64$'
status_is 0
{
	printf '\nkmalloc-64: Kernel object allocation\n'
	dashes 71
	cat "$traces/alloc_traces"
	printf '\nkmalloc-64: Kernel object freeing\n'
	dashes 72
	cat "$traces/free_traces"
} >"$tmp/as-it-is"
ok "text as the kernel has it" same "$out" "$tmp/as-it-is"

run slabinfo --root "$root" -t -H -b kmalloc
out_is "$(printf '%s\t' kmalloc-64 alloc 256 6144 1052 acpi_ds_build+0x353/0x380; echo '__kmalloc+0x49/0x150 < acpi_ds_build+0x353/0x380'
	printf '%s\t' kmalloc-64 alloc 214 - 1211 '<not-available>'; echo -
	printf '%s\t' kmalloc-64 alloc 3 - - plain+0x1/0x2; echo 'a+0x1/0x2'
	printf '%s\t' kmalloc-64 free 7 - 6 freed_here+0x0/0x10; echo 'caller+0x1/0x2')"

run slabinfo --root "$root" -t --json '^kmalloc-64$'
cat >"$tmp/check.py" <<'EOF'
import json, sys
c = json.load(open(sys.argv[1]))["samples"][0]["caches"][0]
a = c["alloc"][0]
assert a["count"] == 256 and a["waste_bytes"] == 6144 and a["waste_each_bytes"] == 24
assert (a["age_min_jiffies"], a["age_avg_jiffies"], a["age_max_jiffies"]) == (1037, 1052, 1068)
assert (a["pid_min"], a["pid_max"], a["cpus"], a["nodes"]) == (1, 27, "0-1", "0")
assert a["stack"] == ["__kmalloc+0x49/0x150", "acpi_ds_build+0x353/0x380"]
b = c["alloc"][1]
assert b["age_min_jiffies"] == b["age_max_jiffies"] == 1211 and b["waste_bytes"] is None and b["stack"] == []
assert c["free"][0]["symbol"] == "freed_here+0x0/0x10" and len(c["alloc"]) == 3
EOF
ok "JSON: sites with all that the kernel tells" python3 "$tmp/check.py" "$out"

# Older kernels: a page of calls in the cache's own directory; none without user tracking.
echo '     12 old_call+0x1/0x2 age=1/2/3 pid=4' >"$slab/dentry/alloc_calls"
: >"$slab/dentry/free_calls"
run slabinfo --root "$root" -t '^dentry$'
out_is "
dentry: Kernel object allocation
-----------------------------------------------------------------------
     12 old_call+0x1/0x2 age=1/2/3 pid=4

dentry: Kernel object freeing
------------------------------------------------------------------------
No Data"

# Megabytes are streamed, not cut: memory stays far below the size of the file.
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%7d site_%d+0x1/0x2 age=1/2/3 pid=1\n        caller_with_a_name_of_some_length_%d+0x1/0x2\n        another_caller+0x1/0x2\n\n", 70000 - i, i, i }' >"$traces/alloc_traces"
size=$(wc -c <"$traces/alloc_traces")
run slabinfo --root "$root" -t '^kmalloc-64$'
ok "$((size >> 20)) MiB come out whole" [ "$(wc -c <"$out")" -gt "$size" ]
if [ "${build##*/}" = asan ]; then
	skip 3 'a sanitizer wants more address space than the limit'
else
	for form in '' --json --csv; do
		# shellcheck disable=SC2086
		run bash -c 'ulimit -v 65536; exec slabinfo --root "$1" -t kmalloc-64 $2' - "$root" $form
		status_is 0
	done
fi

# Nothing outside the copy is opened, wherever a link in it leads.
rm -r "$traces"
mkdir "$tmp/outside"
echo '      1 secret+0x1/0x2' >"$tmp/outside/alloc_traces"
ln -s "$tmp/outside" "$traces"
run slabinfo --root "$root" -t '^kmalloc-64$'
out_hasnt secret
done_testing
