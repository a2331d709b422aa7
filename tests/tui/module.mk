# slabtop on a terminal: tmux is the terminal, on a server of its own.
TEST_SCRIPTS += $(wildcard tests/tui/*.t)
TESTS += $(wildcard tests/tui/*_test.c)
canvas_test_SRCS := slabtop/canvas.c
track_test_SRCS := slabtop/track.c
grid_test_SRCS := slabtop/grid.c slabtop/keys.c slabtop/columns.c slabtop/graph.c slabtop/canvas.c slabtop/track.c
engine_test_SRCS := slabtop/engine.c
$(foreach t,canvas track grid engine,$(eval $(t)_test_CFLAGS := -Islabtop)\
	$(eval $(t)_test_USES := slabstat))
