"""The forms of the annotated loop itself: how it counts or walks.

A form is written by a function that takes the loop's writer and returns a Form.
All of them run `count` iterations at most, 0 <= count <= ELEMENTS.
"""

from dataclasses import dataclass, field
from typing import Callable

SIGNED = ("int32_t", "int64_t", "int", "long")
UNSIGNED = ("uint32_t", "uint64_t", "size_t", "unsigned")


@dataclass
class Form:
    header: str  # what the pragma stands before, without the opening brace
    iteration: str = ""  # expression below ELEMENTS, different in each iteration
    first_lines: list = field(default_factory=list)  # at the head of the body
    last_lines: list = field(default_factory=list)  # at its end
    before: list = field(default_factory=list)
    footer: str = "}"
    may_continue: bool = True
    known: list = field(default_factory=list)  # (name, is index) of variables


@dataclass(frozen=True)
class FormKind:
    write: Callable
    weight: float
    openmp: bool  # a canonical loop, which OpenMP can divide
    cxx: bool


FORMS = {}


def form(weight=1.0, openmp=False, cxx=False):
    def register(write):
        FORMS[write.__name__.replace("_", "-")] = FormKind(write, weight, openmp, cxx)
        return write

    return register


def integer_type(w, signed_only=False):
    types = SIGNED if signed_only else SIGNED + UNSIGNED
    if w.count_type and w.chance(0.5):
        return "Count"
    return w.pick(types)


@form(weight=5, openmp=True)
def count_up(w):
    kind, i = integer_type(w), w.fresh("i")
    step = w.pick([1, 1, 1, 2, 3])
    start = w.pick(["0", "0", "0", f"({kind})(count / 3)"])
    compare = w.pick(["<", "<", "!="]) if step == 1 else "<"
    advance = w.pick([f"++{i}", f"{i}++", f"{i} += 1"]) if step == 1 else f"{i} += {step}"
    header = f"for ({kind} {i} = {start}; {i} {compare} ({kind})count; {advance})"
    return Form(header, iteration=i)


@form(weight=1.5, openmp=True)
def count_up_inclusive(w):
    kind, i = integer_type(w), w.fresh("i")
    header = f"for ({kind} {i} = 1; {i} <= ({kind})count; ++{i})"
    return Form(header, iteration=f"({i} - 1)")


@form(weight=1.5, openmp=True)
def count_down(w):
    kind, i = integer_type(w), w.fresh("i")
    header = f"for ({kind} {i} = ({kind})count; {i} > 0; --{i})"
    return Form(header, iteration=f"({i} - 1)")


@form(openmp=True)
def count_down_signed(w):
    kind, i = integer_type(w, signed_only=True), w.fresh("i")
    kind = "int64_t" if kind == "Count" else kind
    step = w.pick([1, 1, 2])
    header = f"for ({kind} {i} = ({kind})count - 1; {i} >= 0; {i} -= {step})"
    return Form(header, iteration=i)


@form()
def count_down_in_condition(w):
    kind, i = integer_type(w), w.fresh("i")
    return Form(f"for ({kind} {i} = ({kind})count; {i}-- > 0;)", iteration=i)


@form(weight=0.7)
def from_both_ends(w):
    i, j = w.fresh("i"), w.fresh("j")
    header = (f"for (int64_t {i} = 0, {j} = (int64_t)count; {i} < {j}; ++{i}, --{j})")
    return Form(header, iteration=i, known=[(j, False)])


@form(weight=0.7, openmp=True)
def narrow_counter(w):
    i, limit = w.fresh("i"), w.fresh("limit")
    kind = w.pick(["uint8_t", "uint16_t", "int16_t"])
    before = f"{kind} {limit} = ({kind})(count < 250 ? count : 250);"
    header = f"for ({kind} {i} = 0; {i} < {limit}; ++{i})"
    return Form(header, iteration=i, before=[before])


