# slabkit: one non-recursive makefile. Every folder that builds something has a module.mk, which
# names its sources and nothing else; the rules stand here, once.
#
#	make			programs and libraries, in build/release
#	make VARIANT=asan	the same with another set of flags, in build/asan
#	make help		every target

comma    := ,
VERSION  := 0.1.0
SOVERSION := 0

VARIANT  ?= release
B        := build/$(VARIANT)
PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
LIBDIR   ?= $(PREFIX)/lib
INCDIR   ?= $(PREFIX)/include
MANDIR   ?= $(PREFIX)/share/man
COMPDIR  ?= $(PREFIX)/share/bash-completion/completions
PKGDIR   ?= $(LIBDIR)/pkgconfig

PKG_CONFIG ?= pkg-config
PYTHON     ?= python3
PROVE      ?= prove
JOBS       ?= $(shell nproc 2>/dev/null || echo 2)

# Variants: name, compiler where it matters, flags.
OPT_release  := -O2 -g
OPT_debug    := -O0 -g3 -DSLABKIT_DEBUG
OPT_asan     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT_tsan     := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
OPT_fuzz     := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
OPT_coverage := -O0 -g --coverage
OPT_clang    := -O2 -g
ifneq ($(filter fuzz clang,$(VARIANT)),)
CC := clang
endif
ifeq ($(OPT_$(VARIANT)),)
$(error unknown VARIANT '$(VARIANT)'; known: release debug asan tsan fuzz coverage clang)
endif

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
	    -Wundef -Wpointer-arith -Wwrite-strings
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

SK_CFLAGS := -std=gnu11 $(WARNINGS) -fvisibility=hidden -fno-strict-aliasing -pthread $(OPT_$(VARIANT)) $(CFLAGS)
SK_CPPFLAGS := -D_GNU_SOURCE -DSLABKIT_VERSION='"$(VERSION)"' -Ilib/include -Ilib $(CPPFLAGS)
SK_LDFLAGS := -pthread $(filter -fsanitize=% --coverage,$(subst fuzzer-no-link$(comma),,$(OPT_$(VARIANT)))) $(LDFLAGS)


