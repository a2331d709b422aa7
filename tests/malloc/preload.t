#!/bin/sh
# Programs that know nothing of slabs run with the shim preloaded, and it offers what it shall.
: "${SLABKIT_BUILD:=build/release}"
shim=$SLABKIT_BUILD/lib/libslabkit-malloc.so
if ! [ -e "$shim" ]; then
	echo "1..0 # SKIP no libslabkit-malloc.so: sanitizers have malloc themselves"
	exit 0
fi
n=0
check() { # NAME; status of what was before
	if [ $? = 0 ]; then n=$((n + 1)); echo "ok $n - $1"; return; fi
	n=$((n + 1))
	echo "not ok $n - $1"
}
with() {
	LD_PRELOAD=$shim "$@"
}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

want="aligned_alloc calloc free free_aligned_sized free_sized mallinfo mallinfo2 malloc malloc_info
malloc_stats malloc_trim malloc_usable_size memalign posix_memalign pvalloc realloc reallocarray valloc"
# shellcheck disable=SC2086
[ "$(nm -D --defined-only "$shim" | sed 's/.* //;s/@.*//' | sort | tr '\n' ' ')" = \
	"$(printf '%s\n' $want | sort | tr '\n' ' ')" ]
check "it exports the malloc family and nothing else"

ls -l /usr/bin > "$tmp/a"
with ls -l /usr/bin > "$tmp/b"
cmp -s "$tmp/a" "$tmp/b"
check "ls"
[ "$(with sh -c 'x=$(for i in 1 2 3; do (echo $i | tr 1-3 a-c); done); echo $x')" = "a b c" ]
check "sh, its children and theirs"
find /usr/include -name '*.h' 2>/dev/null | head -n 2000 | sort -r > "$tmp/a"
with sort "$tmp/a" > "$tmp/b"
sort "$tmp/a" | cmp -s - "$tmp/b"
check "sort"
with env -i "LD_PRELOAD=$shim" SLAB_OPTIONS=percpu=lock sort "$tmp/a" | cmp -s - "$tmp/b"
check "sort without restartable sequences"
SLAB_OPTIONS=debug with sort "$tmp/a" | cmp -s - "$tmp/b"
check "sort with every object watched"
SLAB_OPTIONS=sheaf_capacity=0 with sort "$tmp/a" | cmp -s - "$tmp/b"
check "sort without sheaves"

# A program that uses libslabkit keeps the library that it is linked with: two roots, two sets of caches.
with env "LD_PRELOAD=$shim" "CMOCKA_MESSAGE_OUTPUT=TAP" "$SLABKIT_BUILD/tests/alloc/cache_test" > "$tmp/a" 2>&1
check "a program with libslabkit inside"

# Misuse stops the program with a word about it, as with the C library.
cat > "$tmp/twice.c" <<'EOF'
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(100), *volatile q = malloc(100);
	free(p);
	free(p);
	return q == p;
}
EOF
if cc -w -o "$tmp/twice" "$tmp/twice.c" 2>/dev/null; then
	(ulimit -c 0; SLAB_OPTIONS=debug with "$tmp/twice") > "$tmp/a" 2>&1
	[ $? = 134 ] && grep -q 'double free: cache malloc-112' "$tmp/a"
	check "a double free in a watched cache"
fi

# The C library allocates while it holds the lock of its conversions: no name may be matched by them.
cat > "$tmp/wide.c" <<'EOF'
#include <locale.h>
#include <stdlib.h>
int main(void)
{
	wchar_t w[8];

	return !setlocale(LC_CTYPE, "C.UTF-8") || mbstowcs(w, "x", 8) != 1;
}
EOF
if cc -w -o "$tmp/wide" "$tmp/wide.c" 2>/dev/null && "$tmp/wide"; then
	for options in debug=ZP,malloc-64 'nomerge=malloc-*'; do
		timeout 20 env "SLAB_OPTIONS=$options" "LD_PRELOAD=$shim" "$tmp/wide"
		check "caches made in the middle of a conversion, $options"
	done
fi
echo "1..$n"
