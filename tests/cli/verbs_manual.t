#!/bin/bash
# verbs_manual.t: every option of the verbs about recordings stands in their manual, and no other.
. "$(dirname "$0")/tap.sh"

for verb in record report diff import; do
	page=$top/man/slabinfo-$verb.1
	slabinfo --complete-words "$verb" | grep '^--' | sort -u >"$tmp/options"
	ok "$verb has options" [ "$(wc -l <"$tmp/options")" -gt 4 ]
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$page" | sed 's/\\-/-/g; s/\\f[BIPR]//g' |
		sed -n 's/^\.BR\{0,1\} \(.*\)$/\1/p' | grep -oE -- '(^|[ "])--[a-z][a-z-]*' | tr -d ' "' | sort -u >"$tmp/manual"
	ok "slabinfo-$verb(1) has them all" same "$tmp/manual" "$tmp/options"
	ok "slabinfo-$verb(1) has an example" has "$page" '^\.SH EXAMPLES'
	run slabinfo "$verb" --help
	status_is 0
done
done_testing
