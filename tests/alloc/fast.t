#!/bin/sh
# fast.t: programs that inline the fast path: compilers and modes, other layouts, unloaded code.
: "${SLABKIT_BUILD:=$PWD/build/release}"
lib=$SLABKIT_BUILD/lib
cd "$(dirname "$0")/../.." || exit 1
nm -D "$lib/libslabkit.so" 2>/dev/null | grep -q ' slab_fast_offset_' || {
	echo "1..0 # SKIP this library has no fast path to inline"
	exit 0
}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
result() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' "$tmp/log"; fi
}
skip() { # NAME REASON
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}
build() { # OUTPUT COMPILER ARG...
	out=$1
	shift
	"$@" -Wall -Wextra -Werror -Ilib/include -o "$tmp/$out" -L"$lib" -Wl,-rpath,"$lib" -lslabkit -ldl \
		>"$tmp/log" 2>&1
}
inlines() { nm "$tmp/$1" | grep -q slab_fast_offset; }

# Inlined and called in turn, on one cache: what one takes the other gives back.
cat >"$tmp/mix.c" <<'C'
#include <slab/slab.h>
typedef void *alloc_fn(struct kmem_cache *, gfp_t);
typedef void free_fn(struct kmem_cache *, void *);
typedef int alloc_bulk_fn(struct kmem_cache *, gfp_t, size_t, void **);
typedef void free_bulk_fn(struct kmem_cache *, size_t, void **);
/* Each number of objects, whole, with a hole, and marked: no two are the same. */
static int bulk(struct kmem_cache *s)
{
	alloc_bulk_fn *volatile alloc = kmem_cache_alloc_bulk;
	free_bulk_fn *volatile give = kmem_cache_free_bulk;
	static void *q[302];
	size_t n, i, hole;

	for (n = 0; n <= 300; n++) {
		q[n] = &q[n];
		if ((n % 3 ? kmem_cache_alloc_bulk(s, GFP_KERNEL, n, q) :
			     alloc(s, GFP_KERNEL, n, q)) != (int)n)
			return 4;
		if (q[n] != &q[n])
			return 5;
		for (i = 0; i < n; i++)
			*(size_t *)q[i] = i;
		for (i = 0; i < n; i++)
			if (*(size_t *)q[i] != i)
				return 6;
		hole = n / 2;
		if (n) {
			kmem_cache_free(s, q[hole]);
			q[hole] = NULL;
		}
		if (n % 5)
			kmem_cache_free_bulk(s, n, q);
		else
			give(n % 2 ? s : NULL, n, q);
	}
	kmem_cache_free_bulk(s, 0, q);
	kfree_bulk(0, q);
	return 0;
}
int main(void)
{
	alloc_fn *volatile alloc = kmem_cache_alloc;
	free_fn *volatile give = kmem_cache_free;
	struct kmem_cache *s = kmem_cache_create_align("mix", 64, 0, SLAB_NO_MERGE, NULL);
	struct kmem_cache_stats st;
	static char *p[1000];
	int i, round, k;

	for (round = 0; round < 100; round++) {
		for (i = 0; i < 1000; i++) {
			p[i] = (char *)(i % 3 ? kmem_cache_alloc(s, GFP_KERNEL) : alloc(s, GFP_KERNEL));
			p[i][0] = p[i][63] = 1;
		}
		for (i = 0; i < 1000; i++)
			if (i % 2)
				kmem_cache_free(s, p[i]);
			else
				give(s, p[i]);
		p[0] = (char *)kmem_cache_alloc(s, GFP_KERNEL | __GFP_ZERO);
		for (k = 0; k < 64; k++)
			if (p[0][k])
				return 2;
		kmem_cache_free(s, p[0]);
		kmem_cache_free(s, NULL);
	}
	if (bulk(s))
		return 4;
	kmem_cache_shrink(s);
	kmem_cache_stats(s, &st);
	if (st.objects_in_use)
		return 3;
	kmem_cache_destroy(s);
	return 0;
}
C
cp "$tmp/mix.c" "$tmp/mix.cc"
# shellcheck disable=SC2086
for how in "gcc -O2 -Wconversion -Wshadow -Wredundant-decls" "gcc -O2 -std=c99 -pedantic" \
	"gcc -O2 -fno-pie -no-pie" "gcc -O2 -flto" "gcc -O2 -mavx" "gcc -O2 -ffunction-sections -Wl,--gc-sections" \
	"clang -O2" "g++ -O2 -std=c++11" "clang++ -O2"; do
	name="inlined by $how"
	source=$tmp/mix.c
	case $how in *++*) source=$tmp/mix.cc ;; esac
	command -v "${how%% *}" >/dev/null || { skip "$name" "no such compiler"; continue; }
	case $how in *-mavx) grep -qw avx /proc/cpuinfo || { skip "$name" "no AVX"; continue; } ;; esac
	build mix $how "$source" && inlines mix && "$tmp/mix" && SLAB_OPTIONS=percpu=lock "$tmp/mix" &&
		SLAB_OPTIONS=sheaf_capacity=0 "$tmp/mix" && SLAB_OPTIONS=debug=FZPU "$tmp/mix"
	result $? "$name"
done
command -v gcc >/dev/null || { echo "1..$n"; exit 0; }

