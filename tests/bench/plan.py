# SPDX-License-Identifier: MIT
"""plan.py - what is run, and which table shows it. One Job is one worker command, run by each of
its allocators in turn, in each repetition; one Table reads figures that jobs printed."""
from dataclasses import dataclass, field

from allocators import DPDK, MODEL, PEER, SLABKIT

BULK_N = [1, 2, 3, 4, 8, 16, 30, 32, 34, 48, 64, 128, 158, 250, 1000]
BATCH_N = [1, 2, 3, 4, 8, 16, 32, 64, 128, 250, 1000]
KERNEL_N = [1, 10, 100, 1000]
THREAD_N = [1, 32, 250, 1000]


def numbers(ns):
    return ",".join(map(str, ns))


@dataclass
class Job:
    group: str
    args: list
    kinds: tuple                # of allocators; of SLABKIT only the plain one, unless
    variants: tuple = ()        # these variants of it are named
    quick: int = 5              # repetitions, as far as the time for a quick run reaches
    full: int = 11
    inlined: bool = False       # the inlined models too

    def runs(self, a):
        if a.kind == SLABKIT:
            return SLABKIT in self.kinds and a.name in (self.variants or ("slabkit",))
        return a.kind in self.kinds and (self.inlined or "inlined" not in a.name)


ALL = (SLABKIT, PEER, DPDK, MODEL)
MALLOCS = (SLABKIT, PEER)
THREADED = (SLABKIT, PEER, DPDK)
SHEAF_VARIANTS = ("slabkit", "no sheaves", "account", "no sheaves, account")
BULK_VARIANTS = ("slabkit", "stock of 512", "2015", "2015 tuned", "defaults tuned")

JOBS = [
    Job("bulk", ["bulk", "256", numbers(BULK_N)], (SLABKIT, DPDK), BULK_VARIANTS),
    Job("batch", ["batch", "256", numbers(BATCH_N)], ALL, inlined=True),
    Job("batch", ["batch", "64", numbers(BATCH_N)], ALL, inlined=True),
    Job("sheaves", ["batch", "256", numbers(KERNEL_N)], (SLABKIT,), SHEAF_VARIANTS, quick=3),
    Job("threads", ["threads", "256", numbers(THREAD_N)], ALL, quick=3),
    Job("cross", ["cross", "256"], THREADED, quick=3),
    Job("many", ["many", "256"], MALLOCS, quick=2),
    Job("merge", ["merge", "256"], MALLOCS, ("slabkit", "nomerge"), quick=2),
    Job("rcu", ["rcu", "256"], MALLOCS, quick=3),
    Job("live", ["live", "256", "1000000"], THREADED, quick=1, full=5),
    Job("live", ["live", "64", "1000000"], THREADED, quick=1, full=5),
]

# Partial slabs of one page each: a million takes 4 GiB.
QUICK_SLABS, FULL_SLABS = [1000, 100000], [1000, 1000000]
for slabs, quick, full in ((QUICK_SLABS, 1, 0), (FULL_SLABS, 0, 2)):
    JOBS.append(Job("stats", ["stats", "256", numbers(slabs)], (SLABKIT,), quick=quick, full=full))

GROUPS = list(dict.fromkeys(j.group for j in JOBS))


@dataclass
class Table:
    """Rows are the allocators that have a figure. Columns are (title, figure)."""
    group: str
    title: str
    columns: list
    variants: tuple = ()        # of libslabkit, shown beside the plain one
    ratios: bool = True         # lines with the ratios to the best peer and the models
    beside: list = field(default_factory=list)   # (name, {title: text}): figures from elsewhere
    note: str = ""


def by_n(pattern, ns):
    return [(str(n), pattern % n) for n in ns]


# The kernel's own published figures for 256-byte objects: cycles a pair at 4 GHz, with one entry
# to the per-CPU state for n objects.
KERNEL_BULK = [
    ("kernel: SLUB", {"1": "46", "2": "28", "4": "20", "16": "19", "250": "60-72"}),
    ("kernel: SLUB tuned", {"250": "39-40"}),
    ("kernel: SLUB nomerge", {"30": "19", "32": "19", "34": "27"}),
    ("kernel: SLAB", {"1": "42", "4": "21", "16": "17", "30": "16", "64": "17", "250": "20"}),
]

