# What the programs share above libslabstat: a program adds $(cli_SRCS) to its sources, answers
# --complete-words and names $(B)/completions/PROGRAM in COMPLETIONS.
cli_SRCS := $(wildcard lib/cli/*.c)

$(B)/completions/%: lib/cli/completion.bash
	@mkdir -p $(@D)
	cp $< $@
