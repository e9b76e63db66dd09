"""Ingredients that read memory and give new values to the loop body."""

from .ingredients import fill, ingredient
from .writer import INDEX_TABLES, TABLES


@ingredient("load", weight=4)
def gather(w):
    table = w.pick(TABLES)
    w.declare(TABLES[table], f"{w.table(table)}[{w.index()}]")


@ingredient("load", weight=3)
def gather_index(w):
    table = w.pick(INDEX_TABLES)
    element = INDEX_TABLES[table]
    w.declare(element, f"{w.table(table)}[{w.index()}]", is_index=True)


@ingredient("load", weight=3)
def chained_gather(w):
    inner, middle = w.pick(INDEX_TABLES), w.pick(INDEX_TABLES)
    outer = w.pick(TABLES)
    index = f"{w.table(middle)}[{w.table(inner)}[{w.index()}]]"
    w.declare(TABLES[outer], f"{w.table(outer)}[{index}]")


@ingredient("load")
def affine(w):
    place = w.iteration or "(uint64_t)count % ELEMENTS"
    w.declare("uint64_t", f"{w.table('values64')}[{place}]")


@ingredient("load", weight=1.5)
def record_field(w):
    pointer = w.fresh("record")
    w.line(f"const Record *{pointer} = &{w.table('records', 'Record')}[{w.index()}];")
    w.declare("uint64_t", f"{pointer}->weight + {pointer}->halves.low")
    if w.chance(0.5):
        w.declare("uint32_t", f"{pointer}->link", is_index=True)
    if w.chance(0.3):
        w.declare("int32_t", f"records[{pointer}->link].count")


@ingredient("load")
def record_copy(w):
    copy = w.fresh("record")
    w.line(f"Record {copy} = records[{w.index()}];")
    if w.chance(0.5):
        halves = w.fresh("halves")
        w.line(f"Halves {halves} = {copy}.halves;")
        w.line(f"{halves}.high = (uint16_t)({halves}.high + {halves}.low);")
        w.line(f"{copy}.halves = {halves};")
    w.declare("uint64_t", f"{copy}.weight ^ {copy}.halves.high")
    w.declare("uint32_t", f"{copy}.link", is_index=True)


@ingredient("load")
def pointer_to_row(w):
    column = f"({w.expression(1)}) % ROW_LENGTH"
    w.declare("uint32_t", f"rows[{w.index()}][{column}]")


@ingredient("load", weight=0.5)
def volatile_read(w):
    w.declare("uint64_t", f"volatileBias + {w.value()}")


@ingredient("load", weight=1.5, trips=3)
def record_hops(w):
    cursor = w.declare("uint32_t", w.index(), is_index=True, prefix="cursor")
    hop = w.fresh("hop")
    hops = w.pick(["3", "2", f"(int)({w.value()} & 3u)"])
    with w.inner_loop(f"for (int {hop} = 0; {hop} < {hops}; ++{hop})", 3):
        w.line(f"{cursor} = records[{cursor}].link;")


@ingredient("load", weight=2, trips=10)
def binary_search(w):
    key = w.declare("uint64_t", f"({w.expression(1)}) % (2 * ELEMENTS)", prefix="key")
    low = w.declare("uint32_t", "0", prefix="low")
    high = w.fresh("high")
    middle = w.fresh("middle")
    table = w.table("sorted64")
    w.line(f"uint32_t {high} = ELEMENTS;")
    w.line(f"while ({low} < {high}) {{")
    w.line(f"  uint32_t {middle} = ({low} + {high}) / 2;")
    if w.chance(0.5):
        w.line(f"  if ({table}[{middle}] < {key})")
        w.line(f"    {low} = {middle} + 1;")
        w.line("  else")
        w.line(f"    {high} = {middle};")
    else:
        less = w.fresh("less")
        w.line(f"  int {less} = {table}[{middle}] < {key};")
        w.line(f"  {low} = {less} ? {middle} + 1 : {low};")
        w.line(f"  {high} = {less} ? {high} : {middle};")
    w.line("}")


@ingredient("load", weight=2, trips=4)
def tree_descent(w):
    tree = w.fresh("tree")
    key = w.declare("uint64_t", f"({w.expression(1)}) % (4 * ELEMENTS)", prefix="key")
    seen = w.declare("uint64_t", "0", prefix="seen")
    w.line(f"const Tree *{tree} = treeRoot;")
    stop = f" && {tree}->key != {key}" if w.chance(0.6) else ""
    with w.inner_loop(f"while ({tree}{stop})", 12, may_continue=False):
        w.line(f"{seen} += {tree}->value;")
        w.line(f"{tree} = {tree}->child[{tree}->key < {key}];")


def key_to_probe(w):
    return w.pick(
        [
            f"nodes[{w.index()}].key",
            f"({w.expression(1)}) % (4 * ELEMENTS) + 1",
        ]
    )


@ingredient("load", weight=2, trips=3)
def hash_probe(w):
    key = w.declare("uint64_t", key_to_probe(w), prefix="key")
    node = w.fresh("node")
    w.line(f"const Node *{node} = buckets[hashOf({key}) % BUCKETS];")
    if w.chance(0.5):
        w.line(f"while ({node} && {node}->key != {key})")
        w.line(f"  {node} = {node}->next;")
    else:
        w.line(f"for (; {node}; {node} = {node}->next)")
        w.line(f"  if ({node}->key == {key})")
        w.line("    break;")
    w.declare("uint64_t", f"{node} ? {node}->value : 7", prefix="hit")


