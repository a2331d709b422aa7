SHIMS += slabkit-malloc
slabkit-malloc_SRCS := $(wildcard lib/malloc/*.c)
# The allocator without what malloc has no use for: what rcu.c defines, norcu.c defines before it.
slabkit-malloc_USES := slabkit
slabkit-malloc_MAP := lib/malloc/libslabkit-malloc.map
slabkit-malloc_CFLAGS := -DSLAB_NO_INLINE -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc
