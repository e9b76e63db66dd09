"""Puts what the loops of a program change into far memory: arrays that they
fill, variables that all iterations change, and more of both. Some of the additions are made
by functions, and some to a copy of a block of elements, which is then copied
back.
"""

import re

ARRAY = re.compile(r"^static (u?int\d+_t|float|double|Record) (\w+)\[(.+)\];$", re.MULTILINE)
VARIABLE = re.compile(r"^static (uint64_t) ((?:place|total)_\w+);$", re.MULTILINE)

# A variable has neighbours, for it is copied in a block too.
BLOCK = 8

# An index that a compiler does not know.
UNKNOWN_ZERO = "count < 0"

CHANGES = """\
__attribute__((noinline, unused)) static void add_{name}(int64_t at, {kind} value) {{
  {name}[at] += value;
}}
typedef struct {{ {kind} values[{block}]; }} __attribute__((may_alias)) Block_{name};
__attribute__((noinline, unused)) static void change_{name}(Block_{name} *block, int64_t at,
                                                            {kind} value) {{
  block->values[at] += value;
}}"""


def declaration(kind, name):
    lines = [f"static FAR {kind} *{name};"]
    if kind != "Record":
        lines.append(CHANGES.format(kind=kind, name=name, block=BLOCK))
    return "\n".join(lines)


def change_additions(loop, tables, choose):
    """Makes some of the additions of a loop in these ways. No other thread may
    run it: a block has elements of other iterations."""
    addition = re.compile(r"^( *)(far_\w+)\[(.+)\] \+= (.+);$|^( *)\(\*(far_\w+)\) \+= (.+);$")
    lines = loop.split("\n")
    for number, line in enumerate(lines):
        match = addition.match(line)
        if not match or "#pragma omp atomic" in lines[number - 1]:
            continue
        indent, name, index, value = match[1], match[2], match[3], match[4]
        if not name:
            indent, name, index, value = match[5], match[6], UNKNOWN_ZERO, match[7]
        way = choose.choice(("function", "block" if tables else "", ""))
        if way == "function":
            lines[number] = f"{indent}add_{name}({index}, {value});"
        elif way == "block":
            table = choose.choice(tables)
            lines[number] = f"{indent}ADD_IN_BLOCK({name}, {index}, {value}, {table});"
    return "\n".join(lines)


def add_to_shared(loop, tables, choose):
    """Adds a value of a loop's body to a block that all iterations may share."""
    values = list(re.finditer(r"^( +)u?int\d+_t (x_(\d+)_\w+) = .+;$", loop, re.MULTILINE))
    if not values or not tables:
        return loop
    match = choose.choice(values)
    name, bytes_ = f"far_shared_{match[3]}", "sizeof(uint64_t[ELEMENTS])"
    index = choose.choice((UNKNOWN_ZERO, UNKNOWN_ZERO, f"(uint64_t){match[2]} % ELEMENTS"))
    value, table = f"(uint64_t){match[2]}", choose.choice(tables)
    statement = f"ADD_IN_BLOCK({name}, {index}, {value}, {table});"
    loop = loop[: match.end()] + f"\n{match[1]}{statement}" + loop[match.end() :]
    clear = f"\n  {name} = (FAR uint64_t *)farZeros({name}, {bytes_});"
    loop = re.sub(r'^  printf\("loop_.*;$', rf"\g<0>{clear}", loop, count=1, flags=re.MULTILINE)
    report = f'  reportFar("loop_{match[3]}.shared", {name}, {bytes_});\n}}'
    loop = re.sub(r"^}", report, loop, count=1, flags=re.MULTILINE)
    return declaration("uint64_t", name) + "\n" + loop


def move(loop, kind, name, extent):
    """Lets one loop change what has this name in far memory."""
    far, bytes_ = f"far_{name}", f"sizeof({kind}[{extent}])"
    clear = f"{far} = (FAR {kind} *)farZeros({far}, {bytes_});"
    if extent == BLOCK:
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


def store_far(source, tables, choose):
    """The source with outputs in far memory, where the tables of integers are."""
    start, *loops = re.split(r"(?=^// Features of )", source, flags=re.MULTILINE)
    changed = [start]
    for loop in loops:
        features, loop = loop.split("\n", 1)
        outputs = [
            (match, match[3]) for match in ARRAY.finditer(loop) if f"memset({match[2]}," in loop
        ] + [(match, BLOCK) for match in VARIABLE.finditer(loop)]
        for match, extent in outputs:
            loop = loop.replace(match[0] + "\n", "")
            loop = move(loop, match[1], match[2], extent)
        if "openmp" not in features.split():
            loop = change_additions(loop, tables, choose)
            if choose.random() < 0.3:
                loop = add_to_shared(loop, tables, choose)
        declarations = [declaration(match[1], f"far_{match[2]}") for match, _ in outputs]
        loop = "\n".join([features, *declarations, loop])
        # What a pointer to far memory reports is read back first.
        loop = re.sub(r"\breportBytes\((\"[^\"]+\"), far_", r"reportFar(\1, far_", loop)
        changed.append(loop)
    return "".join(changed)
