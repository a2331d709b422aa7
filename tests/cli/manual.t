#!/usr/bin/env bash
# The manual, the help and the completion say what the tables say.
. "$(dirname "$0")/tap.sh"

page=$top/man/slabinfo.1
plain() { sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\f[BIR]//g; s/\\e/\\/g' "$1"; }
plain "$page" >"$tmp/page"

# ---- slabinfo(1) --------------------------------------------------------------------------------

# missing PAGE: those of the words on standard input that do not stand in it
missing()
{
	awk 'NR == FNR { page = page " " $0 " "; next }
	{
		word = $0
		gsub(/[.+*?]/, "\\\\&", word)
		if (page !~ "[^-[:alnum:]_]" word "[^-[:alnum:]_]")
			printf "%s ", $0
	}' "$1" -
}
slabinfo --complete-words >"$tmp/words"
grep '^-' "$tmp/words" >"$tmp/options"
ok "there are options" [ "$(wc -l <"$tmp/options")" -gt 60 ]
is "every option stands in the manual" "$(missing "$tmp/page" <"$tmp/options")" ''
slabinfo --help >"$tmp/help"
is "every option stands in the help" "$(missing "$tmp/help" <"$tmp/options")" ''

sed -n '/^\.SH OPTIONS/,/^\.SH WORDS/p' "$tmp/page" | grep -oE -- '(^|[^[:alnum:]-])--?[[:alnum:]][[:alnum:]-]*' |
	grep -oE -- '--?[[:alnum:]].*' | sort -u | grep -vxF -f "$tmp/options" >"$tmp/unknown"
# Words with a dash that are no options of ours.
is "the manual has no option that is not there" \
	"$(grep -vxE -- '--(display-active|f|dma|rnd|cg|rcl)|-(T|name)' "$tmp/unknown" | paste -sd' ')" ''

# shellcheck disable=SC2013
verbs=$(sed -n '/^Verbs/,/^$/p' "$tmp/help" | awk 'NR > 1 && NF { print $1 }')
sed -n '/^\.SH WORDS/,/^\.SH DEFINITIONS/p' "$tmp/page" >"$tmp/verbs"
is "every verb stands in the manual" "$(missing "$tmp/verbs" <<<"$verbs")" ''

sed -n '/^\.\\" fields:/,/^\.\\" end of fields/p' "$page" | sed '1d;$d' >"$tmp/fields"
"$top/man/fields.sh" "$build/bin/slabinfo" >"$tmp/wanted"
ok "the manual's fields are those of the table (man/fields.sh --update)" same "$tmp/fields" "$tmp/wanted"

for m in slabinfo.1 slabinfo-json.5; do
	if command -v man >/dev/null; then
		is "$m: no warnings" "$(MANWIDTH=80 man --warnings -l "$top/man/$m" 2>&1 >/dev/null)" ''
	else
		skip 1 "no man here"
	fi
done

# ---- slabinfo-json(5): every key that appears is described --------------------------------------

untree "$top/tests/data/trees/two-nodes.txt" "$tmp/root/sys/kernel/slab"
mkdir -p "$tmp/root/sys/kernel/debug/slab/dentry"
echo '      1 here+0x1/0x2 waste=1/1 age=1 pid=1' >"$tmp/root/sys/kernel/debug/slab/dentry/alloc_traces"
for mode in -l -r -T -X -a -n -t -o -s; do
	slabinfo --root "$tmp/root" $mode --json >"$tmp/mode$mode.json" 2>"$err"
done
cat >"$tmp/keys.py" <<'EOF'
import json, sys
fields = set(open(sys.argv[1]).read().split())
keys = set()
def walk(value):
    if isinstance(value, dict):
        keys.update(value)
        for v in value.values():
            walk(v)
    elif isinstance(value, list):
        for v in value:
            walk(v)
for path in sys.argv[2:]:
    walk(json.load(open(path)))
print("\n".join(sorted(k for k in keys - fields if not k.isdigit())))
EOF
slabinfo -c help | awk 'NR > 1 && $2 == toupper($2) { print $1 }' | sed -n '/^object_size$/,$p' >"$tmp/ids"
python3 "$tmp/keys.py" "$tmp/ids" "$tmp"/mode*.json >"$tmp/keys"
plain "$top/man/slabinfo-json.5" >"$tmp/json-page"
ok "there are keys" [ "$(wc -l <"$tmp/keys")" -gt 50 ]
is "every key of every mode stands in slabinfo-json(5)" "$(missing "$tmp/json-page" <"$tmp/keys")" ''

# ---- completion ---------------------------------------------------------------------------------

for program in "$build"/bin/slab{info,top,plot}; do
	ok "${program##*/} tells its words" grep -qxF -- --version <("$program" --complete-words)
done

complete_() # WORDS...: what completion offers for the last one
{
	PATH=$build/bin:$PATH bash -c '. "$1/lib/cli/completion.bash"; shift
		COMP_WORDS=(slabinfo "$@"); COMP_CWORD=$#; _slabkit; printf "%s\n" "${COMPREPLY[@]}"' - "$top" "$@"
}
is "options" "$(complete_ --To | paste -sd' ')" --Totals
is "values" "$(complete_ --color a | paste -sd' ')" 'auto always'
is "values behind =" "$(complete_ --color = ne)" never
is "fields, the last of a list" "$(complete_ --sort name,footp)" name,footprint_bytes
is "columns" "$(complete_ -c user | paste -sd' ')" 'users usersize'
is "kinds" "$(complete_ --from pro | paste -sd' ')" 'procfs process'
[ -z "$verbs" ] || is "verbs" "$(complete_ tun)" tune
done_testing
