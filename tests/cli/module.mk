TEST_SCRIPTS += $(wildcard tests/cli/*.t)

# A program that publishes its caches, for the scripts to read.
PUBLISHER := $(B)/tests/cli/publisher
$(PUBLISHER): $(B)/obj/tests/cli/publisher.o $(B)/lib/libslabkit.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(SK_LDFLAGS) $(call pkg_libs,$(slabkit_PKGS)) $(slabkit_LDLIBS)
build-all check check-cli: $(if $(filter fuzz,$(VARIANT)),,$(PUBLISHER))
