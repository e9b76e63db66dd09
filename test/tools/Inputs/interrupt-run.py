"""interrupt-run.py DIRECTORY HEDDLE GRAPH: interrupts an algorithm that would run
on and on, once it has begun, and checks how it ends."""

import os
import signal
import subprocess
import sys

directory, heddle, graph = sys.argv[1:]
process = subprocess.Popen(
    [
        *[heddle, "run", "pagerank", graph, "--trials", "1000000"],
        *["--json", os.path.join(directory, "facts.json")],
        *["--output", os.path.join(directory, "values")],
    ],
    # The shell that runs the tests may ignore it.
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
)
files = f"/proc/{process.pid}/fd"


def is_open(name):
    try:
        return os.readlink(os.path.join(files, name)).startswith(directory)
    except FileNotFoundError:  # closed meanwhile
        return False


# The file for the results is open before the graph is read.
while not any(is_open(name) for name in os.listdir(files)):
    if process.poll() is not None:
        sys.exit("nothing was run")
process.send_signal(signal.SIGINT)
if process.wait() != -signal.SIGINT:
    sys.exit(f"return code {process.returncode}")
