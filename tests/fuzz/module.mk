# Fuzz targets: tests/fuzz/NOUN_fuzz.c is a libFuzzer target with its corpus in
# tests/fuzz/corpus/NOUN. In every other variant it is linked with replay.c instead of libFuzzer:
# then it is a test that goes through its corpus, and so part of make check.
FUZZ := $(wildcard tests/fuzz/*_fuzz.c)
TESTS += $(FUZZ)
FUZZ_BINS := $(patsubst %.c,$(B)/%,$(FUZZ))

define fuzz_settings
$(1)_USES := slabstat
ifeq ($(VARIANT),fuzz)
$(1)_LDLIBS := -fsanitize=fuzzer
else
$(1)_SRCS := tests/fuzz/replay.c
endif
endef
$(foreach f,$(FUZZ),$(eval $(call fuzz_settings,$(basename $(notdir $(f))))))

SECS ?= 60

##: make fuzz SECS=n     every fuzz target for n seconds; a finding is kept in build/fuzz/found
fuzz:
	$(MAKE) VARIANT=fuzz fuzz-run
fuzz-run: $(FUZZ_BINS)
	@mkdir -p $(B)/found
	@for f in $(FUZZ_BINS); do \
		noun=$$(basename $$f _fuzz); mkdir -p $(B)/corpus/$$noun; \
		echo "fuzz: $$noun for $(SECS) s"; \
		$$f -max_total_time=$(SECS) -print_final_stats=0 -verbosity=0 -timeout=10 -rss_limit_mb=1024 \
			-artifact_prefix=$(B)/found/$$noun- $(B)/corpus/$$noun tests/fuzz/corpus/$$noun || exit 1; \
	done

##: make fuzz-replay     every fuzz target's corpus under AddressSanitizer; FILES=... instead
fuzz-replay:
	$(MAKE) VARIANT=asan fuzz-replay-run
fuzz-replay-run: $(FUZZ_BINS)
	@for f in $(FUZZ_BINS); do $$f $(FILES) || exit 1; done

.PHONY: fuzz fuzz-run fuzz-replay fuzz-replay-run
