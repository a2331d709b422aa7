# SPDX-License-Identifier: MIT
"""shim.py - whole programs on libslabkit-malloc.so, glibc, jemalloc and mimalloc: time and memory.

Each run is a process tree of its own with the allocator preloaded; allocators take turns, and each
round begins with another one. Time is what the tree's processes used of the CPUs, and by the clock;
memory is the largest resident set that any of them had (of redis-server: the server's).
"""
import argparse
import functools
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

from allocators import find_library

SHIM = "libslabkit-malloc.so"


@dataclass
class Figure:
    cpu: float      # seconds, user and system
    wall: float     # seconds
    rss: int        # KiB
    rate: float = 0  # operations a second, where the program counts them


class Missing(Exception):
    """What a program needs is not there."""


def need(*programs):
    for p in programs:
        if not shutil.which(p):
            raise Missing("no " + p)


def timed(command, lib, cwd, env=None, check=True, limit=1200):
    """One command under GNU time, which starts it as a small process: exec keeps the maximum."""
    with tempfile.NamedTemporaryFile("r", dir=cwd) as out:
        run = subprocess.run(["time", "-q", "-f", "%U %S %e %M", "-o", out.name,
                              "env", "LD_PRELOAD=" + lib] + command, cwd=cwd, text=True,
                             stdin=subprocess.DEVNULL, capture_output=True,
                             env={**os.environ, **(env or {})}, timeout=limit)
        if check and run.returncode:
            raise RuntimeError("%s: status %d: %s" % (command[0], run.returncode,
                                                      (run.stdout + run.stderr)[-400:]))
        user, system, wall, rss = out.read().split()[-4:]
    return Figure(float(user) + float(system), float(wall), int(rss)), run.stdout + run.stderr


# ---- the programs: a prepare(top, folder) that gives run(lib) ---------------------------------------

def gcc(top, folder):
    need("gcc", "make", "pkg-config")
    copy = os.path.join(folder, "slabkit")
    shutil.copytree(top, copy, ignore=shutil.ignore_patterns("build", ".git"), symlinks=True)
    env = {"CCACHE_DISABLE": "1", "MAKEFLAGS": ""}
    return lambda lib: timed(["make", "-s", "-B", "-j2", "all"], lib, copy, env, limit=3000)[0]


def git(top, folder):
    need("git")
    if subprocess.run(["git", "-C", top, "rev-parse"], capture_output=True).returncode:
        raise Missing("not in a git repository")

    def run(lib):
        shutil.rmtree(os.path.join(folder, "clone"), ignore_errors=True)
        return timed(["sh", "-ec", "git clone -q --no-local '%s' clone; cd clone; "
                      "git gc -q --aggressive --prune=now; git log --stat -p >log; git status -s"
                      % top], lib, folder)[0]
    return run


def python(_top, folder):
    for p in ("/usr/bin/python3", sys.executable):
        if os.path.exists(p) and not subprocess.run([p, "-c", "import test.test_json"],
                                                    capture_output=True).returncode:
            return lambda lib: timed([p, "-m", "test", "-q", "test_json", "test_threading"], lib,
                                     folder)[0]
    raise Missing("no python3 with its test package (libpython3-testsuite)")


def redis(_top, folder):
    need("redis-server", "redis-benchmark", "redis-cli")

    def run(lib):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = str(s.getsockname()[1])
        server = subprocess.Popen(["redis-server", "--bind", "127.0.0.1", "--port", port, "--save",
                                   "", "--dir", folder], stdout=subprocess.DEVNULL,
                                  env={**os.environ, "LD_PRELOAD": lib})
        cli = ["redis-cli", "-p", port]
        try:
            while subprocess.run(cli + ["ping"], capture_output=True).stdout != b"PONG\n":
                if server.poll() is not None:
                    raise RuntimeError("redis-server: status %d" % server.returncode)
                time.sleep(0.05)
            begin = time.monotonic()
            subprocess.run(["redis-benchmark", "-p", port, "-q", "-n", "50000", "-r", "50000",
                            "-c", "20", "-P", "16", "-d", "300", "-t",
                            "set,get,lpush,hset,zadd,lpop,lrange_100"], check=True,
                           stdout=subprocess.DEVNULL)
            wall = time.monotonic() - begin
            with open("/proc/%d/stat" % server.pid) as f:
                ticks = f.read().rsplit(")", 1)[1].split()[11:13]
            with open("/proc/%d/status" % server.pid) as f:
                rss = [int(line.split()[1]) for line in f if line.startswith("VmHWM")][0]
            subprocess.run(cli + ["shutdown", "nosave"], capture_output=True)
            server.wait(30)
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
        if server.returncode:
            raise RuntimeError("redis-server: status %d" % server.returncode)
        return Figure(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), wall, rss)
    return run


SQL = """PRAGMA cache_size=4000;
CREATE TABLE t(a INTEGER PRIMARY KEY, b INT, c TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200000)
 INSERT INTO t SELECT i, (i*7919)%200003, 'text '||i||' '||hex(randomblob(20)) FROM n;
CREATE INDEX tb ON t(b); CREATE INDEX tc ON t(c);
SELECT count(*), sum(length(c)) FROM t WHERE b BETWEEN 1000 AND 90000;
UPDATE t SET c=c||'x' WHERE b%3=0; DELETE FROM t WHERE b%5=0;
SELECT sum(length(g)) FROM (SELECT group_concat(c) g FROM t GROUP BY b%1000);
SELECT count(*) FROM t x JOIN t y ON x.b=y.a WHERE y.b%2;
SELECT length(group_concat(c,',')) FROM (SELECT c FROM t ORDER BY c DESC LIMIT 100000);
VACUUM;
"""


