#!/bin/sh
# stress.sh SECONDS BUILD - storms, forks and random models for so long, through every variant.
set -eu
secs=$1 tests=$2/tests/alloc
end=$(($(date +%s) + secs))
round=0
while [ "$(date +%s)" -lt "$end" ]; do
	for options in '' percpu=lock sheaf_capacity=0 sheaf_capacity=5 cpus=64 numa=fake:2; do
		[ "$(date +%s)" -lt "$end" ] || break
		round=$((round + 1))
		echo "# round $round: SLAB_OPTIONS='$options', $((end - $(date +%s))) s left"
		export SLAB_OPTIONS="$options" SLABKIT_SEED=$((round * 7919)) SLABKIT_STORM_SECS=20 SLABKIT_PREFILL_CALLS=100000000
		[ "$secs" -ge 60 ] || SLABKIT_STORM_SECS=2 SLABKIT_PREFILL_CALLS=1000000
		for test in storm fork model churn prefill rcu limit shrinker numa; do
			CMOCKA_MESSAGE_OUTPUT=STDOUT "$tests/${test}_test"
		done
	done
done
echo "# stress: $round rounds, no fault"
