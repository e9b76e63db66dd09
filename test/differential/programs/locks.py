"""Ingredients with locks of the program's own, one for each of several places.

A holder that is suspended would keep its own thread out for ever. What a lock
protects commutes, so that the order of holders does not matter.
"""

from .ingredients import ingredient
from .states import chain

STRIPES = 16

# How to acquire and release the lock {l}, a number of type unsigned.
FORMS = {
    "exchange": (
        "while (__atomic_exchange_n(&{l}, 1u, __ATOMIC_ACQUIRE)) {{}}",
        "__atomic_store_n(&{l}, 0u, __ATOMIC_RELEASE);",
    ),
    "compare": (
        "for (unsigned old = 0; !__atomic_compare_exchange_n(&{l}, &old, 1u, 1, __ATOMIC_ACQUIRE,"
        " __ATOMIC_RELAXED); old = 0) {{}}",
        "__atomic_store_n(&{l}, 0u, __ATOMIC_RELEASE);",
    ),
    "bit": (
        "while (__atomic_fetch_or(&{l}, 2u, __ATOMIC_ACQUIRE) & 2u) {{}}",
        "__atomic_fetch_and(&{l}, ~2u, __ATOMIC_RELEASE);",
    ),
    "flip": (
        "while (__atomic_fetch_or(&{l}, 1u, __ATOMIC_ACQUIRE) & 1u) {{}}",
        "__atomic_fetch_xor(&{l}, 1u, __ATOMIC_RELEASE);",
    ),
    "fences": (
        "while (__atomic_exchange_n(&{l}, 1u, __ATOMIC_RELAXED)) {{}}"
        " __atomic_thread_fence(__ATOMIC_ACQUIRE);",
        "__atomic_thread_fence(__ATOMIC_RELEASE); __atomic_store_n(&{l}, 0u, __ATOMIC_RELAXED);",
    ),
    "builtin": (
        "while (__sync_lock_test_and_set(&{l}, 1u)) {{}}",
        "__sync_lock_release(&{l});",
    ),
    "ticket": (
        "for (unsigned mine = __atomic_fetch_add(&{l}_next[{i}], 1u, __ATOMIC_RELAXED);"
        " __atomic_load_n(&{l}, __ATOMIC_ACQUIRE) != mine;) {{}}",
        "__atomic_fetch_add(&{l}, 1u, __ATOMIC_RELEASE);",
    ),
    "readers": (
        "for (unsigned old = 0; !__atomic_compare_exchange_n(&{l}, &old, 0u - 1u, 1,"
        " __ATOMIC_ACQUIRE, __ATOMIC_RELAXED); old = 0) {{}}",
        "__atomic_fetch_add(&{l}, 1u, __ATOMIC_RELEASE);",
    ),
}
# Those that exclude iterations of one thread only.
PLAIN_FORMS = {
    "flag": ("while ({l}) {{}} {l} = 1;", "{l} = 0;"),
    "count": ("while ({l}) {{}} ++{l};", "--{l};"),
    "versions": (
        "while (__atomic_load_n(&{l}, __ATOMIC_ACQUIRE) & 1u) {{}}"
        " __atomic_fetch_add(&{l}, 1u, __ATOMIC_RELAXED);"
        " __atomic_thread_fence(__ATOMIC_RELEASE);",
        "__atomic_fetch_add(&{l}, 1u, __ATOMIC_RELEASE);",
    ),
}


def take_and_give(w, words, form, pair):
    """The statements that acquire and release lock `at`: in place, or calls of
    functions that are told the index or the place."""
    ways = ["index", "index", "here"] + (["place"] if form != "ticket" else [])
    if form in ("flag", "count"):
        ways = ["index", "index", "place"]
    way = w.pick(ways)
    if way == "here":
        return [text.format(l=f"{words}[{{at}}]", i="{at}").replace("[{at}]_next", "_next")
                for text in pair]
    enter, leave = w.fresh("go"), w.fresh("come")
    kind, lock, argument = "uint64_t at", f"{words}[at]", "{at}"
    if way == "place":
        kind, lock, argument = "unsigned *at", "*at", f"&{words}[{{at}}]"
    for name, text in zip((enter, leave), pair):
        inside = text.format(l=lock, i="at").replace("[at]_next", "_next")
        w.file_scope.append(f"static NOINLINE void {name}({kind}) {{ {inside} }}")
    return [f"{name}({argument});" for name in (enter, leave)]


def striped_lock(w, forms):
    form = w.pick(forms)
    words, bins = w.fresh("words"), w.output("uint64_t", "guarded", STRIPES)
    times = w.output("uint64_t", "times", STRIPES)
    w.file_scope.append(f"static unsigned {words}[{STRIPES}];")
    if form == "ticket":
        w.file_scope.append(f"static unsigned {words}_next[{STRIPES}];")
    at = w.fresh("stripe")
    take, give = (
        text.replace("{at}", at)
        for text in take_and_give(w, words, form, forms[form])
    )
    w.line(f"uint64_t {at} = {w.value()} % {STRIPES}u;")
    w.line(take)
    w.line(f"{bins}[{at}] += {chain(w, w.value())};")
    w.line(f"++{times}[{at}];")
    w.line(give)


@ingredient("update", weight=2, hard=True)
def striped_atomic_lock(w):
    striped_lock(w, FORMS)


@ingredient("update", hard=True, serial=True, conflicts=True)
def striped_plain_lock(w):
    striped_lock(w, PLAIN_FORMS)


@ingredient("update", hard=True)
def locked_object(w):
    """The lock is a bit in the pointer to what it protects."""
    kind, cells, words = w.fresh("Cell"), w.fresh("cells"), w.fresh("tagged")
    grab, drop, cell, at = (w.fresh(name) for name in ("grab", "drop", "cell", "stripe"))
    w.file_scope += [
        f"typedef struct {{ uint64_t total, times; }} {kind};",
        f"static {kind} {cells}[{STRIPES}];",
        f"static uintptr_t {words}[{STRIPES}];",
        f"static NOINLINE {kind} *{grab}(uint64_t at) {{",
        "  uintptr_t word;",
        f"  while ((word = __atomic_fetch_or(&{words}[at], 1u, __ATOMIC_ACQUIRE)) & 1u) {{",
        "  }",
        f"  return ({kind} *)word;",
        "}",
        f"static NOINLINE void {drop}(uint64_t at, {kind} *cell) {{",
        f"  __atomic_store_n(&{words}[at], (uintptr_t)cell, __ATOMIC_RELEASE);",
        "}",
    ]
    w.before += [
        f"memset({cells}, 0, sizeof({cells}));",
        f"for (int at = 0; at < {STRIPES}; ++at)",
        f"  {words}[at] = (uintptr_t)&{cells}[at];",
    ]
    w.report(f"reportBytes({{}}, {cells}, sizeof({cells}));", cells)
    w.line(f"uint64_t {at} = {w.value()} % {STRIPES}u;")
    w.line(f"{kind} *{cell} = {grab}({at});")
    w.line(f"{cell}->total += {chain(w, w.value())};")
    w.line(f"++{cell}->times;")
    w.line(f"{drop}({at}, {cell});")
