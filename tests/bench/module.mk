# make bench: one worker program an allocator, all of the same sources, and the driver that runs
# them. Nothing here is built by plain make: it needs peers that most machines lack.

BENCH ?= quick
PEERS ?=

BENCH_SRCS := $(addprefix tests/bench/,worker.c batch.c cross.c threads.c live.c merge.c stats.c rcu.c)
BENCH_CFLAGS = -std=gnu11 $(WARNINGS) -pthread -O2 -g -fno-builtin-malloc -fno-builtin-free \
	-D_GNU_SOURCE -DPOOL_HEADER='"pool_$(1).h"'
BENCH_OUT := $(B)/bench

# $(1) worker, $(2) header pool_$(2).h, $(3) more flags, $(4) libraries, $(5) what it waits for
define bench_rules
$(BENCH_OUT)/obj/$(1)/%.o: tests/bench/%.c
	@mkdir -p $$(@D)
	$(CC) $(call BENCH_CFLAGS,$(2)) $(3) -MMD -MP -c -o $$@ $$<
$(BENCH_OUT)/bench-$(1): $(patsubst tests/bench/%.c,$(BENCH_OUT)/obj/$(1)/%.o,$(BENCH_SRCS)) $(5)
	$(CC) -o $$@ $$(filter %.o,$$^) -pthread $(4) \
		-Wl,-rpath,$(abspath $(BENCH_OUT)):$(abspath $(B)/lib)
BENCH_WORKERS += $(BENCH_OUT)/bench-$(1)
-include $(wildcard $(BENCH_OUT)/obj/$(1)/*.d)
endef

BENCH_MODEL_LIB := $(BENCH_OUT)/libmodel.so
$(BENCH_MODEL_LIB): tests/bench/model.c tests/bench/model.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) -O2 -g -D_GNU_SOURCE -fPIC -fvisibility=hidden \
		-ftls-model=initial-exec -shared -o $@ $<

BENCH_WORKERS :=
$(eval $(call bench_rules,malloc,malloc,$(shell $(PKG_CONFIG) --cflags liburcu-memb),\
	-ldl $(shell $(PKG_CONFIG) --libs liburcu-memb)))
bench_model = $(call bench_rules,$(1),model,-DMODEL=$(2) -DMODEL_INLINE=$(3),\
	-L$(BENCH_OUT) -lmodel,$(BENCH_MODEL_LIB))
$(eval $(call bench_model,tls,tls,0))
$(eval $(call bench_model,tls-inlined,tls,1))
ifeq ($(shell uname -m),x86_64)
$(eval $(call bench_model,rseq,rseq,0))
$(eval $(call bench_model,rseq-inlined,rseq,1))
endif
ifneq ($(filter slabkit,$(LIBRARIES)),)
$(eval $(call bench_rules,slabkit,slabkit,-Ilib/include,-L$(B)/lib -lslabkit,\
	$(B)/lib/libslabkit.so))
endif
# DPDK is linked statically: as shared libraries it loads every driver there is when it starts.
ifneq ($(filter bench,$(MAKECMDGOALS)),)
ifeq ($(shell $(PKG_CONFIG) --exists libdpdk && echo yes),yes)
BENCH_DPDK_LIBS := -Wl,--whole-archive -l:librte_mempool.a -l:librte_mempool_ring.a \
	-Wl,--no-whole-archive -l:librte_ring.a -l:librte_eal.a -l:librte_telemetry.a \
	-l:librte_kvargs.a -l:libnuma.so.1 -l:libbsd.so.0 -ldl -lm
$(eval $(call bench_rules,dpdk,dpdk,$(shell $(PKG_CONFIG) --cflags libdpdk) -Wno-undef,\
	$(BENCH_DPDK_LIBS)))
endif
endif

bench: $(BENCH_WORKERS)
	$(PYTHON) -B tests/bench/bench.py --$(BENCH) --workers $(BENCH_OUT) --peers '$(PEERS)' \
		--json $(BENCH_OUT)/bench.json $(BENCH_ARGS)

##: make bench           libslabkit against its peers; BENCH=quick|full PEERS=name:/lib.so,...
.PHONY: bench

bench-malloc: $(B)/lib/libslabkit-malloc.so
	$(PYTHON) -B tests/bench/shim.py --shim $< $(BENCH_ARGS)

##: make bench-malloc    whole programs on the malloc shim, glibc, jemalloc, mimalloc; 10 minutes
.PHONY: bench-malloc

bench-top: $(B)/bin/slabtop
	$(PYTHON) -B tests/bench/top.py --slabtop $< $(BENCH_ARGS)

##: make bench-top       what slabtop takes of a CPU, beside a loop that only reads; root; 2 minutes
.PHONY: bench-top

$(BENCH_OUT)/bench-publish: tests/bench/publish.c $(B)/lib/libslabkit.so
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) -pthread -O2 -g -D_GNU_SOURCE -Ilib/include -o $@ $< \
		-L$(B)/lib -lslabkit -Wl,-rpath,$(abspath $(B)/lib)

bench-publish: $(BENCH_OUT)/bench-publish
	$(PYTHON) -B tests/bench/publish.py $< $(BENCH_ARGS)

##: make bench-publish   what publishing costs a program, and a reader of its page at 1 kHz
.PHONY: bench-publish
