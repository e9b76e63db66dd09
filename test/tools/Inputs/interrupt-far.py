"""interrupt-far.py DIRECTORY HEDDLE: interrupts `heddle bench far` when it has
begun, and checks how it ends: without its files and its memory groups."""

import glob
import os
import signal
import subprocess
import sys

directory, heddle = sys.argv[1:]
process = subprocess.Popen(
    [
        *[heddle, "bench", "far", directory, "--quick", "--repetitions", "1000"],
        *["--json", os.path.join(directory, "rows.json")],
    ],
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
    start_new_session=True,
)
for line in process.stdout:
    if "a file of 16M" in line:
        break
else:
    sys.exit("nothing was begun")
if not glob.glob(os.path.join(directory, "heddle-bench-*")):
    sys.exit("there is no directory for its files")
process.send_signal(signal.SIGINT)
process.communicate()
if process.returncode != -signal.SIGINT:
    sys.exit(f"return code {process.returncode}")
for where in ("*", "*/*", "*/*/*"):
    left = glob.glob(f"/sys/fs/cgroup/{where}/heddle-bench-{process.pid}-*")
    if left:
        sys.exit(f"left behind: {left}")
