# slabplot: what it computes; what it draws is tested by tests/cli/slabplot.t.
TESTS += tests/plot/decimate_test.c
decimate_test_SRCS := plotter/decimate.c
decimate_test_CFLAGS := -Iplotter
decimate_test_LDLIBS := -lm
