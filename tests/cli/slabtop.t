#!/bin/bash
# slabtop without a screen: options, what procps slabtop -o prints, batch lines, and the same figures
# everywhere.
. "$(dirname "$0")/tap.sh"

# A /proc/slabinfo with ties, an empty cache, a name with blanks and counts past 2^32.
cat >"$tmp/slabinfo" <<'END'
slabinfo - version: 2.1
# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>
zeta                  10     20    200   20    1 : tunables    0    0    0 : slabdata      1      1      0
ext4_inode_cache   58361  58366   1128   14    4 : tunables    0    0    0 : slabdata   4169   4169      0
Beta                  10     20    200   20    1 : tunables    0    0    0 : slabdata      1      1      0
dentry             85785  85785    192   21    1 : tunables    0    0    0 : slabdata   4085   4085      0
empty                  0      0     64   64    1 : tunables    0    0    0 : slabdata      0      0      0
alpha                 19     20      8  512    1 : tunables    0    0    0 : slabdata      1      1      0
kmalloc-8k            36     36   8192    4    8 : tunables    0    0    0 : slabdata      9      9      0
END

run slabtop -o -F "$tmp/slabinfo" --page-size 4096
status_is 0
out_is - <<'END'
 Active / Total Objects (% used)    : 144221 / 144247 (100.0%)
 Active / Total Slabs (% used)      : 8266 / 8266 (100.0%)
 Active / Total Caches (% used)     : 6 / 7 (85.7%)
 Active / Total Size (% used)       : 80665.03K / 80674.45K (100.0%)
 Minimum / Average / Maximum Object : 0.01K / 0.56K / 8.00K

  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME                   
 85785  85785 100%    0.19K   4085       21     16340K dentry                 
 58366  58361  99%    1.10K   4169       14     66704K ext4_inode_cache       
    36     36 100%    8.00K      9        4       288K kmalloc-8k             
    20     10  50%    0.20K      1       20         4K zeta                   
    20     10  50%    0.20K      1       20         4K Beta                   
    20     19  95%    0.01K      1      512         4K alpha                  
     0      0   0%    0.06K      0       64         0K empty                  
END

run slabtop --once --compat=4.0.6 -s n -F "$tmp/slabinfo" --page-size 4096
out_is - <<'END'
 Active / Total Objects (% used)    : 144221 / 144247 (100.0%)
 Active / Total Slabs (% used)      : 8266 / 8266 (100.0%)
 Active / Total Caches (% used)     : 6 / 7 (85.7%)
 Active / Total Size (% used)       : 80665 / 80674 (100.0%)
 Minimum / Average / Maximum Object : 0.01K / 0.56K / 8.00K

    OBJS   ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME                 
      20       10  50%    0.20K      1       20          4 Beta                   
      20       19  95%    0.01K      1      512          4 alpha                  
   85785    85785 100%    0.19K   4085       21      16340 dentry                 
       0        0   0%    0.06K      0       64          0 empty                  
   58366    58361  99%    1.10K   4169       14      66704 ext4_inode_cache       
      36       36 100%    8.00K      9        4        288 kmalloc-8k             
      20       10  50%    0.20K      1       20          4 zeta                   
END
run slabtop -o --human -s c -F "$tmp/slabinfo" --page-size 4096
out_has ': 78Mi / 78Mi \(100.0%\)'
out_has '14 +65Mi ext4_inode_cache'
out_has ' 288Ki kmalloc-8k'
out_has ' 4.0Ki alpha'
out_has ' 0B empty'

# Every sort letter, in either case: the greatest first, ties in the order of the file.
order()
{
	run slabtop -o -s "$1" -F "$tmp/slabinfo" --page-size 4096
	is "$label" "$(sed 1,7d "$out" | awk '{ printf "%s ", $NF }')" "$2 "
}
order a 'dentry ext4_inode_cache kmalloc-8k alpha zeta Beta empty'
order B 'alpha empty dentry zeta Beta ext4_inode_cache kmalloc-8k'
order c 'ext4_inode_cache dentry kmalloc-8k zeta Beta alpha empty'
order l 'ext4_inode_cache dentry kmalloc-8k zeta Beta alpha empty'
order v 'ext4_inode_cache dentry kmalloc-8k zeta Beta alpha empty'
order p 'kmalloc-8k ext4_inode_cache zeta Beta dentry empty alpha'
order s 'kmalloc-8k ext4_inode_cache zeta Beta dentry empty alpha'
order u 'dentry kmalloc-8k ext4_inode_cache alpha zeta Beta empty'

# Usage errors leave standard output empty and say the way out.
usage()
{
	run slabtop "$@"
	status_is 2
	err_has "^slabtop: "
	ok "$label: one line" one_line "$err"
	is "$label: nothing on standard output" "$(wc -c <"$out")" 0
}
usage -s z -o
usage -s '' -o
usage -s footprint_bytes -o
usage -s no_such_column
usage -d 0
usage -d x
usage -d 3 -o
usage -o -B
usage -n 3
usage -B -n 0
usage --compat=3.3
usage extra
usage --no-such-option
usage -F "$tmp/slabinfo" -F "$tmp/slabinfo"
usage -m '(' -B -F "$tmp/slabinfo"

