"""Ingredients that write memory which other iterations may write too, and
those that write places of their own."""

from .ingredients import ingredient
from .writer import INTEGER_TYPES


def add_atomically(w, place, value, type_name):
    """One addition that is safe in a worksharing loop."""
    if type_name in ("float", "double") or w.chance(0.5):
        w.needs_openmp = True
        w.line("#pragma omp atomic")
        w.line(f"{place} += {value};")
    else:
        order = w.pick(["__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST", "__ATOMIC_ACQ_REL"])
        w.line(f"__atomic_fetch_add(&{place}, {value}, {order});")


def update_operand(w, type_name):
    if type_name in ("float", "double"):
        return f"({type_name})({w.expression(1)} & 7u)"
    if type_name == "int32_t":
        return f"(int32_t)({w.expression(1)} & 63u)"
    if type_name == "int64_t":
        return f"(int64_t)({w.expression(1)} & 1023u)"
    loads = ["values64[indices[{i}]]", "values32[{i}]", "records[{i}].weight"]
    if w.chance(0.5):
        return f"({type_name}){w.pick(loads).format(i=w.index())}"
    return f"({type_name})({w.expression(1)})"


@ingredient("update", weight=5)
def histogram(w):
    type_name = w.sum_type()
    bins = w.output(type_name, "bins")
    if w.chance(0.3):
        place = f"{bins}[{w.table('indices')}[{w.index()}]]"
    else:
        place = f"{bins}[{w.index()}]"
    value = update_operand(w, type_name)
    if w.parallel:
        add_atomically(w, place, value, type_name)
        return
    form = w.number_between(0, 4)
    if form == 0:
        w.line(f"{place} += {value};")
    elif form == 1:
        w.line(f"{place} = ({type_name})({place} + {value});")
    elif form == 2:
        old = w.fresh("old")
        name = w.fresh("place")
        w.line(f"{type_name} *{name} = &{place};")
        w.line(f"{type_name} {old} = *{name};")
        w.line(f"*{name} = ({type_name})({old} + {value});")
    elif form == 3:
        w.line(f"if ({w.condition()})")
        w.line(f"  {place} += {value};")
    else:
        w.line(f"{w.pick(['++', '--'])}{place};")


@ingredient("update", weight=1.5, serial=True)
def bitwise_histogram(w):
    type_name = w.pick(INTEGER_TYPES)
    bins = w.output(type_name, "bins")
    operator = w.pick(["^", "|", "^"])
    w.line(f"{bins}[{w.index()}] {operator}= ({type_name})({w.expression()});")


@ingredient("update", weight=2, serial=True)
def extreme_in_memory(w):
    type_name = w.pick(INTEGER_TYPES)
    bins = w.output(type_name, "bins")
    value = w.fresh("candidate")
    slot = w.fresh("slot")
    w.line(f"{type_name} {value} = ({type_name})({w.expression()});")
    w.line(f"uint64_t {slot} = (uint64_t)({w.index()});")
    place = f"{bins}[{slot}]"
    form = w.number_between(0, 2)
    if form == 0:
        w.line(f"{place} = {place} > {value} ? {place} : {value};")
    elif form == 1:
        w.line(f"if ({place} < {value})")
        w.line(f"  {place} = {value};")
    else:
        reference = w.fresh("bin")
        w.line(f"{type_name} *{reference} = &{place};")
        w.line(f"*{reference} = *{reference} < {value} ? {value} : *{reference};")


def fixed_place(w):
    """A variable that stays in memory: others may know its address."""
    name = w.fresh("place")
    w.file_scope.append(f"static uint64_t {name};")
    w.before.append(f"{name} = 5;")
    w.report_variable(name)
    if w.chance(0.3):
        return name
    pointer = w.outer("uint64_t *", f"HIDE(&{name})", "known")
    return f"(*{pointer})"


@ingredient("update", weight=1.5, ordered=True)
def ordered_in_memory(w):
    place = fixed_place(w)
    forms = [
        "{place} = {place} * 31u + {value};",
        "{place} = {value};",
        "if ({condition}) {place} = {value};",
        "{place} = {place} < {value} ? {value} : {place} / 2u;",
        "if ({place} % 3u) {place} += {value}; else {place} = 1u;",
    ]
    w.line(w.pick(forms).format(place=place, value=w.expression(1), condition=w.condition()))


@ingredient("update", weight=1, ordered=True)
def written_then_read(w):
    """One variable outside the loop as scratch space of every iteration."""
    place = fixed_place(w)
    w.line(f"{place} = {w.expression(1)};")
    if w.chance(0.5):
        w.declare("uint64_t", f"values64[indices[({w.value()} + {place}) % ELEMENTS]]")
    if w.chance(0.5):
        w.line(f"addTo(&{place}, {w.value()});")
    w.declare("uint64_t", f"{place} ^ {w.value()}")


