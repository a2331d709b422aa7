# bash completion for the programs of slabkit: they know their options, this asks them.
_slabkit()
{
	local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} head='' words
	local -a before=()
	local i

	# "--sort=x" comes as three words.
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == '=' ]] || before+=("${COMP_WORDS[i]}")
	done
	[[ $cur == '=' ]] && cur=''
	# Lists with commas: complete the last name.
	if [[ $cur == *,* ]]; then
		head=${cur%,*},
		cur=${cur##*,}
	fi
	words=$("${COMP_WORDS[0]}" --complete-words "${before[@]}" 2>/dev/null)
	COMPREPLY=($(compgen -P "$head" -W "$words" -- "$cur"))
}
complete -o default -F _slabkit slabinfo slabtop slabplot slabfs
