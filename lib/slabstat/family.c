// SPDX-License-Identifier: MIT
/*
 * family.c - which names are kin.
 *
 * A family is a name with the part that tells its members apart put as "*":
 *
 *	kmalloc-*	every kmalloc of the kernel: kmalloc-64, kmalloc-1k, kmalloc-cg-64,
 *			kmalloc-rnd-03-8k, kmalloc-part-03-64, dma-kmalloc-64, kmalloc_dma-64
 *	sgpool-*	a trailing number, with the k, M or G of kmalloc sizes or without
 *	nf_conntrack_*	a trailing kernel address
 *	dentry		a copy for a memory cgroup, dentry(5:session.scope); size-64(DMA) is size-*
 *
 * A digit behind "v" is a protocol's version (TCPv6), no counter. Names that begin with ":" are
 * the kernel's own for merged caches and have no kin.
 */
#include "slabstat/family.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool starts(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(text, with, n) == 0;
}

/*
 * Length of name without the "(5:session.scope)" of a cgroup's copy or the "(DMA)" of a size cache.
 */
static size_t without_owner(const char *name, size_t len)
{
	const char *open;

	if (len < 3 || name[len - 1] != ')')
		return len;
	open = memchr(name, '(', len);
	if (!open || open == name)
		return len;
	if (is_digit(open[1]) || strcmp(open, "(DMA)") == 0)
		return (size_t)(open - name);
	return len;
}

/* Length without a trailing number ("64", "1k"), or len where there is none. */
static size_t without_number(const char *name, size_t len)
{
	size_t n = len;

	if (n > 1 && strchr("kMG", name[n - 1]) && is_digit(name[n - 2]))
		n--;
	while (n > 0 && is_digit(name[n - 1]))
		n--;
	if (n == 0 || !(n < len && is_digit(name[n])) || name[n - 1] == 'v')
		return len;
	return n;
}

/* Length without a trailing kernel address of at least eight digits, or len where there is none. */
static size_t without_address(const char *name, size_t len)
{
	size_t n = len;
	bool digit = false;

	for (; n > 0 && is_hex(name[n - 1]); n--)
		digit |= is_digit(name[n - 1]) || name[n - 1] == 'f';
	if (n >= 2 && name[n - 1] == 'x' && name[n - 2] == '0')
		n -= 2;
	if (len - n < 8 || n == 0 || !digit || strchr("_-@:. ", name[n - 1]) == NULL)
		return len;
	return n;
}

size_t family_stem(const char *name)
{
	size_t len = without_owner(name, strlen(name)), stem = without_address(name, len);

	return name[0] != ':' && stem < len ? stem : 0;
}

/* kmalloc of any type: an optional "dma-", a class, a number or two. */
static bool is_kmalloc(const char *name, size_t len)
{
	static const char *const classes[] = { "kmalloc-cg-", "kmalloc-rcl-", "kmalloc-dma-",
					       "kmalloc-rnd-", "kmalloc-part-", "kmalloc_dma-",
					       "kmalloc-" };

	if (starts(name, len, "dma-")) {
		name += 4;
		len -= 4;
	}
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t n = strlen(classes[i]), base = without_number(name, len);

		if (!starts(name, len, classes[i]) || base == len)
			continue;
		for (; base > n && (is_digit(name[base - 1]) || name[base - 1] == '-'); base--)
			;
		return base == n;
	}
	return false;
}

size_t slabstat_family(const char *name, char *buf, size_t size)
{
	size_t len = strlen(name), base = without_owner(name, len), keep;
	const char *text = name;
	bool star = false;

	if (name[0] == ':') {
		base = len;
	} else if (is_kmalloc(name, base)) {
		text = "kmalloc-";
		base = strlen(text);
		star = true;
	} else {
		size_t whole = base;

		base = without_address(name, whole);
		if (base == whole)
			base = without_number(name, whole);
		star = base != whole;
	}
	if (size > 0) {
		keep = base < size ? base : size - 1;
		memcpy(buf, text, keep);
		if (star && keep + 1 < size)
			buf[keep++] = '*';
		buf[keep] = '\0';
	}
	return base + star;
}