TABLES = [
    Table("bulk", "bulk: n objects by one call, touched, freed by one call; ticks per object",
          by_n("bulk.256.bulk.%d", BULK_N), BULK_VARIANTS, beside=KERNEL_BULK,
          note="The kernel's rows are as published (SLUB 47, SLAB 95 cycles one by one), "
               "of another machine: compare shapes."),
    Table("bulk", "the same n one by one", by_n("bulk.256.single.%d", BULK_N), BULK_VARIANTS),
    Table("bulk", "bulk, freed in another order", by_n("bulk.256.shuffled.%d", BULK_N),
          BULK_VARIANTS),
    Table("bulk", "bulk, objects not touched", by_n("bulk.256.bare.%d", BULK_N), BULK_VARIANTS),
] + [
    Table("batch", "batch: n allocated, then freed %s; %d bytes, %s; ticks per object"
          % (how, size, touched), by_n("batch.%d.%s.%%d" % (size, kind), BATCH_N))
    for size in (256, 64)
    for kind, how, touched in (("fifo", "in order", "first word touched"),
                               ("shuffled", "shuffled", "first word touched"),
                               ("bare", "in order", "not touched"))
] + [
    Table("sheaves", "sheaves against none, batch %s, 256 bytes, touched; ticks per object" % how,
          by_n("batch.256.%s.%%d" % kind, KERNEL_N), variants=SHEAF_VARIANTS, ratios=False)
    for kind, how in (("fifo", "in order"), ("shuffled", "shuffled"))
] + [
    Table("threads", "private batches, 256 bytes, touched: ticks per object, one thread",
          by_n("threads.256.one.%d", THREAD_N)),
    Table("threads", "a thread on every CPU", by_n("threads.256.all.%d", THREAD_N)),
    Table("threads", "a thread on every CPU / one thread, within one process",
          by_n("threads.256.ratio.%d", THREAD_N), ratios=False),
    Table("cross", "producer to consumer through a ring, 256 bytes: ticks per object",
          [("median", "cross.256.pool.median"), ("min", "cross.256.pool.min"),
           ("ring alone", "cross.256.ring.median")]),
    Table("many", "ten times more threads than CPUs, batch 250, 256 bytes",
          [("ticks", "many.256.pair"), ("bytes/thread", "many.256.growth")], ratios=False,
          note="bytes/thread: resident growth for each thread beyond one a CPU, all objects free."),
    Table("live", "random replacement in 1,000,000 live objects: ticks per step",
          [("256", "live.256.replace"), ("256 walk only", "live.256.walk"),
           ("64", "live.64.replace"), ("64 walk only", "live.64.walk")],
          note="walk only: the same random writes without allocator."),
] + [
    Table("live", "resident memory, %d bytes; filled and churned: of live bytes; rest: of filled"
          % size,
          [(t, "live.%d.%s" % (size, t)) for t in
           ("filled", "churned", "tenth", "freed", "later", "trimmed")], ratios=False,
          note="tenth: 90 % freed at random and trimmed; freed: all, no call; later: after 2 s; "
               "trimmed: after the allocator's own call.")
    for size in (256, 64)
] + [
    Table("stats", "reading all counters of a cache with %s partial slabs" % name,
          [("partial", "stats.%d.partial" % n), ("ns a read", "stats.%d.read" % n),
           ("batch, ticks", "stats.%d.alone" % n), ("read meanwhile", "stats.%d.read_on" % n),
           ("tail", "stats.%d.alone_tail" % n),
           ("tail read meanwhile", "stats.%d.read_on_tail" % n)], ratios=False,
          note="tail: ticks of a batch of 32 that one in a hundred exceeds.")
    for n, name in ((1000, "1,000"), (100000, "100,000"), (1000000, "1,000,000"))
] + [
    Table("rcu", "20,000 cycles of 50 objects of 256 bytes, freed through RCU: ticks per object",
          [("loop", "rcu.256.loop"), ("all given back", "rcu.256.all"),
           ("growth", "rcu.256.growth")], ratios=False,
          note="Peers: call_rcu and free for each object. growth: resident bytes at the end of "
               "the loop."),
    Table("merge", "a long- and a short-lived user of 256 bytes",
          [("footprint", "merge.256.footprint"), ("loss", "merge.256.loss"),
           ("ticks", "merge.256.pair"), ("neighbours", "merge.256.neighbours")],
          variants=("nomerge",), ratios=False,
          note="footprint: of live bytes, after the short-lived user freed all; neighbours: its "
               "objects whose overrun reaches the other's."),
]
