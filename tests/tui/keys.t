#!/bin/bash
# What keys do to lists: order, filter, cursor, growth, columns, tunables, saving.
. "$(dirname "$0")/../cli/tap.sh"
. "$top/tests/tui/term.sh"

root=$tmp/root
slab=$root/sys/kernel/slab
frozen_root "$root"

first_is() # NAME REGEX: of the row under the heading
{
	local end=$((SECONDS + 20)) i row=

	while shot; do
		for ((i = 0; i < ${#reply[@]}; i++)); do
			[[ ${reply[i]} =~ ^\ NAME ]] && row=${reply[i + 1]} && break
		done
		[[ $row =~ $2 ]] || [ $SECONDS -ge $end ] && break
		pause
	done
	ok "$1" grep -qE -- "$2" <<<"$row"
}

# The sort letters of procps, in either case, on every list.
term 100 24 slabtop --root "$root"
wait_for '^ buffer_head'
first_is "footprint first" '^ buffer_head'
keys n; first_is "n: by name" '^ anon_vma_chain'
keys O; first_is "O: by objects in all" '^ buffer_head'
keys a; first_is "a: by objects in use" '^ dentry'
keys S; first_is "S: by slot size" '^ kmalloc-8k'
keys b; first_is "b: by objects per slab" '^ anon_vma_chain'
keys l; first_is "l: by slabs" '^ buffer_head'
keys P; first_is "P: by pages per slab, ties by name" '^ ext4_inode_cache'
keys u; first_is "u: by fill, ties by name" '^ kmalloc-8k'
keys r; first_is "r: turned round, absent values last" '^ UDP'
keys c; first_is "c: by footprint" '^ buffer_head'
keys 2 n; first_is "n in families" '^ anon_vma_chain'
keys 5 s; first_is "s in nodes" '^ kmalloc-8k'
keys n; first_is "n in nodes" '^ anon_vma_chain'
keys '>'; first_is "> sorts by the column to the right" '^ buffer_head'
keys 1

# A byte that is no character, as a terminal of another encoding sends it.
keys -H e9 ff 1b 4f 42
keys n; first_is "what is no character and a key: passed over" '^ anon_vma_chain'
keys c Home

# Filter: incremental, aliases match, an unfinished one is said and does no harm.
keys / f i b 6
shows "aliases match" '^ eventpoll_epi'
keys C-u k m a '['
shows "unfinished: said" 'slabtop  caches .* /kma\['
keys BSpace l
shows "mended" '^slabtop  caches 4 of 14  /kmal'
keys Enter '\'
shows "marked instead of hidden" '^slabtop  caches 14  /kmal \(marked\)'
keys Home ']' Enter
shows "] goes to the next match" '^kmalloc-1k'
keys Escape '[' Enter
shows "[ goes to the one before" '^anon_vma_chain|^kmalloc-8k'
keys Escape Escape
shows "Escape drops it" '^slabtop  caches 14 +6'
keys / x y Enter
shows "nothing matches" '^slabtop  caches 0 of 14  /xy'
keys Escape

# The cursor stays on its cache when rows move; growth is told.
keys Home Down Down Down c
echo '6000 N0=6000' >"$slab/dentry/slabs"
echo '126000 N0=126000' >"$slab/dentry/total_objects"
echo '120000 N0=120000' >"$slab/dentry/objects"
rm -r "$slab/UDP"
cp -r "$slab/TCP" "$slab/new_one"
keys Space
first_is "the rows moved" '^\^dentry +23.4 MiB'
keys 0
wait_for 'growth counts from here'
keys Enter
shows "the cursor stayed on its cache" '^inode_cache'
keys Escape

term 132 24 slabtop --root "$root"
wait_for '^ dentry'
echo '5990 N0=5990' >"$slab/dentry/slabs"
echo '125790 N0=125790' >"$slab/dentry/total_objects"
cp -r "$slab/TCP" "$slab/born"
rm -r "$slab/new_one"
keys Space 3
shows "growth: shrunk" '^ dentry +-40.0 KiB'
shows "growth: born" '^[*^]born +\+32.0 KiB'
shows "growth: gone" '^xnew_one +-32.0 KiB'
shows "growth: only what changed" '^slabtop  growth 3 '
keys e
shows "exact bytes" '^ dentry +-40960'
keys 0
shows "0: growth counts from here" 'waiting for a second sample'
keys Space
shows "and nothing has changed since" 'nothing has changed'
keys e 1

# Columns: chosen, moved, kept for the next time.
keys f
wait_for '^slabtop  columns'
keys Space Down Down Down '<' '<' '<' Enter
shows "kept" "kept in $XDG_CONFIG_HOME/slabkit/slabtop"
keys Escape
shows "the columns are the chosen ones" '^ NAME +OBJECTS +RATE/S HISTORY +%FILL'
keys q
ended "columns"
term 132 24 slabtop --root "$root" --journal "$tmp/journal"
shows "the next time too" '^ NAME +OBJECTS +RATE/S HISTORY +%FILL'

# A name that would harm a terminal.
mkdir "$slab/$(printf 'evil\033[31m')"
cp "$slab"/TCP/* "$slab/$(printf 'evil\033[31m')"
keys Space n
shows "a hostile name is escaped" 'evil\\x1b\[31m'

# A tunable: asked, confirmed, read back, undone.
keys / d e n t r y Enter Enter
wait_for '^slabtop  detail'
keys t
shows "t: what can be set" '^set \(.*min_partial=5'
keys -l 'min_partial=7'
keys Enter
shows "t: asks before it writes" '^set min_partial of dentry: 5 -> 7\? \(y/n\)'
tell resize-window -x 36 -y 24
shows "t: on a narrow line its end is seen" '^<.*dentry: 5 -> 7\? \(y/n\)'
tell resize-window -x 132 -y 24
keys n
shows "t: no is no" '^nothing was written'
is "nothing was written" "$(cat "$slab/dentry/min_partial")" 5
keys t
wait_for '^set \('
tell resize-window -x 48 -y 24
shows "t: a label that is cut says so" '^set \(.*> $|^set \(.*>$'
tell resize-window -x 132 -y 24
keys -l 'min_partial=7'
keys Enter
wait_for '\(y/n\)'
keys y
shows "t: written" '^min_partial: 5 -> 7; U takes it back'
is "it is written" "$(cat "$slab/dentry/min_partial")" 7
keys U
shows "U: asks" '^undo min_partial of dentry: 7 -> 5\? \(y/n\)'
keys y
shows "U: undone" '^min_partial is 5 again'
is "it is undone" "$(cat "$slab/dentry/min_partial")" 5
keys t
wait_for '^set \('
keys -l 'min_partial=lots'
keys Enter
shows "t: nonsense is refused" '^not a number: lots'

# The sample goes to a file that can be shown again; nothing that is there is written to.
mkfifo "$tmp/saved.fifo"
keys w
wait_for '^save this sample to: '
keys C-u
keys -l "$tmp/saved.fifo"
keys Enter
shows "w: not to a pipe" "^nothing was saved: $tmp/saved.fifo is there already; use another name"
keys w
wait_for '^save this sample to: '
keys C-u
keys -l "$tmp/saved.rec"
keys Enter
shows "w: saved" "^saved: slabinfo -F $tmp/saved.rec shows it"
keys q
ended "tunables and saving"
term 80 24 slabtop -F "$tmp/saved.rec"
shows "the file is a still picture" '^ dentry +120000'
keys z
shows "which cannot be paused" 'stands still'
keys q
ended "a still picture"

done_testing
