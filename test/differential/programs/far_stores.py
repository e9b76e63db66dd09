"""Puts what the loops of a program change into far memory: arrays that they
fill, and variables that all iterations change. Some of the additions are made
by functions.
"""

import re

ARRAY = re.compile(
    r"^static (u?int\d+_t|float|double|Record) (\w+)\[([^\]]+)\];$", re.MULTILINE
)
VARIABLE = re.compile(r"^static (uint64_t) ((?:place|total)_\w+);$", re.MULTILINE)

ADD = """\
__attribute__((noinline, unused)) static void add_{name}(int64_t at, {kind} value) {{
  {name}[at] += value;
}}"""


def declaration(kind, name):
    lines = [f"static FAR {kind} *{name};"]
    if kind != "Record":
        lines.append(ADD.format(kind=kind, name=name))
    return "\n".join(lines)


def add_in_functions(loop, choose):
    """Lets functions make some of the additions of a loop, though none that is
    atomic."""
    addition = re.compile(r"^( *)(far_\w+)\[(.+)\] \+= (.+);$")
    lines = loop.split("\n")
    for number, line in enumerate(lines):
        match = addition.match(line)
        if match and "#pragma omp atomic" not in lines[number - 1] and choose.random() < 0.5:
            lines[number] = f"{match[1]}add_{match[2]}({match[3]}, {match[4]});"
    return "\n".join(lines)


def move(loop, kind, name, extent):
    """Lets one loop change what has this name in far memory: an array, or a
    variable, which has no extent."""
    far, bytes_ = f"far_{name}", f"sizeof({kind}[{extent or 1}])"
    clear = f"{far} = (FAR {kind} *)farZeros({far}, {bytes_});"
    if not extent:
        loop = re.sub(rf"^(  +){name} = ", rf"\1{clear}\n\1{name} = ", loop, count=1, flags=re.M)
        loop = re.sub(rf"\b{name}\b", f"(*{far})", loop)
    else:
        loop = loop.replace(f"memset({name}, 0, sizeof({name}));", clear)
        loop = loop.replace(f", {name}, sizeof({name}));", f", {far}, {bytes_});")
        loop = re.sub(rf"\b{name}\b", far, loop)
    pointers = rf"\b{kind} ?\* ?(\w+) = (&|HIDE\(&|)(\(\*)?{far}\b"
    names = [far, *(match[1] for match in re.finditer(pointers, loop))]
    loop = re.sub(pointers, rf"FAR {kind} *\1 = \2\3{far}", loop)
    return re.sub(rf"\baddTo(?=\(&(\(\*)?({'|'.join(names)})\b)", "addToFar", loop)


def store_far(source, choose):
    """The source with outputs in far memory."""
    start, *loops = re.split(r"(?=^// Features of )", source, flags=re.MULTILINE)
    changed = [start]
    for loop in loops:
        features, loop = loop.split("\n", 1)
        # Functions return addresses of ordinary memory only.
        outputs = [
            (match, match[3]) for match in ARRAY.finditer(loop)
            if f"memset({match[2]}," in loop
            and f"return &{match[2]}[" not in loop
            and f"samePlace({match[2]})" not in loop
        ] + [(match, None) for match in VARIABLE.finditer(loop)]
        for match, extent in outputs:
            loop = loop.replace(match[0] + "\n", "")
            loop = move(loop, match[1], match[2], extent)
        loop = add_in_functions(loop, choose)
        declarations = [declaration(match[1], f"far_{match[2]}") for match, _ in outputs]
        loop = "\n".join([features, *declarations, loop])
        # Far memory that is reported is read back first.
        loop = re.sub(r"\breportBytes\((\"[^\"]+\"), far_", r"reportFar(\1, far_", loop)
        changed.append(loop)
    return "".join(changed)
