"""Writes the body of one loop: scopes, values, expressions, declarations.

All expressions are of type uint64_t, whose arithmetic cannot overflow; every
other type enters through a conversion. The ingredients (loads.py, updates.py,
...) decide what is written, this file keeps what they write valid C.
"""

from contextlib import contextmanager
from dataclasses import dataclass

INTEGER_TYPES = (
    "int8_t", "uint8_t", "int16_t", "uint16_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t",
)

# Read-only arrays of support.h by element type.
TABLES = {
    "values8": "uint8_t",
    "values16": "uint16_t",
    "values32": "uint32_t",
    "values64": "uint64_t",
    "signed32": "int32_t",
    "signed64": "int64_t",
    "sorted64": "uint64_t",
}
INDEX_TABLES = {
    "indices": "uint32_t",
    "signedIndices": "int32_t",
    "wideIndices": "size_t",
    "permutation": "uint32_t",
}

# How often, on average, the innermost statement of a loop may run for each
# iteration of the annotated loop.
MOST_WORK_PER_ITERATION = 400


@dataclass(frozen=True)
class Value:
    """A local variable that expressions may read."""

    name: str
    is_index: bool = False  # known to be below ELEMENTS


@dataclass
class Frame:
    """What `break` and `continue` mean at the point being written."""

    may_break: bool
    may_continue: bool


@dataclass
class LocalObject:
    """A local array or struct; only the loop that declares it may change it
    in ways whose order matters."""

    name: str
    length: int
    loop_level: int


