# SPDX-License-Identifier: MIT
"""results.py - figures of all processes, and the statistics across them.

Every repetition is a process of its own, and the allocators take turns, so the i-th values of two
allocators were measured close together: ratios are formed pair by pair, and their median is taken.
"""
from collections import defaultdict


def quantile(values, q):
    v = sorted(values)
    at = q * (len(v) - 1)
    low = int(at)
    high = min(low + 1, len(v) - 1)
    return v[low] + (v[high] - v[low]) * (at - low)


class Results:
    def __init__(self):
        self.values = defaultdict(dict)     # (allocator, figure) -> {repetition: value}
        self.units = {}
        self.failures = []                  # (allocator, test, text)

    def add(self, allocator, repetition, output):
        for line in output.splitlines():
            figure, value, unit = line.split()
            self.values[allocator, figure][repetition] = float(value)
            self.units[figure] = unit

    def list(self, allocator, figure):
        return list(self.values.get((allocator, figure), {}).values())

    def median(self, allocator, figure):
        v = self.list(allocator, figure)
        return quantile(v, 0.5) if v else None

    def least(self, allocator, figure):
        return min(self.list(allocator, figure), default=None)

    def iqr(self, allocator, figure):
        v = self.list(allocator, figure)
        return quantile(v, 0.75) - quantile(v, 0.25) if v else None

    def best(self, allocators, figure):
        """The name with the lowest median, or None."""
        known = [(self.median(a, figure), a) for a in allocators
                 if self.median(a, figure) is not None]
        return min(known)[1] if known else None

    def ratios(self, over, under, figure, under_figure=None):
        """Ratios of the repetitions that both have, in order."""
        a = self.values.get((over, figure), {})
        b = self.values.get((under, under_figure or figure), {})
        return [a[i] / b[i] for i in sorted(a.keys() & b.keys()) if b[i]]
