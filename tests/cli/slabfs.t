#!/usr/bin/env bash
# slabfs: the caches of programs, as files.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/publisher.sh"

[ -x "$build/bin/slabfs" ] || skip_all "slabfs was left out: no libfuse3 here"

# ---- the command line ----------------------------------------------------------------------------

run slabfs --help
status_is 0
out_has 'usage: slabfs'
run slabfs --version
out_has '^slabfs [0-9]'
run slabfs
status_is 2
run slabfs "$tmp" "$tmp"
status_is 2
run slabfs "$tmp/nowhere"
status_is 1
err_is "slabfs: $tmp/nowhere: No such file or directory"
run slabfs "$0"
status_is 1
err_has 'is not a directory'
slabfs --complete-words >"$tmp/words"
is "every option stands in the manual" "$(grep '^-' "$tmp/words" | while read -r w; do
	sed 's/\\-/-/g; s/\\f[BIR]//g' "$top/man/slabfs.1" | grep -qE -- "(^|[ ,\"])$w([ ,=\"]|\$)" || echo "$w"
done)" ''

# ---- a mount --------------------------------------------------------------------------------------

mnt=$tmp/mnt
mkdir "$mnt"
no_mount()
{
	skip 1 "no FUSE mount here: $1"
	done_testing
}
[ -r /dev/fuse ] && [ -w /dev/fuse ] || no_mount "/dev/fuse may not be opened"
command -v fusermount3 >/dev/null || no_mount "there is no fusermount3"
slabfs "$mnt" 2>"$err" || no_mount "$(tail -1 "$err")"
trap 'fusermount3 -uz "$mnt" 2>/dev/null; rm -rf "$tmp"' EXIT

# shown PID: root sees those of others too
shown() { ls "$mnt" | grep -qx "$1"; }

publisher p
d=$mnt/$p_pid
tell p create widgets 200 nomerge
tell p create gears 700
tell p create cogs 700
tell p create pins 64 reclaim
tell p create plain 104 nosheaf
tell p create guarded 104 debug
tell p create a/../b 300 nomerge
tell p create slabinfo 312 nomerge
tell p alloc widgets 1000
tell p free widgets 300
tell p alloc gears 10
tell p alloc plain 30

# ---- what is there --------------------------------------------------------------------------------

ok "the program" shown "$p_pid"
ok "no file at the top but programs" hasnt <(ls "$mnt") '[^0-9]'
is "aliases are links" "$(readlink "$d/gears" "$d/cogs" | paste -sd' ')" ':0000704 :0000704'
is "a reclaimable one" "$(readlink "$d/pins")" ':a-0000064'
is "size through an alias" "$(cat "$d/cogs/object_size")" 700
is "no path but a name" "$(cat "$d/a!..!b/object_size")" 300
ok "slabinfo is the file" [ -f "$d/slabinfo" ]
is "a cache called slabinfo stands below sys" "$(cat "$d/sys/kernel/slab/slabinfo/object_size")" 312
ok "what is not known is no file" [ ! -e "$d/widgets/trace" ]
for f in 0 01 "$p_pid/nothing" "$p_pid/widgets/nothing" "$p_pid/widgets/objects/x" 4194305 x; do
	ok "no $f" [ ! -e "$mnt/$f" ]
done
is "modes" "$(cd "$d/widgets" && stat -c '%a %n' objects slab_size cpu_partial min_partial shrink validate |
	paste -sd,)" '400 objects,400 slab_size,600 cpu_partial,600 min_partial,600 shrink,600 validate'

# ---- values ---------------------------------------------------------------------------------------

# field CACHE NAME: as slabinfo --pid tells it
field() { slabinfo --pid "$p_pid" -H -b -c "$2" "^$1\$" 2>/dev/null; }

tell p walk widgets
walked=$answer
is "objects in use, by the program's own walk and through --pid" "$(field widgets in_use_objs)" "$walked"
for f in object_size slab_size objs_per_slab order align usersize aliases hwcache_align reclaim_account \
	destroy_by_rcu sanity_checks red_zone poison store_user min_partial cpu_partial sheaf_capacity objects \
	total_objects slabs partial objects_partial cpu_slabs barn_get barn_get_fail; do
	is "$f: cat and --pid agree" "$(sed 's/ .*//' "$d/widgets/$f")" "$(field widgets "$f")"
