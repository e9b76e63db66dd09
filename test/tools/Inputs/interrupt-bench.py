"""interrupt-bench.py DIRECTORY HEDDLE: interrupts a benchmark that would run on
and on, once it has measured something, and checks how it ends."""

import os
import signal
import subprocess
import sys

directory, heddle = sys.argv[1:]
process = subprocess.Popen(
    [
        *[heddle, "bench", "kernels", "--quick", "--repetitions", "1000"],
        *["--sizes", ",".join(["64K"] * 1000), "--kernels", "gups,hash-join"],
        *["--json", os.path.join(directory, "rows.json")],
    ],
    stdout=subprocess.PIPE,
    text=True,
    start_new_session=True,
)
for line in process.stdout:
    if line.startswith("gups"):
        break
else:
    sys.exit("nothing was measured")
# Only the command itself is told; it has to end the process it measures in.
process.send_signal(signal.SIGINT)
# The measuring process holds the other end of the pipe as long as it lives.
process.communicate()
if process.returncode != -signal.SIGINT:
    sys.exit(f"return code {process.returncode}")
