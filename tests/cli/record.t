#!/bin/bash
# record.t: samples around a command, whatever ends it, and what is left in the file.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/recordroot.sh"

machine

# ---- a command ----
record -- sh -c "sleep 0.2; $set dentry 3000; sleep 0.2"
status_is 0
out_is ''
err_is ''
ok "samples were taken meanwhile" [ "$(samples "$rec")" -ge 6 ]
ok "the recording ends with its index" has "$rec" '^\{"end":[0-9]+\}$'
if command -v python3 >/dev/null; then
	cat >"$tmp/check.py" <<'END'
import json, sys
for line in open(sys.argv[1]): json.loads(line)
END
	run python3 "$tmp/check.py" "$rec"
	status_is 0
else
	skip 1 "no python3"
fi
run slabinfo diff --at first,last "$rec" "$rec"
status_is 1
out_has '^dentry .*\+380\.0 KiB +~?\+2000'
run slabinfo -F "$rec" --at 0 -H -c name,objects dentry
out_is "dentry	1000"
run slabinfo -F "$rec" --at last -H -c name,objects dentry
out_is "dentry	3000"
run slabinfo -F "$rec" --at peak -H -c name,objects dentry
out_is "dentry	3000"
run slabinfo -F "$rec" --at noon
status_is 1
err_has "'noon': no sample is named so"

# ---- exit statuses ----
rm -f "$rec"
record -- sh -c 'exit 7'
status_is 7
rm -f "$rec"
record -- sh -c 'kill -TERM $$'
status_is 143
rm -f "$rec"
record -- "$tmp/no-such-command"
status_is 127
err_has 'cannot run'
rm -f "$rec"
record -- "$tmp"
status_is 126
rm -f "$rec"
record --runs 3 -- bash -c "echo x >>$tmp/runs; exit \$((\$(wc -l <$tmp/runs) == 2 ? 9 : 0))"
status_is 9
is "all three runs" "$(wc -l <"$tmp/runs")" 3
is "a mark for each start" "$(grep -c '"kind":"start"' "$rec")" 3
is "a settled sample for each run and before" "$(grep -c '"kind":"settled"' "$rec")" 4
ok "the end tells the status" has "$rec" '"kind":"end",.*"run":2,"status":9'

# ---- files that are there already ----
cp "$rec" "$tmp/before"
record -- touch "$tmp/ran"
status_is 125
err_has 'a\.rec: exists already: --append goes on in it, --force replaces it'
ok "refused: the command is not run" [ ! -e "$tmp/ran" ]
ok "refused: the file is as it was" cmp -s "$rec" "$tmp/before"
record --append -- true
status_is 0
is "appended: a second header" "$(grep -c '^{"slabkit"' "$rec")" 2
run slabinfo report "$rec"
status_is 0
machine other-boot
record --append -- touch "$tmp/ran"
status_is 125
err_has 'another boot'
machine
record --force -- true
status_is 0
is "replaced: one header" "$(grep -c '^{"slabkit"' "$rec")" 1
echo 'no recording' >"$rec"
record --append -- true
status_is 125
err_has 'not a recording'
rm -f "$rec"

# ---- what is no file ----
run slabinfo record --root "$root" -o - -n 1
status_is 2
err_has "a recording goes to a file: /dev/stdout, or \./- for one of that name"
ok "no file of that name" [ ! -e - ]

# ---- removed while it is recorded ----
rm -f "$rec"
record -- rm "$rec"
status_is 125
err_has 'a\.rec: was removed while it was recorded'

# ---- what cannot be written ----
for bad in /nonexistent/a.rec "$tmp" /dev/full; do
	run slabinfo record --root "$root" -o "$bad" -- touch "$tmp/ran"
	status_is 125
	ok "$label: one line" one_line "$err"
	ok "$label: the command is not run" [ ! -e "$tmp/ran" ]
	run slabinfo record --root "$root" -o "$bad" -n 1
	status_is 1
done

# Writing fails while the command runs: it is left to finish.
mkfifo "$tmp/pipe"
sed '/"kind":"start"/q' "$tmp/pipe" >/dev/null &
run slabinfo record --root "$root" -o "$tmp/pipe" -i 0.05 --settle 0 -- sh -c "sleep 0.6; touch $tmp/finished; exit 3"
status_is 125
err_has 'pipe: Broken pipe'
ok "$label: one line" one_line "$err"
ok "the command was left to finish" [ -e "$tmp/finished" ]
wait

