#!/bin/sh
# install.t: what `make install` installs works from where it was installed, and goes away again.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
result() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' "$tmp/log"; fi
}
run() { "$@" >"$tmp/log" 2>&1; }
make_() { MAKEFLAGS='' make -s PREFIX=/opt/sk DESTDIR="$tmp/root" "$@"; }
top=$tmp/root/opt/sk

mkdir -p "$top/bin"
echo mine >"$top/bin/slabinfo"
run make_ install
[ $? != 0 ] && grep -q 'is not slabkit' "$tmp/log" && [ "$(cat "$top/bin/slabinfo")" = mine ]
result $? "a file of somebody else's is not replaced"
rm "$top/bin/slabinfo"

run make_ install
result $? "install into an empty place"
run make_ install
result $? "install again over itself"

run "$top/bin/slabinfo" -V && grep -q '^slabinfo' "$tmp/log"
result $? "the installed slabinfo runs"

cat >"$tmp/user.c" <<'C'
#include <slab/slabstat.h>
#include <stdio.h>
int main(void)
{
	struct slabstat *h = slabstat_new();

	puts(slabstat_version());
	slabstat_free(h);
	return h ? 0 : 1;
}
C
sed "s|^prefix=.*|prefix=$top|; s|^libdir=.*|libdir=$top/lib|; s|^includedir=.*|includedir=$top/include|" \
	"$top/lib/pkgconfig/slabstat.pc" >"$tmp/slabstat.pc"
flags=$(PKG_CONFIG_PATH=$tmp pkg-config --cflags --libs slabstat)
# shellcheck disable=SC2086
run cc -o "$tmp/user" "$tmp/user.c" $flags && run env LD_LIBRARY_PATH="$top/lib" "$tmp/user"
result $? "a program builds and runs against the shared libslabstat through pkg-config"
flags=$(PKG_CONFIG_PATH=$tmp pkg-config --static --cflags --libs slabstat)
# shellcheck disable=SC2086
run cc -o "$tmp/user-static" "$tmp/user.c" $(echo $flags | sed "s|-lslabstat|$top/lib/libslabstat.a|") && run "$tmp/user-static"
result $? "and against the static one"

cat >"$tmp/caches.c" <<'C'
#include <slab/slab.h>
#include <stdlib.h>
int main(void)
{
	struct kmem_cache *s = kmem_cache_create_align("sessions", 48, 0, SLAB_HWCACHE_ALIGN, NULL);
	void *p[100];

	if (!s || kmem_cache_alloc_bulk(s, GFP_KERNEL, 100, p) != 100)
		return 1;
	kmem_cache_free_bulk(s, 100, p);
	kfree_rcu_mightsleep(kstrdup("gone", GFP_KERNEL));
	kvfree_rcu_barrier();
	kmem_cache_destroy(s);
	return 0;
}
C
sed "s|^prefix=.*|prefix=$top|; s|^libdir=.*|libdir=$top/lib|; s|^includedir=.*|includedir=$top/include|" \
	"$top/lib/pkgconfig/slabkit.pc" >"$tmp/slabkit.pc"
for how in '' '-static' '-fPIE -static-pie' '-O2 -flto'; do
	case $how in *-static*) which='--static' ;; *) which='' ;; esac
	# shellcheck disable=SC2086
	flags=$(PKG_CONFIG_PATH=$tmp pkg-config $which --cflags --libs slabkit)
	if [ "$which" ] && ! [ -e "$(cc -print-file-name=liburcu-memb.a)" ]; then
		n=$((n + 1))
		echo "ok $n - $how # SKIP there is no static liburcu"
		continue
	fi
	# shellcheck disable=SC2086
	run cc $how -o "$tmp/caches" "$tmp/caches.c" $flags &&
		run env LD_LIBRARY_PATH="$top/lib" "$tmp/caches"
	result $? "a program with caches of its own: ${how:-shared}"
done

for page in "$top"/share/man/man*/*; do
	[ -e "$page" ] || continue
	case $page in *slabinfo.1) man -l "$page" >/dev/null 2>"$tmp/log" || exit 1 ;; esac
done
result $? "the manual renders"

mkdir -p "$top/share/other" && echo keep >"$top/share/other/file"
run make_ uninstall
result $? "uninstall"
left=$(find "$top" -type f -o -type l | grep -v '/share/other/file$')
echo "$left" >"$tmp/log"
[ -z "$left" ] && [ -f "$top/share/other/file" ]
result $? "nothing of ours is left, and nothing of others' is gone"
echo "1..$n"
