# SPDX-License-Identifier: MIT
"""bench.py - runs the benchmark's workers in turns and reports; see README.md."""
import argparse
import os
import subprocess
import sys
import time

import allocators
import goals
import picture
import plan
import report
from results import Results


def parse_arguments():
    p = argparse.ArgumentParser(description="libslabkit against its peers and the limit models")
    p.add_argument("--quick", dest="mode", action="store_const", const="quick", default="quick",
                   help="under 50 s (the default)")
    p.add_argument("--full", dest="mode", action="store_const", const="full",
                   help="more repetitions and samples")
    p.add_argument("--workers", default="build/release/bench", metavar="DIR",
                   help="where the worker programs are (default %(default)s)")
    p.add_argument("--peers", default="", metavar="NAME:LIB,...",
                   help="more malloc libraries to preload")
    p.add_argument("--groups", default="", metavar="G,...",
                   help="only these: " + " ".join(plan.GROUPS))
    p.add_argument("--only", default="", metavar="A,...", help="only these allocators")
    p.add_argument("--repeat", type=int, metavar="N", help="repetitions of every test")
    p.add_argument("--seconds", type=float, metavar="S",
                   help="begin no further repetition after so long (quick: 40)")
    p.add_argument("--spread", action="store_true", help="minimum and IQR of every figure")
    p.add_argument("--json", metavar="FILE", help="all figures ('-': standard output, no text)")
    p.add_argument("--plot", metavar="FILE", help="an SVG, or FILE.png (default: bench.svg in DIR)")
    a = p.parse_args()
    a.groups = [g for g in a.groups.split(",") if g]
    a.only = [n for n in a.only.split(",") if n]
    for g in a.groups:
        if g not in plan.GROUPS:
            p.error("no group '%s'; there are: %s" % (g, " ".join(plan.GROUPS)))
    if a.mode == "quick" and a.seconds is None and not a.repeat:
        a.seconds = 40
    try:
        list(allocators.newer_peers(a.peers))
    except ValueError as e:
        p.error("--peers: %s" % e)
    return a


def run_worker(allocator, job, repetition, full, results):
    command = [allocator.worker, "-s", str(repetition), "-n", "15" if full else "7"]
    command += (["-f"] if full else []) + allocator.flags + job.args
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=300,
                             env=allocators.environment(allocator))
    except subprocess.TimeoutExpired:
        results.failures.append((allocator.name, " ".join(job.args), "no end after 300 s"))
        return
    if run.returncode:
        text = run.stderr.strip() or "status %d" % run.returncode
        results.failures.append((allocator.name, " ".join(job.args), text))
        return
    results.add(allocator.name, repetition, run.stdout)


def run_all(args, present):
    """Repetition by repetition, test by test; each time another allocator begins."""
    results = Results()
    start = time.monotonic()
    jobs = [j for j in plan.JOBS if not args.groups or j.group in args.groups]
    full = args.mode == "full"

    def repetitions(job):
        planned = job.full if full else job.quick
        return args.repeat or planned if planned else 0

    for repetition in range(max(map(repetitions, jobs), default=0)):
        for job in jobs:
            if repetition >= repetitions(job):
                continue
            # The first repetition runs whatever it takes: nothing is left without a figure.
            if repetition and args.seconds and time.monotonic() - start > args.seconds:
                return results
            runners = [a for a in present if job.runs(a)]
            turn = repetition % len(runners) if runners else 0
            for a in runners[turn:] + runners[:turn]:
                if sys.stderr.isatty():
                    sys.stderr.write("\r\033[K%d %s %s" % (repetition, " ".join(job.args), a.name))
                run_worker(a, job, repetition, full, results)
    return results


def print_text(args, everyone, results, tick_hz, load, rows):
    report.print_head(sys.stdout, everyone, tick_hz, args.mode, load)
    for t in plan.TABLES:
        report.print_table(sys.stdout, t, results, everyone, args.spread)
    noise = report.middle_spread(results)
    print("\nspread, IQR / median, in the middle of all tick figures: " +
          ", ".join("%s %.0f %%" % (n, 100 * s) for n, s in noise.items()))
    goals.print_goals(sys.stdout, rows, not args.groups)
    for name, test, text in results.failures:
        print("FAILED: %s: %s: %s" % (name, test, text))


def main():
    args = parse_arguments()
    load = os.getloadavg()[0]
    everyone = allocators.list_all(args.workers, args.peers)
    if args.only:
        everyone = [a for a in everyone if a.name in args.only]
    hz = [allocators.describe(a) for a in everyone if not a.missing]
    present = [a for a in everyone if not a.missing]
    if not present:
        sys.exit("bench: nothing to run in %s%s" % (args.workers, "".join(
            "\n  %s: %s" % (a.name, a.missing) for a in everyone)))
    tick_hz = sorted(h for h in hz if h)[len([h for h in hz if h]) // 2]
    results = run_all(args, present)
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    rows = goals.Goals(results, everyone).check()
    if args.json != "-":
        print_text(args, everyone, results, tick_hz, load, rows)
    if args.json:
        text = report.to_json(everyone, results, tick_hz, args.mode, rows)
        if args.json == "-":
            print(text)
        else:
            with open(args.json, "w") as f:
                f.write(text + "\n")
    plot = args.plot or os.path.join(args.workers, "bench.svg")
    trouble = picture.draw(plot, results, everyone)
    if trouble:
        print("bench: " + trouble, file=sys.stderr)
    elif args.json != "-":
        print("\npicture: " + plot + (", all figures: " + args.json if args.json else ""))
    return 1 if results.failures else 0


if __name__ == "__main__":
    sys.exit(main())
