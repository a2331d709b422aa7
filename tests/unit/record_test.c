// SPDX-License-Identifier: MIT
/* record_test.c - what was recorded is what is read, wherever the file was cut. */
#include "cmocka_all.h"
#include "slabstat/recindex.h"
#include "slabstat/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BOOT_A "11111111-1111-1111-1111-111111111111"
#define BOOT_B "22222222-2222-2222-2222-222222222222"
#define START_NS 1767225600000000000LL

/* ---- a machine whose n-th sample is always the same ------------------------------------------ */

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ULL;
	return x ^ x >> 33;
}

static const char *const names[] = {
	"kmalloc-64", "dentry", "file lock cache", "twin", "twin", ":A-0000128",
	"odd\x1b[31m\"\\\n\xff", "nf_conntrack_ffffffffaf313a40", "huge",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

static void add_cache(struct slabstat_snapshot *s, size_t i, size_t n)
{
	struct slabstat_cache *c = snapshot_add(s, names[i], strlen(names[i]));
	uint64_t r = mix(n / (1 + i % 4) * 100 + i);

	assert_non_null(c);
	cache_set(c, SLABSTAT_OBJECT_SIZE, 60 + i, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_SLAB_SIZE, 64 + i, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_OBJS_PER_SLAB, 32, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_ORDER, i % 3, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_SLABS, r % 1000, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_TOTAL_OBJECTS, r % 1000 * 32, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_OBJECTS, r % 1000 * 20,
		  n % 7 == i ? SLABSTAT_ESTIMATE : SLABSTAT_EXACT);
	if (i == 1) {
		snapshot_share(s, c, SLABSTAT_OBJECTS, 0, r % 1000 * 12);
		snapshot_share(s, c, SLABSTAT_OBJECTS, 3, r % 1000 * 8);
		c->ctor = "init_once+0x0/0x20";
	}
	if (i == 5) {
		snapshot_link(s, "filp", names[i]);
		snapshot_link(s, "eventpoll_epi", names[i]);
	}
	if (i == 8) {
		cache_set(c, SLABSTAT_ALLOC_FASTPATH, UINT64_MAX - n % 3, SLABSTAT_EXACT);
		cache_set(c, SLABSTAT_MIN_PARTIAL, 9007199254740993ULL, SLABSTAT_UPPER);
		cache_set(c, SLABSTAT_OBJECTS, 0, SLABSTAT_ABSENT);
	}
}

static struct slabstat_snapshot *make_snapshot(size_t n, const char *boot)
{
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_PROCFS);

	assert_non_null(s);
	s->machine = (struct slabstat_machine){
		.page_size = 4096,
		.cpus = 2,
		.nodes = 1,
		.kernel = SLABSTAT_KERNEL(6, 18),
		.slub = true,
	};
	s->machine.release = snapshot_string(s, "6.18.1-test", 11);
	s->machine.cmdline = snapshot_string(s, "quiet \"x\"", 9);
	s->machine.boot_id = snapshot_string(s, boot, strlen(boot));
	s->wall_ns = START_NS + (int64_t)n * 1000000000LL;
	s->mono_ns = 5000000000LL + (int64_t)n * 1000000000LL;
	for (size_t i = 0; i < NAMES; i++) {
		/* Some come and go. */
		if ((i == 3 && n / 5 % 3 == 1) || (i == 7 && n < 4))
			continue;
		add_cache(s, i, n);
	}
	if (n % 10 == 9) {
		struct slabstat_cache *total = snapshot_report(s);

		cache_set(total, SLABSTAT_LOSS, mix(n) % 100000, SLABSTAT_EXACT);
	}
	if (n % 4 == 3)
		s->meminfo = (struct slabstat_meminfo){ true, 5000 + n, 2000, 3000 + n };
	s->notes.vanished = n % 6 == 5;
	s->notes.read_ns = 400000 + n;
	assert_int_equal(snapshot_finish(s), 0);
	return s;
}

