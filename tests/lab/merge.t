#!/bin/bash
# merge.t: is merging better than slab_nomerge? The question that recordings are made for, on real
# kernels: three boots of each, a workload whose holes only merged caches can fill, and `slabinfo
# diff`. Plain churn on two groups of boots of one kind must not differ.
#	LAB_KEEP	a directory to leave the recordings in (6.12-merge-1.rec.gz, ...)
. "$(dirname "$0")/../cli/tap.sh"
here=$top/tests/lab

cc -O2 -static -D_GNU_SOURCE -o "$tmp/holes" "$here/holes.c" 2>"$tmp/cc" || skip_all "no static libc to build with"
cat >"$tmp/churn" <<'END'
#!/bin/sh
cd /tmp
i=0; while [ $i -lt 3000 ]; do : >file$i; i=$((i + 1)); done
for digit in 1 2 3 4 5 6 7 8 9; do rm -f file*$digit; done
i=0; while [ $i -lt 50 ]; do sleep 1 & i=$((i + 1)); done; wait
END
# What it leaves is recorded once more, alone: how long it takes to get there tells of qemu only.
cat >"$tmp/refill" <<'END'
#!/bin/sh
exec holes -m slabinfo record -q -i 0.5 -n 10 -o /tmp/state.rec.gz
END
chmod +x "$tmp/churn" "$tmp/refill"
export LAB_SECONDS=180 LAB_FILES="slabinfo $tmp/holes $tmp/churn $tmp/refill"

# record VERSION PARAMETERS NAME COMMAND: one boot; NAME.rec.gz of the command, and what it recorded
record()
{
	"$here/boot" "$1" "$2" sh -c "cd /tmp
		slabinfo record -q -i 0.5 --settle 0.5 -o job.rec.gz -- $4 >log 2>&1 && tar c *.rec.gz || { cat log; exit 1; }" \
		>"$tmp/tar" 2>"$tmp/why" || return
	tar x -C "$tmp" -f "$tmp/tar" || return
	mv "$tmp/job.rec.gz" "$tmp/$3.rec.gz"
	[ ! -e "$tmp/state.rec.gz" ] || mv "$tmp/state.rec.gz" "$tmp/$3.state.rec.gz"
}

all_readable()
{
	local file
	[ $# = 3 ] || return 1
	for file; do
		slabinfo report "$file" >"$out" || return 1
	done
}

# boots VERSION PARAMETERS NAME COMMAND: NAME-1.rec.gz to NAME-3.rec.gz; false: no such kernel here
boots()
{
	local i ret
	for i in 1 2 3; do
		record "$1" "$2" "$1-$3-$i" "$4"
		ret=$?
		[ $ret != 77 ] || return 1
		[ $ret = 0 ] || sed 's/^/# /' "$tmp/why" "$tmp/tar"
	done
}

group() # the same, with a test that they are there
{
	boots "$@" || return 1
	ok "$1 $3: three recordings" all_readable "$tmp/$1-$3"-[123].rec.gz
}

# loss A B [.state]: "difference low verdict" of loss in bytes, B less A, of the groups of that name
loss()
{
	slabinfo diff -H "$tmp/$1"-[123]${3:-}.rec.gz vs "$tmp/$2"-[123]${3:-}.rec.gz |
		awk -F'\t' '$1 == "loss" && NF > 10 { print $8, $9, $NF }'
}

half_a_megabyte_more()
{
	read -r difference low verdict < <(loss "$1" "$2" .state)
	echo "# $2 loses $difference bytes more than $1 (at least $low): $verdict"
	[ "$verdict" = "B is higher" ] && [ "${difference#+}" -ge 524288 ]
}

# One comparison in twenty of equals comes out as a difference, by the meaning of 95 %.
no_difference()
{
	local try said
	for try in 1 2; do
		said=$(loss "$1-churn" "$1-again")
		echo "# the same twice: $said"
		[[ "$said" != *"no difference" ]] || return 0
		[ $try = 2 ] || boots "$1" '' again churn
	done
	return 1
}

for version in 6.12 7.3; do
	if ! group $version '' merge refill; then
		skip 3 "kernel $version: $(tail -n 1 "$tmp/why")"
		continue
	fi
	group $version slab_nomerge nomerge refill
	ok "$version: slab_nomerge loses half a megabyte more" half_a_megabyte_more $version-merge $version-nomerge
	run slabinfo diff --top 3 "$tmp/$version-merge"-?.state.rec.gz vs "$tmp/$version-nomerge"-?.state.rec.gz
	label="$version: diff merge vs nomerge"
	status_is 1
	out_has '^loss: B is higher than A by '
	group $version '' churn churn
	group $version '' again churn
	ok "$version: plain churn: no difference" no_difference $version
done

[ -z "${LAB_KEEP:-}" ] || cp "$tmp"/*.rec.gz "$LAB_KEEP/"
done_testing
