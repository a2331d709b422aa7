#!/bin/sh
# Several memory nodes, faked where the machine has one.
. "${0%/*}/variants.sh"
try numa=fake:2 bulk cache churn fork hole model oom storm
try 'numa=fake:4 percpu=lock' model numa
try numa=fake:4 numa
echo "1..$n"
