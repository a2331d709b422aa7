// SPDX-License-Identifier: MIT
/* gnuplot.c - runs gnuplot on a script and gives back the picture; see gnuplot.h. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const terminal_names[TERMINAL_COUNT] = { "png", "svg", "pdf", "term" };

int terminal_find(const char *name)
{
	for (int t = 0; t < TERMINAL_COUNT; t++) {
		if (strcmp(name, terminal_names[t]) == 0)
			return t;
	}
	return -1;
}

const char *terminal_suffix(enum terminal t)
{
	return t == TERMINAL_TEXT ? NULL : terminal_names[t];
}

/* The size of the terminal in characters; 80 x 24 where stdout is none. */
static void text_size(unsigned *columns, unsigned *rows)
{
	struct winsize w;

	*columns = 80;
	*rows = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20 && w.ws_row >= 8) {
		*columns = w.ws_col;
		*rows = w.ws_row - 1u;
	}
}

void gnuplot_preamble(FILE *script, enum terminal t, unsigned width, unsigned height, bool colour)
{
	unsigned columns, rows;

	fputs("set encoding utf8\n", script);
	switch (t) {
	case TERMINAL_PNG:
		fprintf(script,
			"if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo "
			"size %u,%u font 'sans,11' background rgb 'white' noenhanced } "
			"else { set terminal png size %u,%u noenhanced }\n", width, height, width,
			height);
		break;
	case TERMINAL_SVG:
		fprintf(script, "set terminal svg size %u,%u font 'sans,12' background rgb 'white' "
			"noenhanced\n", width, height);
		break;
	case TERMINAL_PDF:
		fprintf(script, "set terminal pdfcairo size %.2fin,%.2fin font 'sans,10' "
			"noenhanced\n", width / 110.0, height / 110.0);
		break;
	default:
		text_size(&columns, &rows);
		fprintf(script, "set terminal dumb size %u,%u %s noenhanced\n", columns, rows,
			colour ? "ansi256" : "mono");
	}
	fputs("set border 3 lc rgb '#555555'\n"
	      "set tics nomirror\n"
	      "set grid y lc rgb '#dddddd' lt 1\n"
	      "set key noenhanced\n", script);
}

/* Child: script on stdin, picture on stdout, complaints on stderr. Never returns. */
static void exec_gnuplot(const int in[2], const int out[2], const int err[2])
{
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	dup2(err[1], STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	/* Neither a window nor the user's ~/.gnuplot has any business here. */
	execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
}

struct stream {
	int fd;
	char *data;
	size_t size, room;
};

/* Take what there is. False at the end, on an error, or where memory is exhausted. */
static bool stream_fill(struct stream *s)
{
	ssize_t n;

	if (s->room - s->size < 4096) {
		size_t room = s->room ? s->room * 2 : 65536;
		char *data = realloc(s->data, room);

		if (!data)
			return false;
		s->data = data;
		s->room = room;
	}
	n = read(s->fd, s->data + s->size, s->room - s->size - 1);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	s->size += (size_t)n;
	s->data[s->size] = '\0';
	return n > 0;
}

/* Feed the script and collect both outputs at once, so that no pipe can fill up and block. */
static void converse(int in, const char *script, size_t len, struct stream *out, struct stream *err)
{
	struct pollfd p[3] = {
		{ .fd = in, .events = POLLOUT },
		{ .fd = out->fd, .events = POLLIN },
		{ .fd = err->fd, .events = POLLIN },
	};

	while (p[1].fd >= 0 || p[2].fd >= 0) {
		if (poll(p, 3, -1) < 0 && errno != EINTR)
			break;
		if (p[0].fd >= 0 && p[0].revents) {
			ssize_t n = len ? write(in, script, len) : 0;

			if (n > 0) {
				script += n;
				len -= (size_t)n;
			}
			if (len == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
				close(in);
				p[0].fd = -1;
			}
		}
		if (p[1].fd >= 0 && p[1].revents && !stream_fill(out))
			p[1].fd = -1;
		if (p[2].fd >= 0 && p[2].revents && !stream_fill(err))
			p[2].fd = -1;
	}
	if (p[0].fd >= 0)
		close(in);
}

/* gnuplot's complaint is several lines with a caret; the last one that says something is it. */
static const char *complaint(struct stream *err)
{
	char *best = NULL, *save = NULL;

	if (!err->data)
		return "";
	for (char *line = strtok_r(err->data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (line[strspn(line, " \t^")] != '\0')
			best = line;
	}
	return best ? best + strspn(best, " \t") : "";
}

static int judge(int status, struct stream *err, size_t picture_size)
{
	const char *what;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		fputs("slabplot: gnuplot is not installed (not in PATH); "
		      "install the package gnuplot, or use --script-only\n",
		      stderr);
		return 2;
	}
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "slabplot: gnuplot was killed by signal %d (%s)\n",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		return 1;
	}
	what = complaint(err);
	if (WEXITSTATUS(status) != 0) {
		fprintf(stderr, "slabplot: gnuplot failed with status %d%s%s\n",
			WEXITSTATUS(status), *what ? ": " : "", what);
		return 1;
	}
	if (picture_size == 0) {
		fprintf(stderr, "slabplot: gnuplot drew nothing%s%s\n", *what ? ": " : "", what);
		return 1;
	}
	return 0;
}

int gnuplot_run(const char *script, size_t len, char **picture, size_t *size)
{
	struct stream out = { 0 }, err = { 0 };
	int in[2] = { -1, -1 }, o[2] = { -1, -1 }, e[2] = { -1, -1 };
	int status = 0, ret;
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) || pipe2(o, O_CLOEXEC) || pipe2(e, O_CLOEXEC) ||
	    (pid = fork()) < 0) {
		fprintf(stderr, "slabplot: cannot start gnuplot: %s\n", strerror(errno));
		for (int i = 0; i < 2; i++) {
			close(in[i]);
			close(o[i]);
			close(e[i]);
		}
		return 1;
	}
	if (pid == 0)
		exec_gnuplot(in, o, e);
	close(in[0]);
	close(o[1]);
	close(e[1]);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
	out.fd = o[0];
	err.fd = e[0];
	converse(in[1], script, len, &out, &err);
	close(o[0]);
	close(e[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	ret = judge(status, &err, out.size);
	free(err.data);
	if (ret) {
		free(out.data);
		return ret;
	}
	*picture = out.data;
	*size = out.size;
	return 0;
}
