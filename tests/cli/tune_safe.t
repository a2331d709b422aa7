#!/bin/bash
# tune_safe.t: no write leaves the slab directory or hits another file; half of a change never stays.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/tunetree.sh"

refused() # NAME REGEX ARGUMENT...
{
	local name=$1 regex=$2
	shift 2
	tune "$@"
	label=$name
	is "$name: refused" "$status" 1
	err_has "$regex"
}

# ---- names are literal, links stay inside ----
tree 6.18.5
mkdir "$root/elsewhere"
echo 1 >"$root/elsewhere/cpu_partial"
echo keep >"$root/victim"
ln -s ../../../elsewhere "$slab/leaves"
ln -s "$root/elsewhere" "$slab/absolute"
ln -s pool "$slab/chain"
ln -s loop "$slab/loop"
ln -s ../slab/dentry "$slab/roundabout"
for name in leaves absolute chain loop roundabout; do
	refused "link $name" 'is a link to ".*", which is no cache of this directory: refused' "$name" cpu_partial=0
done
for name in .. . ../slab/dentry dentry/ ./dentry "$slab/dentry" 'd*' 'dent[r]y' $'dentry\n' ''; do
	refused "name '${name//$'\n'/\\n}'" 'no cache called|empty list' "$name" cpu_partial=0
done
unchanged "names and links"
is "nothing outside is written" "$(cat "$root/elsewhere/cpu_partial" "$root/victim" | tr '\n' ' ')" "1 keep "

odd=$'odd *\n\e[31m'
cache "$odd" 64 30
tune "$odd" cpu_partial=0
is "an odd name: exit status" "$status" 0
is "a name with a newline is taken literally" "$(value "$odd" cpu_partial)" 0
ok "and shown harmless" hasnt "$out" $'\e'
tune --undo
is "and undone by that name" "$(value "$odd" cpu_partial)" 30
cache 'a,b' 64 30
tune a,b cpu_partial=0
is "a name with a comma is a name" "$(value a,b cpu_partial)" 0

# ---- attributes that are no plain files ----
tree 6.18.5
rm "$slab/dentry/cpu_partial"
ln -s "$root/victim" "$slab/dentry/cpu_partial"
echo 7 >"$root/victim"
refused "attribute is a link" 'symbolic link' dentry cpu_partial=0
rm "$slab/dentry/cpu_partial"
ln "$root/victim" "$slab/dentry/cpu_partial"
refused "attribute is a second name" 'not a plain file with one name' dentry cpu_partial=0
rm "$slab/dentry/cpu_partial"
mkfifo "$slab/dentry/cpu_partial"
refused "attribute is a pipe" 'not a plain file' dentry cpu_partial=0
is "the other file is as it was" "$(cat "$root/victim")" 7
rm "$slab/dentry/cpu_partial"
refused "attribute is missing" 'no cpu_partial' dentry cpu_partial=0
echo 'no number' >"$slab/dentry/cpu_partial"
refused "present value cannot be read" 'could not be put back' dentry cpu_partial=0

# ---- nothing half done ----
tree 6.18.5
chmod 400 "$slab/filp/cpu_partial"
if [ "$(id -u)" = 0 ]; then reason='read-only|store function|not permitted'; else reason='not permitted'; fi
chmod 444 "$slab/filp/cpu_partial"
refused "one of several is read-only" "$reason" dentry,filp cpu_partial=0
chmod 644 "$slab/filp/cpu_partial"
unchanged "a read-only file among several"

: >"$tmp/file"
run slabinfo tune --root "$root" --journal "$tmp/file" dentry cpu_partial=0
status_is 1
err_has 'nothing is changed without one'
(
	ulimit -f 0
	trap '' XFSZ
	slabinfo tune --root "$root" --journal "$tmp/full" dentry,filp cpu_partial=0
	echo "status $?" >&2
) 2>&1 >/dev/null | cat >"$err"
label="no room for the journal"
err_has 'status 1'
err_has 'cannot write the journal'
unchanged "no room for the journal"
mkdir -m 777 "$tmp/open"
run slabinfo tune --root "$root" --journal "$tmp/open" dentry cpu_partial=0
status_is 1
err_has 'others may write here'
unchanged "no journal"

