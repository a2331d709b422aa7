TESTS += $(wildcard tests/unit/*_test.c)
num_test_USES :=
derive_test_USES := slabstat