done
# Without sheaves there is nothing between the count of objects and the walk but the CPU's own slab.
is "shares by node" "$(cat "$d/widgets/slabs")" "$(field widgets slabs) N0=$(field widgets slabs)"
tell p alloc widgets 400
is "cat is always of now" "$(sed 's/ .*//' "$d/widgets/total_objects")" "$(field widgets total_objects)"

is "rows: head" "$(head -1 "$d/slabinfo")" 'slabinfo - version: 2.1'
is "a row has 16 words" "$(awk '$1 == "widgets" { print NF }' "$d/slabinfo")" 16
is "a row" "$(awk '$1 == "widgets" { print $2, $3, $4, $5, $6, $14, $15 }' "$d/slabinfo")" \
	"$(for f in objects total_objects slab_size objs_per_slab; do sed 's/ .*//' "$d/widgets/$f"; done |
		paste -sd' ') 1 $(for f in slabs slabs; do sed 's/ .*//' "$d/widgets/$f"; done | paste -sd' ')"
ok "both ways to it" same "$d/slabinfo" "$d/proc/slabinfo"

for mode in -l -S -L -T -X -a -n; do
	slabinfo --pid "$p_pid" $mode >"$tmp/pid" 2>/dev/null
	run slabinfo --root "$d" --page-size "$(getconf PAGESIZE)" $mode
	ok "slabinfo $mode --root PID is slabinfo $mode --pid PID" same "$out" "$tmp/pid"
done

exec {open}<"$d/slabinfo"
dd bs=100 count=1 <&"$open" >"$tmp/pieces" 2>/dev/null
cat "$d/slabinfo" >"$tmp/before"
tell p alloc widgets 3000
cat "$d/slabinfo" >"$tmp/after"
dd bs=100 <&"$open" >>"$tmp/pieces" 2>/dev/null
exec {open}<&-
ok "a file in pieces is of one moment" same "$tmp/pieces" "$tmp/before"
ok "and the next of another" [ "$(cat "$tmp/after")" != "$(cat "$tmp/before")" ]

# ---- writes ---------------------------------------------------------------------------------------

# put TEXT FILE: what the write says, "" if it was taken
put()
{
	{ printf '%s' "$1" >"$2"; } 2>"$tmp/said"
	sed 's/.*: //' "$tmp/said"
}

# agree CACHE KEY VALUE: slabfs says what the API says, and the same stands there afterwards
agree()
{
	local api said
	tell p get "$1" "$2"
	local before=$answer
	tell p tune "$1" "$2" "$3"
	api=$answer
	tell p get "$1" "$2"
	local after=$answer
	tell p tune "$1" "$2" "$before"
	said=$(put "$3" "$d/$1/$2")
	is "$1 $2 = $3: refused alike" "$said" "$([ "$api" = -22 ] && echo Invalid argument)"
	tell p get "$1" "$2"
	is "$1 $2 = $3: the same effect" "$answer $(cat "$d/$1/$2")" "$after $after"
}

echo 256 >"$d/plain/cpu_partial"
tell p get plain cpu_partial
is "echo 256 > cpu_partial" "$answer" 256
echo 12 >"$d/cogs/min_partial"
tell p get gears min_partial
is "through an alias, for all who share it" "$answer" 12
agree plain cpu_partial 0
agree plain cpu_partial 1000001
agree widgets cpu_partial 0
agree widgets cpu_partial 30
agree widgets min_partial 7
agree widgets min_partial 4294967296
agree widgets sheaf_capacity 33
agree widgets sheaf_capacity 0
agree plain sheaf_capacity 8
for v in '' -1 x 5x ' 5' '5 ' 0x10; do
	is "no number: '$v'" "$(put "$v
" "$d/widgets/min_partial")" 'Invalid argument'
done
is "past 64 bits" "$(put 18446744073709551616 "$d/widgets/min_partial")" 'Numerical result out of range'
is "shrink wants a 1" "$(put 0 "$d/widgets/shrink")" 'Invalid argument'
tell p free widgets 100000
slabs=$(sed 's/ .*//' "$d/widgets/slabs")
echo 1 >"$d/widgets/shrink"
ok "shrink: $slabs slabs, then fewer" [ "$(sed 's/ .*//' "$d/widgets/slabs")" -lt "$slabs" ]
tell p shrink widgets
is "as the API has it" "$(cat "$d/widgets/slabs")" 0
is "validate" "$(put 1 "$d/guarded/validate")$(put 1 "$d/widgets/validate")" ''
is "actions read as nothing" "$(cat "$d/widgets/shrink" "$d/widgets/validate")" ''
is "what takes nothing" "$(put 1 "$d/widgets/objects")" 'Permission denied'

