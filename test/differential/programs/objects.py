"""Ingredients with arrays and structs of the body, and with their addresses."""

from .ingredients import ingredient


@ingredient("load", weight=1.5)
def local_array(w):
    scratch = w.fresh("scratch")
    length = w.number_between(1, 9)
    place = w.fresh("place")
    w.line(f"uint64_t {scratch}[{length}];")
    if w.chance(0.3):
        w.line(f"memset({scratch}, 0, sizeof({scratch}));")
    else:
        w.line(f"for (int {place} = 0; {place} < {length}; ++{place})")
        w.line(f"  {scratch}[{place}] = {w.expression(1)} + (uint64_t){place};")
    w.know_object(scratch, length)
    w.declare("uint64_t", f"{scratch}[{w.value()} % {length}u]")


@ingredient("load", weight=1.5)
def use_local_array(w):
    """Changes a local array through an index, a callee or a reduction."""
    own = w.own_objects()
    if not own:
        return
    item = w.pick(own)
    form = w.number_between(0, 2)
    if form == 0:
        w.line(f"{item.name}[{w.value()} % {item.length}u] = {w.expression()};")
    elif form == 1:
        w.line(f"scramble({item.name}, {item.length}, {w.value()});")
    else:
        w.line(f"{item.name}[{w.value()} % {item.length}u] += "
               f"values64[indices[{w.index()}]];")
    w.declare("uint64_t", f"{item.name}[{w.value()} % {item.length}u]")


@ingredient("load")
def local_pair(w):
    pair = w.fresh("pair")
    w.line(f"Pair {pair} = {{{w.expression(1)}, {w.expression(1)}}};")
    if w.chance(0.6):
        w.line(f"exchange(&{pair});")
    if w.chance(0.4):
        copy = w.fresh("pair")
        w.line(f"Pair {copy} = {pair};")
        w.line(f"{copy}.second += values64[{w.index()}];")
        w.line(f"exchange(&{copy});")
        pair = copy
    w.declare("uint64_t", f"{pair}.first ^ ({pair}.second << 1)")


@ingredient("load", weight=0.7)
def address_of_scalar(w):
    counter = w.declare("uint64_t", w.expression(1), prefix="counter")
    w.line(f"addTo(&{counter}, values64[{w.index()}]);")
    if w.chance(0.5):
        w.line(f"addTo(&{counter}, {w.value()});")


@ingredient("load", weight=0.7)
def pointer_into_local_array(w):
    """A pointer to a local that lives across later loads."""
    own = w.own_objects()
    if not own:
        return
    item = w.pick(own)
    pointer = w.fresh("pointer")
    w.line(f"uint64_t *{pointer} = &{item.name}[{w.value()} % {item.length}u];")
    w.line(f"*{pointer} += lookUp({w.value()});")
    w.declare("uint64_t", f"*{pointer}")


@ingredient("load", weight=0.7, cxx=True)
def lambda_with_state(w):
    state = w.declare("uint64_t", w.expression(1), prefix="state")
    advance = w.fresh("advance")
    w.line(f"auto {advance} = [&{state}](uint64_t key) {{")
    w.line(f"  {state} = {state} * 7 + values64[indices[key % ELEMENTS]];")
    w.line("};")
    w.line(f"{advance}({w.value()});")
    w.line(f"{advance}({w.value()});")


@ingredient("load", weight=0.8)
def outer_temporary(w):
    """A variable declared before the loop that each iteration sets anew."""
    if w.loop_level or w.depth:
        return
    temporary = w.outer("uint64_t", "0", "temporary")
    w.line(f"{temporary} = {w.expression()};")
    w.know(temporary)
    if w.parallel:
        w.openmp_clause("private", temporary)
    if w.chance(0.4):
        w.clause("private", temporary)
