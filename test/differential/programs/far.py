"""Programs whose arrays of numbers lie in far memory if FAR_ARRAYS is defined,
and in memory otherwise: that is the reference.
"""

import os
import re
from dataclasses import replace

from .program import generate

SUPPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support.h")
ARRAY = re.compile(r"^UNUSED static (u?int\d+_t|size_t|float|double) (\w+)\[", re.MULTILINE)


def arrays():
    """The arrays of support.h that are numbers, with their types."""
    with open(SUPPORT, encoding="utf-8") as file:
        return {name: kind for kind, name in ARRAY.findall(file.read())}


def generate_far(seed, disabled=frozenset()):
    """The program of a seed, in C: far objects have no constructors."""
    program = generate(seed, "c", disabled)
    source = re.sub(r" scheduler\(\w+\)", "", program.source)
    declarations, copies = [], []
    for name, kind in arrays().items():
        if not re.search(rf"\b{name}\b", source):
            continue
        source = re.sub(
            rf"\b(?:const )?{kind} ?\* ?(\w+) = ((?:HIDE\()?{name}\b)",
            rf"FAR const {kind} *\1 = \2", source,
        )
        source = re.sub(rf"\b{name}\b", f"far_{name}", source)
        declarations.append(f"static FAR const {kind} *far_{name};")
        copies.append(
            f"  far_{name} = (FAR const {kind} *)farCopy({name}, sizeof({name}));"
        )
    first = source.index("// Features of ")
    source = "\n".join(
        [source[:first] + '#include "far-support.h"', *declarations, source[first:]]
    )
    prepared = re.compile(r"^  prepare\(\w+\);$", re.MULTILINE)
    source = prepared.sub(lambda call: "\n".join([call[0], *copies]), source, count=1)
    return replace(program, source=source, runtimes=("tuner",))
