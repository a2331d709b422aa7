# variants.sh - sourced by the scripts that run tests again with SLAB_OPTIONS which this machine does not
# choose by itself.
: "${SLABKIT_BUILD:=build/release}"
SLABKIT_STORM_SECS=0.4 SLABKIT_PREFILL_CALLS=100000
export SLABKIT_STORM_SECS SLABKIT_PREFILL_CALLS
unset CMOCKA_MESSAGE_OUTPUT
n=0

# every_but NAME... - the tests to which options make a difference, less those named.
every_but() {
	for test in "$SLABKIT_BUILD"/tests/alloc/*_test; do
		test=${test##*/}
		test=${test%_test}
		case " opts layers $* " in *" $test "*) ;; *) echo "$test" ;; esac
	done
}

# try OPTIONS TEST...
try() {
	options=$1
	shift
	for test; do
		n=$((n + 1))
		if out=$(SLAB_OPTIONS=$options "$SLABKIT_BUILD/tests/alloc/${test}_test" 2>&1); then
			echo "ok $n - ${test}_test with $options"
		else
			echo "not ok $n - ${test}_test with $options"
			echo "$out" | sed 's/^/# /'
		fi
	done
}
