# SPDX-License-Identifier: MIT
"""goals.py - what libslabkit promises, as ratios within one run, and whether it holds.

A check yields (measured, low, high, limit, text); the worst column speaks for a row of columns.
"""
from plan import BATCH_N, THREAD_N
from results import quantile


class Goals:
    def __init__(self, results, allocators):
        self.r = results
        self.peers = [a.name for a in allocators if a.is_peer]
        self.names = {a.name for a in allocators if not a.missing}
        self.rows = []

    def add(self, line, text, ratios, limit, against=""):
        """ratios: of the repetitions; None or empty: not measured."""
        row = {"line": line, "text": text, "limit": limit, "against": against, "measured": None}
        if ratios:
            row.update(measured=quantile(ratios, 0.5), low=quantile(ratios, 0.25),
                       high=quantile(ratios, 0.75), runs=len(ratios))
            row["holds"] = row["measured"] <= limit
        self.rows.append(row)

    def add_worst(self, line, text, candidates, limit):
        """candidates: (ratios, what) of several columns; the highest median stands for all."""
        known = [(quantile(r, 0.5), r, what) for r, what in candidates if r]
        _, ratios, what = max(known, key=lambda k: k[0]) if known else (0, None, "")
        self.add(line, text, ratios, limit, what)

    def vs_best(self, figure, peers=None):
        name = self.r.best(peers or self.peers, figure)
        return self.r.ratios("slabkit", name, figure) if name else [], name

    def batch(self):
        mimalloc3 = next((n for n in self.names if n.startswith("mimalloc3")), None)
        for size in (256, 64):
            figure = "batch.%d.fifo.1" % size
            ratios, name = self.vs_best(figure)
            self.add(1, "batch 1, %d bytes / best peer" % size, ratios, 1.0, name)
            other, limit = (mimalloc3, 0.80) if mimalloc3 else ("mimalloc", 0.55)
            self.add(1, "batch 1, %d bytes / %s" % (size, other),
                     self.r.ratios("slabkit", other, figure), limit, other)
        for size, small in ((256, 1.0), (64, 1.05)):
            for low, high, limit in ((2, 64, small), (65, 1000, 1.1)):
                cells = []
                for kind in ("fifo", "shuffled"):
                    for n in BATCH_N:
                        if low <= n <= high:
                            ratios, name = self.vs_best("batch.%d.%s.%d" % (size, kind, n))
                            cells.append((ratios, "%s, %s %d" % (name, kind, n)))
                self.add_worst(2, "batch %s, %d bytes, worst / best peer"
                               % ("2-64" if low == 2 else "128-1000", size), cells, limit)

    def bulk(self):
        def single(n):
            return self.r.ratios("slabkit", "slabkit", "bulk.256.bulk.%d" % n,
                                 "bulk.256.single.%d" % n)
        self.add(3, "bulk / one by one, n = 3", single(3), 1.0)
        for ns, limit in (((8,), 0.5), ((16, 30, 32, 34, 48, 64, 128, 158, 250), 0.35)):
            self.add_worst(3, "bulk / one by one, n = %s" % ("8" if limit == 0.5 else "16-250"),
                           [(single(n), "n %d" % n) for n in ns], limit)
        self.add_worst(3, "bulk with a stock of n / DPDK's, n = 16-250",
                       [(self.r.ratios("stock of 512", "DPDK", "bulk.256.bulk.%d" % n), "n %d" % n)
                        for n in (16, 30, 32, 34, 48, 64, 128, 158, 250)], 1.3)
        self.add(3, "bulk 1000 / DPDK's", self.r.ratios("slabkit", "DPDK", "bulk.256.bulk.1000"),
                 0.5)

    def threads(self):
        ratios, name = self.vs_best("cross.256.pool.median")
        self.add(4, "producer to consumer / best peer", ratios, 1.0, name)
        self.add_worst(4, "a thread on every CPU / one thread",
                       [(self.r.list("slabkit", "threads.256.ratio.%d" % n), "n %d" % n)
                        for n in THREAD_N], 1.10)
        self.add_worst(4, "the same, over that of the tls array",
                       [(self.r.ratios("slabkit", "tls array", "threads.256.ratio.%d" % n),
                         "n %d" % n) for n in THREAD_N], 1.10)
        self.add(4, "bytes a thread beyond one a CPU", self.r.list("slabkit", "many.256.growth"),
                 1024)

    def memory(self):
        for size, filled in ((256, 1.03), (64, 1.06)):
            ratios, name = self.vs_best("live.%d.replace" % size, ["tcmalloc", "jemalloc"])
            self.add(5, "random replacement, %d bytes / best of tcmalloc, jemalloc" % size, ratios,
                     0.8, name)
            # At 64 bytes hardly a page of 64 objects is free when a tenth of them is left.
            for what, limit in (("filled", filled), ("tenth", 0.90 if size == 256 else 1.01),
                                ("freed", 0.05), ("trimmed", 0.01)):
                self.add(6, "resident, %d bytes, %s" % (size, what),
                         self.r.list("slabkit", "live.%d.%s" % (size, what)), limit)

    def sheaves(self):
        gains = {"fifo": {1: 17, 10: 15, 100: 31, 1000: 30},
                 "shuffled": {10: 12, 100: 28, 1000: 6}}
        for kind, columns in gains.items():
            for n, gain in columns.items():
                self.add(7, "sheaves / none, batch %d %s" % (n, kind),
                         self.r.ratios("slabkit", "no sheaves", "batch.256.%s.%d" % (kind, n)),
                         1 - gain / 100)
        self.add(7, "bulk 250, 2015 settings tuned / not",
                 self.r.ratios("2015 tuned", "2015", "bulk.256.bulk.250"), 0.70)
        self.add(8, "overruns that reach the other user, nomerge / merged",
                 self.r.ratios("nomerge", "slabkit", "merge.256.neighbours"), 0.05)
        self.add(8, "footprint, nomerge / merged",
                 self.r.ratios("nomerge", "slabkit", "merge.256.footprint"), 1.0)

    def stats(self):
        many = next((n for n in (1000000, 100000)
                     if self.r.list("slabkit", "stats.%d.read" % n)), 1000000)

        def against(figure, limit, text):
            self.add(9, text, self.r.ratios("slabkit", "slabkit", "stats.%d.%s" % (many, figure),
                                            "stats.1000.%s" % figure), limit)
        self.add(9, "ns to read all counters, %d partial slabs" % many,
                 self.r.list("slabkit", "stats.%d.read" % many), 1e6)
        against("read", 1.5, "the same / that of 1000 partial slabs")
        for figure in ("read_on", "read_on_tail"):
            self.add(9, "batch, %s, counters read meanwhile / alone"
                     % ("one in a hundred" if "tail" in figure else "median"),
                     self.r.ratios("slabkit", "slabkit", "stats.%d.%s" % (many, figure),
                                   "stats.%d.%s" % (many, figure.replace("read_on", "alone"))),
                     1.10)

    def rcu(self):
        for peer in ("glibc", "mimalloc"):
            for what in ("loop", "all"):
                self.add(10, "freed through RCU, %s / call_rcu and free with %s" % (what, peer),
                         self.r.ratios("slabkit", peer, "rcu.256." + what), 1 / 1.7, peer)

    def check(self):
        self.batch()
        self.bulk()
        self.threads()
        self.memory()
        self.sheaves()
        self.stats()
        self.rcu()
        return self.rows


def print_goals(out, rows, whole):
    """whole: every group ran, so that what was not measured is worth a line."""
    print("\ngoals: median (interquartile range) against the limit", file=out)
    for g in rows:
        if g["measured"] is None and not whole:
            continue
        if g["measured"] is None:
            verdict, figure = "not measured", "-"
        else:
            verdict = "holds" if g["holds"] else "DOES NOT HOLD"
            figure = "%.3g (%.3g..%.3g)" % (g["measured"], g["low"], g["high"])
        print("  %d  %-58s %-24s <= %-5.4g %-13s %s" % (g["line"], g["text"], figure, g["limit"],
                                                      verdict, g["against"] or ""), file=out)
