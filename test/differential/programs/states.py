"""Ingredients that share state between functions, under locks of the program's
own, and in records that are updated in parts.

Each iteration writes a state before it uses it, and what is computed from it does
not depend on which iteration came first.
"""

from .ingredients import ingredient


def chain(w, key):
    """A load that waits for another one."""
    return f"values64[indices[({key}) % ELEMENTS]]"


@ingredient("update", weight=1.2, serial=True, conflicts=True)
def state_between_calls(w):
    """What one function notes, another uses."""
    bins = w.output("uint64_t", "bins")
    state, note, use = w.fresh("state"), w.fresh("note"), w.fresh("use")
    form = w.number_between(0, 3)
    if form == 0:
        thread_local = "_Thread_local" if w.language == "c" else "thread_local"
        storage = w.pick(["static", f"static {thread_local}"])
        w.file_scope.append(f"{storage} uint64_t {state};")
        place = state
    elif form == 1:
        w.file_scope.append(f"static uint64_t {state}[4];")
        place = f"{state}[{w.number_between(0, 3)}]"
    elif form == 2:
        w.file_scope += [
            f"static struct {{ uint64_t unused, at; }} {state}_object,",
            f"    *{state} = &{state}_object;",
        ]
        place = f"{state}->at"
    else:
        w.file_scope += [
            f"static NOINLINE uint64_t *{state}(void) {{",
            "  static uint64_t kept;",
            "  return &kept;",
            "}",
        ]
        place = f"*{state}()"
    w.file_scope += [
        f"static NOINLINE void {note}(uint64_t key) {{ {place} = key % ELEMENTS; }}",
        f"static NOINLINE void {use}(uint64_t amount) {{ {bins}[{place}] += amount; }}",
    ]
    w.line(f"{note}({w.value()});")
    amount = chain(w, w.expression(1))
    if w.chance(0.5):
        amount = w.declare("uint64_t", chain(w, w.value()))
    w.line(f"{use}({amount});")


@ingredient("update", serial=True, conflicts=True)
def buffer_of_functions(w):
    """A function fills a buffer, another reads all of it."""
    bins = w.output("uint64_t", "bins")
    buffer, put, take = w.fresh("buffer"), w.fresh("put"), w.fresh("take")
    length = w.number_between(2, 4)
    w.file_scope += [
        f"static uint64_t {buffer}[{length}];",
        f"static NOINLINE void {put}(int at, uint64_t value) {{",
        f"  {buffer}[at] = value;",
        "}",
        f"static NOINLINE uint64_t {take}(void) {{",
        "  uint64_t sum = 0;",
        f"  for (int k = 0; k < {length}; ++k)",
        f"    sum = sum * 31 + {buffer}[k];",
        "  return sum;",
        "}",
    ]
    for at in range(length):
        w.line(f"{put}({at}, {chain(w, w.expression(1))});")
    w.line(f"{bins}[{w.index()}] += {take}();")


@ingredient("update", hard=True)
def lock_of_functions(w):
    """A spin lock that only what its functions do shows."""
    lock, enter, leave = w.fresh("word"), w.fresh("go"), w.fresh("come")
    bins, slot = w.output("uint64_t", "bins"), w.fresh("slot")
    bit = w.chance(0.3)
    w.file_scope.append(f"static unsigned {lock};")
    if bit:
        taken = f"__atomic_fetch_or(&{lock}, 4u, __ATOMIC_ACQUIRE) & 4u"
        free = f"__atomic_fetch_and(&{lock}, ~4u, __ATOMIC_RELEASE)"
    else:
        taken = f"__atomic_exchange_n(&{lock}, 1u, __ATOMIC_ACQUIRE)"
        free = f"__atomic_store_n(&{lock}, 0u, __ATOMIC_RELEASE)"
    w.file_scope += [
        f"static NOINLINE int {enter}(void) {{ return !({taken}); }}",
        f"static NOINLINE void {leave}(void) {{ {free}; }}",
    ]
    w.line(f"while (!{enter}()) {{")
    w.line("}")
    w.line(f"uint64_t {slot} = indices[{w.index()}];")
    w.line(f"{bins}[{slot}] += {chain(w, w.value())};")
    w.line(f"{leave}();")


