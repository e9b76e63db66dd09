"""kill-ooc.py HEDDLE DIRECTORY KILLS ALGORITHM OPTION...

Runs an algorithm on a prepared graph, kills it KILLS times in all, resumes it
each time, and compares what comes out in the end with a run that was left
alone. The first time is when a call has been done, the others are at random
moments. What is there to go on with must be found, and must still be there when
who goes on with it is killed.
"""

import glob
import os
import random
import subprocess
import sys
import time

heddle, directory, kills, algorithm, *options = sys.argv[1:]
output = directory + ".values"
resumed = [heddle, "ooc", "resume", directory, "--output", output]
fresh = [heddle, "ooc", "run", algorithm, directory, "--output", output, *options]


def finish(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(output) as values:
        return values.read(), time.monotonic() - start


def checkpoints(name="*"):
    return glob.glob(f"{directory}/run/part-*/checkpoint-{name}")


def is_in_all_partitions(name="*"):
    having = {os.path.dirname(path) for path in checkpoints(name)}
    return having == partitions


def communicate(process, seconds):
    """Returns what it has said, or None if it takes longer."""
    try:
        return process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        return None


def end_of_call(process):
    """Waits until a call has been done, and returns what the process has said if
    it has ended meanwhile."""
    errors = None
    while errors is None and not is_in_all_partitions("1"):
        errors = communicate(process, 0.001)
    return errors


expected, seconds = finish(fresh)
partitions = set(glob.glob(f"{directory}/run/part-*"))
assert is_in_all_partitions()
for path in checkpoints():
    os.remove(path)
random.seed(1)
killed = gone_on = 0
resumable = False
while killed < int(kills) or resumable:
    if os.path.exists(output):
        os.remove(output)
    process = subprocess.Popen(
        resumed if resumable else fresh,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if killed == 0 and not resumable:
        errors = end_of_call(process)
    else:
        may_be_killed = killed < int(kills)
        errors = communicate(
            process, random.uniform(0, seconds) if may_be_killed else None
        )
    if errors is None:
        process.kill()
        process.wait()
        killed += 1
        # Values are there whole or not at all.
        assert not os.path.exists(output) or open(output).read() == expected
        assert is_in_all_partitions() or not resumable, "the run is lost"
        resumable = is_in_all_partitions()
        if not resumable:
            # Killed before there was anything to go on with.
            errors = subprocess.run(
                resumed, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            ).stderr
            assert "expected a run to resume, found none" in errors, errors
        continue
    assert process.returncode == 0, errors
    assert open(output).read() == expected, "the result differs"
    gone_on += resumable
    # A run that has come to its end can be gone on with, too.
    resumable = not resumable

assert gone_on > 0, "none was gone on with"
print(f"the same after {killed} kills")
