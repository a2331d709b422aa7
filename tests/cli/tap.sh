# tap.sh - TAP from shell scripts. Source it first:
#
#	. "$(dirname "$0")/tap.sh"
#	run slabinfo -T --root "$tree"
#	status_is 0; out_has 'Slabcache Totals'; err_is ''
#	done_testing
#
# run keeps what a command wrote in $out and $err (files) and its exit status in $status. Programs
# come from the build under test ($SLABKIT_BUILD); everything temporary lies in $tmp.
# shellcheck shell=bash

set -u
export LC_ALL=C
unset NO_COLOR CLICOLOR_FORCE COLUMNS
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${SLABKIT_BUILD:-$top/build/release}
shared=${SLABKIT_SHARED:-$top/../shared}
PATH=$build/bin:$PATH
tmp=$(mktemp -d "${TMPDIR:-/tmp}/slabkit.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out err=$tmp/err status=0
tests=0 failures=0 label=

run() # COMMAND...: $out, $err, $status
{
	label="$*"
	label=${label//"$tmp"\//}
	label=${label//"$top"\//}
	"$@" >"$out" 2>"$err" </dev/null
	status=$?
}

ok() # NAME COMMAND...: the command succeeds
{
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		echo "ok $tests - $name"
	else
		failures=$((failures + 1))
		echo "not ok $tests - $name"
	fi
}

is() # NAME GOT WANTED
{
	ok "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '%s\n' "$2" "$3" | sed '1s/^/# got:    /; 2s/^/# wanted: /'
}

# same FILE WANTED_FILE: a difference is shown
same()
{
	diff -u "$2" "$1" >"$tmp/diff" && return
	sed 's/^/# /' "$tmp/diff"
	return 1
}

status_is() # N
{
	is "$label: exit status" "$status" "$1"
}

out_is() # TEXT: all of standard output, final newline aside; - for standard input
{
	if [ "$1" = - ]; then cat; elif [ -n "$1" ]; then printf '%s\n' "$1"; fi >"$tmp/wanted"
	ok "$label: output" same "$out" "$tmp/wanted"
}

err_is() # TEXT
{
	if [ -n "$1" ]; then printf '%s\n' "$1"; fi >"$tmp/wanted"
	ok "$label: standard error" same "$err" "$tmp/wanted"
}

has() # FILE REGEX
{
	grep -qE -- "$2" "$1" && return
	sed 's/^/# /; 20q' "$1"
	return 1
}

hasnt()
{
	! has "$@" >/dev/null
}

out_has() # REGEX: some line of standard output
{
	ok "$label: output has /$1/" has "$out" "$1"
}

out_hasnt()
{
	ok "$label: output has no /$1/" hasnt "$out" "$1"
}

err_has()
{
	ok "$label: standard error has /$1/" has "$err" "$1"
}

# one_line FILE: exactly one line
one_line()
{
	[ "$(wc -l <"$1")" = 1 ]
}

skip() # N REASON: that many tests
{
	local i
	for ((i = 0; i < $1; i++)); do
		tests=$((tests + 1))
		echo "ok $tests # SKIP $2"
	done
}

skip_all() # REASON
{
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing()
{
	echo "1..$tests"
	[ "$failures" = 0 ]
	exit
}

# untree LISTING DIR: lines "cache/attr:value" and "alias -> target" to files and links in DIR
untree()
{
	mkdir -p "$2"
	(
		cd "$2" || exit 1
		awk -F/ '!/ -> / && !seen[$1]++ { printf "%s%c", $1, 0 }' "$1" | xargs -0 mkdir
		awk '!/ -> / {
			slash = index($0, "/")
			rest = substr($0, slash + 1)
			colon = index(rest, ":")
			value = substr(rest, colon + 1)
			if (value ~ /^</)
				next	# could not be read there, is not there here
			file = substr($0, 1, slash) substr(rest, 1, colon - 1)
			printf "%s", (value == "" ? "" : value "\n") > file
			close(file)
		}' "$1"
		# One process for all links, of which real trees have hundreds.
		perl -ne '/^(.*) -> (.*)$/ and (symlink $2, $1 or die "$1: $!\n")' "$1"
	)
}
