#!/bin/bash
# tune_run.t: settings that last as long as a command, whatever ends it.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/tunetree.sh"
. "$(dirname "$0")/tunekill.sh"

tree 6.18.5
tune dentry,pool cpu_partial=1 min_partial=7 -- sh -c "cat $slab/dentry/cpu_partial $slab/:0000256/min_partial; exit 5"
status_is 5
out_is '1
7'
err_has 'editing files under'
unchanged "after the command"
tune --history
out_has '^1 .* undone .* -- sh -c cat '

tune dentry cpu_partial=1 -- sh -c 'kill -TERM $$'
status_is 143
tune dentry cpu_partial=1 -- "$tmp/no-such-command"
status_is 127
tune dentry cpu_partial=1 -- "$tmp"
status_is 126
unchanged "commands that fail"
tune dentry cpu_partial=4294967296 -- touch "$tmp/ran"
status_is 125
ok "refused: the command is not run" [ ! -e "$tmp/ran" ]
tune nobody cpu_partial=1 -- touch "$tmp/ran"
status_is 125
ok "no such cache: the command is not run" [ ! -e "$tmp/ran" ]
tune --dry-run dentry cpu_partial=1 -- touch "$tmp/ran"
status_is 0
ok "a dry run does not run the command" [ ! -e "$tmp/ran" ]

# Somebody else writes meanwhile: the old value comes back all the same.
tune dentry cpu_partial=1 -- sh -c "echo 77 >$slab/dentry/cpu_partial"
status_is 0
unchanged "a value that was changed meanwhile"

# The reader of our output goes away.
label="output into a closed pipe"
{ slabinfo tune --root "$root" --journal "$journal" -m dentry cpu_partial=1 -- sh -c 'sleep 0.2'; } 2>/dev/null | true
unchanged "output into a closed pipe"

# The cache is made anew while the command runs: left alone, and said.
tune filp cpu_partial=1 -- sh -c "rm -r $slab/filp; cp -r $slab/dentry $slab/filp; echo 1 >$slab/filp/cpu_partial"
err_has 'filp: cpu_partial not restored to 52: the cache was destroyed and made anew since'
is "a cache made anew is left alone" "$(value filp cpu_partial)" 1

# ---- two at once ----
tree 6.18.5
slabinfo tune --root "$root" --journal "$journal" dentry cpu_partial=1 -- \
	sh -c "touch $tmp/up; while [ ! -e $tmp/go ]; do sleep 0.05; done" 2>/dev/null &
first=$!
while [ ! -e "$tmp/up" ]; do sleep 0.02; done
tune filp cpu_partial=1
status_is 1
err_has "process [0-9]+ is tuning while it runs sh -c touch .*; try again when it is done"
tune --undo
status_is 1
err_has 'is tuning'
tune --history
status_is 0
out_has 'running'
is "the second one wrote nothing" "$(value filp cpu_partial)" 52
touch "$tmp/go"
wait $first
unchanged "two at once"

# ---- slabinfo killed outright: the next call tells, --undo restores ----
rm -f "$tmp/up"
slabinfo tune --root "$root" --journal "$journal" dentry,pool cpu_partial=1 -- sh -c "touch $tmp/up; exec sleep 0.5" 2>/dev/null &
first=$!
while [ ! -e "$tmp/up" ]; do sleep 0.02; done
{ kill -KILL $first; wait $first; } 2>/dev/null
is "left in force" "$(value dentry cpu_partial)" 1
tune dentry
status_is 0
err_has "process $first \(sh -c touch .*\) is gone and left 2 values changed; put back with: slabinfo tune --root $root --journal $journal --undo=[0-9]+"
tune --undo
status_is 0
unchanged "undo after a kill"
tune dentry
err_is ''

# ---- signals at random instants ----
restored()
{
	[ "$(cat "$slab"/{dentry,:0000256,filp}/{cpu_partial,min_partial} | tr '\n' ' ')" = \
		"120 5 52 5 52 5 " ] && echo restored
}
options=(--root "$root" --journal "$journal")
kill_matrix "${KILLS:-2}" restored slabinfo tune "${options[@]}" --all cpu_partial=1 min_partial=9
tune --history
ok "no entry stays open" hasnt "$out" 'in force|left behind|running'

done_testing
