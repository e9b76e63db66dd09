"""package-graph.py FILE: writes the dependencies of this machine's Debian
packages as an edge list: a line for each package and each name that it depends
on or recommends. Names are numbered as they occur."""

import re
import subprocess
import sys

stanzas = subprocess.run(
    ["apt-cache", "dumpavail"], stdout=subprocess.PIPE, text=True, check=True
).stdout or open("/var/lib/dpkg/status").read()

numbers = {}


def number(name):
    return numbers.setdefault(name, len(numbers))


with open(sys.argv[1], "w") as output:
    for stanza in stanzas.split("\n\n"):
        package = re.search(r"^Package: (\S+)", stanza, re.MULTILINE)
        for field in re.findall(r"^(?:Depends|Recommends): (.*)", stanza, re.MULTILINE):
            for dependency in re.split(r"[,|]", field):
                target = re.match(r"\s*([^\s:(\[]+)", dependency)
                if target:
                    print(number(package[1]), number(target[1]), file=output)
