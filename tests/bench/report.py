# SPDX-License-Identifier: MIT
"""report.py - the text tables and the JSON."""
import json

from allocators import MODEL, SLABKIT
from results import quantile


def number(v):
    if v is None:
        return "-"
    if abs(v) >= 100:
        return "%.0f" % v
    return "%.1f" % v if abs(v) >= 10 else "%.2f" % v


def print_rows(out, heads, rows):
    widths = [max(len(r[i]) for r in [heads] + rows) for i in range(len(heads))]
    for r in [heads] + rows:
        cells = [r[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(r[1:], widths[1:])]
        print("  " + "  ".join(cells).rstrip(), file=out)


def ratio_rows(table, results, allocators):
    """slabkit against the best peer of each column and against each model."""
    peers = [a.name for a in allocators if a.is_peer]
    figures = [f for _, f in table.columns]
    if not any(results.median("slabkit", f) is not None for f in figures):
        return []
    best = [results.best(peers, f) for f in figures]
    rows = [["best peer"] + [b or "-" for b in best]]

    def against(title, names):
        cells = []
        for f, name in zip(figures, names):
            r = results.ratios("slabkit", name, f) if name else []
            cells.append("%.2f" % quantile(r, 0.5) if r else "-")
        if any(c != "-" for c in cells):
            rows.append([title] + cells)

    against("slabkit / best peer", best)
    for a in allocators:
        if a.kind == MODEL and "inlined" not in a.name:
            against("slabkit / " + a.name, [a.name] * len(figures))
    return rows


def spread_rows(table, results, names):
    rows = []
    for name in names:
        cells = []
        for _, f in table.columns:
            low, iqr = results.least(name, f), results.iqr(name, f)
            cells.append("-" if low is None else number(low) + "+" + number(iqr))
        rows.append([name] + cells)
    return rows


def print_table(out, table, results, allocators, spread):
    figures = [f for _, f in table.columns]
    names = [a.name for a in allocators
             if (a.kind != SLABKIT or a.name == "slabkit" or a.name in table.variants)
             and any(results.median(a.name, f) is not None for f in figures)]
    if not names:
        return
    heads = [""] + [t for t, _ in table.columns]
    rows = [[n] + [number(results.median(n, f)) for f in figures] for n in names]
    rows += [[name] + [texts.get(t, "") for t, _ in table.columns]
             for name, texts in table.beside]
    if table.ratios:
        rows += ratio_rows(table, results, allocators)
    print("\n" + table.title, file=out)
    print_rows(out, heads, rows)
    if table.note:
        print("  " + table.note, file=out)
    if spread:
        print("  spread: minimum + interquartile range", file=out)
        print_rows(out, heads, spread_rows(table, results, names))


def middle_spread(results):
    """Per allocator the median of IQR / median over its tick figures: how noisy the run was."""
    shares = {}
    for (name, figure), _ in results.values.items():
        m = results.median(name, figure)
        if results.units[figure] == "ticks" and m and len(results.list(name, figure)) > 1:
            shares.setdefault(name, []).append(results.iqr(name, figure) / m)
    return {n: quantile(v, 0.5) for n, v in shares.items()}


def print_head(out, allocators, tick_hz, mode, load):
    print("libslabkit against its peers (%s); 1 tick = %.3f ns (%.4g MHz)"
          % (mode, 1e9 / tick_hz, tick_hz / 1e6), file=out)
    if load > 0.5:
        print("  the machine was busy when this began (load %.1f): expect spread" % load, file=out)
    for a in allocators:
        if a.kind == SLABKIT and a.name != "slabkit":
            continue
        if a.missing:
            print("  missing: %-20s %s" % (a.name, a.missing), file=out)
        else:
            print("           %-20s %s" % (a.name, a.version), file=out)


def to_json(allocators, results, tick_hz, mode, goals):
    figures = []
    for (name, figure), values in sorted(results.values.items()):
        v = list(values.values())
        unit = results.units[figure]
        entry = {"allocator": name, "figure": figure, "unit": unit,
                 "median": results.median(name, figure), "min": min(v),
                 "iqr": results.iqr(name, figure), "values": v}
        if unit == "ticks":
            entry["median_ns"] = entry["median"] * 1e9 / tick_hz
        figures.append(entry)
    return json.dumps({
        "mode": mode, "tick_hz": tick_hz,
        "allocators": [{"name": a.name, "kind": a.kind, "version": a.version or None,
                        "options": a.env.get("SLAB_OPTIONS"), "missing": a.missing or None}
                       for a in allocators],
        "figures": figures,
        "goals": goals,
        "failures": [{"allocator": a, "test": t, "text": x} for a, t, x in results.failures],
    }, indent=1)
