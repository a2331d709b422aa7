PROGRAMS += slabplot
slabplot_SRCS := $(wildcard plotter/*.c)
slabplot_USES := slabstat
slabplot_LDLIBS := -lm
