TEST_SCRIPTS += $(wildcard tests/cli/*.t)