def sqlite(_top, folder):
    need("sqlite3")
    path = os.path.join(folder, "load.sql")
    with open(path, "w") as f:
        f.write(SQL)
    return lambda lib: timed(["sqlite3", ":memory:", ".read " + path], lib, folder)[0]


class Watch(threading.Thread):
    """The largest resident set and the CPU time of what a process starts, also of what is killed and
    never waited for: looked up several times a second."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.rss, self.ticks, self.over = root, 0, {}, threading.Event()

    def look(self):
        inside = {self.root}
        for pid in sorted(int(p) for p in os.listdir("/proc") if p.isdigit()):
            try:
                with open("/proc/%d/stat" % pid) as f:
                    stat = f.read().rsplit(")", 1)[1].split()
                if pid not in inside and int(stat[1]) not in inside:
                    continue
                inside.add(pid)
                if pid == self.root:
                    continue
                self.ticks[pid] = int(stat[11]) + int(stat[12])
                with open("/proc/%d/status" % pid) as f:
                    peak = [int(line.split()[1]) for line in f if line.startswith("VmHWM")]
                self.rss = max([self.rss] + peak)
            except (OSError, IndexError):
                pass    # gone meanwhile

    def run(self):
        while not self.over.wait(0.2):
            self.look()

    def __exit__(self, *_):
        self.over.set()
        self.join()

    def __enter__(self):
        self.start()
        return self


def stress(_top, folder, seconds=10):
    need("stress-ng")

    def run(lib):
        # A child that is late is killed, and missing in what its parent used.
        with Watch(os.getpid()) as watch:
            figure, text = timed(["stress-ng", "--malloc", "2", "--timeout", str(seconds),
                                  "--metrics-brief", "--seed", "1"], lib, folder)
        figure.rss = max(figure.rss, watch.rss)
        figure.cpu = max(figure.cpu, sum(watch.ticks.values()) / os.sysconf("SC_CLK_TCK"))
        line = [x.split() for x in text.splitlines() if " malloc " in x and "metrc" in x][-1]
        figure.rate = float(line[line.index("malloc") + 1]) / seconds
        return figure
    return run


PROGRAMS = [("gcc, make -j2 of slabkit", gcc), ("git clone, gc, log -p", git),
            ("python3 -m test json, threading", python), ("redis-server, benchmark", redis),
            ("sqlite3, 200,000 rows", sqlite), ("stress-ng --malloc 2", stress)]


# ---- the report ------------------------------------------------------------------------------------

def spread(values, scale=1.0, form="%.2f"):
    values = [v / scale for v in values]
    if len(values) == 1:
        return form % values[0]
    return (form + " (" + form + " - " + form + ")") % (statistics.median(values), min(values),
                                                        max(values))


def print_program(title, results):
    best = min(statistics.median(f.rss for f in r) for r in results.values() if r)
    rate = any(f.rate for r in results.values() for f in r)
    print("\n### %s\n\n| | CPU s | clock s | max RSS MiB | RSS / best |%s\n|---|---|---|---|---|%s"
          % (title, " bogo ops/s |" if rate else "", "---|" if rate else ""))
    for name, r in results.items():
        if not r:
            print("| %s | failed | | | |%s" % (name, " |" if rate else ""))
            continue
        print("| %s | %s | %s | %s | %.2f |%s"
              % (name, spread([f.cpu for f in r]), spread([f.wall for f in r]),
                 spread([f.rss for f in r], 1024, "%.1f"),
                 statistics.median(f.rss for f in r) / best,
                 " %s |" % spread([f.rate for f in r], 1, "%.0f") if rate else ""))
    sys.stdout.flush()


def find_allocators(shim):
    libs = {"slabkit": os.path.abspath(shim)}
    for name, soname in (("glibc", "libc.so.6"), ("jemalloc", "libjemalloc.so.2"),
                         ("mimalloc", "libmimalloc.so.2")):
        path = find_library(soname)
        if path:
            libs[name] = path
        else:
            print("missing: %s (no %s)" % (name, soname))
    return libs


def measure(title, prepare, libs, top, rounds):
    """Turns of all allocators; False if one of them failed."""
    results = {name: [] for name in libs}
    fine = True
    with tempfile.TemporaryDirectory(prefix="slabkit-bench-") as folder:
        run = prepare(top, folder)
        run(libs["glibc"])      # what the first run alone would pay for
        for i in range(rounds):
            names = list(libs)[i % len(libs):] + list(libs)[:i % len(libs)]
            for name in names:
                try:
                    results[name].append(run(libs[name]))
                except (RuntimeError, subprocess.SubprocessError) as e:
                    print("failed: %s on %s: %s" % (title, name, e))
                    fine = False
    print_program(title, results)
    return fine


def main():
    p = argparse.ArgumentParser(description="whole programs on the malloc shim and its peers")
    p.add_argument("--shim", default="build/release/lib/" + SHIM, metavar="LIB")
    p.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each (default 5)")
    p.add_argument("--stress-seconds", type=int, default=10, metavar="S",
                   help="how long stress-ng runs (default 10)")
    p.add_argument("--only", default="", metavar="WORD,...", help="only programs with such a word")
    a = p.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if not shutil.which("time"):
        sys.exit("shim.py: GNU time is missing (package time)")
    words = [w for w in a.only.split(",") if w]
    top = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
    libs, fine = find_allocators(a.shim), True
    for title, prepare in PROGRAMS:
        if words and not any(w in title for w in words):
            continue
        if prepare is stress:
            title += " for %d s" % a.stress_seconds
            prepare = functools.partial(stress, seconds=a.stress_seconds)
        try:
            fine &= measure(title, prepare, libs, top, a.rounds)
        except Missing as e:
            print("\nmissing: %s: %s" % (title, e))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