# ---- ends -----------------------------------------------------------------------------------------

publisher q
tell q create lasting 96 nomerge
tell q alloc lasting 5
tell q create .. 48 nomerge
tell q create twin 40 nomerge
tell q alloc twin 1
tell q create twin 80 nomerge
tell q create .dotted 104 nomerge
tell q alloc .dotted 1
is "of two of one name the older has it, and rows tell them apart" \
	"$(cat "$mnt/$q_pid/twin/object_size") $(grep -c '^twin[ @]' "$mnt/$q_pid/slabinfo")" '40 2'
is "the younger goes by its number" "$(cat "$mnt/$q_pid"/twin@*/object_size)" 80
is "so does what no file can be called" "$(cat "$mnt/$q_pid"/..@*/object_size)" 48
run slabinfo --root "$mnt/$q_pid" -b -H -c object_size '^[.]dotted$'
is "a name that begins with a dot is read" "$(cat "$out")" 104
run slabinfo --root "$mnt/$q_pid" -b -H -c object_size -z '^twin'
is "each cache is there once" "$(sort "$out" | paste -sd' ')" '40 80'
exec {open}<"$mnt/$q_pid/lasting/slab_size"
publisher_end q
ok "an orderly end takes the directory away" [ ! -e "$mnt/$q_pid" ]
is "an open file is read to its end" "$(head -c 10 <&"$open")" 96
exec {open}<&-

tell p alloc gears 1
is "of now" "$(cat "$d/gears/total_objects")" "$(field :0000704 total_objects) N0=$(field :0000704 total_objects)"
last=$(cat "$d/slabinfo")
kill -9 "$p_pid"
wait "$p_job" 2>/dev/null
is "who was killed leaves his last figures" "$(cat "$d/slabinfo")" "$last"
is "and nothing to write to" "$(stat -c %a "$d/plain/cpu_partial") $(put 3 "$d/plain/cpu_partial")" '400 Permission denied'

# Damaged pages and odd files hurt nobody.
printf 'slabpage' >"$tmp/run/slab/99999999-1"
head -c 20000 /dev/urandom >"$tmp/run/slab/99999998-1"
printf 'x' >"$tmp/run/slab/notes"
ln -s /etc/passwd "$tmp/run/slab/99999997-1"
page=$(echo "$tmp/run/slab/$p_pid"-*)
cp "$page" "$tmp/whole"
ok "damaged pages are not shown" hasnt <(ls "$mnt") '^9999999[789]$'
ok "others are" shown "$p_pid"
ok "nor found" [ ! -e "$mnt/99999999" ]
ok "pages with bytes changed are read or refused, and slabfs lives" python3 - "$tmp/whole" "$page" "$d" <<'PY'
import os, random, sys
whole, page, d = sys.argv[1:]
data = open(whole, "rb").read()
random.seed(1)
for i in range(40):
    b = bytearray(data)
    for k in range(random.choice((1, 8, 200))):
        b[random.randrange(len(b))] = random.randrange(256)
    with open(page + ".new", "wb") as f:
        f.write(b[:random.choice((len(b), random.randrange(len(b))))])
    os.rename(page + ".new", page)
    try:
        open(d + "/slabinfo").read()
        for root, _, files in os.walk(d + "/sys"):
            for f in files[:2]:
                open(root + "/" + f).read()
    except OSError:
        pass
with open(page, "wb") as f:
    f.write(data)
open(d + "/slabinfo").read()
PY
slabinfo --list-processes --clean >/dev/null 2>&1
ok "cleaned away" [ ! -e "$d" ]

# ---- unmounting -----------------------------------------------------------------------------------

fusermount3 -u "$mnt"
status=$?
is "unmounted" "$status $(ls -A "$mnt")" '0 '
ok "nothing is left of it in the mounts" hasnt /proc/mounts "$mnt"
slabfs -f -o ro "$mnt" 2>"$err" &
job=$!
for ((i = 0; i < 200; i++)); do
	grep -q " $mnt " /proc/mounts && break
	sleep 0.05
done
ok "in the foreground" grep -q " $mnt fuse.slabfs ro," /proc/mounts
kill "$job"
wait "$job"
is "a signal ends it, orderly" "$?" 0
ok "and unmounts" hasnt /proc/mounts "$mnt"

done_testing
