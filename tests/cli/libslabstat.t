#!/usr/bin/env bash
# The library from outside: what its headers declare is what it exports and what its manual tells,
# and the manual's example builds and runs.
. "$(dirname "$0")/tap.sh"

headers="$top/lib/include/slab/slabstat.h $top/lib/include/slab/slabstat_tune.h"
page=$top/man/slabstat.3

# Declared, inline ones too; a name with a parenthesis behind it at the start of a declaration.
sed 's|/\*.*\*/||' $headers | awk '/^SLABSTAT_API/ { api = 1 } api { line = line " " $0 }
	api && /;/ { print line; line = ""; api = 0 }' | grep -oE 'slabstat_[a-z_]+\(' | tr -d '(' | sort >"$tmp/api"
grep -ohE '^static inline .*slabstat_[a-z_]+\(' $headers | grep -oE 'slabstat_[a-z_]+\(' | tr -d '(' | sort >"$tmp/inline"
sort "$tmp/api" "$tmp/inline" >"$tmp/declared"
ok "the header declares functions" [ "$(wc -l <"$tmp/api")" -gt 60 ]

sed -n '1,/^\.\\" example/p' "$page" | grep -E '^\.BI' | grep -oE 'slabstat_[a-z_]+\(' | tr -d '(' | sort -u >"$tmp/page"
ok "the manual has the prototype of each, and of no other" same "$tmp/page" "$tmp/declared"
is "no constant in the manual that the header does not have" "$(grep -oE '\bSLABSTAT_[A-Z_]+\b' "$page" | sort -u |
	while read -r word; do
		grep -qE "\b$word\b" $headers ||
			grep -qE "(FIELD|STAT)\(${word#SLABSTAT_}," "$top/lib/include/slab/fields.def" || echo "$word"
	done)" ''
if command -v man >/dev/null; then
	is "no warnings" "$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)" ''
else
	skip 1 "no man here"
fi

lib=$build/lib/libslabstat.so
if [ -e "$lib" ] && command -v nm >/dev/null; then
	nm -D --defined-only "$lib" | awk '$2 ~ /[TDBR]/ { print $3 }' | sed 's/@.*//' | sort >"$tmp/exported"
	ok "the shared library exports what the header declares, and nothing else" same "$tmp/exported" "$tmp/api"
else
	skip 1 "no shared library in this variant, or no nm"
fi

cc=${CC:-cc}
if command -v c++ >/dev/null; then
	echo '#include <slab/slabstat.h>' >"$tmp/x.cc"
	ok "the header is good C++" c++ -std=c++11 -Wall -Wextra -Werror -I"$top/lib/include" -fsyntax-only "$tmp/x.cc"
else
	skip 1 "no C++ compiler"
fi

sed -n '/^\.\\" example/,/^\.\\" end of example/p' "$page" | sed '/^\.\|^\\"/d; s/\\-/-/g; s/\\e/\\/g' >"$tmp/example.c"
case $(basename "$build") in
release | debug | clang)
	run "$cc" -std=c99 -pedantic -Wall -Wextra -Werror -I"$top/lib/include" -o "$tmp/example" "$tmp/example.c" \
		-L"$build/lib" -lslabstat -Wl,-rpath,"$build/lib"
	label="the manual's example builds"
	status_is 0
	mkdir -p "$tmp/root/dentry" "$tmp/root/:0000064"
	ln -s :0000064 "$tmp/root/pool"
	put() { printf '%s\n' "$3" >"$tmp/root/$1/$2"; }
	for c in dentry :0000064; do
		put $c slab_size 64; put $c object_size 64; put $c objs_per_slab 64; put $c order 0
		put $c objects 10; put $c total_objects 128; put $c slabs 2
	done
	put dentry slabs 3
	run "$tmp/example" "$tmp/root"
	label="the manual's example runs"
	status_is 0
	is "the manual's example prints the largest caches" "$(cat "$out")" "$(printf '%12d  %s\n' 12288 dentry 8192 pool)"
	run "$tmp/example" "$tmp/nothing"
	label="the manual's example without a copy"
	status_is 1
	;;
*) skip 4 "a sanitizer's library wants its flags" ;;
esac

done_testing
