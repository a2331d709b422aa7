LIBRARIES += slabstat
slabstat_DESC := reader of slab cache statistics
slabstat_SRCS := $(wildcard lib/slabstat/*.c)
slabstat_UTIL = $(util_SRCS) $(wire_SRCS)
slabstat_MAP := lib/slabstat/libslabstat.map
slabstat_PKGS := libcjson libzstd zlib
slabstat_LDLIBS := -lm
