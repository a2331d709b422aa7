# Unit tests of the reader and the private helpers: a file a noun. All link libslabstat and what it
# needs, of which the linker takes what each uses.
TESTS += $(wildcard tests/unit/*_test.c)
$(foreach t,$(wildcard tests/unit/*_test.c),$(eval $(basename $(notdir $(t)))_USES := slabstat))
job_test_SRCS := slabinfo/job.c
job_test_CFLAGS := -Islabinfo
$(foreach t,tunedir journal plan undo,$(eval $(t)_test_SRCS := tests/unit/slabtree.c))
$(foreach t,root source_sysfs source_procfs source_hybrid machine trees,$(eval $(t)_test_SRCS := tests/unit/rootdir.c))
advice_test_SRCS := slabinfo/advice.c
advice_test_CFLAGS := -Islabinfo
sampler_test_SRCS := slabinfo/sampler.c
sampler_test_CFLAGS := -Islabinfo