static void assert_same_cache(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	assert_string_equal(slabstat_cache_name(a), slabstat_cache_name(b));
	assert_string_equal(slabstat_cache_label(a), slabstat_cache_label(b));
	assert_int_equal(slabstat_cache_alias_count(a), slabstat_cache_alias_count(b));
	for (size_t i = 0; i < slabstat_cache_alias_count(a); i++)
		assert_string_equal(slabstat_cache_alias(a, i), slabstat_cache_alias(b, i));
	assert_true(!slabstat_cache_ctor(a) == !slabstat_cache_ctor(b));
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		uint64_t va = 0, vb = 0;
		size_t na, nb;
		const struct slabstat_share *sa, *sb;

		assert_int_equal(slabstat_cache_value(a, (enum slabstat_field)f, &va),
				 slabstat_cache_value(b, (enum slabstat_field)f, &vb));
		assert_true(va == vb);
		sa = slabstat_cache_shares(a, (enum slabstat_field)f, &na);
		sb = slabstat_cache_shares(b, (enum slabstat_field)f, &nb);
		assert_int_equal(na, nb);
		assert_memory_equal(na ? (const void *)sa : "", nb ? (const void *)sb : "",
				    na * sizeof(*sa));
	}
}

static void assert_same(const struct slabstat_snapshot *a, const struct slabstat_snapshot *b)
{
	const struct slabstat_machine *ma = slabstat_snapshot_machine(a),
				      *mb = slabstat_snapshot_machine(b);

	assert_int_equal(slabstat_snapshot_count(a), slabstat_snapshot_count(b));
	for (size_t i = 0; i < slabstat_snapshot_count(a); i++)
		assert_same_cache(slabstat_snapshot_cache(a, i), slabstat_snapshot_cache(b, i));
	assert_int_equal(slabstat_snapshot_wall_ns(a), slabstat_snapshot_wall_ns(b));
	assert_int_equal(slabstat_snapshot_mono_ns(a), slabstat_snapshot_mono_ns(b));
	assert_true(!slabstat_snapshot_reported(a) == !slabstat_snapshot_reported(b));
	if (slabstat_snapshot_reported(a))
		assert_same_cache(slabstat_snapshot_reported(a), slabstat_snapshot_reported(b));
	assert_memory_equal(slabstat_snapshot_meminfo(a), slabstat_snapshot_meminfo(b),
			    sizeof(struct slabstat_meminfo));
	assert_int_equal(slabstat_snapshot_notes(a)->vanished,
			 slabstat_snapshot_notes(b)->vanished);
	assert_int_equal(slabstat_snapshot_notes(a)->read_ns, slabstat_snapshot_notes(b)->read_ns);
	assert_string_equal(ma->release, mb->release);
	assert_string_equal(ma->cmdline, mb->cmdline);
	assert_string_equal(ma->boot_id, mb->boot_id);
	assert_int_equal(ma->kernel, mb->kernel);
	assert_int_equal(ma->page_size, mb->page_size);
	assert_int_equal(ma->cpus, mb->cpus);
	assert_true(ma->slub == mb->slub);
}

/* ---- making and opening ---------------------------------------------------------------------- */

struct fixture {
	struct slabstat *h;
	char dir[64];
	char path[128];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->h = slabstat_new();
	strcpy(f->dir, "/tmp/record_test.XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	snprintf(f->path, sizeof(f->path), "%s/a.rec", f->dir);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[160];

	slabstat_free(f->h);
	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	if (system(command) != 0)
		return -1;
	free(f);
	return 0;
}

static const char *const command[] = { "make", "-j2", "a b\xfe" };

static struct slabstat_record *start(struct fixture *f, const char *path, unsigned flags, size_t n,
				     const char *boot)
{
	struct slabstat_record_spec spec = {
		.tool = "slabinfo 0.1.0",
		.command = command,
		.command_count = 3,
		.interval_s = 0.25,
		.flags = flags,
	};
	struct slabstat_snapshot *s = make_snapshot(n, boot);
	struct slabstat_record *r = NULL;

	if (slabstat_record_open(f->h, path, &spec, s, NULL, &r) != 0)
		r = NULL;
	slabstat_snapshot_free(s);
	return r;
}

static void add_samples(struct slabstat_record *r, size_t from, size_t to, const char *boot)
{
	for (size_t n = from; n < to; n++) {
		struct slabstat_snapshot *s = make_snapshot(n, boot);

		assert_int_equal(slabstat_record_sample(r, s, NULL), 0);
		slabstat_snapshot_free(s);
	}
}

static void make_file(struct fixture *f, const char *path, size_t samples)
{
	struct slabstat_record *r = start(f, path, 0, 0, BOOT_A);

	assert_non_null(r);
	add_samples(r, 1, samples, BOOT_A);
	assert_int_equal(slabstat_record_samples(r), samples);
	assert_int_equal(slabstat_record_close(r), 0);
}

static char *load(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	char *text;

	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	text = malloc((size_t)st.st_size + 1);
	assert_int_equal(read(fd, text, (size_t)st.st_size), st.st_size);
	text[st.st_size] = '\0';
	close(fd);
	*len = (size_t)st.st_size;
	return text;
}

static struct slabstat_source *open_text(struct fixture *f, const char *text, size_t len)
{
	struct slabstat_spec spec = {
		.kind = SLABSTAT_SOURCE_RECORD, .buffer = text, .buffer_size = len, .label = "test"
	};
	struct slabstat_source *src = NULL;

