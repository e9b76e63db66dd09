# Starts a command, interrupts it at its first line of output, and expects it to
# die of that.

import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
process.stdout.readline()
process.send_signal(signal.SIGINT)
process.stdout.read()
assert process.wait() == -signal.SIGINT, process.returncode
