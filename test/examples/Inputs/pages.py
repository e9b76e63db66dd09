# Runs a command until its first line of output that begins with '==', and says
# whether it has asked the kernel for huge pages by then.

import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
while not process.stdout.readline().startswith("=="):
    assert process.poll() is None
with open(f"/proc/{process.pid}/smaps") as file:
    flags = [line.split() for line in file if line.startswith("VmFlags:")]
process.kill()
process.stdout.read()
process.wait()
print("huge pages:", "yes" if any("hg" in line for line in flags) else "no")
