# SPDX-License-Identifier: MIT
"""allocators.py - what is compared: libslabkit and its variants, peers, and the limit models.

A peer that is not there stays in the list with the reason, so that every report names it.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field

SLABKIT, PEER, DPDK, MODEL = "slabkit", "peer", "dpdk", "model"


@dataclass
class Allocator:
    name: str
    kind: str
    worker: str
    env: dict = field(default_factory=dict)
    flags: list = field(default_factory=list)
    missing: str = ""       # why it cannot run
    version: str = ""

    @property
    def is_peer(self):
        return self.kind in (PEER, DPDK)


# name, library, Debian package
PRELOADED = [
    ("jemalloc", "libjemalloc.so.2", "libjemalloc2"),
    ("mimalloc", "libmimalloc.so.2", "libmimalloc2.0"),
    ("tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4"),
]

# Variants of libslabkit that only some tests run: name, SLAB_OPTIONS, worker flags.
VARIANTS = [
    ("slabkit", "", []),
    ("no sheaves", "sheaf_capacity=0", []),
    ("account", "", ["-a"]),
    ("no sheaves, account", "sheaf_capacity=0", ["-a"]),
    ("stock of 512", "sheaf_capacity=256", []),
    ("2015", "preset=2015", []),
    ("2015 tuned", "preset=2015 cpu_partial=256 min_partial=9", []),
    ("defaults tuned", "sheaf_capacity=0 cpu_partial=256 min_partial=9", []),
    ("nomerge", "", ["-m"]),
]


def find_library(soname):
    """The path of a shared library as the dynamic linker finds it, or None."""
    for ldconfig in ("ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"):
        try:
            text = subprocess.run([ldconfig, "-p"], capture_output=True, text=True).stdout
        except FileNotFoundError:
            continue
        found = re.search(r"^\s*%s \(.*=> (\S+)$" % re.escape(soname), text, re.M)
        return found and found.group(1)
    return None


def newer_peers(text):
    """PEERS=name:/path/lib.so,... as (name, path); ValueError on anything else."""
    for item in filter(None, text.split(",")):
        name, colon, path = item.partition(":")
        if not (name and colon and path):
            raise ValueError("'%s' is not name:/path/to/library.so" % item)
        yield name, path


def list_all(workers, peers):
    """Every allocator of the comparison, present or missing."""
    def worker(name):
        return os.path.join(workers, "bench-" + name)

    found = [Allocator(name, SLABKIT, worker("slabkit"),
                       {"SLAB_OPTIONS": options} if options else {}, flags)
             for name, options, flags in VARIANTS]
    found.append(Allocator("glibc", PEER, worker("malloc")))
    for name, soname, package in PRELOADED:
        path = find_library(soname)
        found.append(Allocator(name, PEER, worker("malloc"), {"LD_PRELOAD": path or ""}, [],
                               "" if path else "no %s here (Debian: %s)" % (soname, package)))
    for name, path in newer_peers(peers):
        found.append(Allocator(name, PEER, worker("malloc"), {"LD_PRELOAD": path}, [],
                               "" if os.path.exists(path) else "no file " + path))
    found.append(Allocator("DPDK", DPDK, worker("dpdk")))
    found += [Allocator("tls array", MODEL, worker("tls")),
              Allocator("tls inlined", MODEL, worker("tls-inlined")),
              Allocator("rseq array", MODEL, worker("rseq")),
              Allocator("rseq inlined", MODEL, worker("rseq-inlined"))]
    for a in found:
        if not a.missing and not os.path.exists(a.worker):
            a.missing = {DPDK: "not built: no libdpdk (Debian: dpdk-dev)",
                         MODEL: "not on this architecture",
                         }.get(a.kind, "not built: " + a.worker)
    return found


def environment(allocator):
    env = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "SLAB_OPTIONS")}
    env.update(allocator.env)
    return env


def describe(allocator):
    """Fills version, and missing where the preloaded library does not serve malloc. Returns Hz."""
    run = subprocess.run([allocator.worker, "describe"], capture_output=True, text=True,
                         env=environment(allocator))
    lines = dict(l.split(" ", 1) for l in run.stdout.splitlines() if " " in l)
    if run.returncode != 0 or "allocator" not in lines:
        text = run.stderr.strip() or "status %d" % run.returncode
        allocator.missing = "does not start: " + text
        return None
    preload = allocator.env.get("LD_PRELOAD")
    path, _, version = lines["allocator"].partition(" ")
    allocator.version = lines["allocator"]
    if allocator.kind == PEER:
        allocator.version = os.path.basename(os.path.realpath(path)) + " " + version
        if preload and os.path.realpath(path) != os.path.realpath(preload):
            allocator.missing = "preloaded, but malloc is that of " + path
    return float(lines["tick_hz"])
