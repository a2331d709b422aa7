util_SRCS := $(wildcard lib/util/*.c)
