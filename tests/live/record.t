#!/bin/bash
# record.t: recordings of the running kernel: a leak made on purpose is found and no other, a
# recorder that is killed at any moment leaves a file that opens, and so does a full disk.
. "$(dirname "$0")/../cli/tap.sh"

[ -r /proc/slabinfo ] || skip_all "no readable /proc/slabinfo here"
[ -r /sys/kernel/slab/kmalloc-64/slab_size ] || skip_all "no readable /sys/kernel/slab here"
rec=$tmp/a.rec

# ---- a leak ----
holders=$tmp/holders
: >"$holders"
end_holders() { xargs -r kill <"$holders" 2>/dev/null; : >"$holders"; }
trap 'end_holders; rm -rf "$tmp"' EXIT

# Makes so many sockets; hold: a child that keeps them open stays behind.
cat >"$tmp/sockets.py" <<'END'
import os, resource, socket, sys, time
count, hold, pids = int(sys.argv[1]), sys.argv[2] == "hold", sys.argv[3]
resource.setrlimit(resource.RLIMIT_NOFILE, (count + 100, count + 100))
ready, up = os.pipe()
pid = os.fork() if hold else 0
if hold and pid:
    os.close(up)
    os.read(ready, 1)
    open(pids, "a").write("%d\n" % pid)
    sys.exit(0)
sockets = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for i in range(count)]
if hold:
    os.setsid()
    for fd in (0, 1, 2):
        os.close(fd)
    os.write(up, b"x")
    time.sleep(600)
END

# The cache of unix sockets, or one that they cannot do without.
sockets='UNIX|unix|sock_inode_cache|filp'

find_leak()
{
	rm -f "$rec"
	slabinfo record -q --runs 8 --settle 1 -i 1 -o "$rec" -- python3 "$tmp/sockets.py" 2000 "$1" "$holders" || return 1
	end_holders
	slabinfo report --top 0 "$rec" >"$out"
}

leak_is_first()
{
	find_leak hold || return 1
	# The name of the first suspect, and who shares it.
	grep -A 1 -m 1 '^Leak suspect:' "$out" | grep -qE "$sockets" || return 1
	grep -A 2 -m 1 '^Leak suspect:' "$out" |
		awk 'match($0, /95 %: [0-9.-]+ to [0-9.-]+/) {
			split(substr($0, RSTART + 6, RLENGTH - 6), n, " to ")
			exit !(n[1] <= 2010 && n[2] >= 1990 && n[1] > 1800 && n[2] < 2200)
		}'
}

no_leak_is_seen()
{
	find_leak drop || return 1
	slabinfo report -H --top 0 "$rec" | awk -F'\t' -v names="$sockets" '
		$1 ~ names && $7 != "-" && ($7 > 0 || $8 < 0) { print "# " $0; bad = 1 }
		END { exit bad }'
}

tries()
{
	local i
	for i in 1 2 3; do
		"$@" && return
		echo "# try $i failed"
		sed 's/^/# /; 30q' "$out"
	done
	return 1
}

if command -v python3 >/dev/null; then
	ok "2000 sockets left behind a run are found" tries leak_is_first
	ok "the same without the leak: the interval covers 0" tries no_leak_is_seen
else
	skip 2 "no python3"
fi

# ---- killed at any moment ----
kills=${KILLS:-200}
opened=0 missing=0 lost=0
for ((i = 0; i < kills; i++)); do
	rm -f "$rec"
	slabinfo record -q --from procfs -i 0.002 -o "$rec" 2>/dev/null &
	pid=$!
	# One in four from the start on, else from the moment that the file is there.
	for ((k = 0; i % 4 && k < 500; k++)); do
		[ ! -e "$rec" ] || break
		sleep 0.01
	done
	sleep "0.$(printf '%03d' $((RANDOM % 100)))"
	{ kill -KILL $pid; wait $pid; } 2>/dev/null
	if [ ! -e "$rec" ]; then
		missing=$((missing + 1))	# before its first sample
		continue
	fi
	slabinfo report --json --top 1 "$rec" >"$out" 2>"$err" || { cat "$err"; continue; }
	opened=$((opened + 1))
	# A torn line is the only one that may not count.
	have=$(sed -n 's/^ "samples":\([0-9]*\),*$/\1/p' "$out")
	lines=$(grep -c '^{"sample":' "$rec")
	[ $((lines - have)) -le 1 ] || lost=$((lost + 1))
done
echo "# $kills kills: $opened files, $missing before the first sample"
is "every file that is there opens" $((opened + missing)) "$kills"
is "at most the last sample is lost" "$lost" 0
ok "the test saw files" [ "$opened" -gt $((kills / 4)) ]

# ---- a full disk ----
mkdir "$tmp/small"
if mount -t tmpfs -o size=512k slabkit-test "$tmp/small" 2>/dev/null; then
	trap 'umount "$tmp/small" 2>/dev/null; end_holders; rm -rf "$tmp"' EXIT
	run slabinfo record -i 0.05 --settle 0 -o "$tmp/small/a.rec" -- \
		sh -c "dd if=/dev/zero of=$tmp/small/fill bs=1k 2>/dev/null; sleep 1; touch $tmp/finished"
	status_is 125
	err_has 'No space left on device'
	ok "a full disk: one line" one_line "$err"
	ok "a full disk: the command was left to finish" [ -e "$tmp/finished" ]
	run slabinfo report "$tmp/small/a.rec"
	status_is 0
	run slabinfo -F "$tmp/small/a.rec" --top 3
	status_is 0
	umount "$tmp/small"
else
	skip 6 "cannot mount a small file system here"
fi

done_testing