# Filled by the fragments:
#	LIBRARIES	names; for NAME: NAME_SRCS, NAME_MAP, NAME_PKGS, NAME_LDLIBS
#	PROGRAMS	names; for NAME: NAME_SRCS, NAME_USES (our libraries), NAME_PKGS, NAME_LDLIBS
#	TESTS		test programs: paths of one _test.c each; for tests/x/y_test.c: y_test_USES
#	TEST_SCRIPTS	executable files that print TAP
#	HEADERS MANPAGES COMPLETIONS	installed files
#	SHIMS		names of libraries for LD_PRELOAD; as LIBRARIES, with USES
LIBRARIES :=
SHIMS :=
PROGRAMS :=
TESTS :=
TEST_SCRIPTS :=
ROOT_SCRIPTS :=
HEADERS := $(wildcard lib/include/slab/*.h lib/include/slab/*.def)
MANPAGES := $(wildcard man/*.[1-8])
COMPLETIONS :=

all:

include $(sort $(wildcard lib/*/module.mk slabinfo/module.mk slabtop/module.mk plotter/module.mk \
	slabfs/module.mk man/module.mk tests/module.mk tests/*/module.mk))

pkg_cflags = $(if $(strip $(1)),$(shell $(PKG_CONFIG) --cflags $(1)))
pkg_libs   = $(if $(strip $(1)),$(shell $(PKG_CONFIG) --libs $(1)))
objs       = $(patsubst %.c,$(B)/obj/%.o,$(1))
uses_libs  = $(foreach u,$(1),$(B)/lib/lib$(u).a)
uses_pkgs  = $(foreach u,$(1),$($(u)_PKGS))
uses_ld    = $(foreach u,$(1),$($(u)_LDLIBS))

# ---- objects -------------------------------------------------------------------------------------

# -fPIC everywhere: one object serves the static library, the shared one and the unit tests.
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(SK_CPPFLAGS) $(SK_CFLAGS) -fPIC $(FILE_CFLAGS) -MMD -MP -c -o $@ $<

# ---- lib/util: private helpers, linked into everything -------------------------------------------

UTIL_LIB := $(B)/lib/libutil.a
$(UTIL_LIB): $(call objs,$(util_SRCS))
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# ---- libraries -----------------------------------------------------------------------------------

define library_rules
$(call objs,$($(1)_SRCS)): FILE_CFLAGS := $(call pkg_cflags,$($(1)_PKGS)) $($(1)_CFLAGS)
$(B)/lib/lib$(1).a: $(call objs,$($(1)_SRCS) $($(1)_UTIL))
	@mkdir -p $$(@D)
	@rm -f $$@
	$(AR) rcs $$@ $$^
$(B)/lib/lib$(1).so.$(SOVERSION): $(call objs,$($(1)_SRCS) $($(1)_UTIL)) $($(1)_MAP)
	@mkdir -p $$(@D)
	$(CC) -shared -Wl,-soname,lib$(1).so.$(SOVERSION) $(if $($(1)_MAP),-Wl$(comma)--version-script=$($(1)_MAP)) \
		-o $$@ $$(filter %.o,$$^) $(SK_LDFLAGS) $(call pkg_libs,$($(1)_PKGS)) $($(1)_LDLIBS)
$(B)/lib/lib$(1).so: $(B)/lib/lib$(1).so.$(SOVERSION)
	ln -sf lib$(1).so.$(SOVERSION) $$@
$(B)/lib/pkgconfig/$(1).pc: FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCDIR)' '' \
		'Name: lib$(1)' 'Description: $($(1)_DESC)' 'Version: $(VERSION)' \
		$(if $($(1)_PKGS),'Requires.private: $($(1)_PKGS)') \
		'Libs: -L$$$${libdir} -l$(1)' 'Libs.private: -pthread $($(1)_LDLIBS)' \
		'Cflags: -I$$$${includedir}' > $$@
all: $(B)/lib/lib$(1).a $(if $(filter fuzz,$(VARIANT)),,$(B)/lib/lib$(1).so)
endef
$(foreach l,$(LIBRARIES),$(eval $(call library_rules,$(l))))

# ---- shims: for LD_PRELOAD, our libraries inside and hidden ----------------------------------------

# Sanitizers bring their own of what a shim replaces; tests link its sources instead. Symbols are
# bound when it is loaded: nothing may be looked up, and memory asked for, in the middle of a call.
define shim_rules
$(call objs,$($(1)_SRCS)): FILE_CFLAGS := $($(1)_CFLAGS)
$(B)/lib/lib$(1).so: $(call objs,$($(1)_SRCS)) $(call uses_libs,$($(1)_USES)) $($(1)_MAP)
	@mkdir -p $$(@D)
	$(CC) -shared -Wl,-soname,lib$(1).so,-z,now,-z,defs -Wl,--version-script=$($(1)_MAP) \
		-o $$@ $$(filter %.o %.a,$$^) $(SK_LDFLAGS)
endef
$(foreach s,$(SHIMS),$(eval $(call shim_rules,$(s))))
SHIM_LIBS := $(if $(filter asan tsan fuzz,$(VARIANT)),,$(foreach s,$(SHIMS),$(B)/lib/lib$(s).so))
all: $(SHIM_LIBS)

# ---- programs: our libraries are linked statically, so that a program is one file ----------------

define program_rules
$(call objs,$($(1)_SRCS)): FILE_CFLAGS := $(call pkg_cflags,$($(1)_PKGS) $(call uses_pkgs,$($(1)_USES))) $($(1)_CFLAGS)
$(B)/bin/$(1): $(call objs,$($(1)_SRCS)) $(call uses_libs,$($(1)_USES)) $(UTIL_LIB)
	@mkdir -p $$(@D)
	$(CC) -o $$@ $$^ $(SK_LDFLAGS) $(call pkg_libs,$($(1)_PKGS) $(call uses_pkgs,$($(1)_USES))) $($(1)_LDLIBS) $(call uses_ld,$($(1)_USES))
all: $(B)/bin/$(1)
endef
$(if $(filter fuzz,$(VARIANT)),,$(foreach p,$(PROGRAMS),$(eval $(call program_rules,$(p)))))

# ---- test programs: tests/FOLDER/NOUN_test.c -> build/VARIANT/tests/FOLDER/NOUN_test ---------------

define test_rules
$(call objs,$(1)): FILE_CFLAGS := $(call pkg_cflags,cmocka $(call uses_pkgs,$($(basename $(notdir $(1)))_USES))) \
	-Itests $($(basename $(notdir $(1)))_CFLAGS)
$(B)/$(basename $(1)): $(call objs,$(1) $($(basename $(notdir $(1)))_SRCS)) $(call uses_libs,$($(basename $(notdir $(1)))_USES)) $(UTIL_LIB)
	@mkdir -p $$(@D)
	$(CC) -o $$@ $$^ $(SK_LDFLAGS) $(call pkg_libs,cmocka $(call uses_pkgs,$($(basename $(notdir $(1)))_USES))) \
		$(call uses_ld,$($(basename $(notdir $(1)))_USES)) $($(basename $(notdir $(1)))_LDLIBS)
TEST_BINS += $(B)/$(basename $(1))
endef
$(foreach t,$(TESTS),$(eval $(call test_rules,$(t))))

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

# ---- checks --------------------------------------------------------------------------------------

# Every test prints TAP; prove counts it and shows what was skipped and why.
RUN_TESTS = CMOCKA_MESSAGE_OUTPUT=TAP SLABKIT_BUILD=$(abspath $(B)) LC_ALL=C \
	$(PROVE) -j$(JOBS) --directives --timer --exec ''

# Scripts come first: the longest would else run alone at the end.
check: all $(TEST_BINS)
	$(RUN_TESTS) $(TEST_SCRIPTS) $(TEST_BINS)

check-root: all
	$(RUN_TESTS) -j1 $(ROOT_SCRIPTS)

check-asan:
	$(MAKE) VARIANT=asan check
check-tsan:
	$(MAKE) VARIANT=tsan check-alloc check-malloc

# Which tests stand in which folder: make check-FOLDER runs tests/FOLDER alone.
check-unit check-cli check-tui check-alloc check-malloc: check-%: all $(TEST_BINS)
	$(RUN_TESTS) $(filter $(B)/tests/$*/%,$(TEST_BINS)) $(filter tests/$*/%,$(TEST_SCRIPTS))

