/* SPDX-License-Identifier: MIT */
/*
 * pool_malloc.h - malloc and free, of whichever library is preloaded.
 *
 * Compiled with -fno-builtin-malloc -fno-builtin-free; each library then pays the same call
 * through the PLT. How to trim and the version are looked up by name, since one program serves all.
 */
#ifndef BENCH_POOL_MALLOC_H
#define BENCH_POOL_MALLOC_H

#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urcu/urcu-memb.h>

#define POOL_BULK  0
#define POOL_GROWS 1
#define POOL_STATS 0
#define POOL_RCU   1

struct pool {
	size_t size;
};

static inline struct pool *pool_create(const char *name, size_t size, size_t capacity, int flags)
{
	struct pool *p = malloc(sizeof(*p));

	(void)name;
	(void)capacity;
	(void)flags;
	if (p)
		p->size = size;
	return p;
}

static inline void pool_thread_init(struct pool *p)
{
	(void)p;
}

static inline void pool_thread_exit(struct pool *p)
{
	(void)p;
}

static inline void *pool_alloc(struct pool *p)
{
	return malloc(p->size);
}

static inline void pool_free(struct pool *p, void *object)
{
	(void)p;
	free(object);
}

static inline void pool_rcu_enter(struct pool *p)
{
	(void)p;
	urcu_memb_register_thread();
}

static inline void pool_rcu_leave(struct pool *p)
{
	(void)p;
	urcu_memb_unregister_thread();
}

/* As a user would: the head is the object's first member. */
static inline void pool_rcu_free(struct rcu_head *head)
{
	free(head);
}

static inline void pool_free_rcu(struct pool *p, void *object)
{
	(void)p;
	urcu_memb_call_rcu((struct rcu_head *)object, pool_rcu_free);
}

static inline void pool_rcu_barrier(struct pool *p)
{
	(void)p;
	urcu_memb_barrier();
}

static inline void pool_trim(struct pool *p)
{
	void (*mi_collect)(bool) = dlsym(RTLD_DEFAULT, "mi_collect");
	int (*mallctl)(const char *, void *, size_t *, void *, size_t) =
		dlsym(RTLD_DEFAULT, "mallctl");
	void (*release)(void) = dlsym(RTLD_DEFAULT, "MallocExtension_ReleaseFreeMemory");
	int (*trim)(size_t) = dlsym(RTLD_DEFAULT, "malloc_trim");

	(void)p;
	if (mi_collect)
		mi_collect(true);
	if (mallctl) {
		mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
		mallctl("arena.4096.purge", NULL, NULL, NULL, 0); /* 4096: all arenas */
	}
	if (release)
		release();
	if (trim)
		trim(0);
}

static inline void pool_describe(char *buf, size_t len)
{
	int (*mi_version)(void) = dlsym(RTLD_DEFAULT, "mi_version");
	int (*mallctl)(const char *, void *, size_t *, void *, size_t) =
		dlsym(RTLD_DEFAULT, "mallctl");
	const char *(*tc_version)(int *, int *, const char **) = dlsym(RTLD_DEFAULT, "tc_version");
	const char *(*libc_version)(void) = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	char version[64] = "";
	Dl_info info = { 0 };

	if (mi_version) {
		snprintf(version, sizeof(version), " %d", mi_version());
	} else if (mallctl) {
		const char *v = NULL;
		size_t n = sizeof(v);

		if (mallctl("version", &v, &n, NULL, 0) == 0)
			snprintf(version, sizeof(version), " %.*s", (int)strcspn(v, "-"), v);
	} else if (tc_version) {
		snprintf(version, sizeof(version), " %s", tc_version(NULL, NULL, NULL));
	}
	if (!dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info) || !info.dli_fname)
		info.dli_fname = "?";
	if (libc_version && strstr(info.dli_fname, "/libc.so"))
		snprintf(version, sizeof(version), " %s", libc_version());
	snprintf(buf, len, "%s%s", info.dli_fname, version);
}

#endif
