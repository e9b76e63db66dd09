"""Programs whose arrays of numbers, and what they change, lie in far memory if
FAR_ARRAYS is defined, and in memory otherwise: that is the reference. Some
elements are read by functions that are not inlined, some of which call
themselves, or each other, or with others that are copied as a whole.
"""

import os
import random
import re
from dataclasses import replace

from .far_stores import store_far
from .program import generate

SUPPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support.h")
ARRAY = re.compile(r"^UNUSED static (u?int\d+_t|size_t|float|double) (\w+)\[", re.MULTILINE)


def arrays():
    """The arrays of support.h that are numbers, with their types."""
    with open(SUPPORT, encoding="utf-8") as file:
        return {name: kind for kind, name in ARRAY.findall(file.read())}


# Functions that read an element of an array, deeper than any stack of frames.
CALLEES = """\
__attribute__((noinline, unused)) static {kind} plain_{name}(int64_t at) {{ return {name}[at]; }}
__attribute__((noinline, unused)) static {kind} deep_{name}(int64_t at, int depth) {{
  const {kind} here = {name}[at];
  if (depth <= 0)
    return here;
  const {kind} below = deep_{name}(at, depth - 1);
  return below == {name}[at] ? here : below;
}}
static {kind} odd_{name}(int64_t at, int64_t other, int depth);
__attribute__((noinline, unused)) static {kind} even_{name}(int64_t at, int64_t other, int depth) {{
  {kind} values[2] = {{{name}[other], {name}[at]}};
  for (int k = 0; k < depth; k += 3)
    values[k & 1] = odd_{name}(k & 1 ? at : other, at, depth - 1 - k);
  return values[1];
}}
__attribute__((noinline, unused)) static {kind} odd_{name}(int64_t at, int64_t other, int depth) {{
  return depth > 0 ? even_{name}(at, other, depth - 1) : {name}[at];
}}
typedef struct {{ {kind} values[8]; }} __attribute__((may_alias)) Block_{name};
__attribute__((unused)) static {kind} block_{name}(int64_t at) {{
  const int64_t first = at < 8 ? 0 : at - 7;
  const Block_{name} block = *(FAR const Block_{name} *)&{name}[first];
  return block.values[at - first];
}}"""


def call(name, index, choose):
    """An expression for an element that is read by a function, or as it is."""
    kind = choose.choice(("plain", "block", "deep", "even", "", ""))
    if kind in ("plain", "block"):
        return f"{kind}_{name}({index})"
    if kind == "deep":
        return f"deep_{name}({index}, {choose.choice((1, 5, 90))})"
    if kind == "even":
        return f"even_{name}({index}, 0, {choose.choice((1, 4, 9))})"
    return f"{name}[{index}]"


def call_some(source, names, choose):
    """Lets functions read some of the elements of the arrays called names."""
    element = re.compile(rf"(?<![&\w])({'|'.join(names)})\[")
    result, at = [], 0
    while match := element.search(source, at):
        end, depth = match.end(), 1
        while depth:
            depth += {"[": 1, "]": -1}.get(source[end], 0)
            end += 1
        index = call_some(source[match.end() : end - 1], names, choose)
        result += [source[at : match.start()], call(match[1], index, choose)]
        at = end
    return "".join(result) + source[at:]


def generate_far(seed, disabled=frozenset()):
    """The program of a seed, in C: far objects have no constructors."""
    program = generate(seed, "c", disabled)
    choose = random.Random(seed)
    source = re.sub(r" scheduler\(\w+\)", "", program.source)
    declarations, copies, names = [], [], []
    for name, kind in arrays().items():
        if not re.search(rf"\b{name}\b", source):
            continue
        source = re.sub(
            rf"\b(?:const )?{kind} ?\* ?(\w+) = ((?:HIDE\()?{name}\b)",
            rf"FAR const {kind} *\1 = \2", source,
        )
        source = re.sub(rf"\b{name}\b", f"far_{name}", source)
        names.append(f"far_{name}")
        declarations.append(f"static FAR const {kind} *far_{name};")
        declarations.append(CALLEES.format(kind=kind, name=f"far_{name}"))
        copies.append(
            f"  far_{name} = (FAR const {kind} *)farCopy({name}, sizeof({name}));"
        )
    if names:
        source = call_some(source, names, choose)
    source = store_far(source, choose)
    first = source.index("// Features of ")
    source = "\n".join(
        [source[:first] + '#include "far-support.h"', *declarations, source[first:]]
    )
    prepared = re.compile(r"^  prepare\(\w+\);$", re.MULTILINE)
    source = prepared.sub(lambda call: "\n".join([call[0], *copies]), source, count=1)
    return replace(program, source=source, runtimes=("tuner",))