	assert_int_equal(slabstat_source_open(f->h, &spec, &src), 0);
	return src;
}

static struct slabstat_source *open_path(struct fixture *f, const char *path)
{
	struct slabstat_spec spec = { .file = path };
	struct slabstat_source *src = NULL;

	assert_int_equal(slabstat_source_open(f->h, &spec, &src), 0);
	assert_int_equal(slabstat_source_kind(src), SLABSTAT_SOURCE_RECORD);
	return src;
}

static void assert_sample(struct slabstat_source *src, size_t n, size_t truth, const char *boot)
{
	struct slabstat_snapshot *want = make_snapshot(truth, boot), *got = NULL;

	assert_int_equal(slabstat_source_seek(src, n), 0);
	assert_int_equal(slabstat_source_read(src, NULL, &got), 0);
	assert_same(want, got);
	slabstat_snapshot_free(want);
	slabstat_snapshot_free(got);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_every_sample_comes_back(void **state)
{
	struct fixture *f = *state;
	struct slabstat_source *src;
	const struct slabstat_recording *about;

	make_file(f, f->path, 600);
	src = open_path(f, f->path);
	assert_int_equal(slabstat_source_samples(src), 600);
	for (size_t n = 0; n < 600; n++)
		assert_sample(src, n, n, BOOT_A);
	for (size_t i = 0; i < 60; i++)
		assert_sample(src, mix(i) % 600, mix(i) % 600, BOOT_A);
	assert_int_equal(slabstat_source_seek(src, 600), -ERANGE);
	about = slabstat_source_recording(src);
	assert_string_equal(about->tool, "slabinfo 0.1.0");
	assert_int_equal(about->command_count, 3);
	assert_string_equal(about->command[2], command[2]);
	assert_true(about->interval_s == 0.25);
	assert_true(about->complete);
	assert_int_equal(about->segments, 1);
	assert_int_equal(about->torn_bytes, 0);
	slabstat_source_close(src);
}

static void test_index_equals_walk(void **state)
{
	struct fixture *f = *state;
	struct recindex loaded, made;
	size_t len;
	char *text;

	make_file(f, f->path, 300);
	text = load(f->path, &len);
	assert_int_equal(recindex_load(&loaded, text, len), 0);
	assert_int_equal(recindex_make(&made, text, len), 0);
	assert_int_equal(loaded.samples, 300);
	assert_int_equal(made.samples, 300);
	assert_int_equal(made.full.count, 2);
	assert_int_equal(loaded.full.count, 2);
	assert_int_equal(loaded.caches.count, made.caches.count);
	assert_memory_equal(loaded.full.pair, made.full.pair, 2 * sizeof(*made.full.pair));
	assert_memory_equal(loaded.caches.pair, made.caches.pair,
			    made.caches.count * sizeof(*made.caches.pair));
	recindex_free(&loaded);
	recindex_free(&made);
	free(text);
}

/* Ends of the lines of samples: offset behind the closing brace. */
static size_t sample_ends(const char *text, size_t len, size_t *ends)
{
	struct recwalk w = { .text = text, .len = len };
	struct recwalk_line line;
	size_t n = 0;

	while (recwalk_next(&w, &line)) {
		if (line.kind == RECLINE_SAMPLE)
			ends[n++] = line.offset + line.len;
	}
	return n;
}

static void test_cut_anywhere(void **state)
{
	struct fixture *f = *state;
	size_t len, ends[8], count, index_end;
	char *text;

	make_file(f, f->path, 7);
	text = load(f->path, &len);
	count = sample_ends(text, len, ends);
	assert_int_equal(count, 7);
	index_end = (size_t)(strstr(text, "\n{\"end\":") - text);
	for (size_t cut = 0; cut <= len; cut++) {
		char *prefix = malloc(cut + 1);
		struct slabstat_source *src;
		size_t whole = 0;

		/* A block of its own size, so that a sanitizer sees a step too far. */
		memcpy(prefix, text, cut);
		while (whole < count && ends[whole] <= cut)
			whole++;
		src = open_text(f, prefix, cut);
		assert_int_equal(slabstat_source_samples(src), whole);
		assert_true(slabstat_source_recording(src)->complete == (cut >= index_end));
		if (whole > 0) {
			assert_sample(src, whole - 1, whole - 1, BOOT_A);
			assert_sample(src, 0, 0, BOOT_A);
		} else {
			struct slabstat_snapshot *s = NULL;

			assert_int_equal(slabstat_source_read(src, NULL, &s), -ENODATA);
		}
		slabstat_source_close(src);
		free(prefix);
	}
	free(text);
}

static void test_append_after_a_torn_line(void **state)
{
	struct fixture *f = *state;
	struct slabstat_source *src;
	struct slabstat_record *r;
	size_t len, ends[8];
	char *text;

	make_file(f, f->path, 5);
	text = load(f->path, &len);
	sample_ends(text, len, ends);
	free(text);
	assert_int_equal(truncate(f->path, (off_t)ends[4] - 3), 0);

	r = start(f, f->path, SLABSTAT_RECORD_APPEND, 5, BOOT_A);
	assert_non_null(r);
	add_samples(r, 6, 9, BOOT_A);
	assert_int_equal(slabstat_record_close(r), 0);
	src = open_path(f, f->path);
	assert_int_equal(slabstat_source_samples(src), 8);
	assert_int_equal(slabstat_source_recording(src)->segments, 2);
	for (size_t n = 0; n < 8; n++)
		assert_sample(src, n, n < 4 ? n : n + 1, BOOT_A);
	assert_sample(src, 1, 1, BOOT_A);
	slabstat_source_close(src);
}

static void test_other_boot_is_another_segment(void **state)
{
	struct fixture *f = *state;
	struct slabstat_record *r = start(f, f->path, 0, 0, BOOT_A);
	struct slabstat_source *src;

	add_samples(r, 1, 3, BOOT_A);
	add_samples(r, 3, 6, BOOT_B);
	assert_int_equal(slabstat_record_close(r), 0);
	assert_null(start(f, f->path, SLABSTAT_RECORD_APPEND, 6, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -EXDEV);
	src = open_path(f, f->path);
	assert_int_equal(slabstat_source_recording(src)->segments, 2);
	for (size_t n = 6; n-- > 0;)
		assert_sample(src, n, n, n < 3 ? BOOT_A : BOOT_B);
	slabstat_source_close(src);
}

static void test_existing_files(void **state)
{
	struct fixture *f = *state;
	struct slabstat_record *r;
	int fd;

	make_file(f, f->path, 2);
	assert_null(start(f, f->path, 0, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -EEXIST);
	r = start(f, f->path, SLABSTAT_RECORD_REPLACE, 0, BOOT_A);
	assert_non_null(r);
	/* Somebody records: neither replace nor append. */
	assert_null(start(f, f->path, SLABSTAT_RECORD_REPLACE, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -EBUSY);
	assert_null(start(f, f->path, SLABSTAT_RECORD_APPEND, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -EBUSY);
	assert_int_equal(slabstat_record_close(r), 0);

	fd = open(f->path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "text\n", 5), 5);
	close(fd);
	assert_null(start(f, f->path, SLABSTAT_RECORD_APPEND, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -EINVAL);
	assert_null(start(f, "/nonexistent/a.rec", 0, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -ENOENT);
	assert_null(start(f, "/dev/full", 0, 0, BOOT_A));
	assert_int_equal(slabstat_error(f->h)->code, -ENOSPC);
}

static void test_marks(void **state)
{
	struct fixture *f = *state;
	struct slabstat_mark user = { .text = "pack \"it\"\n", .wall_ns = START_NS, .mono_ns = 7 };
	struct slabstat_mark end = { .kind = SLABSTAT_MARK_END, .run = 2, .status = 137 };
	struct slabstat_record *r = start(f, f->path, 0, 0, BOOT_A);
	const struct slabstat_mark *mark;
	struct slabstat_source *src;
	size_t count, n;

	assert_int_equal(slabstat_mark_append(f->h, f->path, &user), 0);
	add_samples(r, 1, 3, BOOT_A);
	assert_int_equal(slabstat_record_mark(r, &end), 0);
	assert_int_equal(slabstat_record_close(r), 0);
	assert_int_equal(slabstat_mark_append(f->h, f->path, &user), -ESRCH);
	assert_int_equal(slabstat_mark_append(f->h, "/nonexistent", &user), -ENOENT);
	assert_int_equal(slabstat_mark_append(f->h, "/dev/null", &user), -EINVAL);

	src = open_path(f, f->path);
	mark = slabstat_source_marks(src, &count);
	assert_int_equal(count, 2);
	assert_string_equal(mark[0].text, user.text);
	assert_int_equal(mark[0].kind, SLABSTAT_MARK_USER);
	assert_int_equal(mark[0].wall_ns, START_NS);
	assert_int_equal(mark[0].sample, 1);
	assert_int_equal(mark[1].kind, SLABSTAT_MARK_END);
	assert_int_equal(mark[1].run, 2);
	assert_int_equal(mark[1].status, 137);
	assert_int_equal(mark[1].sample, 3);
	assert_int_equal(slabstat_source_at(src, "mark:pack \"it\"\n", &n), 0);
	assert_int_equal(n, 1);
	slabstat_source_close(src);
}

static void test_compressed(void **state)
{
	static const char *const endings[] = { ".zst", ".gz" };
	struct fixture *f = *state;
	char path[160];

	for (size_t i = 0; i < 2; i++) {
		struct slabstat_source *src;

		snprintf(path, sizeof(path), "%s%s", f->path, endings[i]);
		make_file(f, path, 40);
		assert_int_equal(access(f->path, F_OK), -1);
		src = open_path(f, path);
		assert_int_equal(slabstat_source_samples(src), 40);
		assert_sample(src, 39, 39, BOOT_A);
		slabstat_source_close(src);
		assert_null(start(f, path, 0, 0, BOOT_A));
		assert_int_equal(slabstat_error(f->h)->code, -EEXIST);
		assert_null(start(f, path, SLABSTAT_RECORD_APPEND, 0, BOOT_A));
		assert_int_equal(slabstat_error(f->h)->code, -EINVAL);
	}
}

static void test_damage_in_the_middle(void **state)
{
	struct fixture *f = *state;
	struct slabstat_source *src;
	size_t len, ends[8];
	char *text;

	make_file(f, f->path, 7);
	text = load(f->path, &len);
	sample_ends(text, len, ends);
	/* Sample 3 is gone: those after it tell changes to something unknown. */
	memset(text + ends[2] + 1, ' ', ends[3] - ends[2] - 1);
	len = ends[6] + 1;
	src = open_text(f, text, len);
	assert_int_equal(slabstat_source_samples(src), 3);
	assert_sample(src, 2, 2, BOOT_A);
	slabstat_source_close(src);
	free(text);
}

static void test_later_version_is_refused(void **state)
{
	static const char text[] =
		"{\"slabkit\":\"recording\",\"version\":2,\"columns\":[\"slabs\"]}\n";
	struct fixture *f = *state;
	struct slabstat_spec spec = { .buffer = text,
				      .buffer_size = sizeof(text) - 1,
				      .label = "later" };
	struct slabstat_source *src = NULL;

	assert_int_equal(slabstat_source_open(f->h, &spec, &src), -EPROTO);
	assert_non_null(strstr(slabstat_error(f->h)->text, "later version"));
}

static void test_hand_written(void **state)
{
	/*
	 * Keys in another order, blanks, a column and keys unknown here, CRLF, a value above 2^53.
	 */
	static const char text[] =
		"{\"slabkit\":\"recording\", \"version\":1, "
		"\"columns\":[\"slabs\",\"sparkle\",\"order\"], "
		"\"machine\":{\"page_size\":4096}}\r\n"
		"{\"cache\":0,\"name\":\"x\",\"facts\":{\"order\":1,\"glow\":7}}\r\n"
		"{\"future\":true}\r\n"
		"{ \"full\":true, \"wall_ns\":1767225600000000000, "
		"\"values\":[[0,1,5,0,12345678901234567]], \"sample\":0, \"more\":[{}] }\r\n"
		"{\"sample\":1,\"values\":[]}\r\n";
	struct fixture *f = *state;
	struct slabstat_source *src = open_text(f, text, sizeof(text) - 1);
	struct slabstat_snapshot *s = NULL;

	assert_int_equal(slabstat_source_samples(src), 2);
	assert_int_equal(slabstat_source_seek(src, 1), 0);
	assert_int_equal(slabstat_source_read(src, NULL, &s), 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_true(slabstat_cache_or(slabstat_snapshot_cache(s, 0), SLABSTAT_SLABS, 0) ==
		    12345678901234567ULL);
	assert_int_equal(slabstat_cache_or(slabstat_snapshot_cache(s, 0), SLABSTAT_ORDER, 9), 1);
	slabstat_snapshot_free(s);
	slabstat_source_close(src);
}

static void assert_at(struct slabstat_source *src, const char *at, int ret, size_t want)
{
	size_t n = 99;

	if (slabstat_source_at(src, at, &n) != ret)
		fail_msg("--at %s", at);
	if (ret == 0)
		assert_int_equal(n, want);
}

static void test_at(void **state)
{
	struct fixture *f = *state;
	struct slabstat_source *src;
	uint64_t most = 0;
	size_t peak = 0;

	make_file(f, f->path, 20);
	setenv("TZ", "UTC", 1);
	src = open_path(f, f->path);
	for (size_t n = 0; n < 20; n++) {
		struct slabstat_snapshot *s = make_snapshot(n, BOOT_A);
		uint64_t bytes = 0;

		slabstat_snapshot_total(s, SLABSTAT_FOOTPRINT, &bytes);
		if (bytes > most) {
			most = bytes;
			peak = n;
		}
		slabstat_snapshot_free(s);
	}
	assert_at(src, "first", 0, 0);
	assert_at(src, "last", 0, 19);
	assert_at(src, "peak", 0, peak);
	assert_at(src, "7", 0, 7);
	assert_at(src, "20", -ERANGE, 0);
	assert_at(src, "3.5s", 0, 3);
	assert_at(src, "0s", 0, 0);
	assert_at(src, "1h", 0, 19);
	assert_at(src, "00:00:05", 0, 5);
	assert_at(src, "2026-01-01 00:00:11", 0, 11);
	assert_at(src, "2026-01-01T00:00", 0, 0);
	assert_at(src, "2025-12-31T23:59", -ERANGE, 0);
	assert_at(src, "@1767225602", 0, 2);
	assert_at(src, "mark:none", -ENOENT, 0);
	assert_at(src, "noon", -EINVAL, 0);
	assert_at(src, "-1", -EINVAL, 0);
	assert_at(src, "", -EINVAL, 0);
	slabstat_source_close(src);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(test_every_sample_comes_back),
		T(test_index_equals_walk),
		T(test_cut_anywhere),
		T(test_append_after_a_torn_line),
		T(test_other_boot_is_another_segment),
		T(test_existing_files),
		T(test_marks),
		T(test_compressed),
		T(test_damage_in_the_middle),
		T(test_later_version_is_refused),
		T(test_hand_written),
		T(test_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
