TESTS += $(wildcard tests/alloc/*_test.c)
cache_test_USES := slabkit
bulk_test_USES := slabkit
kmalloc_test_USES := slabkit
storm_test_USES := slabkit
fork_test_USES := slabkit
oom_test_USES := slabkit
churn_test_USES := slabkit
