# The contract between libslabkit and libslabstat: each has it compiled in.
wire_SRCS := $(wildcard lib/wire/*.c)
