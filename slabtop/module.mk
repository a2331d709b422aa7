PROGRAMS += slabtop
slabtop_SRCS := $(wildcard slabtop/*.c) $(cli_SRCS)
slabtop_USES := slabstat
slabtop_PKGS := ncursesw
COMPLETIONS += $(B)/completions/slabtop
