"""kill-run.py HEDDLE DIRECTORY KILLS RANKS MPIRUN... -- ALGORITHM OPTION...

Runs an algorithm on a prepared graph on up to RANKS ranks, or on one without
MPIRUN, kills one of them KILLS times in all, resumes on another number of ranks
each time, and compares what comes out in the end with a run on one rank that was
left alone. The first time is when a call has been done, the others are at random
moments. Where a rank is killed the job must end within seconds. What is there to
go on with must be found, and must still be there when one of those who go on
with it is killed.
"""

import glob
import os
import random
import signal
import subprocess
import sys
import time

import psutil

heddle, directory, *counts = sys.argv[1:5]
kills, most = map(int, counts)
rest = sys.argv[5:]
mpirun, (algorithm, *options) = (
    rest[: rest.index("--")],
    rest[rest.index("--") + 1 :],
)
output = directory + ".values"
resumed = [heddle, "ooc", "resume", directory, "--output", output]
fresh = [heddle, "ooc", "run", algorithm, directory, "--output", output, *options]


def on_ranks(ranks, command):
    return [*mpirun, "-n", str(ranks), *command] if mpirun else command


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


def checkpoints(name="*"):
    return glob.glob(f"{directory}/run/part-*/checkpoint-{name}")


def is_in_all_partitions(name="*"):
    having = {os.path.dirname(path) for path in checkpoints(name)}
    return having == partitions


partitions = set(glob.glob(f"{directory}/run/part-*"))
assert is_in_all_partitions()
for path in checkpoints():
    os.remove(path)


def start(ranks, command):
    return subprocess.Popen(
        on_ranks(ranks, command),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_of_call(job):
    """Waits until a call has been done, or the job has ended."""
    while job.poll() is None and not is_in_all_partitions("1"):
        time.sleep(0.001)


def random_moment(job):
    """Waits until then, or until the job has ended."""
    deadline = time.monotonic() + random.uniform(0, seconds)
    while time.monotonic() < deadline and job.poll() is None:
        time.sleep(0.001)


def ranks_of(job):
    process = psutil.Process(job.pid)
    return process.children() if mpirun else [process]


def kill_one(job):
    """Kills a rank, and returns whether that was possible."""
    try:
        random.choice(ranks_of(job)).send_signal(signal.SIGKILL)
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
        assert all(has_ended(rank) for rank in ranks_of(job)), "ranks go on"
        job.kill()
        return False, job.communicate(timeout=10)[1]


killed = gone_on = 0
resumable = False
while killed < kills or resumable:
    if os.path.exists(output):
        os.remove(output)
    ranks = random.randint(min(2, most), most)
    job = start(ranks, resumed if resumable else fresh)
    is_killed = False
    if killed < kills:
        wait = end_of_call if killed == 0 and not resumable else random_moment
        wait(job)
        is_killed = kill_one(job)
    # A job with a rank that was killed is through at once, others when it is.
    has_mpirun_ended, errors = wait_for_end(job, 10 if is_killed else 120)
    if job.returncode == 0 or not (is_killed or has_mpirun_ended):
        assert values() == expected, "the result differs"
        gone_on += resumable
        # A run that has come to its end can be gone on with, too.
        resumable = not resumable
        continue
    # Of a rank that it had hardly started, mpirun says only that it failed.
    assert is_killed and (
        "signal 9" in errors or "heddle: error" not in errors
    ), errors
    killed += 1
    # Values are there whole or not at all.
    assert not os.path.exists(output) or values() == expected
    assert is_in_all_partitions() or not resumable, "the run is lost"
    resumable = is_in_all_partitions()
    if not resumable:
        # Killed before there was anything to go on with, or while what was there
        # of an earlier run was taken away.
        errors = wait_for_end(start(ranks, resumed), 120)[1]
        assert "expected a run to resume, found none" in errors, errors

assert gone_on > 0, "none was gone on with"
print(f"the same after {killed} kills")
