ROOT_SCRIPTS += $(wildcard tests/live/*.t)
