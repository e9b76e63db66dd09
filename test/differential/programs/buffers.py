"""Ingredients that fill a buffer of the program's or of a thread, and read it
again in the same iteration, without a call."""

from .ingredients import ingredient
from .memory import add_atomically
from .states import chain


def buffer(w, length):
    """A buffer that lives longer than an iteration, perhaps one of several."""
    name, row = w.fresh("buffer"), w.fresh("row")
    thread_local = "_Thread_local" if w.language == "c" else "thread_local"
    storage = f"static {thread_local}" if w.parallel or w.chance(0.2) else "static"
    w.file_scope.append(f"{storage} uint64_t {name}[4][{length}];")
    number = w.pick(["0", f"{w.value()} & 3", f"{w.index()} % 4", f"{chain(w, w.value())} & 3"])
    w.line(f"uint64_t *{row} = {name}[{number}];")
    return row


def add(w, bins, value):
    place = f"{bins}[{w.index()}]"
    if w.parallel:
        add_atomically(w, place, value, "uint64_t")
    else:
        w.line(f"{place} += {value};")


@ingredient("update", weight=1.2, trips=8, conflicts=True)
def filled_buffer(w):
    """Some elements are filled, all of those or one of them are read."""
    bins = w.output("uint64_t", "bins")
    length = w.number_between(2, 12)
    row, count, k = buffer(w, length), w.fresh("count"), w.fresh("k")
    w.line(f"uint64_t {count} = 0;")
    keep = w.pick(["", f"if ({chain(w, k)} & 1) "])
    with w.block(f"for (uint64_t {k} = 0; {k} < {length}; ++{k})"):
        w.line(f"{keep}{row}[{count}++] = {chain(w, f'{w.value()} + {k}')};")
    if w.chance(0.5):
        with w.block(f"for (uint64_t {k} = 0; {k} < {count}; ++{k})"):
            add(w, bins, chain(w, f"{row}[{k}]"))
    else:
        with w.block(f"if ({count})"):
            add(w, bins, f"{row}[{chain(w, w.value())} % {count}]")


@ingredient("update", trips=8, conflicts=True)
def sorted_buffer(w):
    """Values are put in their place among those that the buffer holds already."""
    bins = w.output("uint64_t", "bins")
    length = w.number_between(2, 8)
    row, k, at, x = buffer(w, length), w.fresh("k"), w.fresh("at"), w.fresh("next")
    with w.block(f"for (int {k} = 0; {k} < {length}; ++{k})"):
        w.line(f"uint64_t {x} = {chain(w, f'{w.value()} + (uint64_t){k}')};")
        w.line(f"int {at} = {k};")
        with w.block(f"for (; {at} > 0 && {row}[{at} - 1] > {x}; --{at})"):
            w.line(f"{row}[{at}] = {row}[{at} - 1];")
        w.line(f"{row}[{at}] = {x};")
    add(w, bins, f"{row}[0] * 31 + {row}[{w.number_between(0, length - 1)}]")
