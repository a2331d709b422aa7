#!/usr/bin/env bash
# What remains where not everything may be read: less, said so, and never a wrong figure.
. "$(dirname "$0")/../cli/tap.sh"

[ -r /sys/kernel/slab/kmalloc-64/slab_size ] || skip_all "no readable /sys/kernel/slab here"
command -v setpriv >/dev/null || skip_all "no setpriv"
unshare -m true 2>/dev/null || skip_all "no mount namespaces"
chmod 755 "$tmp"
cp "$build/bin/slabinfo" "$tmp/slabinfo"
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

# Nothing readable: one line with the way out.
# shellcheck disable=SC2086
run $nobody "$tmp/slabinfo" -T
status_is 1
ok "as nobody: one line" one_line "$err"
err_has 'permission denied; slab statistics are root-only: run as root or grant CAP_DAC_READ_SEARCH'
out_is ''

# /proc/slabinfo alone, in a mount namespace of its own.
cat /proc/slabinfo >"$tmp/readable"
chmod 644 "$tmp/readable"
run unshare -m sh -c "mount --bind '$tmp/readable' /proc/slabinfo && $nobody '$tmp/slabinfo' -T"
status_is 0
out_has '^Memory used: +[0-9.]+[KMG] '
out_has '^Used is absent, not 0'
err_has 'absent, because .*: object_size .*used_bytes'
run unshare -m sh -c "mount -t tmpfs none /sys/kernel/slab && slabinfo --csv -c name,object_size,slabs"
status_is 0
out_has '^kmalloc-64,,[0-9]+$'
err_has 'absent, because .*: object_size$'

# The slab directory alone.
: >"$tmp/none"
run unshare -m sh -c "mount --bind '$tmp/none' /proc/slabinfo && slabinfo --csv -c name,object_size,slabs"
status_is 0
out_has '^kmalloc-64,64,[0-9]+$'
err_is ''
done_testing
