PROGRAMS += slabplot
slabplot_SRCS := $(wildcard plotter/*.c) $(cli_SRCS)
slabplot_USES := slabstat
slabplot_LDLIBS := -lm
COMPLETIONS += $(B)/completions/slabplot
