"""kill-rank.py HEDDLE DIRECTORY KILLS RANKS MPIRUN... -- ALGORITHM OPTION...

Runs an algorithm on a prepared graph on up to RANKS ranks, kills one of them
KILLS times in all at random moments, resumes on another number of ranks each
time, and compares what comes out in the end with a run on one rank that was
left alone. Where a rank is killed the job must end within seconds.
"""

import os
import random
import signal
import subprocess
import sys
import time

import psutil

heddle, directory, kills, most, *rest = sys.argv[1:]
mpirun, (algorithm, *options) = (
    rest[: rest.index("--")],
    rest[rest.index("--") + 1 :],
)
output = directory + ".values"
resumed = [heddle, "ooc", "resume", directory, "--output", output]
fresh = [heddle, "ooc", "run", algorithm, directory, "--output", output, *options]


def on_ranks(ranks, command):
    return [*mpirun, "-n", str(ranks), *command]


def values():
    with open(output) as file:
        return file.read()


subprocess.run(fresh, check=True, stdout=subprocess.DEVNULL)
expected = values()
start = time.monotonic()
subprocess.run(on_ranks(most, fresh), check=True, stdout=subprocess.DEVNULL)
seconds = time.monotonic() - start
assert values() == expected, "the result on several ranks differs"

random.seed(1)


def kill_one(job):
    """Kills a rank at a random moment, and returns whether that was possible."""
    deadline = time.monotonic() + random.uniform(0, seconds)
    while time.monotonic() < deadline and job.poll() is None:
        time.sleep(0.001)
    try:
        ranks = psutil.Process(job.pid).children()
        random.choice(ranks).send_signal(signal.SIGKILL)
    except (psutil.NoSuchProcess, IndexError):
        return False
    return True


def has_ended(rank):
    try:
        return rank.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for_end(job, most):
    """Waits until no rank is left, for so many seconds, and returns whether
    mpirun ended too, and what they said."""
    try:
        return True, job.communicate(timeout=most)[1]
    except subprocess.TimeoutExpired:
        # Open MPI 4.1's mpirun now and then waits for itself in the end, and
        # may not have asked for what has become of its children.
        ranks = psutil.Process(job.pid).children()
        assert all(has_ended(rank) for rank in ranks), "ranks go on"
        job.kill()
        return False, job.communicate(timeout=10)[1]


killed = 0
resumable = False
while killed < int(kills) or resumable:
    if os.path.exists(output):
        os.remove(output)
    ranks = random.randint(2, int(most))
    job = subprocess.Popen(
        on_ranks(ranks, resumed if resumable else fresh),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    is_killed = killed < int(kills) and kill_one(job)
    # A job with a rank that was killed is through at once, others when it is.
    has_mpirun_ended, errors = wait_for_end(job, 10 if is_killed else 120)
    if job.returncode == 0 or not (is_killed or has_mpirun_ended):
        assert values() == expected, "the result differs"
        resumable = False
    elif is_killed and ("signal 9" in errors or "heddle: error" not in errors):
        # Of a rank that it had hardly started, mpirun says only that it failed.
        # Values are there whole or not at all.
        assert not os.path.exists(output) or values() == expected
        killed += 1
        resumable = True
    else:
        # Killed before there was anything to go on with, or while what was
        # there of an earlier run was taken away. Whoever is killed while that
        # is told has no part in it.
        assert (
            "expected a run to go on with, found none" in errors
            or "expected checkpoints of one run in all partitions" in errors
        ), errors
        resumable = False

print(f"the same after {killed} kills")
