# publisher.sh - programs that publish, for scripts. Source it behind tap.sh.
#
#	publisher p [SLAB_OPTIONS]	starts one; tell p LINE... says what it does, $answer is its answer
#	publisher_end p			it ends in good order; ${p_pid} is its number meanwhile
#
# Pages lie below $tmp, so that no page of anybody else is met there.
# shellcheck shell=bash

export XDG_RUNTIME_DIR=$tmp/run
mkdir -p "$XDG_RUNTIME_DIR"
answer=

publisher() # NAME [OPTIONS]
{
	local in out_fd name=$1
	mkfifo "$tmp/$name.in" "$tmp/$name.out" 2>/dev/null
	SLAB_OPTIONS=${2-publish} "$build/tests/cli/publisher" <"$tmp/$name.in" >"$tmp/$name.out" 2>"$tmp/$name.err" &
	eval "${name}_job=$!"
	exec {in}>"$tmp/$name.in" {out_fd}<"$tmp/$name.out"
	eval "${name}_in=$in ${name}_out=$out_fd"
	read -r -u "$out_fd" answer
	eval "${name}_pid=$answer"
}

tell() # NAME WORD...
{
	local in="$1_in" out_fd="$1_out"
	shift
	echo "$*" >&"${!in}"
	read -r -u "${!out_fd}" answer
}

publisher_end() # NAME
{
	local in="$1_in" out_fd="$1_out" job="$1_job"
	eval "exec ${!in}>&- ${!out_fd}<&-"
	wait "${!job}" 2>/dev/null
}
