#!/bin/sh
# The field list of slabinfo(1), from the program's own table (slabinfo -c help):
#	man/fields.sh [SLABINFO] > list	prints it
#	man/fields.sh --update [SLABINFO]	puts it into man/slabinfo.1
set -eu
page=$(dirname "$0")/slabinfo.1
update=
[ "${1:-}" = --update ] && { update=1; shift; }
slabinfo=${1:-$(dirname "$0")/../build/release/bin/slabinfo}

fields()
{
	"$slabinfo" -c help | awk 'NR > 1 {
		id = $1; title = $2
		unit = $3; rest = 4
		if (unit == "0") { unit = "0 or 1"; rest = 6 }
		help = ""
		for (i = rest; i <= NF; i++)
			help = help (help == "" ? "" : " ") $i
		gsub(/\\/, "\\e", help)
		gsub(/-/, "\\-", help)
		printf ".TP\n.BR %s \" (%s, %s)\"\n%s\n", id, title, unit, help
	}'
}

if [ -z "$update" ]; then
	fields
	exit
fi
new=$(mktemp)
{
	sed '/^\.\\" fields:/q' "$page"
	fields
	sed -n '/^\.\\" end of fields/,$p' "$page"
} >"$new"
cat "$new" >"$page"
rm -f "$new"
