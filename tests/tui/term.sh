# term.sh - programs on a terminal, for tests: source it after tests/cli/tap.sh.
#
#	term 80 24 slabtop --root "$root" -d 600
#	shows 'the first picture' 'q leave'
#	screen_is caches-80x24
#	keys 2; shows families '^slabtop  families'
#
# The terminal is tmux: a server of this script's own, without configuration, spoken to in control
# mode through one client, so that looking at the screen starts no process. Expected screens stand
# in tests/tui/screens; SLABKIT_NEW_SCREENS=1 writes them anew. Times of day are masked.
# shellcheck shell=bash

command -v tmux >/dev/null || skip_all "tmux is not installed"
screens=$top/tests/tui/screens
unset TMUX TMUX_PANE
export XDG_CONFIG_HOME=$tmp/config HOME=$tmp XDG_STATE_HOME=$tmp/state TZ=UTC TERM=screen-256color
utf8=$(locale -a 2>/dev/null | grep -i -m 1 'utf-\?8$') || skip_all "there is no UTF-8 locale"

coproc CLIENT {
	exec tmux -u -S "$tmp/tmux" -f /dev/null -C new-session -x 80 -y 24 'exec cat' 2>&1
}
trap 'tmux -S "$tmp/tmux" kill-server 2>/dev/null; wait 2>/dev/null; rm -rf "$tmp"' EXIT

# The answer to the command sent last, in $reply; what tmux tells unasked is left out.
answer()
{
	local line inside=0

	reply=()
	while IFS= read -r -t 30 line <&"${CLIENT[0]}"; do
		case $line in
		%begin*) inside=1 ;;
		%end* | %error*) return ;;
		*) [ $inside = 0 ] || reply+=("$line") ;;
		esac
	done
	return 1
}

tell() # TMUX_COMMAND...
{
	local word line=

	for word; do
		line+="'${word//\'/\'\\\'\'}' "
	done
	printf '%s\n' "$line" >&"${CLIENT[1]}"
	answer
}

answer || skip_all "tmux does not start"
tell set -g status off
tell set -g remain-on-exit on
tell set -g window-size manual

# Wait until the terminal writes something, or a twentieth of a second.
pause()
{
	local line

	while IFS= read -r -t 0.05 line <&"${CLIENT[0]}"; do
		case $line in %output*) return ;; esac
	done
}

# As a job of a shell, which looks at the terminal's settings before and after; a job that is
# stopped goes on when $tmp/go-on appears.
term() # WIDTH HEIGHT COMMAND...
{
	tell resize-window -x "$1" -y "$2"
	shift 2
	{
		printf 'export LC_ALL=%s; stty -g >%q; ' "$utf8" "$tmp/before"
		printf '%q ' "$@"
		printf '2>%q & echo $! >%q; fg >/dev/null 2>&1; status=$?\n' "$tmp/stderr" "$tmp/pid"
		printf 'while [ $status = 147 ] || [ $status = 148 ]; do stty -g >%q; echo stopped; while [ ! -e %q ]; do sleep 0.05; done\n' \
			"$tmp/after" "$tmp/go-on"
		printf 'rm %q; fg >/dev/null 2>&1; status=$?; done\n' "$tmp/go-on"
		printf 'echo "status $status"; stty -g >%q; echo over; exec cat\n' "$tmp/after"
	} >"$tmp/run"
	rm -f "$tmp/pid" "$tmp/after"
	tell respawn-pane -k "exec bash --norc -m $tmp/run"
	tell clear-history
}

keys() # as tmux send-keys names them
{
	tell send-keys "$@"
}

shot()
{
	tell capture-pane -p
}

# wait_for REGEX [SECONDS]: some line of the screen matches. False when it does not come.
wait_for()
{
	local line end=$((SECONDS + ${2:-20}))

	while :; do
		shot
		for line in "${reply[@]}"; do
			[[ $line =~ $1 ]] && return
		done
		[ $SECONDS -lt $end ] || break
		pause
	done
	printf '# %s\n' "${reply[@]}" "never came: $1"
	return 1
}

shows() # NAME REGEX
{
	ok "$1" wait_for "$2"
}

masked() # the shot, times of day masked
{
	local line

	for line in "${reply[@]}"; do
		while [[ $line =~ ^(.*)[0-9][0-9]:[0-9][0-9]:[0-9][0-9](.*)$ ]]; do
			line="${BASH_REMATCH[1]}HH:MM:SS${BASH_REMATCH[2]}"
		done
		printf '%s\n' "$line"
	done
}

# screen_is NAME: the whole screen, once it is what is expected or does not become it.
screen_is()
{
	local end=$((SECONDS + 10)) wanted=

	[ -n "${SLABKIT_NEW_SCREENS:-}" ] && { sleep 1; shot; masked >"$screens/$1"; }
	[ -f "$screens/$1" ] && wanted=$(<"$screens/$1")
	while shot; masked >"$tmp/shot"; [ "$(<"$tmp/shot")" != "$wanted" ] && [ $SECONDS -lt $end ]; do
		pause
	done
	ok "screen $1" same "$tmp/shot" "$screens/$1"
}

# ended NAME [STATUS]: the program left with this status, the terminal is as it was: its modes, the
# main screen, the cursor, no mouse reports.
ended()
{
	ok "$1: ends with status ${2:-0}" wait_for "^status ${2:-0}\$"
	wait_for '^over$'
	given_back "$1"
}

given_back() # NAME
{
	ok "$1: terminal modes" cmp -s "$tmp/before" "$tmp/after"
	tell display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}'
	is "$1: screen, cursor, mouse, keypad" "${reply[0]}" "0 1 0 0"
}

# A slab tree as a root: $root/sys/kernel/slab, with the version of its kernel.
frozen_root() # DIR
{
	mkdir -p "$1/proc"
	untree "$top/tests/tui/tree.txt" "$1/sys/kernel/slab"
	echo 'Linux version 6.12.0-frozen (someone@somewhere) #1 SMP' >"$1/proc/version"
}
