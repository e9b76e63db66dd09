"""Ingredients that claim an element, fill it in, and change it later.

Whoever comes first claims the element of a key. What is filled in depends on the
key alone, and what is done later commutes. So the order of iterations does not
matter, as long as an element is updated as a whole.
"""

from .ingredients import ingredient
from .states import chain

LATER = ("{place} += 5;", "++{place};", "{place} ^= 1;")


def small_key(w, keys=64):
    """A variable from 0 to `keys` - 1 that several iterations have in common."""
    key = w.fresh("key")
    limit = f"{w.pick([5, keys // 4, keys])}u"
    w.line(f"uint64_t {key} = ({w.index()}) % {limit};")
    return key


def from_key(w, key):
    """What only the key decides, after waiting for memory once or twice."""
    return chain(w, chain(w, key)) if w.chance(0.4) else chain(w, key)


def claim(w, key, free, take, value, later=None):
    """if (free) { take; value = f(key); } else { update value }"""
    then = w.pick(LATER).format(place=later or value)
    filled = f"{value} = {from_key(w, key)};"
    with w.block(f"if ({free})"):
        steps = [take, filled]
        if w.chance(0.2):
            steps.reverse()
        elif w.chance(0.2):
            early = w.fresh("early")
            steps = [f"uint64_t {early} = {from_key(w, key)};", take, f"{value} = {early};"]
        for step in steps:
            w.line(step)
    with w.block("else"):
        w.line(then)


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_row(w):
    """The fields of an element are neighbours in an array of numbers."""
    kind, width = w.pick(["uint64_t", "uint32_t"]), w.number_between(2, 5)
    key = small_key(w)
    if w.chance(0.4):
        rows = w.output(f"{kind}", "matrix", f"64][{width}")
        row = f"{rows}[{key}]"
        claim(w, key, f"{row}[0] == 0", f"{row}[0] = 1;", f"{row}[{width - 1}]")
        return
    rows = w.output(kind, "flat", f"64 * {width}")
    wide = str(width)
    if w.chance(0.4):
        wide = w.outer("uint64_t", f"opaque(0) + {width}", "wide")
    row = f"{rows}[{key} * {wide}"
    claim(w, key, f"{row}] == 0", f"{row}] = 1;", f"{row} + {width - 1}]")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_column(w):
    """The fields of an element are in rows of one table, or in three arrays."""
    key = small_key(w)
    form = w.number_between(0, 2)
    if form == 0:
        table = w.output("uint64_t", "table", "3][64")
        first, last = f"{table}[0][{key}]", f"{table}[2][{key}]"
    elif form == 1:
        table = w.output("uint64_t", "table", "3 * 64")
        tall = w.outer("uint64_t", "opaque(0) + 64", "tall")
        first, last = f"{table}[{key}]", f"{table}[2 * {tall} + {key}]"
    else:
        first = f"{w.output('uint8_t', 'used', '64')}[{key}]"
        last = f"{w.output('uint64_t', 'held', '64')}[{key}]"
        times = w.output("uint32_t", "times", "64")
        w.line(f"++{times}[{key}];")
    claim(w, key, f"{first} == 0", f"{first} = 1;", last)


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_by_bit(w):
    """Bits say which elements are used."""
    bits, held = w.output("uint64_t", "bits", "2"), w.output("uint64_t", "held", "64")
    key = small_key(w)
    width = w.pick([32, 64])
    word, bit = f"{bits}[{key} / {width}]", f"({key} % {width})"
    claim(w, key, f"!({word} >> {bit} & 1)", f"{word} |= (uint64_t)1 << {bit};", f"{held}[{key}]")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_by_another_pointer(w):
    """One pointer tells that the element is free, another one takes it."""
    kind = w.pick(["uint64_t", "uint32_t", "uint8_t"])
    used, held = w.output(kind, "used", "64"), w.output("uint64_t", "held", "64")
    key = small_key(w)
    form = w.number_between(0, 3)
    same = f"({kind} *)samePlace({used})"
    if form == 0:
        view = w.outer(f"{kind} *", same, "view")
        free, taken = f"{view}[{key}]", f"{used}[{key}]"
    elif form == 1:
        end = w.outer(f"{kind} *", f"{same} + 64", "end")
        free, taken = f"{used}[{key}]", f"{end}[(int64_t){key} - 64]"
    elif form == 2:
        place, first = w.fresh("place"), w.outer(f"{kind} *", same, "first")
        w.line(f"{kind} *{place} = &{first}[{key}];")
        free, taken = f"*{place}", f"{first}[{place} - {first}]"
    else:
        views = w.fresh("views")
        w.file_scope += [f"static {kind} *{views}[2];"]
        w.before += [f"{views}[0] = {same};", f"{views}[1] = {used};"]
        free, taken = f"{views}[0][{key}]", f"{views}[1][{key}]"
    if w.chance(0.5):
        free, taken = taken, free
    claim(w, key, f"{free} == 0", f"{taken} = 1;", f"{held}[{key}]")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_by_atomic(w):
    """An atomic operation claims the element, plain ones fill it in."""
    used, held = w.output("uint32_t", "used", "64"), w.output("uint64_t", "held", "64")
    key = small_key(w)
    order = w.pick(["__ATOMIC_RELAXED", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"])
    if w.chance(0.5):
        free = w.fresh("free")
        w.line(f"uint32_t {free} = 0;")
        test = (f"__atomic_compare_exchange_n(&{used}[{key}], &{free}, 1u, 0, {order},"
                " __ATOMIC_RELAXED)")
    else:
        test = f"!__atomic_exchange_n(&{used}[{key}], 1u, {order})"
    with w.block(f"if ({test})"):
        w.line(f"{held}[{key}] = {from_key(w, key)};")
    with w.block("else"):
        w.line(f"{held}[{key}] += 5;")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def claimed_bit_field(w):
    kind, table = w.fresh("Packed"), w.fresh("packed")
    w.file_scope += [
        f"typedef struct {{ uint32_t used : 1, times : 11, value : 20; uint32_t extra; }} {kind};",
        f"static {kind} {table}[64];",
    ]
    w.before.append(f"memset({table}, 0, sizeof({table}));")
    w.report(f"reportBytes({{}}, {table}, sizeof({table}));", table)
    key = small_key(w)
    place = f"{table}[{key}]"
    with w.block(f"if (!{place}.used)"):
        w.line(f"{place}.used = 1;")
        w.line(f"{place}.value = {from_key(w, key)} & 1023u;")
        w.line(f"{place}.extra = (uint32_t){chain(w, f'{key} + 3u')};")
    with w.block("else"):
        w.line(f"{place}.value += 5;")
        w.line(f"{place}.extra += 3;")


@ingredient("update", weight=0.8, serial=True, conflicts=True)
def element_behind_link(w):
    """A table of pointers to elements, which the first one links."""
    kind, heads, pool = w.fresh("Linked"), w.fresh("heads"), w.fresh("pool")
    w.file_scope += [
        f"typedef struct {{ uint64_t key, value; }} {kind};",
        f"static {kind} *{heads}[64], {pool}[ELEMENTS + 64];",
    ]
    w.before += [f"memset({heads}, 0, sizeof({heads}));", f"memset({pool}, 0, sizeof({pool}));"]
    key, item = small_key(w), w.fresh("item")
    slot = key
    if w.iteration and not w.loop_level and w.chance(0.5):
        slot = f"64 + {w.iteration}"
        products = w.fresh("products")
        w.after += [
            f"uint64_t {products} = 0;",
            "for (int64_t at = 0; at < ELEMENTS + 64; ++at)",
            f"  {products} += {pool}[at].key * {pool}[at].value;",
        ]
        w.report_variable(products)
    else:
        w.report(f"reportBytes({{}}, {pool}, sizeof({pool}));", pool)
    w.line(f"{kind} *{item} = {heads}[{key}];")
    with w.block(f"if (!{item})"):
        steps = [
            f"{item} = &{pool}[{slot}];",
            f"{heads}[{key}] = {item};",
            f"{item}->key = {key} + 1;",
            f"{item}->value = {from_key(w, key)};",
        ]
        if w.chance(0.3):
            steps = [steps[0], steps[2], steps[3], steps[1]]
        for step in steps:
            w.line(step)
    with w.block("else"):
        w.line(f"{item}->value += 5;")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def element_of_page(w):
    """A directory of pages of elements."""
    kind, pages, directory = w.fresh("Page"), w.fresh("pages"), w.fresh("directory")
    w.file_scope += [
        f"typedef struct {{ struct {{ uint32_t key; uint64_t value; }} items[8]; }} {kind};",
        f"static {kind} {pages}[8], *{directory}[8];",
    ]
    w.before += [
        f"memset({pages}, 0, sizeof({pages}));", f"memset({directory}, 0, sizeof({directory}));",
    ]
    w.report(f"reportBytes({{}}, {pages}, sizeof({pages}));", pages)
    key, page = small_key(w), w.fresh("page")
    w.line(f"{kind} *{page} = {directory}[{key} / 8];")
    w.line(f"if (!{page})")
    w.line(f"  {directory}[{key} / 8] = {page} = &{pages}[{key} / 8];")
    place = f"{page}->items[{key} % 8]"
    claim(w, key, f"!{place}.key", f"{place}.key = (uint32_t){key} + 1;", f"{place}.value")


@ingredient("update", weight=0.8, serial=True, conflicts=True)
def slot_from_callee(w):
    """A callee finds or claims the slot, the loop fills it in."""
    keys, held = w.output("uint64_t", "keys", "128"), w.output("uint64_t", "held", "128")
    key, find, fresh = small_key(w), w.fresh("find"), w.fresh("fresh")
    by_pointer = w.chance(0.5)
    result, give = ("uint64_t *", f"&{held}[key]") if by_pointer else ("uint64_t ", "key")
    w.file_scope += [
        f"static NOINLINE {result}{find}(uint64_t key, int *fresh) {{",
        f"  *fresh = !{keys}[key];",
        f"  {keys}[key] = key + 1;",
        f"  return {give};",
        "}",
    ]
    w.line(f"int {fresh};")
    found = w.fresh("found")
    w.line(f"{result}{found} = {find}({key}, &{fresh});")
    place = f"*{found}" if by_pointer else f"{held}[{found}]"
    with w.block(f"if ({fresh})"):
        w.line(f"{place} = {from_key(w, key)};")
    with w.block("else"):
        w.line(f"{place} += 5;")


@ingredient("update", weight=0.8, serial=True, conflicts=True)
def found_or_made(w):
    """One callee looks for an element, another makes it, a third may fill it in."""
    kind, table = w.fresh("Entry"), w.fresh("entries")
    look, make, put = w.fresh("look"), w.fresh("make"), w.fresh("put")
    w.file_scope += [
        f"typedef struct {{ uint64_t key, value; }} {kind};",
        f"static {kind} {table}[64];",
        f"static NOINLINE {kind} *{look}(uint64_t key) {{",
        f"  return {table}[key].key ? &{table}[key] : 0;",
        "}",
        f"static NOINLINE {kind} *{make}(uint64_t key) {{",
        f"  {table}[key].key = key + 1;",
        f"  return &{table}[key];",
        "}",
        f"UNUSED static NOINLINE void {put}({kind} *entry, uint64_t value) {{",
        "  entry->value = value;",
        "}",
    ]
    w.before.append(f"memset({table}, 0, sizeof({table}));")
    w.report(f"reportBytes({{}}, {table}, sizeof({table}));", table)
    key, entry = small_key(w), w.fresh("entry")
    w.line(f"{kind} *{entry} = {look}({key});")
    with w.block(f"if (!{entry})"):
        w.line(f"{entry} = {make}({key});")
        if w.chance(0.5):
            w.line(f"{put}({entry}, {from_key(w, key)});")
        else:
            w.line(f"{entry}->value = {from_key(w, key)};")
    with w.block("else"):
        w.line(f"{entry}->value += 5;")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def counted_then_first(w):
    """Who counts first fills in."""
    counts, held = w.output("uint32_t", "counts", "64"), w.output("uint64_t", "held", "64")
    key = small_key(w)
    with w.block(f"if ({counts}[{key}]++ == 0)"):
        w.line(f"{held}[{key}] = {from_key(w, key)};")
    with w.block("else"):
        w.line(f"{held}[{key}] += 5;")


@ingredient("update", weight=0.8, serial=True)
def record_there_and_back(w):
    """A record is copied, changed, and copied back."""
    kind, table, copy = w.fresh("Wide"), w.fresh("wide"), w.fresh("copy")
    w.file_scope += [
        f"typedef struct {{ uint64_t total, times, unused[{w.number_between(1, 6)}]; }} {kind};",
        f"static {kind} {table}[64];",
    ]
    w.before.append(f"memset({table}, 0, sizeof({table}));")
    w.report(f"reportBytes({{}}, {table}, sizeof({table}));", table)
    key = small_key(w)
    by_memcpy = w.chance(0.5)
    if by_memcpy:
        w.line(f"{kind} {copy};")
        w.line(f"memcpy(&{copy}, &{table}[{key}], sizeof({copy}));")
    else:
        w.line(f"{kind} {copy} = {table}[{key}];")
    w.line(f"{copy}.total += {from_key(w, w.value())};")
    w.line(f"++{copy}.times;")
    if by_memcpy:
        w.line(f"memcpy(&{table}[{key}], &{copy}, sizeof({copy}));")
    else:
        w.line(f"{table}[{key}] = {copy};")


@ingredient("update", weight=0.6, serial=True, conflicts=True)
def node_moves(w):
    """A node leaves its list and enters the one that its key names."""
    kind, items, heads = w.fresh("Ring"), w.fresh("rings"), w.fresh("ends")
    w.file_scope += [
        f"typedef struct {kind} {{ struct {kind} *prev, *next; uint64_t key; }} {kind};",
        f"static {kind} {items}[64], {heads}[8];",
    ]
    w.before += [
        "for (int at = 0; at < 8; ++at)",
        f"  {heads}[at].prev = {heads}[at].next = &{heads}[at];",
        "for (uint64_t at = 0; at < 64; ++at) {",
        f"  {kind} *item = &{items}[at];",
        "  item->key = at;",
        f"  item->prev = &{heads}[0];",
        f"  item->next = {heads}[0].next;",
        "  item->next->prev = item;",
        f"  {heads}[0].next = item;",
        "}",
    ]
    lists = w.fresh("lists")
    w.after += [
        f"uint64_t {lists} = 0, {lists}_length = 0;",
        "for (uint64_t at = 0; at < 8; ++at)",
        f"  for ({kind} *item = {heads}[at].next; item != &{heads}[at] && {lists}_length < 99;",
        f"       item = item->next, ++{lists}_length)",
        f"    {lists} += hashOf(item->key * 8 + at + (item->next->prev == item) * 999);",
    ]
    w.report_variable(lists)
    key, item, head = small_key(w), w.fresh("item"), w.fresh("end")
    for text in (
        f"{kind} *{item} = &{items}[{key}];",
        f"{kind} *{head} = &{heads}[{item}->key & 7];",
        f"{item}->prev->next = {item}->next;",
        f"{item}->next->prev = {item}->prev;",
        f"{item}->prev = {head};",
        f"{item}->next = {head}->next;",
        f"{item}->next->prev = {item};",
        f"{head}->next = {item};",
    ):
        w.line(text)