@ingredient("update", weight=1.5, serial=True, conflicts=True)
def claimed_record(w):
    """Finds a record by its key, or else claims and fills it."""
    record, records = w.fresh("Record"), w.fresh("records")
    at, key = w.fresh("at"), w.fresh("key")
    w.file_scope += [
        f"typedef struct {{ uint64_t key, value, times; }} {record};",
        f"static {record} {records}[ELEMENTS];",
    ]
    w.before.append(f"memset({records}, 0, sizeof({records}));")
    w.report(f"reportBytes({{}}, {records}, sizeof({records}));", records)
    w.line(f"uint64_t {key} = 1 + ({w.index()}) % (ELEMENTS / 4 + 1);")
    w.line(f"uint64_t {at} = {key} - 1;")
    place = f"{records}[{at}]"
    if w.chance(0.4):
        pointer = w.fresh("record")
        w.line(f"{record} *{pointer} = &{place};")
        place = f"(*{pointer})"
    with w.block(f"if ({place}.key == {key})"):
        w.line(f"{place}.value += 3;")
        w.line(f"++{place}.times;")
    with w.block("else"):
        w.line(f"{place}.key = {key};")
        w.line(f"{place}.value = {chain(w, key)};")


@ingredient("update", weight=1.2, serial=True)
def greatest_with_payload(w):
    """The greatest value so far, and what belongs to it."""
    best, value = w.fresh("best"), w.fresh("candidate")
    w.file_scope.append(f"static struct {{ uint64_t most, payload; }} {best}[8];")
    w.before.append(f"memset({best}, 0, sizeof({best}));")
    w.report(f"reportBytes({{}}, {best}, sizeof({best}));", best)
    w.line(f"uint64_t {value} = {w.expression()};")
    place = f"{best}[{value} % 8u]" if w.chance(0.6) else f"{best}[0]"
    with w.block(f"if ({place}.most < {value})"):
        w.line(f"{place}.most = {value};")
        w.line(f"{place}.payload = {chain(w, value)};")


@ingredient("update", serial=True, conflicts=True)
def slot_of_two_arrays(w):
    """Key and value of a slot are in two arrays."""
    keys, values = w.output("uint64_t", "keys"), w.output("uint64_t", "held")
    at = w.fresh("at")
    w.line(f"uint64_t {at} = {w.index()};")
    with w.block(f"if ({keys}[{at}] == 0)"):
        w.line(f"{keys}[{at}] = {at} + 1;")
        w.line(f"{values}[{at}] = {chain(w, at)};")
    with w.block("else"):
        w.line(f"{values}[{at}] += 5;")


@ingredient("load", weight=0.7)
def recursion(w):
    """A function that calls itself, and waits for memory on the way."""
    deep = w.fresh("deep")
    w.file_scope += [
        f"static NOINLINE uint64_t {deep}(uint64_t key, int depth) {{",
        f"  return depth == 0 ? {chain(w, 'key')}",
        f"                    : {deep}({chain(w, 'key')}, depth - 1) + key;",
        "}",
    ]
    w.declare("uint64_t", f"{deep}({w.value()}, {w.number_between(1, 6)})")


@ingredient("load", weight=0.6, trips=12)
def recursion_with_loop(w):
    """A function calls itself from an iteration of its own annotated loop."""
    deep, depth = w.fresh("deep"), w.number_between(1, 8)
    w.file_scope += [
        f"static NOINLINE uint64_t {deep}(uint64_t key, int depth) {{",
        "  uint64_t sum = 0;",
        f"#pragma heddle async{w.nested_clauses()}",
        "  for (int k = 0; k < 3; ++k) {",
        f"    uint64_t at = {chain(w, 'key + (uint64_t)k')};",
        f"    sum += k == 1 && depth > 0 ? {deep}(at, depth - 1) : {chain(w, 'at')};",
        "  }",
        "  return sum;",
        "}",
    ]
    w.declare("uint64_t", f"{deep}({w.value()}, {depth})")