# A tree on a full file system: the second value does not fit, the first is put back.
if unshare -rm true 2>/dev/null; then
	export root slab journal
	unshare -rm bash -c '
		mkdir "$0/mnt" && mount -t tmpfs -o size=4m none "$0/mnt" && cp -a "$root/." "$0/mnt/" 2>/dev/null
		: >"$0/mnt/sys/kernel/slab/filp/min_partial"; echo 5 >"$0/mnt/sys/kernel/slab/filp/min_partial"
		mount -o remount,ro "$0/mnt"
		slabinfo tune --root "$0/mnt" --journal "$0/state-ro" dentry,filp min_partial=9
		echo "status $?"
		cat "$0/mnt/sys/kernel/slab/dentry/min_partial"
	' "$tmp" >"$out" 2>"$err"
	label="a read-only file system"
	err_has 'mounted read-only|not permitted'
	out_has '^status 1$'
	out_has '^5$'
else
	skip 3 "no user namespaces here"
fi

# ---- what was made anew, changed by others, or is of another tree ----
tree 6.18.5
tune dentry cpu_partial=0
rm -r "$slab/dentry"
cache dentry 192 0
tune --undo
status_is 0
out_has 'dentry: cpu_partial not restored to 120: the cache was destroyed and made anew since: left as it is'
is "a cache made anew is left alone" "$(value dentry cpu_partial)" 0
tune --history
out_has 'undone'
tune filp cpu_partial=0
echo 77 >"$slab/filp/cpu_partial"
tune --undo
status_is 1
out_has 'filp: cpu_partial not restored to 52: is 77, not 0: changed by something else since, and left alone'
tune --undo --force
status_is 0
is "--force restores it" "$(value filp cpu_partial)" 52
tune filp cpu_partial=0
mkdir "$tmp/two"
cp -r "$root/." "$tmp/two/"
run slabinfo tune --root "$tmp/two" --journal "$journal" --undo
status_is 1
err_has 'nothing to undo for .*/two/'
sed -i 's/ boot=-/ boot=11111111-2222-3333-4444-555555555555/' "$journal/journal"
tune --undo
status_is 1
tune --history
out_has 'earlier boot'
n=$(grep -c ^begin "$journal/journal")
tune --undo="$n"
status_is 1
err_has 'belongs to an earlier boot: the kernel started with its own values'
is "an earlier boot is never applied" "$(value filp cpu_partial)" 0

# ---- a journal cut off in the middle of a line ----
tree 6.18.5
tune dentry cpu_partial=0
truncate -s -5 "$journal/journal"
tune filp cpu_partial=1
status_is 0
tune --restore-all
status_is 0
unchanged "a journal that was cut off"
tune --history
err_is "slabinfo tune: 1 line of the journal cut off or without sense, passed over"

# ---- a journal that somebody else could have written, or that is none ----
tree 6.18.5
tune dentry cpu_partial=0
chmod 666 "$journal/journal"
refused "a journal that others may write to" 'others may write to the journal' --undo
chmod 600 "$journal/journal"
sed -n '1s/^begin 1 /begin 18446744073709551615 /p' "$journal/journal" >>"$journal/journal"
tune --undo
status_is 0
unchanged "an entry with a number that cannot be"
echo 'begin 4294967295 time=2026-11-30T10:22:01Z pid=1 boot=- dir=/ what=tune .' >>"$journal/journal"
refused "no number is left" 'move this journal away' dentry cpu_partial=0
unchanged "no number is left"
tree 6.18.5
mkdir "$journal"
mkfifo "$journal/journal"
refused "a pipe for a journal" 'not a plain file' dentry cpu_partial=0
refused "a pipe for a journal, read" 'not a plain file' --history
rm "$journal/journal"
mkdir "$journal/journal"
refused "a directory for a journal" 'nothing is changed without one' dentry cpu_partial=0
unchanged "no journal"

done_testing
