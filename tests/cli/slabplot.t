#!/usr/bin/env bash
# slabplot.t: pictures come out whole or not at all; names never reach gnuplot as anything but data.
. "$(dirname "$0")/tap.sh"
cd "$tmp" || exit 1

# sample N ROWS...: one /proc/slabinfo
sample()
{
	printf 'slabinfo - version: 2.1\n'
	printf '# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\n'
	awk -v n="$1" 'BEGIN {
		printf "dentry %d %d 192 21 1 : tunables 0 0 0 : slabdata %d %d 0\n", 21 * n, 21 * n, n, n
		printf "`touch ran` %d 100 32 128 1 : tunables 0 0 0 : slabdata 1 1 0\n", n
		printf "it'"'"'s_\033[31m_{/Bold x} 3 128 32 128 1 : tunables 0 0 0 : slabdata 1 1 0\n"
		printf "small 1 128 32 128 1 : tunables 0 0 0 : slabdata 1 1 0\n" }'
}
files() { find . -type f ! -name out ! -name err ! -name diff ! -name wanted -printf '%P\n' | sort | tr '\n' ' '; }
for i in 1 2 3 4 5 6; do sample $((i * i)); done >grow.txt
sample 5 >one.txt

run slabplot top --script-only -N 4 -o - grow.txt
status_is 0
out_has "title 'dentry'"
out_has "title '\`touch ran\`'"
out_has "title 'it''s_.x1b\[31m_\{/Bold x\}'"
out_hasnt "$(printf '\033')"
out_has '^set terminal pngcairo|set terminal pngcairo'
ok "nothing but the script was written" [ "$(files)" = "grow.txt one.txt " ]

run slabplot totals --script-only -o - grow.txt
ok "36 + 3 slabs of 4096 bytes are 156 KiB" has "$out" '^ 5 156( |$)'

{ sample 1 | head -n 2; sample 2; } >none.txt
run slabplot top --script-only -N 1 -o - none.txt
out_has '^ 0 0 0$'
rm none.txt

mkdir fake
PATH_WITHOUT=$tmp/fake
fake() { printf '#!/bin/sh\n%s\n' "$1" >fake/gnuplot; chmod +x fake/gnuplot; }
slabplot=$(command -v slabplot)

run env PATH="$PATH_WITHOUT" "$slabplot" top grow.txt
status_is 2
err_has 'gnuplot is not installed'
ok "one line" one_line "$err"

fake 'cat >/dev/null; echo "line 3: no such thing" >&2; exit 1'
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt
status_is 1
err_is 'slabplot: gnuplot failed with status 1: line 3: no such thing'

fake 'kill -9 $$'
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt
status_is 1
err_has 'gnuplot was killed by signal 9'

fake 'cat >/dev/null; printf picture'
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt
status_is 0
out_is grow-top.png
ok "the picture is what gnuplot gave" [ "$(cat grow-top.png)" = picture ]
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt -o /dev/full
status_is 1
err_has 'No space left on device'
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt -o nowhere/x.png
status_is 1
err_has 'nowhere/x.png: cannot write: No such file'
run env PATH="$tmp/fake:$PATH" "$slabplot" top grow.txt -o fake
status_is 1
err_has 'fake: cannot write: Is a directory'
rm -r fake grow-top.png
ok "no stray files" [ "$(files)" = "grow.txt one.txt " ]

for bad in 'top' 'nosuch grow.txt' 'top grow.txt one.txt' 'top -N 0 grow.txt' 'top --by nosuch grow.txt' \
	'compare vs grow.txt' 'compare grow.txt vs' 'cache grow.txt' 'top --size 1x1 grow.txt' 'top -T gif grow.txt' ''; do
	# shellcheck disable=SC2086
	run slabplot $bad
	status_is 2
	ok "slabplot $bad: one line" one_line "$err"
done
run slabplot cache nosuch grow.txt
status_is 1
err_has "no cache 'nosuch'"
run slabplot top missing.rec
status_is 1
ok "one line" one_line "$err"
: >empty.rec
run slabplot top empty.rec
status_is 1
ok "an empty file is one clear line" one_line "$err"
rm empty.rec
echo 'of no kind' >other.txt
run slabplot top other.txt
status_is 1
err_is 'slabplot: other.txt: no slab statistics of any known kind in it'
run slabinfo -F other.txt
err_has '; --from=KIND says what it should be'
rm other.txt

if command -v gnuplot >/dev/null; then
	for graph in totals top loss histogram; do
		run slabplot "$graph" grow.txt
		ok "$graph of six samples is a PNG" [ "$(head -c 4 "grow-$graph.png" | tail -c 3)" = PNG ]
		run slabplot "$graph" -T svg one.txt -o -
		ok "$graph of one sample is an SVG" has "$out" '<svg'
	done
	run slabplot compare grow.txt one.txt vs grow.txt grow.txt
	ok "compare of two groups is a PNG" [ "$(head -c 4 grow-compare.png | tail -c 3)" = PNG ]
	run slabplot compare grow.txt grow.txt
	status_is 0
	run slabplot cache dentry small -T pdf grow.txt
	ok "a PDF" [ "$(head -c 4 grow-cache.pdf)" = %PDF ]
	run slabplot totals -T term grow.txt
	out_has footprint
	out_hasnt "$(printf '\033')"
	ok "no name was run as a command" [ ! -e ran ]
else
	skip 14 "gnuplot is not installed"
fi

# A merged cache has the name of everybody who shares it.
cat >tree.txt <<'END'
:0000064/object_size:64
:0000064/slab_size:64
:0000064/objs_per_slab:64
:0000064/order:0
:0000064/objects:640
:0000064/total_objects:640
:0000064/slabs:10
anon_vma_chain -> :0000064
eventpoll_pwq -> :0000064
END
run slabplot cache eventpoll_pwq --script-only -o - tree.txt
status_is 0
out_has "title 'eventpoll_pwq \(in anon_vma_chain\)'"
run slabplot cache anon_vma_chain --script-only -o - tree.txt
out_has "title 'anon_vma_chain'"
rm tree.txt

# A comparison says what it compares: kernel, nomerge and command of either side.
. "$top/tests/cli/recordroot.sh"
machine
slabinfo record --root "$root" --settle 0 -q -o no.rec -- true
echo quiet >"$root/proc/cmdline"
slabinfo record --root "$root" --settle 0 -q -o yes.rec -- true
run slabplot compare --script-only -o - yes.rec no.rec
status_is 0
out_has "^set multiplot .* title 'yes: 6\.18\.1-test, true'\.\"\\\\n\"\.'no: 6\.18\.1-test, slab_nomerge, true' noenhanced\$"
run slabplot compare --script-only -o - yes.rec yes.rec
out_has "^set multiplot .* title '6\.18\.1-test, true' noenhanced\$"
run slabplot totals --script-only -o - yes.rec
out_has "^set label 'start' "
rm -r no.rec yes.rec "$root"

run slabplot --help
status_is 0
out_has 'usage: slabplot'
run slabplot -V
out_has '^slabplot [0-9]'
done_testing
