#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""top.py - what slabtop costs: to its first picture, and then second by second.

Beside it runs the least that a live view can do, a loop that reads /proc/slabinfo once a second; all
run at once, so that a slow minute of the machine hits all of them. CPU time is what the scheduler
counted (/proc/PID/schedstat). What a start takes, until the first picture stands and until it is at
rest, is without what `slabtop --version` takes to be started and to leave.
"""
import argparse
import fcntl
import os
import pty
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ATTRIBUTES = {'object_size': 100, 'slab_size': 104, 'objs_per_slab': 39, 'order': 0, 'align': 8,
              'reclaim_account': 0, 'partial': '2 N0=2', 'objects': '700 N0=700',
              'total_objects': '780 N0=780', 'slabs': '20 N0=20', 'objects_partial': '10 N0=10'}
SETTLE = 0.5    # seconds from the first picture until it is at rest; the second sample comes later
LOOP = '''
import os, time
fd = os.open('/proc/slabinfo', os.O_RDONLY)
while True:
    at = 0
    while n := len(os.pread(fd, 65536, at)):
        at += n
    time.sleep(1)
'''


def cpu_ns(pid):
    with open(f'/proc/{pid}/schedstat', encoding='ascii') as f:
        return int(f.read().split()[0])


class Program:
    """One on a terminal of its own."""

    def __init__(self, name, argv, size):
        self.name, self.steady, self.seen = name, [], b''
        self.terminal, slave = pty.openpty()
        width, height = size
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', height, width, 0, 0))
        os.set_blocking(self.terminal, False)
        env = dict(os.environ, TERM='xterm-256color')
        self.begun = time.monotonic()
        self.picture = self.picture_ns = None
        self.child = subprocess.Popen(argv, stdin=slave, stdout=slave, env=env,
                                      start_new_session=True)
        os.close(slave)

    def take(self):
        try:
            self.seen += os.read(self.terminal, 65536)
        except OSError:
            return
        if self.picture is None and b'NAME' in self.seen:
            self.picture = time.monotonic() - self.begun
            self.picture_ns = self.cpu()

    def cpu(self):
        return cpu_ns(self.child.pid)

    def end(self):
        self.child.terminate()
        self.child.wait()
        os.close(self.terminal)


def drain(programs, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        ready = select.select([p.terminal for p in programs], [], [], left)[0]
        for p in programs:
            if p.terminal in ready:
                p.take()


def spawn_ns(slabtop):
    """CPU time of a start that does nothing."""
    before = os.times()
    runs = 20
    for _ in range(runs):
        subprocess.run([slabtop, '--version'], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent * 1e9 / runs


def make_tree(at, caches):
    """A machine of so many caches, to be mounted over this one's."""
    rows = ['slabinfo - version: 2.1\n']
    for i in range(caches):
        name = f'cache-{i:05}'
        os.makedirs(f'{at}/slab/{name}')
        for attribute, value in ATTRIBUTES.items():
            with open(f'{at}/slab/{name}/{attribute}', 'w', encoding='ascii') as f:
                f.write(f'{value}\n')
        rows.append(f'{name} 700 780 104 39 1 : tunables 0 0 0 : slabdata 20 20 0\n')
    with open(f'{at}/slabinfo', 'w', encoding='ascii') as f:
        f.writelines(rows)


def one_run(slabtop, args, prefix):
    programs, starts = [], []
    programs.append(Program('floor', prefix + [sys.executable, '-c', LOOP], args.size))
    drain(programs, 1)
    for keys in args.views:
        p = Program(f'view {keys}', prefix + [slabtop], args.size)
        programs.append(p)
        for _ in range(50):
            drain(programs, 0.1)
            if p.picture:
                break
        drain(programs, SETTLE - 0.1)
        if not p.picture:
            sys.exit(f'top.py: no picture within 5 s: {p.seen[-200:]!r}')
        starts.append((p.picture * 1e3, p.picture_ns / 1e6, p.cpu() / 1e6))
        os.write(p.terminal, keys.encode())
        drain(programs, 0.07)     # not all in the same moment of the second
    drain(programs, 2)
    begun, before = time.monotonic(), [p.cpu() for p in programs]
    drain(programs, args.seconds)
    seconds = time.monotonic() - begun
    shares = {p.name: (p.cpu() - b) / seconds / 1e7 for p, b in zip(programs, before)}
    for p in programs:
        p.end()
    return starts, shares


def spread(values, unit):
    return f'{statistics.median(values):8.3f} {unit} ({min(values):.3f} to {max(values):.3f})'


def measure(slabtop, args, prefix, title):
    starts, shares = [], {}
    for _ in range(args.runs):
        more, run = one_run(slabtop, args, prefix)
        starts += more
        for name, share in run.items():
            shares.setdefault(name, []).append(share)
    load = os.getloadavg()[0]
    print(f'{title}, {args.size[0]}x{args.size[1]}, {args.runs} runs of {args.seconds} s, load {load:.1f}')
    for name, values in zip(('first picture after', 'CPU until then', 'CPU until at rest'),
                            zip(*starts)):
        less = args.spawn / 1e6 if name.startswith('CPU') else 0
        print(f'  {name:19} {spread([v - less for v in values], "ms")}')
    for name, values in shares.items():
        ratio = statistics.median(v / f for v, f in zip(values, shares['floor']))
        print(f'  {name:19} {spread(values, "%")}, {ratio:.2f} times the floor')


def main():
    a = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    a.add_argument('--slabtop', default='build/release/bin/slabtop')
    a.add_argument('--seconds', type=float, default=10)
    a.add_argument('--runs', type=int, default=3)
    a.add_argument('--size', type=lambda s: tuple(map(int, s.split('x'))), default=(80, 24))
    a.add_argument('--views', default='123456', help='keys, a slabtop each')
    a.add_argument('--caches', type=int, default=10000, help='also a machine of so many; 0: not')
    args = a.parse_args()
    slabtop = os.path.abspath(args.slabtop)
    if not os.access('/proc/slabinfo', os.R_OK):
        sys.exit('top.py: /proc/slabinfo cannot be read: run as root')
    args.spawn = spawn_ns(slabtop)
    measure(slabtop, args, [], f'{len(os.listdir("/sys/kernel/slab"))} names, live')
    if not args.caches:
        return
    tree = tempfile.mkdtemp(prefix='slabtop-')
    try:
        make_tree(tree, args.caches)
        script = (f'mount --bind {tree}/slab /sys/kernel/slab && '
                  f'mount --bind {tree}/slabinfo /proc/slabinfo && exec "$@"')
        args.views = args.views[:1]
        measure(slabtop, args, ['unshare', '-m', 'sh', '-c', script, 'sh'], f'{args.caches} caches')
    finally:
        shutil.rmtree(tree)


if __name__ == '__main__':
    main()
