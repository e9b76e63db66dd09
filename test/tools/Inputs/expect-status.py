"""expect-status.py STATUS COMMAND...: whether COMMAND exits with just STATUS."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, not {sys.argv[1]}")
