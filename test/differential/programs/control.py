"""Ingredients that shape the control flow of the loop body."""

from .ingredients import fill, ingredient, write_one
from .outputs import walk_to_match
from .writer import Frame


@ingredient("control", weight=4)
def conditional(w):
    with w.block(f"if ({w.condition()})"):
        fill(w, w.number_between(0, 2))
    if w.chance(0.4):
        with w.block("else"):
            fill(w, w.number_between(0, 2))


@ingredient("control", weight=1.5)
def skip(w):
    """`continue` of the loop around, annotated or not."""
    if w.frames[-1].may_continue:
        w.may_skip = w.may_skip or not w.loop_level
        w.line(f"if ({w.condition()})")
        w.line("  continue;")


@ingredient("control", weight=1.5)
def leave_inner(w):
    if w.frames[-1].may_break:
        w.line(f"if ({w.condition()})")
        w.line("  break;")


@ingredient("control", weight=1.5)
def switch(w):
    cases = w.number_between(2, 5)
    w.frames.append(Frame(False, w.frames[-1].may_continue))
    with w.block(f"switch ({w.value()} % {cases + 1}u)"):
        for case in range(cases):
            w.line(f"case {case}:")
            if w.chance(0.2):
                continue
            with w.block():
                fill(w, w.number_between(0, 1))
                if w.chance(0.8):
                    w.line("break;")
        w.line("default:")
        if w.chance(0.5):
            with w.block():
                fill(w, 0)
        w.line("  break;")
    w.frames.pop()


@ingredient("control", weight=4, trips=4)
def row_of_edges(w):
    row = w.declare("uint32_t", w.index(), is_index=True, prefix="row")
    edge = w.fresh("edge")
    kind = w.pick(["uint32_t", "uint64_t", "size_t"])
    begin, end = w.table("rowBegin", "uint32_t"), "rowBegin"
    form = w.number_between(0, 2)
    if form == 0:
        header = (f"for ({kind} {edge} = {begin}[{row}]; "
                  f"{edge} < {end}[{row} + 1]; ++{edge})")
    elif form == 1:
        last = w.fresh("last")
        w.line(f"{kind} {last} = {end}[{row} + 1];")
        header = (f"for ({kind} {edge} = {begin}[{row}]; "
                  f"{edge} != {last}; ++{edge})")
    else:
        header = (f"for (int64_t {edge} = (int64_t){end}[{row} + 1] - 1; "
                  f"{edge} >= (int64_t){begin}[{row}]; --{edge})")
    with w.inner_loop(header, 4):
        column = f"{w.table('columns', 'uint32_t')}[{edge}]"
        w.declare("uint32_t", column, is_index=True, prefix="column")
        if w.chance(0.4):
            w.declare("uint32_t", f"edgeWeights[{edge}]", prefix="weight")
        fill(w, w.number_between(0, 3))


@ingredient("control", weight=2, trips=5)
def counted_loop(w):
    step = w.fresh("step")
    trips = w.number_between(1, 8)
    kind = w.pick(["int", "uint32_t", "int64_t", "uint8_t"])
    form = w.number_between(0, 2)
    if form == 0:
        header = f"for ({kind} {step} = 0; {step} < {trips}; ++{step})"
    elif form == 1:
        header = f"for ({kind} {step} = {trips}; {step} > 0; --{step})"
    else:
        header = (f"for ({kind} {step} = 0; "
                  f"{step} < ({kind})({w.value()} % {trips + 1}u); ++{step})")
    with w.inner_loop(header, 5):
        w.know(step)
        fill(w, w.number_between(0, 3))


@ingredient("control", weight=2, trips=5)
def data_dependent_loop(w):
    """A loop whose end depends on what it loads."""
    cursor = w.declare("uint32_t", w.index(), is_index=True, prefix="cursor")
    steps = w.declare("uint32_t", "0", prefix="steps")
    more = f"values8[{cursor}] < 200 && {steps} < 12"
    if w.chance(0.5):
        loop = w.inner_loop(f"while ({more})", 5)
    else:
        loop = w.inner_loop("do", 5, footer=f"}} while ({more});")
    with loop:
        w.line(f"++{steps};")
        w.line(f"{cursor} = indices[{cursor}];")
        fill(w, w.number_between(0, 2))


@ingredient("control")
def jump_forward(w):
    label = w.fresh("skipped")
    with w.block():
        write_one(w, {"load"})
        w.line(f"if ({w.condition()})")
        w.line(f"  goto {label};")
        fill(w, w.number_between(0, 2))
    w.line(f"{label}:;")


