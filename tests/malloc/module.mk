TESTS += $(wildcard tests/malloc/*_test.c)
malloc_test_SRCS := tests/malloc/prefixed.c
malloc_test_USES := slabkit
preload_test_CFLAGS := -fno-builtin -Wno-use-after-free
preload_test_LDLIBS := -ldl
TEST_SCRIPTS += tests/malloc/preload.t
