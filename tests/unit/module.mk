TESTS += $(wildcard tests/unit/*_test.c)
num_test_USES :=
derive_test_USES := slabstat
json_test_LDLIBS = $(call pkg_libs,libcjson)