# ---- without a command ----
record -n 4
status_is 0
is "-n 4: four samples" "$(samples "$rec")" 4
rm -f "$rec"
slabinfo record --root "$root" -o "$rec" -i 0.05 2>"$err" &
pid=$!
while [ ! -e "$rec" ]; do sleep 0.02; done
sleep 0.2
kill -TERM $pid
wait $pid
status=$?
label="ended by a signal"
status_is 0
ok "ended by a signal: the index is there" has "$rec" '^\{"end":'

# ---- signals go on to the command ----
rm -f "$rec"
slabinfo record --root "$root" -o "$rec" -i 0.05 --settle 0 -- bash -c "trap 'touch $tmp/got; exit 4' USR1; touch $tmp/up; while :; do sleep 0.05; done" 2>"$err" &
pid=$!
while [ ! -e "$tmp/up" ]; do sleep 0.02; done
kill -USR1 $pid
wait $pid
status=$?
label="a signal passed on"
status_is 4
ok "the command got it" [ -e "$tmp/got" ]

# ---- marks ----
rm -f "$rec"
record -- bash -c "sleep 0.1; echo 'pack \"it\"' >>\"\$SLABINFO_MARKS\"; slabinfo mark $rec from outside; printf last >>\"\$SLABINFO_MARKS\"; echo \$SLABINFO_MARKS >$tmp/name"
status_is 0
ok "a line of the command" has "$rec" '^\{"mark":"pack \\"it\\"","kind":"user"'
ok "slabinfo mark" has "$rec" '^\{"mark":"from outside","kind":"user"'
ok "a last line without newline" has "$rec" '^\{"mark":"last","kind":"user"'
ok "the file for marks is gone" [ ! -e "$(cat "$tmp/name")" ]
run slabinfo -F "$rec" --at 'mark:from outside' -H -c name,objects dentry
out_is "dentry	1000"
run slabinfo mark "$rec" late
status_is 1
err_has 'nobody is recording to it'
run slabinfo mark "$tmp/none.rec" x
status_is 1
run slabinfo mark "$rec"
status_is 2

# ---- killed ----
rm -f "$rec"
slabinfo record --root "$root" -o "$rec" -i 0.02 2>/dev/null &
pid=$!
while [ ! -e "$rec" ]; do sleep 0.02; done
sleep 0.3
{ kill -KILL $pid; wait $pid; } 2>/dev/null
run slabinfo report "$rec"
status_is 0
out_has 'not ended in order \(killed, or still being recorded\)'
printf '{"sample":99,"mono' >>"$rec"
run slabinfo -F "$rec" -H -c name,objects dentry
status_is 0
out_is "dentry	1000"

# ---- compressed ----
for ending in zst gz; do
	rm -f "$rec"
	run slabinfo record --root "$root" -o "$rec.$ending" -i 0.05 --settle 0 -- sleep 0.2
	status_is 0
	ok "$ending: the plain file is gone" [ ! -e "$rec" ]
	run slabinfo -F "$rec.$ending" -H -c name,objects dentry
	out_is "dentry	1000"
	head -c 100 "$rec.$ending" >"$tmp/cut.$ending"
	run slabinfo -F "$tmp/cut.$ending"
	status_is 1
	err_has 'nothing can be unpacked from it: it is cut short|has no sample in it'
	run slabinfo record --root "$root" -o "$rec.$ending" -- touch "$tmp/ran"
	status_is 125
	ok "$ending: refused: the command is not run" [ ! -e "$tmp/ran" ]
done
is "nothing else is left behind" "$(cd "$tmp" && echo a.rec*)" "a.rec.gz a.rec.zst"

# ---- reads that cost too much ----
run slabinfo record --root "$root" -o "$tmp/cheap.rec" -i 0.01 -n 5 --max-overhead 0.5
status_is 0
ok "--max-overhead makes the interval longer" has "$tmp/cheap.rec" '"interval_s":'

# ---- usage ----
for words in '-i 0' '-i x' '-n 0' '-n -1' '--runs 2' '--fields nonsense' '--max-overhead 200' '--settle x' \
	'--append --force' '--frobnicate' '--'; do
	# shellcheck disable=SC2086
	run slabinfo record -o "$tmp/usage.rec" $words
	status_is 2
	ok "$label: nothing is written" [ ! -e "$tmp/usage.rec" ]
done
run slabinfo record --help
status_is 0
out_has '--max-overhead=PERCENT'

done_testing
