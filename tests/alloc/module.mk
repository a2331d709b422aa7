TESTS += $(wildcard tests/alloc/*_test.c)
cache_test_USES := slabkit
bulk_test_USES := slabkit
kmalloc_test_USES := slabkit
storm_test_USES := slabkit
fork_test_USES := slabkit
oom_test_USES := slabkit
churn_test_USES := slabkit
TEST_SCRIPTS += tests/alloc/variants.t tests/alloc/watched.t tests/alloc/nodes.t tests/alloc/fast.t
merge_test_USES := slabkit
tune_test_USES := slabkit
debug_test_USES := slabkit
model_test_USES := slabkit
opts_test_USES := slabkit
layers_test_USES := slabkit
hole_test_USES := slabkit
prefill_test_USES := slabkit
rcu_test_USES := slabkit
mempool_test_USES := slabkit
limit_test_USES := slabkit
shrinker_test_USES := slabkit
pressure_test_USES := slabkit
fault_test_USES := slabkit
tree_test_USES := slabkit
numa_test_USES := slabkit
tree_test_LDLIBS := -lurcu-mb
rcu_test_LDLIBS := -lurcu-mb -lurcu-qsbr

# Not part of make check: long.
SECS ?= 600
stress: all $(addprefix build/$(VARIANT)/tests/alloc/,storm_test fork_test model_test churn_test prefill_test rcu_test \
	limit_test shrinker_test numa_test)
	tests/alloc/stress.sh $(SECS) $(B)
.PHONY: stress

##: make stress SECS=n   storms, forks and random models of the allocator; 600 seconds
publish_test_USES := slabkit slabstat
