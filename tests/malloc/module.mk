TESTS += $(wildcard tests/malloc/*_test.c)
malloc_test_SRCS := tests/malloc/prefixed.c
malloc_test_USES := slabkit
# gcc sees the memory used after its free; clang knows no such warning.
preload_test_CFLAGS = -fno-builtin $(if $(findstring clang,$(CC)),,-Wno-use-after-free)
preload_test_LDLIBS := -ldl
TEST_SCRIPTS += tests/malloc/preload.t
