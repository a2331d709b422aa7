#!/bin/sh
# Every way of per-CPU work passes every test.
. "${0%/*}/variants.sh"
for options in percpu=lock sheaf_capacity=0 'sheaf_capacity=0 percpu=lock'; do
	try "$options" $(every_but)
done
echo "1..$n"
