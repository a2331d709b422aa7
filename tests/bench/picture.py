# SPDX-License-Identifier: MIT
"""picture.py - one picture of four panels, drawn by gnuplot from data on its standard input."""
import subprocess

from allocators import SLABKIT
from plan import BATCH_N, BULK_N

COLOURS = ["#cc3311", "#0077bb", "#009988", "#ee7733", "#aa3377", "#999933", "#332288", "#66ccee",
           "#bbbbbb", "#777777", "#000000", "#88ccaa", "#ddaa33"]

HEAD = """set terminal %s size 1200,900 font 'sans,12' background 'white'
set output %s
set multiplot layout 2,2
set grid ytics lc rgb '#dddddd'
set key top left maxrows 8 samplen 2
set yrange [0:*]
set style fill solid 0.7
"""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def lines_panel(results, names, title, pattern, ns):
    """Ticks against n, one line an allocator; empty if nothing was measured."""
    blocks, plots = [], []
    for i, name in enumerate(names):
        points = [(n, results.median(name, pattern % n)) for n in ns]
        points = [(n, v) for n, v in points if v is not None]
        if not points:
            continue
        blocks.append("$d%d << EOD\n%s\nEOD\n" % (i, "\n".join("%d %g" % p for p in points)))
        plots.append("$d%d using 1:2 with linespoints lw %g pt 7 ps 0.5 lc rgb '%s' title %s"
                     % (i, 3 if name == "slabkit" else 1.3, COLOURS[len(plots) % len(COLOURS)],
                        quoted(name)))
    if not plots:
        return ""
    # An allocator that falls off a cliff leaves the panel rather than flatten the others.
    return ("".join(blocks) + "set title %s\nset logscale xy\nset yrange [1:200]\nset xtics auto\n"
            "set xlabel 'n'\nset ylabel 'ticks per object'\nplot %s\n"
            % (quoted(title), ", ".join(plots)))


def bars_panel(results, names, title, figure):
    bars = [(n, results.median(n, figure)) for n in names]
    bars = [(n, v) for n, v in bars if v is not None]
    if not bars:
        return ""
    return ("$b << EOD\n%s\nEOD\n" % "\n".join('"%s" %g' % b for b in bars) +
            "set title %s\nunset logscale\nset yrange [0:*]\nunset xlabel\n"
            "set xtics rotate by -30\nset boxwidth 0.7\nset offsets 0.5, 0.5, graph 0.1, 0\n"
            "plot $b using 0:2:($0 == 0 ? 0xcc3311 : 0x7799bb):xtic(1) with boxes lc rgb variable "
            "notitle, "
            "$b using 0:2:(sprintf('%%.0f', $2)) with labels offset 0,0.6 notitle\n"
            % quoted(title))


def draw(path, results, allocators):
    """Writes the picture; returns what went wrong, or nothing."""
    present = [a for a in allocators if not a.missing and "inlined" not in a.name]
    names = [a.name for a in present if a.kind != SLABKIT or a.name == "slabkit"]
    compared = [n for n in names if n not in ("tls array", "rseq array")]
    script = HEAD % ("pngcairo" if path.endswith(".png") else "svg dynamic", quoted(path))
    script += lines_panel(results, names, "batch, in order, 256 bytes", "batch.256.fifo.%d",
                          BATCH_N)
    script += lines_panel(results, [a.name for a in present], "bulk, 256 bytes", "bulk.256.bulk.%d", BULK_N)
    script += bars_panel(results, compared, "producer to consumer, ticks per object",
                         "cross.256.pool.median")
    script += bars_panel(results, names, "random replacement in 1,000,000, ticks",
                         "live.256.replace")
    try:
        run = subprocess.run(["gnuplot"], input=script + "unset multiplot\n", text=True,
                             capture_output=True)
    except FileNotFoundError:
        return "no picture: gnuplot is not installed"
    return "no picture: " + run.stderr.strip() if run.returncode else ""
