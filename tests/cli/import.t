#!/bin/bash
# import.t: recordings of what other tools wrote.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/recordroot.sh"

machine
objects() # FILE SAMPLE
{
	slabinfo -F "$1" --at "$2" -H -c objects dentry
}

# ---- a loop of /proc/slabinfo, with times ----
{
	for n in 1000 2000 3000; do
		echo "2026-01-31 10:00:0$((n / 1000))"
		count dentry $n
		cat "$root/proc/slabinfo"
	done
} >"$tmp/loop"
run slabinfo import -o "$rec" "$tmp/loop"
status_is 0
out_is ''
err_is ''
is "three samples" "$(samples "$rec")" 3
is "the first" "$(objects "$rec" first)" 1000
is "by time of day" "$(TZ=UTC objects "$rec" '2026-01-31 10:00:02')" 2000
is "by seconds" "$(objects "$rec" 2s)" 3000

# ---- without times; many files ----
for n in 1 2 3 4; do count dentry $((n * 1000)); cp "$root/proc/slabinfo" "$tmp/file.$n"; done
run slabinfo import --force -i 10 -o "$rec" "$tmp"/file.[1-4]
status_is 0
is "four samples" "$(samples "$rec")" 4
is "ten seconds apart" "$(objects "$rec" 20s)" 3000
touch -d '2026-02-01 00:00:00 UTC' "$tmp/file.1"
touch -d '2026-02-02 00:00:00 UTC' "$tmp/file.2"
run slabinfo import --force --mtime -o "$rec" "$tmp/file.1" "$tmp/file.2"
is "by the time of the file" "$(objects "$rec" '@1769990400')" 2000

# ---- a column of numbers ----
printf '%s\n' 300 100 200 >"$tmp/column"
run slabinfo import --force -o "$rec" "$tmp/column"
status_is 0
is "three numbers" "$(samples "$rec")" 3
run slabinfo -F "$rec" --at peak -T
out_has 'loss_bytes +300 B'

# ---- saved slabinfo -X, with and without separators ----
sample() # USED LOSS NAME
{
	cat <<-END
	Slabcache Totals
	----------------
	Slabcaches :              10   Aliases  :          0->0     Active:      1
	Memory used:   $(printf %12s "$1")   # Loss   :   $(printf %12s "$2")   MRatio:     0%
	# Objects  :             512   # PartObj:               0   ORatio:     0%

	Slabs sorted by size
	--------------------
	Name                   Objects Objsize           Space Slabs/Part/Cpu  O/S O %Fr %Ef Flg
	$(printf %-21s "$3")      512     256          131072          30/0/2   16 0   0 100 A

	END
}
{ echo 'Sample #1'; sample 131072 10 dentry; echo 'Sample #2'; sample 131073 11 filp; } >"$tmp/with"
{ sample 131072 10 dentry; sample 131073 11 filp; } >"$tmp/without"
for kind in with without; do
	run slabinfo import --force -o "$rec" "$tmp/$kind"
	is "$kind separators: two samples" "$(samples "$rec")" 2
	is "$kind separators: caches" "$(slabinfo -F "$rec" --at 0 -H -c name 2>/dev/null) $(slabinfo -F "$rec" --at 1 -H -c name 2>/dev/null)" 'dentry filp'
done
if [ -e "$shared/data/seed/xtotals-408-410.txt" ]; then
	run slabinfo import --force -o "$rec" "$shared/data/seed/xtotals-408-410.txt"
	status_is 0
	is "seed: three samples" "$(samples "$rec")" 3
	for n in 0:98828288:3872736:no 1:107409408:3782600:yes 2:100171776:3975712:no; do
		IFS=: read -r at used loss biovec <<<"$n"
		run slabinfo -F "$rec" --at "$at" -T -B
		out_has "footprint_bytes +$used$"
		out_has "loss_bytes +$loss$"
		top=$(slabinfo -F "$rec" --at "$at" --sort footprint_bytes --top 5 -H -c name 2>/dev/null | grep -c biovec-256)
		is "sample $at: biovec-256 among the five largest" "$([ "$top" = 1 ] && echo yes || echo no)" "$biovec"
	done
else
	skip 11 "no ${shared##*/}/data/seed"
fi

# ---- a recording, a folder, several kinds at once; compressed ----
run slabinfo import --force -o "$tmp/b.rec.zst" "$rec" "$root" "$tmp/file.2"
status_is 0
ok "no plain file is left" [ ! -e "$tmp/b.rec" ]
is "the last" "$(objects "$tmp/b.rec.zst" last)" 2000

# ---- what goes wrong ----
run slabinfo import --force -o "$tmp/c.rec" "$tmp/file.1" "$tmp/none"
status_is 1
err_has 'none: No such file'
ok "nothing is written" [ ! -e "$tmp/c.rec" ]
run slabinfo import -o "$rec" "$tmp/file.1"
status_is 1
err_has 'exists already: --force replaces it'
run slabinfo import -o - "$tmp/bad"
status_is 2
err_has 'a recording goes to a file'
{ cat "$tmp/file.1"; echo 'dentry 12 x'; } >"$tmp/bad"
run slabinfo import -o "$tmp/c.rec" "$tmp/bad"
status_is 1
err_has 'bad:6: not understood, row left out'
is "what was understood is there" "$(objects "$tmp/c.rec" last)" 1000
run slabinfo import "$tmp/file.1"
status_is 2
run slabinfo import -o "$tmp/d.rec"
status_is 2
: >"$tmp/empty"
run slabinfo import -o "$tmp/d.rec" "$tmp/empty"
status_is 1
ok "$label: one line" one_line "$err"

# ---- samples of one cache with nothing between them ----
for i in 1 2 3 4; do
	echo "kmalloc-512 $((i * 10)) 80 768 10 2 : tunables 0 0 0 : slabdata 8 8 0"
done >"$tmp/loop"
for command in "slabinfo import -o $tmp/loop.rec $tmp/loop" "slabinfo -F $tmp/loop -c name,objects" \
	"slabinfo diff $tmp/loop $tmp/loop"; do
	run $command
	status_is 0
	err_has 'loop: 3 of 4 rows have a name that came before: .* part them by a line with the time'
done

# ---- where it cannot go ----
for file in '' -; do
	run slabinfo import -o "$file" /dev/null
	status_is 2
	ok "import -o '$file': one line, and how to ask" one_line "$err"
done

done_testing
