# libfuse3 is not everywhere: without it the rest is built, and make says so.
ifeq ($(shell $(PKG_CONFIG) --exists fuse3 2>/dev/null && echo yes),yes)
PROGRAMS += slabfs
slabfs_SRCS := $(wildcard slabfs/*.c) $(cli_SRCS)
slabfs_USES := slabstat
slabfs_PKGS := fuse3
COMPLETIONS += $(B)/completions/slabfs
else
MANPAGES := $(filter-out man/slabfs.1,$(MANPAGES))
all: slabfs-left-out
.PHONY: slabfs-left-out
slabfs-left-out:
	@echo 'slabfs is left out: there is no libfuse3 here (./setup installs it)'
endif
