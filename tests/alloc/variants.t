#!/bin/sh
# Every way of per-CPU work passes every test: SLAB_OPTIONS forces the ones that this machine does
# not choose by itself.
: "${SLABKIT_BUILD:=build/release}"
SLABKIT_STORM_SECS=0.4
export SLABKIT_STORM_SECS
unset CMOCKA_MESSAGE_OUTPUT
n=0
for options in percpu=lock sheaf_capacity=0 'sheaf_capacity=0 percpu=lock'; do
	for test in "$SLABKIT_BUILD"/tests/alloc/*_test; do
		case $test in */opts_test|*/layers_test) continue ;; esac
		n=$((n + 1))
		name="$(basename "$test") with $options"
		if out=$(SLAB_OPTIONS=$options "$test" 2>&1); then
			echo "ok $n - $name"
		else
			echo "not ok $n - $name"
			echo "$out" | sed 's/^/# /'
		fi
	done
done
echo "1..$n"
