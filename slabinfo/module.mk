PROGRAMS += slabinfo
slabinfo_SRCS := $(wildcard slabinfo/*.c) $(cli_SRCS)
slabinfo_USES := slabstat
COMPLETIONS += $(B)/completions/slabinfo
