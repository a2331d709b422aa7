// SPDX-License-Identifier: MIT
/* out.c - standard output of a program; see out.h. */
#include "util/out.h"

#include "util/num.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* /dev/null the wrong way round: using it fails with EBADF, as using the closed one would. */
static void occupy_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
			(void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	}
}

static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	uint64_t n;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	if (columns && num_parse_u64(columns, &n) == 0 && n > 0 && n < 100000)
		return (unsigned)n;
	return 80;
}

void out_start(struct out *o)
{
	occupy_standard_descriptors();
	*o = (struct out){ .f = stdout };
	o->tty = isatty(STDOUT_FILENO);
	if (o->tty)
		o->width = terminal_width();
	o->ascii = o->tty && strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	out_choose_color(o, OUT_COLOR_AUTO);
}

void out_choose_color(struct out *o, enum out_color when)
{
	const char *no = getenv("NO_COLOR");
	const char *force = getenv("CLICOLOR_FORCE");
	const char *term = getenv("TERM");

	if (when != OUT_COLOR_AUTO)
		o->color = when == OUT_COLOR_ALWAYS;
	else if (no && *no)
		o->color = false;
	else if (force && *force && strcmp(force, "0") != 0)
		o->color = true;
	else
		o->color = o->tty && term && *term && strcmp(term, "dumb") != 0;
}

int out_color_parse(const char *text, enum out_color *when)
{
	static const char *const word[] = { "auto", "always", "never" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(text, word[i]) == 0) {
			*when = (enum out_color)i;
			return 0;
		}
	}
	return -EINVAL;
}

void out_flush(struct out *o)
{
	errno = 0;
	if (fflush(o->f) != 0 && !o->error)
		o->error = errno ? errno : EIO;
}

int out_finish(struct out *o, const char *program)
{
	out_flush(o);
	if (!o->error && ferror(o->f))
		o->error = EIO; /* an earlier write failed, the reason is lost */
	if (!o->error)
		return 0;
	if (o->error != EPIPE)
		fprintf(stderr, "%s: write error: %s\n", program, strerror(o->error));
	return 1;
}

const char *out_style_on(const struct out *o, enum out_style style)
{
	static const char *const code[] = {
		[OUT_PLAIN] = "",	 [OUT_HEADING] = "\033[1m", [OUT_FAINT] = "\033[2m",
		[OUT_GOOD] = "\033[32m", [OUT_WARN] = "\033[33m",   [OUT_BAD] = "\033[1;31m",
		[OUT_NAME] = "\033[36m",
	};

	return o->color ? code[style] : "";
}

const char *out_style_off(const struct out *o, enum out_style style)
{
	return o->color && style != OUT_PLAIN ? "\033[0m" : "";
}
