"""network-ranks.py HEDDLE DIRECTORY RANKS MPIRUN... -- ALGORITHM OPTION...

Runs an algorithm on a prepared graph on up to RANKS machines that share nothing
but the disk: network namespaces, each with a name and an address of its own,
joined by a bridge in one more. Compares what comes out with a run on one rank,
then kills one of the ranks and resumes on another number of machines.

The namespaces have names that no other run of this has, no address is outside
of them, and they are gone in the end whatever happens.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

import psutil

heddle, directory, most, *rest = sys.argv[1:]
mpirun, (algorithm, *options) = (
    rest[: rest.index("--")],
    rest[rest.index("--") + 1 :],
)
most = int(most)
output = directory + ".values"
run = [heddle, "ooc", "run", algorithm, directory, "--output", output, *options]
resume = [heddle, "ooc", "resume", directory, "--output", output]

prefix = f"heddle-{os.getpid()}-"
switch = prefix + "switch"
subnet = "10.9.0"


def machine(number):
    return f"{prefix}{number}"


def address(number):
    return f"{subnet}.{number + 1}"


def ip(*arguments, check=True):
    subprocess.run(
        ["ip", *arguments],
        check=check,
        stderr=None if check else subprocess.DEVNULL,
    )


def set_up():
    ip("netns", "add", switch)
    ip("-n", switch, "link", "set", "lo", "up")
    ip("-n", switch, "link", "add", "name", "bridge", "type", "bridge")
    ip("-n", switch, "address", "add", f"{subnet}.254/24", "dev", "bridge")
    ip("-n", switch, "link", "set", "bridge", "up")
    for number in range(most):
        name, port = machine(number), f"port{number}"
        ip("netns", "add", name)
        ip(
            *["-n", switch, "link", "add", port, "type", "veth"],
            *["peer", "name", "eth0", "netns", name],
        )
        ip("-n", switch, "link", "set", port, "master", "bridge", "up")
        ip("-n", name, "address", "add", f"{address(number)}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")


def processes_in(name):
    found = subprocess.run(
        ["ip", "netns", "pids", name], capture_output=True, text=True
    )
    return [int(pid) for pid in found.stdout.split()]


def take_down():
    for name in [*map(machine, range(most)), switch]:
        for pid in processes_in(name):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        ip("netns", "delete", name, check=False)


def on_machines(count, command):
    """Open MPI reaches a machine by the agent, in place of ssh."""
    return [
        *["ip", "netns", "exec", switch, *mpirun, "-n", str(count)],
        *["--host", ",".join(address(number) for number in range(count))],
        *["--map-by", "ppr:1:node"],
        *["--mca", "plm_rsh_agent", agent],
        *["--mca", "plm_rsh_no_tree_spawn", "1"],
        *["--mca", "oob_tcp_if_include", f"{subnet}.0/24"],
        *["--mca", "btl_tcp_if_include", f"{subnet}.0/24"],
        *["--mca", "btl", "tcp,self", "--mca", "pml", "ob1"],
        *command,
    ]


def values():
    with open(output) as file:
        return file.read()


def expect_same(what):
    assert values() == expected, f"the result {what} differs"
    os.remove(output)


def ranks_in(number):
    """Those of a machine, and not what has started them."""
    found = []
    for pid in processes_in(machine(number)):
        try:
            if psutil.Process(pid).name() == os.path.basename(heddle):
                found.append(pid)
        except psutil.NoSuchProcess:
            pass
    return found


def kill_one(count, victim):
    """Runs on so many machines, and kills the rank of one once there is
    something to go on with."""
    checkpoint = os.path.join(directory, "run", "part-0", "checkpoint-1")
    if os.path.exists(checkpoint):
        os.remove(checkpoint)
    job = subprocess.Popen(
        on_machines(count, run),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not os.path.exists(checkpoint):
        assert job.poll() is None, job.communicate()[1]
        time.sleep(0.001)
    (rank,) = ranks_in(victim)
    os.kill(rank, signal.SIGKILL)
    errors = job.communicate(timeout=60)[1]
    # Either the victim's end is noticed first, or that of a rank that talked to
    # it, which Open MPI may end by a message of its own.
    assert job.returncode != 0, errors
    assert "process rank" in errors or "peer process" in errors, errors
    for number in range(count):
        assert not ranks_in(number), "ranks go on"
    assert not os.path.exists(output)


with tempfile.TemporaryDirectory() as temporary:
    agent = os.path.join(temporary, "agent")
    with open(agent, "w") as file:
        file.write(
            "#!/bin/bash\n"
            # Called with an address and a command.
            f'name={prefix}$((${{1##*.}} - 1)); shift\n'
            'exec ip netns exec "$name" unshare --uts '
            'bash -c "hostname $name; $*"\n'
        )
    os.chmod(agent, 0o755)
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    expected = values()
    try:
        set_up()
        for count in (2, most):
            subprocess.run(
                on_machines(count, run), check=True, stdout=subprocess.DEVNULL
            )
            expect_same(f"on {count} machines")
        kill_one(most, victim=1)
        subprocess.run(
            on_machines(2, resume), check=True, stdout=subprocess.DEVNULL
        )
        expect_same("after a kill")
    finally:
        take_down()

print(f"the same on {most} machines")