lint:
	git ls-files '*.c' '*.h' '*.def' | LC_ALL=C xargs awk -f .ci/columns.awk
	$(MAKE) WERROR=1 VARIANT=release build-all
	$(MAKE) WERROR=1 VARIANT=clang build-all
build-all: all $(TEST_BINS)

FORMATTED := $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format:
	clang-format -i $(FORMATTED)

# ---- install -------------------------------------------------------------------------------------

# One line a file: mode, source, destination ("link": a symbolic link to source). A manifest of what
# was installed is kept, so that uninstall removes just that and install never replaces a file of
# somebody else's, such as the distribution's slabtop.
MANIFEST := $(PREFIX)/share/slabkit/manifest
INSTALL_LIST = \
	$(foreach p,$(PROGRAMS),755:$(B)/bin/$(p):$(BINDIR)/$(p)) \
	$(foreach l,$(LIBRARIES),644:$(B)/lib/lib$(l).a:$(LIBDIR)/lib$(l).a \
		755:$(B)/lib/lib$(l).so.$(SOVERSION):$(LIBDIR)/lib$(l).so.$(SOVERSION) \
		link:lib$(l).so.$(SOVERSION):$(LIBDIR)/lib$(l).so \
		644:$(B)/lib/pkgconfig/$(l).pc:$(PKGDIR)/$(l).pc) \
	$(foreach s,$(SHIMS),755:$(B)/lib/lib$(s).so:$(LIBDIR)/lib$(s).so) \
	$(foreach h,$(HEADERS),644:$(h):$(INCDIR)/slab/$(notdir $(h))) \
	$(foreach m,$(MANPAGES),644:$(m):$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m))) \
	$(foreach c,$(COMPLETIONS),644:$(c):$(COMPDIR)/$(notdir $(c)))

