#!/bin/sh
# Every way of per-CPU work, and watching every object, passes every test: SLAB_OPTIONS forces the ones
# that this machine does not choose by itself.
: "${SLABKIT_BUILD:=build/release}"
SLABKIT_STORM_SECS=0.4 SLABKIT_PREFILL_CALLS=100000
export SLABKIT_STORM_SECS SLABKIT_PREFILL_CALLS
unset CMOCKA_MESSAGE_OUTPUT
n=0

# try OPTIONS TEST...
try() {
	options=$1
	shift
	for test; do
		n=$((n + 1))
		name="${test}_test with $options"
		if out=$(SLAB_OPTIONS=$options "$SLABKIT_BUILD/tests/alloc/${test}_test" 2>&1); then
			echo "ok $n - $name"
		else
			echo "not ok $n - $name"
			echo "$out" | sed 's/^/# /'
		fi
	done
}

all=
for test in "$SLABKIT_BUILD"/tests/alloc/*_test; do
	test=$(basename "$test" _test)
	case $test in opts|layers) ;; *) all="$all $test" ;; esac
done
for options in percpu=lock sheaf_capacity=0 'sheaf_capacity=0 percpu=lock'; do
	try "$options" $all
done
# Caches that watch are not merged and have no sheaves.
try debug=FZPU $(echo "$all" | sed 's/ merge//; s/ tune//')
try numa=fake:2 bulk cache churn fork model oom storm
try 'numa=fake:4 percpu=lock' model numa
try numa=fake:4 numa
echo "1..$n"
