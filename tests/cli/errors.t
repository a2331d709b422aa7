#!/usr/bin/env bash
# What goes wrong says so in one line, with the way out, and with the right exit status.
. "$(dirname "$0")/tap.sh"

tree=$tmp/two-nodes
untree "$top/tests/data/trees/two-nodes.txt" "$tree/sys/kernel/slab"
root="--root $tree"

# ---- usage: status 2, nothing on standard output ------------------------------------------------

usage() # REGEX ARGUMENTS...
{
	local want=$1
	shift
	run slabinfo "$@"
	status_is 2
	err_has "$want"
	ok "$label: one line" one_line "$err"
	out_is ''
}
usage "unknown or ambiguous option '--f'" --f
usage "unknown or ambiguous option '--nonsense'" --nonsense
usage "unknown or ambiguous option '-p'" -p
usage "argument is missing behind '-N'" -N
usage "not a number of rows: '0'" -N 0
usage "not a number of rows: 'x'" --top x
usage "not a number of rows: '-1'" -N -1
usage "no field 'nonsense' to sort by" --sort nonsense
usage "no column 'nonsense'" -c name,nonsense
usage "two forms of output at once" --json --csv
usage "two forms of output at once" --json -H
usage "not a set of debug flags" -dX
usage "not a set of debug flags" -dFF
usage "not a time for colour" --color=sometimes
usage "no such kind of source: 'nonsense'" --from nonsense
usage "not a page size" --page-size 5000
usage "this machine is known" --page-size 64K
usage "one pattern only" dentry inode
usage "name two things to read" --root / -F x
usage "standard input can be read once only" -F - -F -
# shellcheck disable=SC2086
usage "pattern '\\\\\\(': " $root '\('
# shellcheck disable=SC2086
usage "pattern '\\(': " $root -m '('
usage "only the running kernel or --root can be written to" -F x -s

run slabinfo --help
status_is 0
err_is ''
out_has '^  -T, --Totals'
out_has '^  -d, --debug\[=FLAGS\]'
run slabinfo -V
status_is 0
out_has '^slabinfo [0-9]+\.[0-9]+\.[0-9]+$'

# A verb is one as the very first argument only.
run slabinfo $root -- record
status_is 0
run slabinfo -l $root record
status_is 0

# ---- run time: status 1 -------------------------------------------------------------------------

failure() # REGEX ARGUMENTS...
{
	local want=$1
	shift
	run slabinfo "$@"
	status_is 1
	err_has "$want"
	ok "$label: one line" one_line "$err"
}
failure 'nowhere: .*[Nn]o such file' -F "$tmp/nowhere"
mkdir "$tmp/empty"
failure 'empty' --root "$tmp/empty"
echo 'nothing of the kind' >"$tmp/text"
failure 'text' -F "$tmp/text"
out_is ''

failure 'zero: is a device without an end' -F /dev/zero
failure 'null: is empty' -F /dev/null
printf '\xff\xfed\0e\0' >"$tmp/utf16"
failure 'utf16: is text in UTF-16: .*iconv' -F "$tmp/utf16"
printf '\xfd7zXZ\0' >"$tmp/xz"
failure 'xz: is compressed with xz' -F "$tmp/xz"

# A byte order mark is no part of a name.
printf '\xef\xbb\xbfdentry 5 21 192 21 1 : tunables 0 0 0 : slabdata 1 1 0\n' >"$tmp/bom"
run slabinfo -F "$tmp/bom" -H -c name,objects
status_is 0
out_is $'dentry\t5'

# One of several: the rest is printed.
run slabinfo -F "$tmp/nowhere" -F "$tmp/text" --json
status_is 1
ok "JSON stays well formed" python3 -m json.tool "$out" /dev/null

# Standard output: full, closed.
label='slabinfo -T >/dev/full'
slabinfo $root -T >/dev/full 2>"$err"
status=$?
status_is 1
err_is 'slabinfo: write error: No space left on device'
label='slabinfo --json >&-'
slabinfo $root --json >&- 2>"$err"
status=$?
status_is 1
err_is 'slabinfo: write error: Bad file descriptor'
label='slabinfo --help >/dev/full'
slabinfo --help >/dev/full 2>"$err"
status=$?
status_is 1