@ingredient("update", weight=1, serial=True)
def total_in_memory(w):
    place = fixed_place(w)
    if w.chance(0.5):
        w.line(f"{place} += {w.expression(1)};")
    else:
        with w.block(f"if ({w.condition()})"):
            w.line(f"{place} ^= {w.expression(1)};")


@ingredient("update", weight=3, once=True)
def own_element(w):
    """out[i] = value, or the same through a permutation."""
    if not w.iteration:
        return
    type_name = w.pick(INTEGER_TYPES + ("double",))
    out = w.output(type_name)
    place = w.iteration
    if w.chance(0.4):
        place = f"permutation[{place}]"
    value = w.expression()
    if type_name == "double":
        value = f"(int32_t)({value} & 65535u)"
    w.line(f"{out}[{place}] = ({type_name})({value});")


@ingredient("update", weight=1.5)
def own_element_update(w):
    if not w.iteration:
        return
    out = w.output(w.pick(["uint32_t", "uint64_t", "uint16_t"]))
    w.line(f"{out}[{w.iteration}] += {w.expression()};")


@ingredient("update", weight=1.5, serial=True)
def field_update(w):
    records = w.output("Record", "changed")
    index = w.index()
    form = w.number_between(0, 3)
    if form == 0:
        w.line(f"{records}[{index}].weight += {w.expression()};")
    elif form == 1:
        w.line(f"{records}[{index}].halves.low ^= (uint16_t)({w.expression()});")
    elif form == 2:
        pointer = w.fresh("changed")
        w.line(f"Record *{pointer} = &{records}[{index}];")
        w.line(f"{pointer}->count += (int32_t)({w.expression()} & 31u);")
        w.line(f"{pointer}->weight ^= {w.expression(1)};")
    else:
        w.line(f"{records}[{index}].real += reals64[{w.index()}];")


@ingredient("update", serial=True)
def bit_set(w):
    bits = w.output("uint64_t", "bits", "ELEMENTS / 64 + 1")
    bit = w.fresh("bit")
    w.line(f"uint64_t {bit} = (uint64_t)({w.index()});")
    w.line(f"{bits}[{bit} / 64] |= (uint64_t)1 << ({bit} % 64);")


@ingredient("update", weight=2)
def visit_once(w):
    """Breadth-first search's test and set: who comes first does not matter."""
    visited = w.output("uint8_t" if not w.parallel else "uint32_t", "visited")
    vertex = w.fresh("vertex")
    w.line(f"uint64_t {vertex} = (uint64_t)({w.index()});")
    if w.parallel:
        fresh = w.fresh("visits")
        w.before.append(f"uint64_t {fresh} = 0;")
        w.openmp_clause("reduction +", fresh)
        w.report_variable(fresh)
        expected = w.fresh("expected")
        w.line(f"uint32_t {expected} = 0;")
        w.line(f"if (__atomic_compare_exchange_n(&{visited}[{vertex}], &{expected}, 1u, 0,")
        w.line("                                __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))")
        w.line(f"  ++{fresh};")
        return
    frontier = w.fresh("frontier")
    w.file_scope.append(f"static uint64_t {frontier}[ELEMENTS];")
    used = w.outer("uint32_t", "0", "used")
    w.report(f"reportMultiset({{}}, {frontier}, {used});", frontier)
    with w.block(f"if (!{visited}[{vertex}])"):
        w.line(f"{visited}[{vertex}] = 1;")
        w.line(f"{frontier}[{used}++] = {vertex};")


@ingredient("update", serial=True)
def update_in_callee(w):
    bins = w.output("uint64_t", "bins")
    w.line(f"addTo(&{bins}[{w.index()}], {w.expression(1)});")


@ingredient("update", weight=0.8, serial=True)
def global_scalar(w):
    total = w.fresh("total")
    qualifier = w.pick(["", "volatile "])
    w.file_scope.append(f"static {qualifier}uint64_t {total};")
    w.before.append(f"{total} = 0;")
    w.line(f"{total} = {total} + ({w.expression()});")
    w.report_variable(total)


@ingredient("update", weight=0.8, serial=True)
def two_bins(w):
    """A transfer from one place to another: two updates in one iteration."""
    bins = w.output("uint64_t", "bins")
    amount = w.fresh("amount")
    w.line(f"uint64_t {amount} = {w.expression(1)} & 255u;")
    w.line(f"{bins}[{w.index()}] += {amount};")
    w.line(f"{bins}[indices[{w.index()}]] -= {amount};")


@ingredient("update", weight=2, serial=True)
def block_update(w):
    """An addition to a copy of a block that iterations share, all of them or
    those that are neighbours, with a load between copying in and back."""
    bins = w.output("uint64_t", "bins")
    # The first is zero, though a compiler does not know that.
    index = w.pick(["count < 0", w.index(), w.iteration or "count < 0"])
    other = f"{w.table('values64')}[{w.index()}]"
    w.line(f"ADD_IN_BLOCK({bins}, {index}, {w.expression(1)}, {other});")
