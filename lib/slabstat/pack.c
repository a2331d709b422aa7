// SPDX-License-Identifier: MIT
/* pack.c - files compressed with zstd or gzip; see pack.h. */
#include "slabstat/pack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define CHUNK	   ((size_t)256 << 10)
#define GZIP_WINDOW (15 + 16)	/* the largest window, with gzip's frame */
#define GZIP_MEMORY 8		/* zlib's own default */
#define GZIP_LEVEL 6
#define ZSTD_LEVEL 6

/* A few bytes can unfold to terabytes; a recording shrinks to a tenth or a hundredth. */
#define LARGEST_RATIO 1000
#define ALWAYS_ALLOWED ((size_t)64 << 20)

enum pack pack_of_content(const void *data, size_t len)
{
	const unsigned char *d = data;

	if (len >= 4 && d[0] == 0x28 && d[1] == 0xb5 && d[2] == 0x2f && d[3] == 0xfd)
		return PACK_ZSTD;
	if (len >= 3 && d[0] == 0x1f && d[1] == 0x8b && d[2] == 8)
		return PACK_GZIP;
	return PACK_NONE;
}

const char *pack_ending(enum pack pack)
{
	return pack == PACK_ZSTD ? ".zst" : pack == PACK_GZIP ? ".gz" : "";
}

static bool ends_with(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);

	return n > m && strcmp(text + n - m, ending) == 0 && text[n - m - 1] != '/';
}

enum pack pack_of_name(const char *path)
{
	if (ends_with(path, ".zst"))
		return PACK_ZSTD;
	return ends_with(path, ".gz") ? PACK_GZIP : PACK_NONE;
}

/* ---- opening --------------------------------------------------------------------------------- */

struct growing {
	char *data;
	size_t len, room, limit;
};

/* Room for another chunk and a terminator. */
static int grow(struct growing *g)
{
	size_t room = g->room ? g->room * 2 : 4 * CHUNK;
	char *data;

	if (g->room - g->len > CHUNK)
		return 0;
	if (g->len > g->limit)
		return -EFBIG;
	data = realloc(g->data, room);
	if (!data)
		return -ENOMEM;
	g->data = data;
	g->room = room;
	return 0;
}

static int open_zstd(const void *data, size_t len, struct growing *g)
{
	ZSTD_DCtx *d = ZSTD_createDCtx();
	ZSTD_inBuffer in = { data, len, 0 };
	int ret = d ? 0 : -ENOMEM;

	while (ret == 0) {
		ZSTD_outBuffer out;
		size_t left;

		ret = grow(g);
		if (ret != 0)
			break;
		out = (ZSTD_outBuffer){ g->data + g->len, CHUNK, 0 };
		left = ZSTD_decompressStream(d, &out, &in);
		g->len += out.pos;
		if (ZSTD_isError(left)) {
			/* What came before the damage is good. */
			ret = g->len > 0 ? 0 : -EBADMSG;
			break;
		}
		if (in.pos == in.size && out.pos < CHUNK)
			break;
	}
	ZSTD_freeDCtx(d);
	return ret;
}

static int open_gzip(const void *data, size_t len, struct growing *g)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)data };
	int ret = 0, state = Z_OK;

	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	while (ret == 0 && (state == Z_OK || len > 0)) {
		size_t step = len < CHUNK ? len : CHUNK;

		ret = grow(g);
		if (ret != 0)
			break;
		if (z.avail_in == 0) {
			z.avail_in = (uInt)step;
			len -= step;
		}
		z.next_out = (Bytef *)g->data + g->len;
		z.avail_out = (uInt)CHUNK;
		state = inflate(&z, Z_NO_FLUSH);
		g->len += CHUNK - z.avail_out;
		if (state == Z_STREAM_END && z.avail_in + len > 0)
			state = inflateReset(&z);	/* gzip files may be joined */
		if (state != Z_OK) {
			ret = state == Z_STREAM_END || g->len > 0 ? 0 : -EBADMSG;
			break;
		}
		if (z.avail_in == 0 && len == 0 && z.avail_out > 0)
			break;
	}
	inflateEnd(&z);
	return ret;
}

int pack_open(enum pack pack, const void *data, size_t len, char **out, size_t *out_len)
{
	struct growing g = { .limit = len > SIZE_MAX / LARGEST_RATIO ? SIZE_MAX
								     : len * LARGEST_RATIO };
	int ret;

	if (g.limit < ALWAYS_ALLOWED)
		g.limit = ALWAYS_ALLOWED;
	ret = pack == PACK_ZSTD ? open_zstd(data, len, &g) : open_gzip(data, len, &g);
	if (ret != 0) {
		free(g.data);
		return ret;
	}
	g.data[g.len] = '\0';
	*out = g.data;
	*out_len = g.len;
	return 0;
}

/* ---- compressing ----------------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static ssize_t read_chunk(int fd, char *buf, off_t at)
{
	ssize_t n;

	do
		n = pread(fd, buf, CHUNK, at);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int copy_zstd(int in_fd, int out_fd, char *from, char *to)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	off_t at = 0;
	ssize_t n = 1;
	int ret = c ? 0 : -ENOMEM;

	if (c)
		ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	while (ret == 0 && n > 0) {
		ZSTD_inBuffer in = { from, 0, 0 };
		size_t left = 1;

		n = read_chunk(in_fd, from, at);
		if (n < 0)
			ret = (int)n;
		in.size = n > 0 ? (size_t)n : 0;
		at += (off_t)in.size;
		while (ret == 0 && (in.pos < in.size || (n == 0 && left > 0))) {
			ZSTD_outBuffer out = { to, CHUNK, 0 };

			left = ZSTD_compressStream2(c, &out, &in,
						    n == 0 ? ZSTD_e_end : ZSTD_e_continue);
			ret = ZSTD_isError(left) ? -EIO : write_all(out_fd, to, out.pos);
		}
	}
	ZSTD_freeCCtx(c);
	return ret;
}

static int copy_gzip(int in_fd, int out_fd, char *from, char *to)
{
	z_stream z = { 0 };
	off_t at = 0;
	ssize_t n = 1;
	int ret = 0;

	if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	while (ret == 0 && n > 0) {
		n = read_chunk(in_fd, from, at);
		if (n < 0)
			ret = (int)n;
		z.next_in = (Bytef *)from;
		z.avail_in = n > 0 ? (uInt)n : 0;
		at += n > 0 ? n : 0;
		while (ret == 0) {
			z.next_out = (Bytef *)to;
			z.avail_out = (uInt)CHUNK;
			if (deflate(&z, n == 0 ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
				ret = -EIO;
			else
				ret = write_all(out_fd, to, CHUNK - z.avail_out);
			if (z.avail_out > 0)
				break;
		}
	}
	deflateEnd(&z);
	return ret;
}

int pack_copy(enum pack pack, int in, int out)
{
	char *buf = malloc(2 * CHUNK);
	int ret;

	if (!buf)
		return -ENOMEM;
	ret = pack == PACK_ZSTD ? copy_zstd(in, out, buf, buf + CHUNK) :
				  copy_gzip(in, out, buf, buf + CHUNK);
	free(buf);
	return ret;
}