# A reader that goes away is no news.
label='slabinfo | true'
for ((i = 0; i < 40; i++)); do slabinfo $root --json; done 2>"$err" | head -c 100 >/dev/null
err_is ''
label='slabinfo | true, SIGPIPE ignored'
(
	trap '' PIPE
	for ((i = 0; i < 40; i++)); do slabinfo $root --json; done 2>"$err" | head -c 100 >/dev/null
)
err_is ''

# ---- rights -------------------------------------------------------------------------------------

# Without rights: one line with the way out. Root may read anything, so root becomes nobody.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$tmp"
	cp -r "$tree" "$tmp/private"
	chmod -R go-rwx "$tmp"/private/sys/kernel/slab/*/*
	as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	cp "$build/bin/slabinfo" "$tmp/slabinfo"
	run $as_nobody "$tmp/slabinfo" --root "$tmp/private"
	status_is 1
	ok "as nobody: one line" one_line "$err"
	err_has 'no attribute here could be read; a copy is made as root'
	out_is ''
else
	skip 4 'not root: cannot become somebody without rights'
fi

# ---- modes that write ---------------------------------------------------------------------------

run slabinfo $root -s dentry
status_is 0
is "-s writes 1" "$(cat "$tree/sys/kernel/slab/dentry/shrink")" 1
rm "$tree/sys/kernel/slab/dentry/shrink"
run slabinfo $root -s dentry
status_is 1
err_has '^slabinfo: dentry: shrink: '
mkdir "$tree/proc"
echo 'Linux version 6.12.0 (somebody@somewhere) #1 SMP' >"$tree/proc/version"
run slabinfo $root -v dentry
status_is 1
err_has '^slabinfo: dentry: validate: .*slab_debug='
run slabinfo $root -v
err_has '^slabinfo: and [0-9]+ more; --csv lists all$'

# -d: refused where the kernel has made the flags read-only.
chmod a-w "$tree"/sys/kernel/slab/*/{sanity_checks,red_zone,poison,store_user,trace}
run slabinfo $root -dF
status_is 1
err_is "slabinfo: debug flags cannot be changed while Linux 5.9 or later runs: boot with slab_debug=FZPU,CACHE (slub_debug before 6.8)"
# And done where they can be written to: sanity checks always, the rest on an empty cache only.
chmod u+w "$tree"/sys/kernel/slab/*/{sanity_checks,red_zone,poison,store_user,trace}
run slabinfo $root -dFZ '^dma-kmalloc-64$'
status_is 0
is "-dFZ" "$(cat "$tree"/sys/kernel/slab/dma-kmalloc-64/{sanity_checks,red_zone,poison} | paste -sd' ')" '1 1 0'
run slabinfo $root -dFZ '^dentry$'
status_is 1
err_has 'dentry: red_zone: the cache has objects'
is "-dF" "$(cat "$tree"/sys/kernel/slab/dentry/{sanity_checks,red_zone} | paste -sd' ')" '1 0'
run slabinfo $root -d '^dentry$'
is "-d clears" "$(cat "$tree/sys/kernel/slab/dentry/sanity_checks")" 0
run slabinfo $root -dT
err_has 'one cache at a time can be traced'

# ---- what is absent is said, not left blank ------------------------------------------------------

mkdir -p "$tmp/one/dentry" "$tmp/none/sys/kernel/slab" "$tmp/none/proc"
for attr in objs_per_slab=21 slab_size=192 object_size=192 order=0 slabs=many; do
	echo "${attr#*=}" >"$tmp/one/dentry/${attr%=*}"
done
run slabinfo --root "$tmp/one" -c name,slabs
status_is 1
err_has 'one: 1 attribute could not be read and is absent: dentry/slabs: not understood$'
: >"$tmp/none/proc/slabinfo"
run slabinfo --root "$tmp/none"
status_is 1
err_has 'none: there are no caches in it$'
out_is ''
printf '%s\n' 'slabinfo - version: 2.1' \
	'dentry 1 21 192 21 1 : tunables 0 0 0 : slabdata 1 1 0' >"$tmp/rows"
run slabinfo -F "$tmp/rows" -c name,flags
out_has '^dentry +-$'

# A name that no cache has is said, in every form; a cache that is only hidden is none such.
for form in '' -r -n -T --json '-m'; do
	run slabinfo -F "$tmp/rows" $form nosuch
	status_is 0
	err_has 'rows: no cache matches$'
done
run slabinfo -F "$tmp/rows" -e -c name dentry
status_is 0
err_is ''

done_testing
