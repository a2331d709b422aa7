// SPDX-License-Identifier: MIT
/*
 * screen.c - ncurses; see screen.h.
 *
 * Colours say what screen roles mean, and never alone: each also has a sign in the text or an
 * attribute, so that a monochrome terminal and a colour-blind eye lose nothing. With 256 colours
 * they are tones of middle lightness, at least 3.7:1 against black and against white; vermilion
 * for growth and blue for the opposite stay apart for every common kind of colour blindness.
 */
#include "screen.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "keys.h"

/* Milliseconds in which the rest of an escape sequence has to follow. */
#define ESCAPE_DELAY_MS 40

struct screen {
	SCREEN *term;
	FILE *in;
	bool own_in;		/* opened by us */
	bool colour;
	bool away;		/* suspended */
	attr_t attr[ROLE_COUNT];
	short pair[ROLE_COUNT];
	struct canvas shown;	/* what ncurses was given last */
};

struct look {
	short few, many;	/* colour of 8 and of 256; -1: the terminal's own */
	attr_t attr, mono;	/* attributes with and without colour */
};

static const struct look looks[ROLE_COUNT] = {
	[ROLE_PLAIN]	= { -1, -1, A_NORMAL, A_NORMAL },
	[ROLE_TITLE]	= { -1, -1, A_BOLD, A_BOLD },
	[ROLE_HEADING]	= { -1, -1, A_REVERSE, A_REVERSE },
	[ROLE_SORTED]	= { -1, -1, A_REVERSE | A_BOLD | A_UNDERLINE,
			    A_REVERSE | A_BOLD | A_UNDERLINE },
	[ROLE_LABEL]	= { -1, -1, A_NORMAL, A_NORMAL },
	[ROLE_FIGURE]	= { -1, -1, A_BOLD, A_BOLD },
	[ROLE_GROWTH]	= { COLOR_RED, 166, A_BOLD, A_BOLD },
	[ROLE_SHRINK]	= { COLOR_BLUE, 32, A_NORMAL, A_NORMAL },
	[ROLE_LOW]	= { COLOR_MAGENTA, 133, A_NORMAL, A_UNDERLINE },
	[ROLE_FIXED]	= { COLOR_CYAN, 30, A_NORMAL, A_NORMAL },
	[ROLE_MATCH]	= { -1, -1, A_UNDERLINE, A_UNDERLINE },
	[ROLE_BAR]	= { COLOR_CYAN, 30, A_NORMAL, A_NORMAL },
	[ROLE_KEY]	= { -1, -1, A_BOLD, A_BOLD },
	[ROLE_ALERT]	= { COLOR_RED, 166, A_BOLD | A_REVERSE, A_BOLD | A_REVERSE },
};

enum screen_fitness screen_fitness(void)
{
	const char *type = getenv("TERM");
	bool can_move;
	int error;

	if (!isatty(STDOUT_FILENO))
		return SCREEN_NO_TERMINAL;
	if (!isatty(STDIN_FILENO) && access("/dev/tty", R_OK) != 0)
		return SCREEN_NO_TERMINAL;
	if (!type || !*type || setupterm(type, STDOUT_FILENO, &error) != OK)
		return SCREEN_UNKNOWN_TYPE;
	can_move = cursor_address && clear_screen;
	del_curterm(cur_term);
	return can_move ? SCREEN_FIT : SCREEN_NO_CURSOR;
}

bool screen_unicode(void)
{
	const char *type = getenv("TERM");

	/* The console's font has no eighths of blocks. */
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && !(type && strcmp(type, "linux") == 0);
}

static void choose_looks(struct screen *s)
{
	bool many;

	if (s->colour && (!has_colors() || start_color() == ERR || use_default_colors() == ERR))
		s->colour = false;
	many = s->colour && COLORS >= 256;
	for (short r = 0; r < ROLE_COUNT; r++) {
		const struct look *l = &looks[r];
		short colour = many ? l->many : l->few;

		s->attr[r] = s->colour ? l->attr : l->mono;
		s->pair[r] = 0;
		if (s->colour && colour >= 0 && init_pair((short)(r + 1), colour, -1) == OK)
			s->pair[r] = (short)(r + 1);
	}
}