run slabtop
status_is 1
err_is 'slabtop: this is no terminal; use -o to print once, or -B for lines'
run slabtop -F "$tmp/nothing"
status_is 1
err_is "slabtop: $tmp/nothing: No such file or directory"
run slabtop --root "$tmp/nothing"
err_is "slabtop: $tmp/nothing: No such file or directory"
run slabtop -o -F "$tmp/nothing"
status_is 1
ok "$label: one line" one_line "$err"
if [ -w /dev/full ]; then
	label='slabtop -o >/dev/full'
	slabtop -o -F "$tmp/slabinfo" >/dev/full 2>"$err"
	is "$label: exit status" $? 1
	err_has 'slabtop: write error: '
else
	skip 2 "no /dev/full"
fi

# Help is on standard output, and names every option; so does the manual.
run slabtop --help
status_is 0
for option in $(grep -oE -- '--[a-z-]+' "$out" | sort -u); do
	[ "$option" = --help ] || ok "the manual has $option" \
		grep -q -- "$(sed 's/-/\\\\-/g' <<<"$option")" "$top/man/slabtop.1"
done
run slabtop -V
out_is "slabtop from slabkit $(sed -n 's/^VERSION *:= //p' "$top/Makefile")"

# The manual's keys are those of the table, in its order.
run slabtop --list-keys
sed -n '/^\.\\" keys: begin/,/^\.\\" keys: end/p' "$top/man/slabtop.1" |
	sed -nE 's/^\.SS //p; s/^\.B //p' | sed 's/\\-/-/g; s/\\(ha/^/g; s/\\e/\\/g; s/"//g' >"$tmp/manual"
sed -E '/^$/d; s/:$//; s/^  (.{14}).*/\1/; s/ +$//' "$out" >"$tmp/table"
ok "the manual's keys are those of --list-keys" same "$tmp/manual" "$tmp/table"

# Batch: rows as on the screen, no escape codes, as many samples as asked for.
mkdir -p "$tmp/root/proc"
untree "$top/tests/tui/tree.txt" "$tmp/root/sys/kernel/slab"
echo 'Linux version 6.12.0-frozen (someone@somewhere) #1 SMP' >"$tmp/root/proc/version"
run env COLUMNS=80 slabtop -B -n 2 -d 0.1 --root "$tmp/root"
status_is 0
is "$label: two samples" "$(grep -c '^slabtop  caches 14' "$out")" 2
is "$label: no escape code" "$(tr -d '\n[:print:]' <"$out" | wc -c)" 0
sed -n '4,18p' "$out" >"$tmp/rows"
sed -n '4,18p' "$top/tests/tui/screens/caches-ascii" >"$tmp/screen"
ok "$label: rows as on the screen" same "$tmp/rows" "$tmp/screen"
run env COLUMNS=80 slabtop -B -n 1 -m '^kmalloc' -s n --root "$tmp/root"
is "$label" "$(sed 1,4d "$out" | awk '{ printf "%s ", $1 }')" 'anon_vma_chain kmalloc-1k kmalloc-2k kmalloc-8k '

# What is no file there keeps nobody waiting.
mkdir -p "$tmp/odd/slabkit"
mkfifo "$tmp/odd/slabkit/slabtop"
run env XDG_CONFIG_HOME="$tmp/odd" timeout 20 slabtop -B -n 1 --root "$tmp/root"
status_is 0

# One figure, four places: the files, slabinfo, the screen's rows, --once.
run slabinfo --root "$tmp/root" --csv -c name,objects,total_objects,slabs,footprint_bytes,loss_bytes
cp "$out" "$tmp/csv"
XDG_CONFIG_HOME=$tmp/config
export XDG_CONFIG_HOME
mkdir -p "$XDG_CONFIG_HOME/slabkit"
# A column that is named twice stands there once.
echo 'caches = objects total_objects slabs objects footprint_bytes loss_bytes' >"$XDG_CONFIG_HOME/slabkit/slabtop"
run slabtop -B -n 1 -b -s n --root "$tmp/root"
sed 1,4d "$out" | awk '{ print $1 "," $2 "," $3 "," $4 "," $5 "," $6 }' | sort >"$tmp/screen"
sed 1d "$tmp/csv" | sort >"$tmp/slabinfo.csv"
ok "the screen and slabinfo agree" same "$tmp/screen" "$tmp/slabinfo.csv"

files()
{
	local dir=$tmp/root/sys/kernel/slab/$1

	[ -d "$dir" ] || return
	awk -v name="$1" '
		FILENAME ~ /\/objects$/ { o = $1 } FILENAME ~ /\/total_objects$/ { t = $1 }
		FILENAME ~ /\/slabs$/ { s = $1 } FILENAME ~ /\/order$/ { p = 2 ^ $1 }
		FILENAME ~ /\/object_size$/ { z = $1 }
		END { f = s * p * 4096; print name "," o "," t "," s "," f "," f - o * z }' \
		"$dir"/{objects,total_objects,slabs,order,object_size}
}
cut -d, -f1 "$tmp/screen" | while read -r name; do files "$name"; done >"$tmp/files"
ok "the screen and the files agree" same "$tmp/screen" "$tmp/files"
run env LC_ALL=C slabtop -o -s n --root "$tmp/root"
sed 1,7d "$out" | awk '{ print $8 "," $2 "," $1 "," $5 "," $7 * 1024 }' >"$tmp/unsorted"
cut -d, -f1 "$tmp/unsorted" >"$tmp/names"
ok "--once sorts by the names that it prints" env LC_ALL=C sort -c "$tmp/names"
sort "$tmp/unsorted" >"$tmp/once"
cut -d, -f1-5 "$tmp/files" | sort >"$tmp/wanted"
ok "--once and the files agree" same "$tmp/once" "$tmp/wanted"

done_testing