install: all $(foreach l,$(LIBRARIES),$(B)/lib/pkgconfig/$(l).pc) $(COMPLETIONS)
	@m='$(DESTDIR)$(MANIFEST)'; bad=0; \
	for f in $(INSTALL_LIST); do dst=$${f##*:}; \
		if { [ -e "$(DESTDIR)$$dst" ] || [ -L "$(DESTDIR)$$dst" ]; } && ! grep -qxF "$$dst" "$$m" 2>/dev/null; then \
			echo "install: $(DESTDIR)$$dst is there already and is not slabkit's; choose another PREFIX or remove it" >&2; bad=1; \
		fi; done; [ $$bad = 0 ]
	@install -d '$(DESTDIR)$(dir $(MANIFEST))'
	@printf '%s\n' $(foreach f,$(INSTALL_LIST),'$(lastword $(subst :, ,$(f)))') > '$(DESTDIR)$(MANIFEST).new'
	@if [ -f '$(DESTDIR)$(MANIFEST)' ]; then \
		grep -vxFf '$(DESTDIR)$(MANIFEST).new' '$(DESTDIR)$(MANIFEST)' | while IFS= read -r f; do rm -f "$(DESTDIR)$$f"; done; fi
	@mv '$(DESTDIR)$(MANIFEST).new' '$(DESTDIR)$(MANIFEST)'
	@for f in $(INSTALL_LIST); do mode=$${f%%:*}; dst=$(DESTDIR)$${f##*:}; src=$${f#*:}; src=$${src%:*}; \
		install -d "$$(dirname "$$dst")" || exit 1; \
		if [ $$mode = link ]; then ln -sfn "$$src" "$$dst"; else install -m $$mode "$$src" "$$dst"; fi || exit 1; done
	@[ -n '$(DESTDIR)' ] || [ "$$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig
	@echo "installed into $(DESTDIR)$(PREFIX); make uninstall PREFIX=$(PREFIX) takes it away again"

uninstall:
	@m='$(DESTDIR)$(MANIFEST)'; [ -f "$$m" ] || { echo "uninstall: no $$m: nothing was installed there" >&2; exit 1; }; \
	while IFS= read -r f; do rm -f "$(DESTDIR)$$f"; done < "$$m"; rm -f "$$m"; \
	rmdir -p --ignore-fail-on-non-empty '$(DESTDIR)$(dir $(MANIFEST))' '$(DESTDIR)$(INCDIR)/slab' 2>/dev/null; \
	echo "uninstalled from $(DESTDIR)$(PREFIX)"

check-install: all
	$(PROVE) --directives --exec '' tests/install/install.t

# What a release is made of: the files that git has, under one folder.
dist:
	@mkdir -p build
	git archive --prefix=slabkit-$(VERSION)/ -o build/slabkit-$(VERSION).tar.gz HEAD
	@echo build/slabkit-$(VERSION).tar.gz

# The first thing to see: this machine's slab caches, or a bundled tree where there are none.
try: all
	@sh tests/data/try.sh $(B)/bin/slabinfo

clean:
	rm -rf build

help:
	@sed -n 's/^##: //p' $(MAKEFILE_LIST)

##: make                 build programs and libraries into build/release
##: make VARIANT=v       release debug asan tsan fuzz coverage clang: build/v
##: make check           all tests that need no root and no network
##: make check-FOLDER    tests/unit, cli, tui, alloc or malloc alone
##: make check-asan      the same under AddressSanitizer and UBSan
##: make check-tsan      the allocator's tests under ThreadSanitizer
##: make check-root      against this machine's own kernel; restores what it writes
##: make lint            gcc and clang with -Werror; lines over 100 columns
##: make format          clang-format in place
##: make try             slabinfo -T on this machine, or on a bundled example
##: make install         into PREFIX (/usr/local), below DESTDIR; never replaces others' files
##: make uninstall       removes what install put there
##: make check-install   installs into a scratch folder, builds against it, removes it
##: make dist            build/slabkit-VERSION.tar.gz
##: make clean           remove build/

FORCE:
.DELETE_ON_ERROR:
.PHONY: FORCE install uninstall check-install dist try all check check-root check-asan check-tsan check-unit check-cli check-tui check-alloc check-malloc lint \
	build-all format clean help