struct screen *screen_open(bool colour)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->in = stdin;
	if (!isatty(STDIN_FILENO)) {
		s->in = fopen("/dev/tty", "re");
		s->own_in = true;
	}
	s->term = s->in ? newterm(NULL, stdout, s->in) : NULL;
	if (!s->term) {
		if (s->in && s->own_in)
			fclose(s->in);
		free(s);
		return NULL;
	}
	s->colour = colour;
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	/* Pictures are small, and input is looked at before each: no poll() between their lines. */
	typeahead(-1);
	meta(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	curs_set(0);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	/* Shift with the arrows is in terminfo under these names of no standard. */
	define_key("\033[1;2D", KEY_SLEFT);
	define_key("\033[1;2C", KEY_SRIGHT);
	choose_looks(s);
	screen_resize(s);
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	if (!s->away)
		screen_suspend(s);
	delscreen(s->term);
	canvas_free(&s->shown);
	if (s->own_in)
		fclose(s->in);
	free(s);
}

int screen_fd(const struct screen *s)
{
	return fileno(s->in);
}

static int mouse_key(int *x, int *y)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return KEYS_NONE;
	*x = event.x;
	*y = event.y;
	if (event.bstate & BUTTON4_PRESSED)
		return KEYS_WHEEL_UP;
	if (event.bstate & BUTTON5_PRESSED)
		return KEYS_WHEEL_DOWN;
	return event.bstate & BUTTON1_PRESSED ? KEYS_CLICK : KEYS_NONE;
}

static int function_key(wint_t key, int *x, int *y)
{
	switch (key) {
	case KEY_UP: return KEYS_UP;
	case KEY_DOWN: return KEYS_DOWN;
	case KEY_LEFT: return KEYS_LEFT;
	case KEY_RIGHT: return KEYS_RIGHT;
	case KEY_SLEFT: return KEYS_SHIFT_LEFT;
	case KEY_SRIGHT: return KEYS_SHIFT_RIGHT;
	case KEY_PPAGE: return KEYS_PAGE_UP;
	case KEY_NPAGE: return KEYS_PAGE_DOWN;
	case KEY_HOME: return KEYS_HOME;
	case KEY_END: return KEYS_END;
	case KEY_ENTER: return KEYS_ENTER;
	case KEY_BACKSPACE: return KEYS_BACKSPACE;
	case KEY_DC: return KEYS_DELETE;
	case KEY_F(1): return KEYS_F1;
	case KEY_MOUSE: return mouse_key(x, y);
	default: return KEYS_NONE;
	}
}

/* No key although poll() saw one: the end of the terminal, or the rest of a broken sequence. */
static bool at_end(const struct screen *s)
{
	int waiting = 0;

	return ioctl(screen_fd(s), FIONREAD, &waiting) != 0 || feof(s->in) || ferror(s->in);
}

int screen_key(struct screen *s, int *x, int *y)
{
	wint_t key = 0;
	int kind;

	/* A byte that is no character of the locale is passed over, and is no failure. */
	do {
		errno = 0;
		kind = get_wch(&key);
	} while (kind == ERR && errno == EILSEQ);
	if (kind == ERR)
		return (errno && errno != EAGAIN && errno != EINTR) || at_end(s) ? KEYS_EOF
										 : KEYS_NONE;
	if (kind == KEY_CODE_YES)
		return function_key(key, x, y);
	switch (key) {
	case '\r':
	case '\n': return KEYS_ENTER;
	case '\033': return KEYS_ESCAPE;
	case '\b':
	case 0x7f: return KEYS_BACKSPACE;
	default: return key < KEYS_NONE ? (int)key : KEYS_NONE;
	}
}

void screen_size(const struct screen *s, int *width, int *height)
{
	(void)s;
	getmaxyx(stdscr, *height, *width);
}

