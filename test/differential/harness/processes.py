"""Child processes that end with this one and never run for ever."""

import os
import signal
import subprocess
import threading
from dataclasses import dataclass


class Interrupted(Exception):
    """The run is being given up."""


@dataclass(frozen=True)
class Outcome:
    status: int  # exit status; negative: the signal that ended the process
    output: str
    errors: str
    timed_out: bool = False

    @property
    def succeeded(self):
        return self.status == 0 and not self.timed_out


class Processes:
    """Runs commands and can end all of those that are running."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, timeout_seconds, environment=None, directory=None):
        with self.lock:
            if self.stopped:
                raise Interrupted
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env={**os.environ, **(environment or {})},
                cwd=directory,
                start_new_session=True,
            )
            self.running.add(process)
        timed_out = False
        try:
            output, errors = process.communicate(timeout=timeout_seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
            end_group(process)
            output, errors = process.communicate()
        finally:
            with self.lock:
                self.running.discard(process)
        if self.stopped:
            raise Interrupted
        return Outcome(process.returncode, output, errors, timed_out)

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                end_group(process)


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