class LoopWriter:
    """The text of one annotated loop as it grows, and the state around it."""

    def __init__(self, rng, number, language, parallel, hard, disabled):
        self.rng = rng
        self.number = number
        self.language = language
        self.parallel = parallel
        self.hard = hard
        # Many loops have no order to keep: those are the ones to interleave.
        self.ordered = not parallel and rng.random() < 0.45
        self.disabled = disabled
        self.count_type = False  # whether `count` has the type Count
        self.body = []
        self.indentation = 1
        self.file_scope = []
        self.before = []
        self.after = []
        self.thread_before = []  # between the parallel region and its loop
        self.thread_after = []
        self.includes = set()
        self.needs_openmp = parallel
        self.used = set()
        self.clauses = {}  # heddle clause -> names
        self.openmp_clauses = {}  # OpenMP clause -> names
        self.scopes = [[]]
        self.objects = [[]]
        self.frames = [Frame(may_break=False, may_continue=True)]
        self.loop_level = 0  # 0 in the annotated loop itself
        self.depth = 0
        self.work = 1.0
        self.most_work = 1.0
        self.iteration = None  # expression, below ELEMENTS, one per iteration
        self.may_jump_out = not parallel  # past the end of the annotated loop
        self.may_skip = False  # some iteration may `continue`
        self.fresh_numbers = 0

    # Text

    def line(self, text):
        self.body.append("  " * self.indentation + text)

    @contextmanager
    def block(self, header="", footer="}"):
        """A braced block with a scope of its own."""
        self.line(f"{header} {{" if header else "{")
        self.indentation += 1
        self.scopes.append([])
        self.objects.append([])
        self.depth += 1
        yield
        self.depth -= 1
        self.objects.pop()
        self.scopes.pop()
        self.indentation -= 1
        self.line(footer)

    @contextmanager
    def inner_loop(self, header, trips, footer="}", may_continue=True):
        """An inner loop that makes about `trips` iterations."""
        if self.chance(0.1) and "nested" not in self.disabled:
            self.used.add("nested")
            self.line("#pragma heddle async" + self.nested_clauses())
        outer_work = self.work
        self.work *= trips
        self.most_work = max(self.most_work, self.work)
        self.frames.append(Frame(True, may_continue))
        self.loop_level += 1
        with self.block(header, footer):
            yield
        self.loop_level -= 1
        self.frames.pop()
        self.work = outer_work

    def nested_clauses(self):
        clauses = ["", " scheduler(lockstep)", " scheduler(fifo)"]
        return self.pick(clauses) + self.pick(["", "", " tasks(4)"])

    def sum_type(self):
        """A type to add up in. In a nest of loops over rows that meet the same
        long row again and again, a float's sum would not stay exact."""
        real = "double" if self.loop_level > 1 else "float"
        return self.pick(INTEGER_TYPES + (real, "double"))

    def fresh(self, prefix):
        """A name that is used nowhere else in the program."""
        self.fresh_numbers += 1
        return f"{prefix}_{self.number}_{self.fresh_numbers}"

    # Random choices

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, options):
        return self.rng.choice(list(options))

    def number_between(self, low, high):
        return self.rng.randint(low, high)

    # Declarations

    def declare(self, type_name, initial, is_index=False, prefix="x"):
        """A variable of the body that later expressions may read."""
        name = self.fresh(prefix)
        self.line(f"{type_name} {name} = {initial};")
        self.know(name, is_index)
        return name

    def know(self, name, is_index=False):
        self.scopes[-1].append(Value(name, is_index))

    def know_object(self, name, length):
        self.objects[-1].append(LocalObject(name, length, self.loop_level))

    def own_objects(self):
        """The local objects whose order of updates the current loop keeps."""
        return [
            item
            for scope in self.objects
            for item in scope
            if item.loop_level == self.loop_level
        ]

    def output(self, type_name, prefix="out", length="ELEMENTS"):
        """A file-scope array that the loop fills and that is reported."""
        name = self.fresh(prefix)
        self.file_scope.append(f"static {type_name} {name}[{length}];")
        self.before.append(f"memset({name}, 0, sizeof({name}));")
        self.report(f"reportBytes({{}}, {name}, sizeof({name}));", name)
        return name

    def outer(self, type_name, initial, prefix):
        """A variable declared before the annotated loop."""
        name = self.fresh(prefix)
        self.before.append(f"{type_name} {name} = {initial};")
        return name

    def report(self, call, name):
        self.after.append(call.format(f'"loop_{self.number}.{name}"'))

    def report_variable(self, name, type_name="uint64_t"):
        if type_name in ("float", "double"):
            self.report(f"reportReal({{}}, {name});", name)
        else:
            self.report(f"reportInteger({{}}, (uint64_t){name});", name)

    def clause(self, kind, name):
        self.clauses.setdefault(kind, []).append(name)

    def openmp_clause(self, kind, name):
        self.openmp_clauses.setdefault(kind, []).append(name)

    def table(self, name, element=None):
        """A read-only array by its name or through a local pointer."""
        if not self.chance(0.35):
            return name
        element = element or TABLES.get(name) or INDEX_TABLES[name]
        alias = self.outer(f"const {element} *", f"HIDE({name})", "table")
        if self.chance(0.1):
            self.clause(self.pick(["remote", "remote", "near"]), alias)
        return alias

    # Expressions

    def values(self):
        return [value for scope in self.scopes for value in scope]

    def value(self):
        """Some variable as a uint64_t; recent ones are more likely."""
        values = self.values()
        if self.iteration and (not values or self.chance(0.15)):
            return f"(uint64_t)({self.iteration})"
        if not values:
            return "(uint64_t)count"
        if self.chance(0.6):
            values = values[-3:]
        return f"(uint64_t){self.pick(values).name}"

    def expression(self, depth=2):
        if depth == 0 or self.chance(0.3):
            if self.chance(0.15):
                return f"{self.number_between(0, 9999)}u"
            return self.value()
        left = self.expression(depth - 1)
        right = self.expression(depth - 1)
        if right == left:
            right = self.expression(depth - 1)
        form = self.pick(
            [
                "({l} + {r})",
                "({l} - {r})",
                "({l} ^ {r})",
                "({l} & ({r} | 255u))",
                "({l} | {r})",
                "({l} * ({r} | 1u))",
                "(({l} >> {shift}) + {r})",
                "({l} ^ (({r}) << {shift}))",
                "({l} / (({r} & 63u) + 1u))",
                "({l} < {r} ? {l} : {r})",
                "({l} % 2u ? {r} : {l})",
                "(uint64_t)({l} > {r})",
                "(uint64_t)((int32_t)({l} & 4095u) - (int32_t)({r} & 4095u))",
            ]
        )
        return form.format(l=left, r=right, shift=self.number_between(1, 20))

    def condition(self):
        """Something that is true neither always nor never, mostly."""
        left, right = self.value(), self.value()
        if right == left:
            right = self.value()
        divisor = self.number_between(2, 7)
        form = self.pick(
            [
                "{l} % {d}u == 0",
                "({l} >> 3) % {d}u != 0",
                "({l} & 255u) < ({r} & 127u) + {d}u",
                "{l} % {d}u && ({r} & 1u)",
                "({l} & 3u) == 0 || {r} % {d}u == 1",
                "!({l} % {d}u)",
                "values8[{l} % ELEMENTS] > {d}0",
                "({l} & 4u) && values32[({r} ^ {l}) % ELEMENTS] % {d}u",
            ]
        )
        return form.format(l=left, r=right, d=divisor)

    def index(self):
        """An expression below ELEMENTS."""
        known = [value.name for value in self.values() if value.is_index]
        if known and self.chance(0.5):
            return self.pick(known[-3:])
        if self.iteration and self.chance(0.4):
            return self.iteration
        return f"({self.expression(1)}) % ELEMENTS"
