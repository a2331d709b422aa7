#!/bin/sh
# try.sh SLABINFO: the totals of this machine's slab caches, or of a bundled example, saying which.
slabinfo=$1
example=$(dirname "$0")/example-6.18.txt

if [ -r /sys/kernel/slab/kmalloc-64/slab_size ]; then
	exec "$slabinfo" -T
fi
if [ -d /sys/kernel/slab ] && command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
	exec sudo "$slabinfo" -T
fi
if [ -d /sys/kernel/slab ]; then
	echo "Only root may read /sys/kernel/slab; for this machine's own figures: sudo $slabinfo -T"
else
	echo "This machine has no /sys/kernel/slab (not Linux, a container, or another allocator)."
fi
echo "These are the figures of a bundled example, a 6.18 kernel on two CPUs:"
echo
exec "$slabinfo" -T -F "$example"
