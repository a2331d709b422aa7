# SPDX-License-Identifier: MIT
"""publish.py - a program with publishing off, on, and on with a reader at 1 kHz, in turns.

Each round runs all three, another one first each time. Figures are ratios to "off" of the same round:
median and quartiles over the rounds, so that what changes slowly on the machine falls out.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

STATES = ("off", "on", "reader")


def find_page(folder, pid, seconds=5):
    """The page of a program that has just been started."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            for name in os.listdir(os.path.join(folder, "slab")):
                if name.startswith("%d-" % pid):
                    return os.path.join(folder, "slab", name)
        except FileNotFoundError:
            pass
        time.sleep(0.002)
    raise RuntimeError("process %d publishes no page" % pid)


def run(program, state, ms, folder):
    options = "" if state == "off" else "publish"
    work = subprocess.Popen([program, "work", str(ms)], stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "SLAB_OPTIONS": options, "XDG_RUNTIME_DIR": folder})
    reader = None
    try:
        if state == "reader":
            reader = subprocess.Popen([program, "read", find_page(folder, work.pid)])
        out, _ = work.communicate(timeout=600)
        if work.returncode or (reader and reader.poll() is not None):
            raise RuntimeError("bench-publish failed (%s)" % state)
    finally:
        for child in (work, reader):
            if child and child.poll() is None:
                child.kill()
                child.wait()
    return {name: float(ns) for name, ns in (line.split() for line in out.splitlines())}


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, mid, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, mid, high


def main():
    p = argparse.ArgumentParser(description="what publishing costs, and a reader of the page")
    p.add_argument("program", metavar="bench-publish")
    p.add_argument("--rounds", type=int, default=15, metavar="N")
    p.add_argument("--ms", type=int, default=300, metavar="MS", help="of each pattern (300)")
    a = p.parse_args()
    rounds = []
    with tempfile.TemporaryDirectory(prefix="slabkit-bench-") as folder:
        for i in range(a.rounds):
            turn = STATES[i % 3:] + STATES[:i % 3]
            rounds.append({state: run(a.program, state, a.ms, folder) for state in turn})
    print("| pattern | off, ns a pair | on / off | on with reader / off | off / off of the next round |")
    print("|---|---|---|---|---|")
    for name in rounds[0]["off"]:
        off = [r["off"][name] for r in rounds]
        cells = ["%.2f (%.2f - %.2f)" % (quartiles(off)[1], quartiles(off)[0], quartiles(off)[2])]
        ratios = [[r[s][name] / r["off"][name] for r in rounds] for s in STATES[1:]]
        ratios.append([x / y for x, y in zip(off[1:], off)] or [1.0])
        for values in ratios:
            low, mid, high = quartiles(values)
            cells.append("%.3f (%.3f - %.3f)" % (mid, low, high))
        print("| %s | %s |" % (name, " | ".join(cells)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
