"""Ingredients that update variables declared before the annotated loop:
commutative reductions, and variables whose updates must keep their order."""

from .ingredients import ingredient
from .writer import INTEGER_TYPES

BITWISE = {"&": "-1", "|": "0", "^": "0"}


def operand(w, type_name):
    """A value of the type, small enough that sums of many do not overflow."""
    if type_name == "double":
        return f"reals64[{w.index()}]"
    if type_name == "float":
        return f"reals32[{w.index()}]"
    if type_name == "int32_t":
        return f"((int32_t)({w.expression(1)} & 63u) - 20)"
    if type_name == "int64_t":
        return f"((int64_t)({w.expression(1)} & 65535u) - 30000)"
    return f"({type_name})({w.expression()})"


def accumulator(w, type_name, operator, initial):
    """A variable that the loop reduces into."""
    name = w.outer(type_name, initial, "sum")
    if w.parallel:
        w.openmp_clause(f"reduction {operator}", name)
    elif w.chance(0.06):
        w.clause("shared", name)
    w.report_variable(name, type_name)
    return name


@ingredient("update", weight=6)
def sum_reduction(w):
    type_name = w.sum_type()
    initial = w.pick(["0", "3", "(uint64_t)count"])
    if type_name in ("float", "double"):
        initial = "0"
    name = accumulator(w, type_name, "+", f"({type_name}){initial}")
    value = operand(w, type_name)
    form = w.number_between(0, 6)
    if form == 0:
        w.line(f"{name} += {value};")
    elif form == 1:
        w.line(f"{name} = ({type_name})({name} + {value});")
    elif form == 2:
        w.line(f"if ({w.condition()})")
        w.line(f"  {name} += {value};")
    elif form == 3:
        w.line(f"{name} = {w.condition()} ? ({type_name})({name} + {value}) : {name};")
    elif form == 4:
        sum_through_temporary(w, name, type_name, value)
    elif form == 5:
        w.line(f"{name} -= {value};")
    else:
        w.line(f"if ({w.condition()})")
        w.line(f"  ++{name};")


def sum_through_temporary(w, name, type_name, value):
    temporary = w.fresh("next")
    w.line(f"{type_name} {temporary} = {name};")
    with w.block(f"if ({w.condition()})"):
        w.line(f"{temporary} = ({type_name})({name} + {value});")
    w.line(f"{name} = {temporary};")


@ingredient("update", weight=1.5)
def bitwise_reduction(w):
    type_name = w.pick(INTEGER_TYPES)
    operator = w.pick(BITWISE)
    name = accumulator(w, type_name, operator, f"({type_name}){BITWISE[operator]}")
    value = f"({type_name})({w.expression()})"
    if operator == "&":
        value = f"({type_name})({value} | {w.pick(['1', '6', '0x7b'])})"
    if w.chance(0.3):
        w.line(f"if ({w.condition()})")
        w.line(f"  {name} {operator}= {value};")
    else:
        w.line(f"{name} {operator}= {value};")


@ingredient("update")
def product_reduction(w):
    if w.chance(0.2):
        name = accumulator(w, "double", "*", "1.0")
        w.line(f"{name} *= {w.condition()} ? -1.0 : 1.0;")
        return
    name = accumulator(w, w.pick(["uint32_t", "uint64_t"]), "*", "1")
    w.line(f"{name} *= {w.expression()} | 1u;")


@ingredient("update", weight=2)
def extreme_reduction(w):
    type_name = w.pick(INTEGER_TYPES + ("float", "double"))
    operator, comparison = w.pick([("min", "<"), ("max", ">")])
    name = accumulator(w, type_name, operator, f"({type_name})50")
    value = w.fresh("candidate")
    w.line(f"{type_name} {value} = {operand(w, type_name)};")
    if w.chance(0.5):
        w.line(f"{name} = {value} {comparison} {name} ? {value} : {name};")
    else:
        w.line(f"if ({value} {comparison} {name})")
        w.line(f"  {name} = {value};")


