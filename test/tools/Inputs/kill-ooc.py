"""kill-ooc.py HEDDLE DIRECTORY KILLS ALGORITHM OPTION...

Runs an algorithm on a prepared graph, kills it KILLS times in all at random
moments, resumes it each time, and compares what comes out in the end with a run
that was left alone.
"""

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


expected, seconds = finish(fresh)
random.seed(1)
killed = 0
resumable = False
while killed < int(kills):
    if os.path.exists(output):
        os.remove(output)
    process = subprocess.Popen(
        resumed if resumable else fresh,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _, errors = process.communicate(timeout=random.uniform(0, seconds))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        killed += 1
        resumable = True
        # Values are there whole or not at all.
        assert not os.path.exists(output) or open(output).read() == expected
        continue
    if process.returncode == 0:
        assert open(output).read() == expected, "the result differs"
        resumable = False
    else:
        # Killed before there was anything to go on with.
        assert "expected a run to go on with, found none" in errors, errors
        resumable = False

assert finish(resumed if resumable else fresh)[0] == expected, "the result differs"
print(f"the same after {killed} kills")
