"""Ingredients that append what they have found to an output, behind a walk or in
the middle of one: that of the loop, in order, or that of a thread."""

from .ingredients import ingredient
from .scalars import ordered


def walk_to_match(w):
    """Looks for a key; the node is null without a match."""
    key = w.declare("uint64_t", f"({w.expression(1)}) % (2 * ELEMENTS)", prefix="key")
    node = w.fresh("node")
    w.line(f"const Node *{node} = buckets[hashOf({key}) % BUCKETS];")
    test = w.pick([f"{node}->key != {key}", f"({node}->key ^ {key}) % 5u",
                   f"{node}->key != {key} && {node}->value % 7u"])
    if w.chance(0.5):
        w.line(f"while ({node} && {test})")
        w.line(f"  {node} = {node}->next;")
    else:
        with w.block(f"for (; {node}; {node} = {node}->next)"):
            w.line(f"if (!({test}))")
            w.line("  break;")
    return node


def end_of(w, values):
    """How the next place is written, and what says that there is one."""
    if w.chance(0.3):
        end = w.outer("uint64_t *", values, "end")
        w.report(f"reportInteger({{}}, (uint64_t)({end} - {values}));", end)
        return f"*{end}++", f"{end} != {values} + ELEMENTS"
    used = ordered(w, w.pick(["uint32_t", "int", "size_t"]), "0", "used")
    return f"{values}[{used}++]", f"{used} < ELEMENTS"


@ingredient("update", weight=2.5, ordered=True, trips=3)
def found_output(w):
    """Behind the walk, which some iterations leave by another way."""
    node = walk_to_match(w)
    place, free = end_of(w, w.output("uint64_t", "found"))
    keep = w.pick(["", f" && ({w.condition()})"])
    with w.block(f"if ({node} && {free}{keep})"):
        w.line(f"{place} = {node}->value + {w.value()};")
    if w.chance(0.3):
        place, free = end_of(w, w.output("uint64_t", "missed"))
        w.line(f"if (!{node} && {free})")
        w.line(f"  {place} = {w.value()};")


@ingredient("update", weight=1.5, ordered=True, trips=3)
def output_in_walk(w):
    node = w.fresh("node")
    place, free = end_of(w, w.output("uint64_t", "matches"))
    head = f"buckets[({w.expression(1)}) % BUCKETS]"
    with w.inner_loop(f"for (const Node *{node} = {head}; {node}; {node} = {node}->next)", 3):
        w.line(f"if ({node}->value % 3u && {free})")
        w.line(f"  {place} = {node}->key + {w.value()};")


def emptied(w, buffer, used, sums, number):
    """The lines that empty a thread's buffer."""
    if w.chance(0.5):
        name = w.fresh("empty")
        w.file_scope += [
            f"static NOINLINE void {name}(const uint64_t *from, uint64_t number) {{",
            "  for (uint64_t k = 0; k < number; ++k)",
            f"    __atomic_fetch_add(&{sums}[from[k] % 16], from[k], __ATOMIC_RELAXED);",
            "}",
        ]
        return [f"{name}({buffer}, {number});", f"{used} = 0;"]
    return [
        f"for (uint64_t k = 0; k < {number}; ++k)",
        f"  __atomic_fetch_add(&{sums}[{buffer}[k] % 16], {buffer}[k], __ATOMIC_RELAXED);",
        f"{used} = 0;",
    ]


@ingredient("update", weight=6, trips=3)
def thread_output(w):
    """A buffer of each thread, which is emptied when it is full."""
    if not w.parallel:
        return
    sums, length = w.output("uint64_t", "sums", "16"), w.pick([2, 7, 16, 64])
    buffer, used = w.fresh("buffer"), w.fresh("used")
    kind = w.pick(["uint32_t", "int", "size_t"])
    w.thread_before.append(f"uint64_t {buffer}[{length}]; {kind} {used} = 0;")
    w.thread_after += emptied(w, buffer, used, sums, f"(uint64_t){used}")
    empty = emptied(w, buffer, used, sums, f"(uint64_t){used}")
    is_late = w.chance(0.5)

    def append(value):
        if not is_late:
            with w.block(f"if ({used} == {length})"):
                for text in empty:
                    w.line(text)
        w.line(f"{buffer}[{used}++] = {value};")
        if is_late:
            with w.block(f"if ({used} == {length})"):
                for text in empty:
                    w.line(text)

    if w.chance(0.5):
        node = walk_to_match(w)
        with w.block(f"if ({node})"):
            append(f"{node}->value + {w.value()}")
        return
    node = w.fresh("node")
    head = f"buckets[({w.expression(1)}) % BUCKETS]"
    with w.inner_loop(f"for (const Node *{node} = {head}; {node}; {node} = {node}->next)", 3):
        with w.block(f"if ({node}->value % 3u)"):
            append(f"{node}->key ^ {w.value()}")
