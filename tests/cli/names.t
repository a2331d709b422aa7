#!/usr/bin/env bash
# Names are bytes: whatever stands in one, rows stay rows and a terminal stays a terminal.
. "$(dirname "$0")/tap.sh"

slab=$tmp/root/sys/kernel/slab
untree "$top/tests/data/trees/two-nodes.txt" "$slab"
proto=$slab/dentry
esc=$'\033'
hostile=("a${esc}[31mred" $'new\nline' $'not\xffutf8' 'back\slash' 'comma,"quote"' '-dash' 'sp ace' $'tab\tbed'
	'$(reboot)' '%s%n' '*' '(page->ptl)@7:8[9]' $'right\xe2\x80\xaeto left'
	"$(printf 'long%.0s' {1..50})")
for name in "${hostile[@]}"; do cp -r "$proto" "$slab/$name"; done
ln -s dentry "$slab/alias${esc}]0;title"
rows=$((10 + ${#hostile[@]}))

run slabinfo --root "$tmp/root"
status_is 0
is "a line a cache and the heading" "$(wc -l <"$out")" $((rows + 1))
ok "list: no ESC" hasnt "$out" "$esc"
out_has '^a\\x1b\[31mred '
out_has '^new\\x0aline '
out_has '^not\\xffutf8 '
out_has '^back\\x5cslash '
out_has '^right\\xe2\\x80\\xaeto left '
out_has '^(long){50} '
for mode in -r -a '-a -1 -i' -n -o -t -S '-f -l' '-H -c all' '--csv -c all' --families; do
	# shellcheck disable=SC2086
	run slabinfo --root "$tmp/root" $mode
	status_is 0
	ok "$mode: no ESC" hasnt "$out" "$esc"
done
run slabinfo --root "$tmp/root" -H -c name
is "-H: a line a cache" "$(wc -l <"$out")" "$rows"
run slabinfo --root "$tmp/root" --csv -c name
out_has '^"comma,""quote"""$'
is "--csv: a line a cache" "$(wc -l <"$out")" $((rows + 1))

# JSON: whole, and undone by taking \xNN back.
cat >"$tmp/undo.py" <<'EOF'
import json, re, sys
names = {c["name"] for c in json.load(open(sys.argv[1]))["samples"][0]["caches"]}
undone = {re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), n.encode()) for n in names}
wanted = {a.encode("utf-8", "surrogateescape") for a in sys.argv[2:]}
sys.exit(0 if wanted <= undone else "lost: %r" % (wanted - undone))
EOF
run slabinfo --root "$tmp/root" --json -c name
cp "$out" "$tmp/names.json"
run env LC_ALL=C.UTF-8 python3 "$tmp/undo.py" "$tmp/names.json" "${hostile[@]}"
label='every name comes back from JSON'
status_is 0
err_is ''

# A name that is an option is a pattern behind --.
run slabinfo --root "$tmp/root" -H -c name -- '^-dash'
out_is '-dash'
done_testing