bool screen_resize(struct screen *s)
{
	struct winsize ws;
	int width, height;

	screen_size(s, &width, &height);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) != 0 || !ws.ws_row || !ws.ws_col ||
	    (ws.ws_row == height && ws.ws_col == width))
		return false;
	resizeterm(ws.ws_row, ws.ws_col);
	canvas_free(&s->shown);
	clearok(stdscr, TRUE);
	return true;
}

static void set_role(struct screen *s, unsigned role)
{
	unsigned r = role & ~(unsigned)ROLE_CURSOR;
	attr_t a = s->attr[r < ROLE_COUNT ? r : ROLE_PLAIN];

	if (role & ROLE_CURSOR)
		a |= A_REVERSE;
	wattr_set(stdscr, a, s->pair[r < ROLE_COUNT ? r : ROLE_PLAIN], NULL);
}

/* One run of cells with the same role; behind a wide character its second half is left out. */
static void show_run(struct screen *s, int y, int x, const wchar_t *cell, int n, unsigned role)
{
	set_role(s, role);
	for (int from = 0, to; from < n; from = to) {
		while (from < n && !cell[from])
			from++;
		for (to = from; to < n && cell[to]; to++)
			;
		if (to > from)
			mvaddnwstr(y, x + from, &cell[from], to - from);
	}
}

static bool same_cell(const struct canvas *a, const struct canvas *b, size_t at)
{
	return a->cell[at] == b->cell[at] && a->role[at] == b->role[at];
}

/* From the first to the last cell of a row that is not as before. */
static void show_row(struct screen *s, const struct canvas *c, int row)
{
	size_t at = (size_t)row * (size_t)c->width;
	int from = 0, end = c->width;

	while (from < end && same_cell(c, &s->shown, at + (size_t)from))
		from++;
	while (end > from && same_cell(c, &s->shown, at + (size_t)end - 1))
		end--;
	/* Half a wide character cannot be written. */
	while (from > 0 && from < end && !c->cell[at + (size_t)from])
		from--;
	for (int to; from < end; from = to) {
		for (to = from + 1; to < end; to++)
			if (c->role[at + (size_t)to] != c->role[at + (size_t)from])
				break;
		show_run(s, row, from, c->cell + at + from, to - from, c->role[at + (size_t)from]);
	}
}

/* Room for what is shown. False: no memory. */
static bool make_shown(struct screen *s, const struct canvas *c)
{
	size_t n = (size_t)c->width * (size_t)c->height;

	if (s->shown.width == c->width && s->shown.height == c->height)
		return true;
	if (canvas_resize(&s->shown, c->width, c->height) != 0)
		return false;
	/* No canvas has such cells. */
	memset(s->shown.role, ROLE_CURSOR | ROLE_COUNT, n);
	return true;
}

static void keep_shown(struct screen *s, const struct canvas *c)
{
	size_t n = (size_t)c->width * (size_t)c->height;

	memcpy(s->shown.cell, c->cell, n * sizeof(*c->cell));
	memcpy(s->shown.role, c->role, n * sizeof(*c->role));
}

void screen_show(struct screen *s, const struct canvas *c, int y, int x)
{
	if (s->away)
		return;
	if (!make_shown(s, c))
		return;
	for (int row = 0; row < c->height; row++)
		show_row(s, c, row);
	keep_shown(s, c);
	if (y >= 0) {
		curs_set(1);
		move(y, x < c->width ? x : c->width - 1);
	} else {
		curs_set(0);
		move(0, 0);
	}
	refresh();
}

void screen_repaint(struct screen *s)
{
	(void)s;
	clearok(stdscr, TRUE);
}

void screen_suspend(struct screen *s)
{
	if (s->away)
		return;
	s->away = true;
	curs_set(1);
	endwin();
	fflush(stdout);
}

void screen_resume(struct screen *s)
{
	/*
	 * Stopped without a warning, the shell's modes are in force: take the terminal as if anew.
	 */
	if (!s->away)
		endwin();
	s->away = false;
	clearok(stdscr, TRUE);
	refresh();
}