@form(weight=2, openmp=True)
def pointer(w):
    p = w.fresh("p")
    compare = w.pick(["<", "!="])
    header = (f"for (const uint32_t *{p} = indices; "
              f"{p} {compare} indices + count; ++{p})")
    return Form(header, iteration=f"({p} - indices)", **loaded(w, f"*{p}"))


@form(weight=0.7)
def pointer_down(w):
    p = w.fresh("p")
    loads = loaded(w, f"*{p}")
    loads["first_lines"] = [f"--{p};"] + loads["first_lines"]
    return Form(f"while ({p} != permutation)",
                before=[f"const uint32_t *{p} = permutation + count;"],
                iteration=f"({p} - permutation)", **loads)


def loaded(w, source):
    """The element that the loop stands at as a variable."""
    element = w.fresh("element")
    return {
        "first_lines": [f"uint32_t {element} = {source};"],
        "known": [(element, True)],
    }


@form(weight=1.5)
def while_up(w):
    kind, i = integer_type(w), w.fresh("i")
    return Form(f"while ({i} < ({kind})count)", before=[f"{kind} {i} = 0;"],
                iteration=i, last_lines=[f"++{i};"], may_continue=False)


@form()
def while_down(w):
    kind, i = integer_type(w), w.fresh("i")
    header = f"while ({i}-- != 0)"
    return Form(header, before=[f"{kind} {i} = ({kind})count;"], iteration=i)


@form()
def do_up(w):
    kind, i = integer_type(w), w.fresh("i")
    return Form("do", before=[f"{kind} {i} = 0;", "if (count != 0)"],
                iteration=i, footer=f"}} while (++{i} < ({kind})count);")


@form(weight=0.5)
def endless(w):
    i = w.fresh("i")
    return Form(f"for (uint32_t {i} = 0;; ++{i})", iteration=i,
                first_lines=[f"if ({i} >= (uint32_t)count)", "  break;"])


@form(weight=1.5)
def linked_list(w):
    node = w.fresh("node")
    if w.chance(0.6):
        return Form(f"for (const Node *{node} = trailStart(count); {node}; "
                    f"{node} = {node}->next)", iteration=f"{node}->identity")
    return Form(f"while ({node})", before=[f"const Node *{node} = trailStart(count);"],
                iteration=f"{node}->identity", last_lines=[f"{node} = {node}->next;"],
                may_continue=False)


@form(weight=1.5, cxx=True, openmp=True)
def range_over_vector(w):
    w.includes.add("vector")
    range_name, element = w.fresh("range"), w.fresh("element")
    vector = f"std::vector<uint32_t> {range_name}(indices, indices + count);"
    if w.chance(0.5):
        header = f"for (uint32_t {element} : {range_name})"
        return Form(header, before=[vector], known=[(element, True)])
    header = f"for (const auto &{element} : {range_name})"
    return Form(header, before=[vector], known=[(element, True)],
                iteration=f"(&{element} - {range_name}.data())")


@form(weight=1.5, cxx=True, openmp=True)
def range_over_span(w):
    w.includes.add("span")
    range_name, record = w.fresh("range"), w.fresh("record")
    span = f"std::span<const Record> {range_name}(records, static_cast<size_t>(count));"
    header = f"for (const Record &{record} : {range_name})"
    return Form(header, before=[span], iteration=f"(&{record} - records)",
                known=[(f"{record}.link", True), (f"{record}.weight", False)])


@form(weight=0.7, cxx=True)
def range_over_class(w):
    node = w.fresh("node")
    header = f"for (const Node &{node} : Trail{{trailStart(count), nullptr}})"
    return Form(header, iteration=f"{node}.identity",
                known=[(f"{node}.value", False)])


@form(cxx=True, openmp=True)
def iterators(w):
    w.includes.add("vector")
    range_name, position = w.fresh("range"), w.fresh("position")
    vector = f"std::vector<uint32_t> {range_name}(indices, indices + count);"
    header = (f"for (auto {position} = {range_name}.begin(); "
              f"{position} != {range_name}.end(); ++{position})")
    return Form(header, before=[vector], iteration=f"({position} - {range_name}.begin())",
                **loaded(w, f"*{position}"))