@ingredient("update", weight=0.7)
def logical_reduction(w):
    operator = w.pick(["&&", "||"])
    name = accumulator(w, "int", operator, "1" if operator == "&&" else "0")
    w.line(f"{name} = {name} {operator} ({w.condition()});")


@ingredient("update", weight=0.8, cxx=True, serial=True)
def reduction_in_lambda(w):
    name = w.outer("uint64_t", "0", "sum")
    add = w.fresh("add")
    w.line(f"auto {add} = [&](uint64_t value) {{ {name} += value; }};")
    w.line(f"{add}({w.expression(1)});")
    w.report_variable(name)


@ingredient("update", weight=0.8, serial=True)
def reduction_in_callee(w):
    name = w.outer("uint64_t", "0", "sum")
    w.line(f"addTo(&{name}, {w.expression(1)});")
    w.report_variable(name)


# Variables whose updates must keep the order of the iterations.


def ordered(w, type_name, initial, prefix):
    name = w.outer(type_name, initial, prefix)
    if w.chance(0.2):
        w.clause("sequential", name)
    w.report_variable(name, type_name)
    return name


@ingredient("update", weight=2, ordered=True)
def hash_of_all(w):
    kind = w.pick(["uint64_t", "uint32_t", "uint16_t"])
    state = ordered(w, kind, "1", "state")
    update = f"({kind})({state} * 31u + {operand(w, 'uint64_t')})"
    if w.chance(0.3):
        w.line(f"if ({w.condition()})")
        w.line(f"  {state} = {update};")
    else:
        w.line(f"{state} = {update};")


@ingredient("update", weight=1.5, ordered=True)
def first_order_recurrence(w):
    previous = ordered(w, "uint64_t", "9", "previous")
    current = w.declare("uint64_t", w.expression(1), prefix="current")
    w.declare("uint64_t", f"{current} - {previous}", prefix="difference")
    w.line(f"{previous} = {current};")


@ingredient("update", ordered=True)
def second_order_recurrence(w):
    older = ordered(w, "uint64_t", "1", "older")
    newer = ordered(w, "uint64_t", "1", "newer")
    mixed = w.declare("uint64_t", f"{older} + {newer} * 3u + {w.value()}", prefix="mixed")
    w.line(f"{older} = {newer};")
    w.line(f"{newer} = {mixed};")


@ingredient("update", weight=1.5, ordered=True)
def last_value(w):
    kind = w.pick(INTEGER_TYPES)
    last = ordered(w, kind, "0", "last")
    if w.chance(0.6):
        w.line(f"if ({w.condition()})")
        w.line(f"  {last} = ({kind}){w.expression()};")
    else:
        w.line(f"{last} = ({kind}){w.expression()};")


@ingredient("update", weight=1.5, ordered=True)
def best_and_where(w):
    best = ordered(w, "uint64_t", "0", "best")
    where = ordered(w, "uint64_t", "0", "where")
    candidate = w.declare("uint64_t", f"({w.expression(1)}) % 1000u", prefix="candidate")
    comparison = w.pick([">", ">=", "<"])
    with w.block(f"if ({candidate} {comparison} {best})"):
        w.line(f"{best} = {candidate};")
        w.line(f"{where} = {w.value()};")


@ingredient("update", ordered=True)
def capped_total(w):
    total = ordered(w, "uint64_t", "0", "total")
    w.line(f"if ({total} < {w.number_between(10, 5000)}u)")
    w.line(f"  {total} += {w.expression(1)} & 15u;")


@ingredient("update", weight=0.7, ordered=True)
def toggle(w):
    flag = ordered(w, "int", "0", "flag")
    total = ordered(w, "uint64_t", "0", "total")
    w.line(f"if ({w.condition()})")
    w.line(f"  {flag} = !{flag};")
    w.line(f"if ({flag})")
    w.line(f"  {total} += {w.value()};")