@ingredient("control", weight=0.5)
def plain_block(w):
    with w.block():
        fill(w, w.number_between(0, 2))


@ingredient("control", weight=0.5)
def memory_barrier(w):
    w.line('__asm__ volatile("" : : : "memory");')


@ingredient("control", cxx=True)
def catch_inside(w):
    caught = w.fresh("caught")
    outcome = w.outer("uint64_t", "0", "outcome") if not w.parallel else None
    with w.block("try", footer="}"):
        w.declare("uint64_t", f"mayThrow({w.value()}, {w.number_between(2, 9)})")
        fill(w, w.number_between(0, 1))
    with w.block(f"catch (const Oops &{caught})"):
        w.know(f"{caught}.value")
        if outcome:
            w.line(f"{outcome} += {caught}.value;")
        else:
            fill(w, 0)
    if outcome:
        w.report_variable(outcome)


@ingredient("control", serial=True, hard=True, once=True)
def early_break(w):
    """Leaves the annotated loop; only the loop itself can tell when."""
    if len(w.frames) > 1 or w.depth > 0:
        return
    w.line(f"if ({w.value()} % {w.number_between(50, 500)}u == 1)")
    w.line("  break;")


@ingredient("control", serial=True, hard=True, once=True)
def early_jump(w):
    if not w.may_jump_out:
        return
    label = w.fresh("left")
    w.line(f"if ({w.value()} % {w.number_between(50, 500)}u == 1)")
    w.line(f"  goto {label};")
    w.after.insert(0, f"{label}:;")


@ingredient("control", hard=True, once=True)
def dynamic_alloca(w):
    scratch = w.fresh("scratch")
    size = f"1 + {w.value()} % 8"
    if w.language == "c" and w.chance(0.6):
        w.line(f"uint64_t {scratch}[{size}];")
    else:
        w.line(f"uint64_t *{scratch} = "
               f"(uint64_t *)__builtin_alloca(({size}) * sizeof(uint64_t));")
    w.line(f"{scratch}[0] = {w.expression()};")
    w.line(f"scramble({scratch}, 1, {w.value()});")
    w.declare("uint64_t", f"{scratch}[0]")


def leave(w, condition):
    """Leaves the annotated loop if the condition holds."""
    may_break = len(w.frames) == 1 and not w.loop_level
    if may_break and (w.chance(0.5) or not w.may_jump_out):
        w.line(f"if ({condition})")
        w.line("  break;")
    elif w.may_jump_out:
        label = w.fresh("left")
        w.line(f"if ({condition})")
        w.line(f"  goto {label};")
        w.after.insert(0, f"{label}:;")


def rarely(w):
    return f"{w.value()} % {w.number_between(20, 2000)}u == 1"


@ingredient("load", serial=True, weight=1.2, once=True)
def early_exit(w):
    """Where the ingredients before have got to, perhaps under a condition."""
    leave(w, rarely(w))


@ingredient("load", serial=True, weight=0.6, once=True, trips=3)
def first_match(w):
    """A search that ends with the first match."""
    node = walk_to_match(w)
    leave(w, f"{node} && {rarely(w)}")


@ingredient("load", serial=True, weight=1.2, once=True, trips=3)
def exit_from_walk(w):
    """Out of an inner loop that goes from node to node or through a table."""
    if not w.may_jump_out:
        return
    label = w.fresh("left")
    if w.chance(0.5):
        node = w.fresh("node")
        head = f"buckets[({w.expression(1)}) % BUCKETS]"
        with w.inner_loop(f"for (const Node *{node} = {head}; {node}; {node} = {node}->next)", 3):
            w.line(f"if (({node}->key + {node}->value) % {w.number_between(20, 2000)}u == 1)")
            w.line(f"  goto {label};")
    else:
        low, high, key = w.fresh("low"), w.fresh("high"), w.fresh("key")
        w.line(f"uint32_t {low} = 0, {high} = ELEMENTS;")
        w.line(f"const uint64_t {key} = ({w.expression(1)}) % ELEMENTS;")
        with w.block(f"while ({low} < {high})"):
            w.line(f"const uint32_t middle = ({low} + {high}) / 2;")
            w.line(f"if (rowBegin[middle] < {key})")
            w.line(f"  {low} = middle + 1;")
            w.line("else")
            w.line(f"  {high} = middle;")
            w.line(f"if (rowBegin[middle] == {key} && {key} % {w.number_between(5, 50)}u == 3)")
            w.line(f"  goto {label};")
    w.after.insert(0, f"{label}:;")
