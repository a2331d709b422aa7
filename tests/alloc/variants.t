#!/bin/sh
# Every way of per-CPU work, and watching every object, passes every test: SLAB_OPTIONS forces the ones
# that this machine does not choose by itself.
: "${SLABKIT_BUILD:=build/release}"
SLABKIT_STORM_SECS=0.4 SLABKIT_PREFILL_CALLS=100000
export SLABKIT_STORM_SECS SLABKIT_PREFILL_CALLS
unset CMOCKA_MESSAGE_OUTPUT
n=0
for options in percpu=lock sheaf_capacity=0 'sheaf_capacity=0 percpu=lock' debug=FZPU; do
	for test in "$SLABKIT_BUILD"/tests/alloc/*_test; do
		case $options:$test in
		*/opts_test|*/layers_test) continue ;;
		# Caches that watch are not merged and have no sheaves.
		debug*/merge_test|debug*/tune_test) continue ;;
		esac
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