@ingredient("update", weight=0.7, ordered=True)
def alternating_sum(w):
    total = ordered(w, "double", "0.0", "alternating")
    w.line(f"{total} = {operand(w, 'double')} - {total};")


@ingredient("load", weight=1, ordered=True)
def seed_per_iteration(w):
    """Random accesses from a generator that each iteration advances."""
    seed = ordered(w, "uint64_t", "88172645463325252u", "seed")
    w.line(f"{seed} = {seed} * 6364136223846793005u + 1442695040888963407u;")
    drawn = w.declare("uint64_t", f"{seed} >> 33", prefix="drawn")
    w.declare("uint64_t", f"values64[{drawn} % ELEMENTS]")


@ingredient("load", weight=0.8, ordered=True)
def walking_pointer(w):
    walker = w.outer("const uint64_t *", "values64", "walker")
    w.report(f"reportInteger({{}}, (uint64_t)({walker} - values64));", walker)
    w.declare("uint64_t", f"*{walker}")
    end = "values64 + ELEMENTS"
    w.line(f"{walker} = {walker} + 1 == {end} ? values64 : {walker} + 1;")


@ingredient("load", weight=0.8, ordered=True)
def running_position(w):
    position = ordered(w, "uint32_t", "0", "position")
    step = w.pick(["1", "7", f"(uint32_t)({w.value()} & 7u)"])
    w.line(f"{position} = ({position} + {step}) % ELEMENTS;")
    w.declare("uint64_t", f"values64[indices[{position}]]")


@ingredient("load", weight=0.6, ordered=True)
def chain_across_iterations(w):
    cursor = ordered(w, "uint32_t", "0", "cursor")
    w.line(f"{cursor} = records[{cursor}].link;")
    w.declare("uint64_t", f"records[{cursor}].weight")


@ingredient("update", weight=2.5, ordered=True)
def compaction(w):
    """out[used++] = value, in several spellings."""
    values = w.output("uint64_t", "kept")
    item = w.expression(1)
    form = w.number_between(0, 3)
    if form == 3:
        cursor = w.outer("uint64_t *", values, "cursor")
        w.report(f"reportInteger({{}}, (uint64_t)({cursor} - {values}));", cursor)
        w.line(f"if ({cursor} != {values} + ELEMENTS && ({w.condition()}))")
        w.line(f"  *{cursor}++ = {item};")
        return
    used = ordered(w, w.pick(["uint32_t", "int", "size_t"]), "0", "used")
    with w.block(f"if ({used} < ELEMENTS && ({w.condition()}))"):
        if form == 0:
            w.line(f"{values}[{used}++] = {item};")
        elif form == 1:
            w.line(f"{values}[{used}] = {item};")
            w.line(f"++{used};")
        else:
            place = w.declare(w.pick(["uint32_t", "int64_t"]), f"{used}++", prefix="place")
            w.line(f"{values}[{place}] = {item};")


@ingredient("update", weight=0.8, serial=True, once=True)
def shared_compaction(w):
    """The order is declared to mean nothing, so only the set is compared."""
    values = w.fresh("kept")
    w.file_scope.append(f"static uint64_t {values}[ELEMENTS];")
    used = w.outer("uint32_t", "0", "used")
    w.clause("shared", used)
    w.report(f"reportMultiset({{}}, {values}, {used});", values)
    w.line(f"if ({w.condition()})")
    w.line(f"  {values}[{used}++] = {w.expression()};")


@ingredient("update", weight=1, once=True)
def last_private(w):
    """OpenMP's lastprivate, or the plain last value of a temporary."""
    if w.depth or (w.parallel and w.may_skip):
        return  # the last iteration has to come here
    last = w.outer("uint64_t", "77", "final")
    if w.parallel:
        w.openmp_clause("lastprivate", last)
    w.line(f"{last} = {w.expression()};")
    w.know(last)
    if w.parallel:
        w.after.append("if (count >= 16)")  # else there may be no iteration at all
    w.report_variable(last)