# shellcheck disable=SC2086
for how in "-O2 -DSLAB_NO_INLINE" "-O0" "-O2 -mgeneral-regs-only" \
	"-O2 -DSLAB_NO_INLINE -masm=intel"; do
	build called gcc $how "$tmp/mix.c" && ! inlines called && "$tmp/called"
	result $? "called with $how"
done

mkdir "$tmp/slab" && cp lib/include/slab/*.h "$tmp/slab" &&
	sed -i 's/slab_fast_offset_[0-9]*/slab_fast_offset_0/' "$tmp/slab/fast.h"
! build other gcc -O2 "-I$tmp" "$tmp/mix.c" && grep -q 'undefined reference.*slab_fast_offset_0' "$tmp/log"
result $? "a program made for another layout does not link"

# A template's one copy stays, the other goes with the sections of its sequences.
cat >"$tmp/one.cc" <<'C'
#include <slab/slab.h>
template <typename T> __attribute__((noinline)) T *make(struct kmem_cache *s)
{
	return static_cast<T *>(kmem_cache_alloc(s, GFP_KERNEL));
}
#ifdef TWO
int *two(struct kmem_cache *s) { return make<int>(s); }
#else
int *two(struct kmem_cache *s);
int main()
{
	struct kmem_cache *s = kmem_cache_create_align("t", sizeof(int), 0, 0, NULL);

	kmem_cache_free(s, make<int>(s));
	kmem_cache_free(s, two(s));
	kmem_cache_destroy(s);
}
#endif
C
if command -v g++ >/dev/null; then
	g++ -O2 -DTWO -Ilib/include -c -o "$tmp/two.o" "$tmp/one.cc" >"$tmp/log" 2>&1 &&
		build templates g++ -O2 "$tmp/one.cc" "$tmp/two.o" && "$tmp/templates"
	result $? "a template in two files"
else
	skip "a template in two files" "no g++"
fi

# The programs that are shown to users.
sed -n '/^<!-- caches.c -->/,/^```$/p' README.md | sed '1,2d;$d' >"$tmp/readme.c"
sed -n '/^\.SH EXAMPLES/,/^\.fi/p' man/slab.3 | grep -v '^\.' >"$tmp/manual.c"
build readme gcc -O2 "$tmp/readme.c"
result $? "the program of the README compiles"
build manual gcc -O2 "$tmp/manual.c" && "$tmp/manual"
result $? "the program of slab(3) compiles and runs"

# Every form of the macros, as kernel code calls them.
cat >"$tmp/forms.cc" <<'C'
#include <slab/slab.h>
struct line { int a; char b[60]; } __attribute__((aligned(64)));
struct late { struct { void *next; void (*fn)(void *); } rcu; };
int main()
{
	struct kmem_cache_args args = kmem_cache_args();
	args.align = 64;
	struct kmem_cache *s[] = {
		kmem_cache_create("a", 64, &args, 0), kmem_cache_create("b", 64, NULL, 0),
		kmem_cache_create("c", 64, 0, SLAB_NO_MERGE, NULL),
		kmem_cache_create("d", 64, __alignof__(struct line), 0, 0),
		KMEM_CACHE(line, SLAB_HWCACHE_ALIGN),
	};
	struct late *p = static_cast<struct late *>(kmalloc(sizeof(*p), GFP_KERNEL));

	kfree_rcu(p, rcu);
	for (unsigned i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		if (!s[i] || kmem_cache_size(s[i]) != 64)
			return 1;
		kmem_cache_destroy(s[i]);
	}
}
C
# shellcheck disable=SC2086
for how in "g++ -std=c++11" "g++ -O2 -std=c++20" "clang++ -O2"; do
	command -v "${how%% *}" >/dev/null || { skip "forms of calls: $how" "no such compiler"; continue; }
	build forms $how "$tmp/forms.cc" && "$tmp/forms"
	result $? "forms of calls: $how"
done

# The kernel looks at the descriptor of the last sequence when it delivers a signal.
cat >"$tmp/plugin.c" <<'C'
#include <slab/slab.h>
void churn(struct kmem_cache *s);
void churn(struct kmem_cache *s)
{
	kmem_cache_free(s, kmem_cache_alloc(s, GFP_KERNEL));
	kmem_cache_free(s, kmem_cache_alloc(s, GFP_KERNEL));
}
C
cat >"$tmp/host.c" <<'C'
#include <dlfcn.h>
#include <signal.h>
#include <slab/slab.h>
static void ignore(int sig)
{
	(void)sig;
}
int main(int argc, char **argv)
{
	struct kmem_cache *s = kmem_cache_create_align("host", 64, 0, 0, NULL);
	void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
	void (*churn)(struct kmem_cache *);

	if (!plugin)
		return 2;
	*(void **)&churn = dlsym(plugin, "churn");
	signal(SIGUSR1, ignore);
	churn(s);
	dlclose(plugin);
	raise(SIGUSR1);
	return dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) != NULL;
}
C
build plugin.so gcc -O2 -fPIC -shared "$tmp/plugin.c" && build host gcc -O2 "$tmp/host.c" &&
	"$tmp/host" "$tmp/plugin.so"
result $? "code with sequences is unloaded"
echo "1..$n"
