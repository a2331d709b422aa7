# tunekill.sh - for tests of `slabinfo tune ... -- COMMAND`: kill it at random instants.
#
#	kill_matrix N CHECK TUNE...
#
# For each of HUP INT TERM KILL, sent to slabinfo and to the command: N times TUNE... -- COMMAND is
# started and the signal sent at a random instant of its life. After it, or after the next --undo
# where slabinfo itself was killed outright, CHECK must print "restored". One test a pair.
# shellcheck shell=bash disable=SC2154

# A background job of a script ignores INT; the command must not.
in_background()
{
	env --default-signal=INT,HUP,TERM "$@" >>"$tmp/kill.log" 2>&1 &
}

random_ms()
{
	echo $(((RANDOM * 32768 + RANDOM) % $1))
}

one_kill() # SIGNAL TARGET CHECK TUNE...
{
	local signal=$1 target=$2 check=$3 pid victim
	shift 3
	rm -f "$tmp/pid"
	in_background "$@" -- sh -c 'echo $$ >"$0"; exec sleep 0.12' "$tmp/pid"
	pid=$!
	sleep "0.$(printf %03d "$(random_ms 160)")"
	victim=$pid
	[ "$target" = slabinfo ] || victim=$(cat "$tmp/pid" 2>/dev/null)
	[ -z "$victim" ] || kill -"$signal" "$victim" 2>/dev/null
	wait "$pid" 2>/dev/null
	if [ "$signal $target" = 'KILL slabinfo' ]; then
		while slabinfo tune "${options[@]}" --undo >>"$tmp/kill.log" 2>&1; do :; done
	fi
	[ "$($check)" = restored ]
}

kill_matrix() # N CHECK TUNE...
{
	local n=$1 signal target i bad
	shift
	for signal in HUP INT TERM KILL; do
		for target in slabinfo command; do
			bad=0
			for ((i = 0; i < n; i++)); do
				one_kill $signal $target "$@" || bad=$((bad + 1))
			done
			is "$n x SIG$signal to $target: not restored" "$bad" 0
		done
	done
}
