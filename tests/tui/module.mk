# slabtop on a terminal: tmux is the terminal, on a server of its own.
TEST_SCRIPTS += $(wildcard tests/tui/*.t)
TESTS += $(wildcard tests/tui/*_test.c)
canvas_test_SRCS := slabtop/canvas.c
graph_test_SRCS := slabtop/graph.c slabtop/canvas.c
keys_test_SRCS := slabtop/keys.c slabtop/columns.c slabtop/graph.c slabtop/canvas.c slabtop/track.c
track_test_SRCS := slabtop/track.c
grid_test_SRCS := slabtop/grid.c slabtop/columns.c slabtop/graph.c slabtop/canvas.c slabtop/track.c
engine_test_SRCS := slabtop/engine.c
prompt_test_SRCS := slabtop/prompt.c slabtop/canvas.c
$(foreach t,canvas graph keys track grid engine prompt,$(eval $(t)_test_CFLAGS := -Islabtop)\
	$(eval $(t)_test_USES := slabstat))
