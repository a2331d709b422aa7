# The lab: real kernels under qemu. Each script prints TAP and skips where a kernel, qemu or the
# network is missing, so that it never fails for want of one.
LAB_SCRIPTS := $(wildcard tests/lab/*.t)

check-lab: all
	$(RUN_TESTS) -j1 $(LAB_SCRIPTS)

##: make check-lab       on other kernels under qemu (fetched once, kept in ~/.cache/slabkit)
.PHONY: check-lab
