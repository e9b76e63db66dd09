"""within-memory.py MEBIBYTES COMMAND...

Runs a command in a memory cgroup of so many MiB, where one can be made, and
expects that it succeeds and that its process never has more in memory.

Of files that are in memory themselves the cgroup counts what is written, which
nobody could do without; there, only what the process has is looked at.
"""

import os
import resource
import subprocess
import sys
import time

limit = int(sys.argv[1]) << 20
command = sys.argv[2:]


def own_group(version):
    """Lines are "number:controllers:group"; version 2 names no controllers."""
    with open("/proc/self/cgroup") as lines:
        for line in lines:
            _, controllers, group = line.rstrip("\n").split(":", 2)
            names = controllers.split(",")
            if "memory" in names if version == 1 else controllers == "":
                return group
    return "/"


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def make_group():
    """Where the limit holds, or None."""
    with open("/proc/self/mounts") as lines:
        mounts = [line.split()[1:4] for line in lines]
    for root, kind, options in mounts:
        if kind == "cgroup" and "memory" in options.split(","):
            version, file = 1, "memory.limit_in_bytes"
        elif kind == "cgroup2":
            version, file = 2, "memory.max"
        else:
            continue
        # In a container the group may be named as it is outside.
        for parent in (root + own_group(version), root):
            group = f"{parent}/heddle-test-{os.getpid()}"
            try:
                os.mkdir(group)
            except OSError:
                continue
            try:
                write(f"{group}/{file}", str(limit))
                return group
            except OSError:
                os.rmdir(group)
    return None


def remove(group):
    """A process that has been waited for may still be counted for a moment."""
    for _ in range(1000):
        try:
            os.rmdir(group)
            return
        except OSError:
            time.sleep(0.001)


def is_in_memory(directory):
    kind = subprocess.run(
        ["stat", "--file-system", "--format=%T", directory],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    return kind in ("tmpfs", "ramfs")


group = None if is_in_memory(".") else make_group()
try:
    status = subprocess.run(
        command,
        preexec_fn=group and (lambda: write(f"{group}/cgroup.procs", "0")),
    ).returncode
finally:
    if group:
        remove(group)
assert status == 0, f"status {status} {'in' if group else 'without'} a cgroup"
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
assert peak <= limit, f"expected at most {limit} bytes in memory, found {peak}"