@ingredient("load", weight=2, trips=3)
def open_addressing_probe(w):
    key = w.declare("uint64_t", key_to_probe(w), prefix="key")
    slot = w.declare("uint64_t", f"hashOf({key}) % SLOTS", prefix="slot")
    w.line(f"while (slots[{slot}] && slots[{slot}] != {key})")
    w.line(f"  {slot} = ({slot} + 1) % SLOTS;")
    w.declare("uint32_t", f"slots[{slot}] == {key}", prefix="hit")


@ingredient("load", weight=2.5, trips=3)
def chain_walk(w):
    node = w.fresh("node")
    head = f"buckets[({w.expression(1)}) % BUCKETS]"
    total = w.declare("uint64_t", "1", prefix="total")
    if w.chance(0.5):
        loop = w.inner_loop(
            f"for (const Node *{node} = {head}; {node}; {node} = {node}->next)", 3
        )
        step = None
    else:
        w.line(f"const Node *{node} = {head};")
        loop = w.inner_loop(f"while ({node})", 3, may_continue=False)
        step = f"{node} = {node}->next;"
    with loop:
        value = w.declare("uint64_t", f"{node}->value")
        w.declare("uint32_t", f"{node}->identity", is_index=True)
        if w.chance(0.4):
            fill(w, w.number_between(0, 2))
        w.line(f"{total} = {total} * 5 + {value};")
        if step:
            w.line(step)


def visit(w, item, step):
    """What an inner loop does with an index, and how it goes on."""
    total = f"{w.table('values64')}[{item}]"
    value = w.declare("uint64_t", total)
    if w.chance(0.3):
        w.declare("uint32_t", item, is_index=True)
        fill(w, w.number_between(0, 1))
    for line in step:
        w.line(line)
    return value


@ingredient("load", weight=2.5, trips=6)
def chunk_walk(w):
    """An iterator that goes from chunk to chunk."""
    chunk, at = w.fresh("chunk"), w.fresh("at")
    total = w.declare("uint64_t", "1", prefix="total")
    w.line(f"const Chunk *{chunk} = &{w.table('chunks', 'Chunk')}[{w.index()}];")
    if w.chance(0.5):
        w.line(f"uint32_t {at} = 0;")
        item = f"{chunk}->items[{at}]"
        step = [
            f"if (++{at} == {chunk}->count) {{",
            f"  {chunk} = {chunk}->next;",
            f"  {at} = 0;",
            "}",
        ]
    else:
        end = w.fresh("end")
        w.line(f"const uint32_t *{at} = {chunk}->items;")
        w.line(f"const uint32_t *{end} = {at} + {chunk}->count;")
        item = f"*{at}"
        step = [
            f"if (++{at} == {end} && ({chunk} = {chunk}->next)) {{",
            f"  {at} = {chunk}->items;",
            f"  {end} = {at} + {chunk}->count;",
            "}",
        ]
    with w.inner_loop(f"while ({chunk})", 6, may_continue=False):
        value = visit(w, item, step)
        w.line(f"{total} = {total} * 5 + {value};")


@ingredient("load", weight=2, trips=6)
def decoded_walk(w):
    """Codes of different lengths, each of which says what is added."""
    place, left, item = w.fresh("place"), w.fresh("left"), w.fresh("item")
    total = w.declare("uint64_t", "1", prefix="total")
    w.line(f"uint32_t {place} = {w.index()}, {item} = {w.index()};")
    w.line(f"uint32_t {left} = (uint32_t)({w.value()} % 12);")
    code = f"values8[{place}]"
    step = [
        f"{item} = ({item} + {code} + 1u) % ELEMENTS;",
        f"{place} = ({place} + 1u + ({code} & 3u)) % ELEMENTS;",
        f"--{left};",
    ]
    with w.inner_loop(f"while ({left})", 12, may_continue=False):
        value = visit(w, item, step)
        w.line(f"{total} ^= {value} + {total} * 3;")


# Expressions that call functions of support.h.
CALLS = [
    "lookUp({e})",
    "lookUpFar({e})",
    "(uint64_t)searchSorted({e} % (2 * ELEMENTS))",
    "(uint64_t)searchSortedFar({e} % (2 * ELEMENTS))",
    "(findNode({e} % (4 * ELEMENTS)) ? {e} : 3u)",
    "opaque({e})",
    "hashOf({e})",
    "operations[{e} % 3u]({e})",
    "sumTree(&trees[{e} % ELEMENTS], 3)",
    "hashChain(buckets[{e} % BUCKETS])",
]
CXX_CALLS = [
    "gatherThrough(values64, {e})",
    "gatherThrough<uint16_t>(values16, {e})",
    "shapes[{e} % 3u]->area({e})",
    "neverThrows({e})",
    "[&](uint64_t key) {{ return key + values64[indices[key % ELEMENTS]]; }}({e})",
]


@ingredient("load", weight=3, trips=6)
def call(w):
    calls = CALLS + (CXX_CALLS if w.language == "c++" else [])
    w.declare("uint64_t", w.pick(calls).format(e=w.value()))


@ingredient("load")
def multiple_gathers(w):
    """Several independent requests of one basic block."""
    base = w.index()
    names = [w.pick(["values32", "values64", "signed32"]) for _ in range(3)]
    terms = [f"(uint64_t){name}[indices[({base} + {k}) % ELEMENTS]]"
             for k, name in enumerate(names)]
    w.declare("uint64_t", " + ".join(terms))
