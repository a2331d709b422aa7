LIBRARIES += slabkit
slabkit_SRCS := $(wildcard lib/slab/*.c)
slabkit_UTIL := lib/util/num.c $(wildcard lib/wire/*.c)
slabkit_CFLAGS := -DSLAB_NO_INLINE
slabkit_MAP := lib/slab/libslabkit.map
slabkit_DESC := object caches in user space: SLUB with per-CPU sheaves
slabkit_PKGS := liburcu-memb
slabkit_LDLIBS := -Wl,-z,nodelete
