#!/bin/bash
# What a terminal does to a program: it changes its size, stops it, asks in the middle of a prompt,
# goes away. Whatever comes, nothing crashes and the terminal is as it was.
. "$(dirname "$0")/../cli/tap.sh"
. "$top/tests/tui/term.sh"

root=$tmp/root
frozen_root "$root"

process() # the program's id; it may not have been written yet
{
	while [ ! -s "$tmp/pid" ]; do pause; done
	cat "$tmp/pid"
}

start()
{
	term 80 24 slabtop --root "$root" "$@"
	wait_for '^ buffer_head'
}

start
for ((i = 0; i < 120; i++)); do
	tell resize-window -x $((1 + RANDOM % 200)) -y $((1 + RANDOM % 60))
done
for size in '200 60' '40 10' '20 5' '1 1'; do
	read -r w h <<<"$size"
	tell resize-window -x "$w" -y "$h"
	for key in 2 3 4 5 6 '?' 1 Enter Escape f Escape / Escape End; do
		keys "$key"
	done
	pause
done
tell resize-window -x 80 -y 24
keys 1 Home
shows "a storm of resizes, every view in every size" '^ buffer_head +3.9 MiB'
keys q
ended "after the storm"

start
keys C-z
shows "Ctrl-Z stops it" '^stopped$'
given_back "stopped"
tell resize-window -x 100 -y 20
touch "$tmp/go-on"
shows "continued, in its new size" '^1 caches .* leave f columns'
kill -STOP "$(process)"
wait_for '^stopped'
touch "$tmp/go-on"
keys 2
shows "stopped and continued from outside" '^slabtop  families'
keys q
ended "after stopping"

start
keys / k m
tell resize-window -x 100 -y 20
shows "a new size while a prompt waits" '^/km$'
keys a l
shows "the prompt goes on" '^/kmal$'
shows "its filter is at work" '^slabtop  caches 4 of 14  /kmal'
keys Enter q
ended "after a prompt"

for signal in TERM HUP QUIT; do
	start
	kill -$signal "$(process)"
	ended "killed by $signal" $((128 + $(kill -l $signal)))
done
start
keys C-c
ended "Ctrl-C"

# The end of the terminal, even for a program that ignores SIGHUP.
term 80 24 sh -c 'trap "" HUP; exec slabtop --root "$1" -d 0.1' sh "$root"
wait_for '^ buffer_head'
pid=$(pgrep -f "^slabtop --root $root -d 0.1" | head -n 1)
tell respawn-pane -k 'exec cat'
for ((i = 0; i < 100; i++)); do
	kill -0 "$pid" 2>/dev/null || break
	pause
done
ok "the terminal goes away: it ends" [ ! -d "/proc/$pid" ]

# A program that is watched goes away: its last figures stay, and the title says that they are that.
mkfifo "$tmp/words" "$tmp/answers"
watch_program()
{
	XDG_RUNTIME_DIR=$tmp SLAB_OPTIONS=publish "$build/tests/cli/publisher" <"$tmp/words" >"$tmp/answers" &
	publisher=$!
	exec {words}>"$tmp/words" {answers}<"$tmp/answers"
	printf 'create session 104\nalloc session 1000\n' >&"$words"
	for ((i = 0; i < 3; i++)); do read -r -u "$answers" line; done
	term 80 24 env XDG_RUNTIME_DIR="$tmp" slabtop --pid "$publisher" -d 0.1
}

watch_program
shows "a program: its name and number" "^slabtop  caches .* publisher \($publisher\)  .* every 0.1 s"
kill -KILL "$publisher"
shows "killed: the title says so" '^slabtop  caches [0-9]+  DIED .* its last figures'
shows "killed: its last figures stay" '^ session '
keys q
ended "a program that was killed"
exec {words}>&- {answers}<&-
watch_program
wait_for '^ session '
exec {words}>&- {answers}<&-
shows "in good order: the title says so" '^slabtop  caches [0-9]+  ENDED .* its last figures'
keys q
ended "a program that ended"

# What cannot be read is said on an untouched terminal.
term 80 24 slabtop --root "$tmp/nowhere"
shows "no such root: one line" "^over$"
ok "no such root: status" wait_for '^status 1$' 0
ok "no such root: its line" one_line "$tmp/stderr"
tell display-message -p '#{history_size} #{alternate_saved_x}'
ok "no such root: no escape code" [ -z "$(printf '%s' "${reply[0]}" | tr -d '0-9 ')" ]

# A terminal that cannot show a picture.
term 80 24 env TERM=dumb slabtop --root "$root"
shows "TERM=dumb: lines instead" '^ buffer_head +3.9 MiB'
shows "TERM=dumb: it ends" '^status 0$'
ok "TERM=dumb: says so" grep -q "cannot move its cursor" "$tmp/stderr"
term 80 24 env TERM=no-such-type slabtop --root "$root"
shows "an unknown terminal: status" '^status 1$'
ok "an unknown terminal: says so" grep -q "terminal type 'no-such-type' is not known" "$tmp/stderr"

done_testing
