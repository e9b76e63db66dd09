"""Puts the loops of one program together."""

import random
from dataclasses import dataclass

from . import (  # each registers its ingredients
    atomics, buffers, control, elements, exceptions, loads, locks, memory, objects, outputs,
    places, scalars, states,
)
from .forms import FORMS, Form
from .ingredients import REGISTRY, fill, write_one
from .planted import VIOLATIONS, plant
from .writer import LoopWriter, Value

FEATURES = sorted([*REGISTRY, *FORMS, "nested", "openmp", "hard", "collapse"])

# What -fheddle-check reports: no false alarms, but no faults of the programs.
CONFLICTS = frozenset(name for name, item in REGISTRY.items() if item.conflicts)

# Iterations of innermost statements in one call of a loop, about.
MOST_WORK_PER_CALL = 60000


def directive(w, tasks):
    """#pragma heddle async with random clauses."""
    text = "#pragma heddle async"
    if tasks is not None:
        text += f" tasks({tasks})"
    scheduler = w.rng.random()
    if scheduler < 0.38:
        text += " scheduler(lockstep)"
    elif scheduler < 0.7:
        text += " scheduler(fifo)"
    if w.chance(0.12):
        text += f" coalesce({w.pick([1, 2, 4, 8])})"
    if w.chance(0.15):
        text += f" suspensions({w.pick([1, 2, 3, 7])})"
    if w.chance(0.1):
        text += f" if({w.pick(['count > 10', 'count % 2', '1', '0'])})"
    for kind, names in w.clauses.items():
        text += f" {kind}({', '.join(names)})"
    return text


def openmp_lines(w, collapse):
    """The OpenMP directive above the loop, and what closes it."""
    clauses = ""
    for kind, names in w.openmp_clauses.items():
        listed = ", ".join(names)
        if kind.startswith("reduction "):
            clauses += f" reduction({kind.split()[1]} : {listed})"
        else:
            clauses += f" {kind}({listed})"
    if collapse:
        clauses += " collapse(2)"
    # Where threads steal chunks, libomp loses lastprivate values and, on a busy
    # machine, fails an assertion (kmp_dispatch.cpp, "vnew.p.ub").
    dynamic = "monotonic : dynamic"
    clauses += w.pick(
        [
            "",
            " schedule(static)",
            f" schedule(static, {w.number_between(1, 40)})",
            f" schedule({dynamic}, {w.number_between(1, 40)})",
            f" schedule({dynamic})",
            " schedule(guided)",
            f" schedule(guided, {w.number_between(1, 9)})",
            " schedule(auto)",
        ]
    )
    if w.thread_before or w.chance(0.25):
        opening = ["#pragma omp parallel", "{", *w.thread_before, "#pragma omp for" + clauses]
        return opening, [*w.thread_after, "}"]
    return ["#pragma omp parallel for" + clauses], []


def choose_form(w):
    candidates = {
        name: kind
        for name, kind in FORMS.items()
        if name not in w.disabled
        and (kind.openmp or not w.parallel)
        and (w.language == "c++" or not kind.cxx)
    }
    weights = [kind.weight for kind in candidates.values()]
    name = w.rng.choices(list(candidates), weights)[0]
    w.used.add(name)
    return candidates[name].write(w)


def collapsed_form(w):
    """Two loops that OpenMP makes one."""
    w.used.add("collapse")
    i, j, wide = w.fresh("i"), w.fresh("j"), w.number_between(1, 9)
    outer = f"for (int64_t {i} = 0; {i} < (int64_t)count / {wide}; ++{i})"
    inner = f"for (int {j} = 0; {j} < {wide}; ++{j})"
    return Form(f"{outer}\n    {inner}", iteration=f"({i} * {wide} + {j})")


class Loop:
    """One function with one annotated loop."""

    def __init__(self, rng, number, language, disabled, violation):
        parallel = "openmp" not in disabled and rng.random() < 0.3
        hard = "hard" not in disabled and rng.random() < 0.15
        self.number = number
        self.name = f"loop_{number}"
        self.writer = w = LoopWriter(rng, number, language, parallel, hard, disabled)
        w.used |= {"openmp"} if parallel else set()
        w.used |= {"hard"} if hard else set()
        shapes = ["plain"] * 5 + ["recursive"]
        if language == "c++":
            shapes += ["template", "template", "lambda", "member"]
            if hard and not parallel:
                shapes += ["escape", "escape", "early return"]
        self.shape = w.pick(shapes)
        self.depth = w.number_between(2, 30)  # of the recursion, if there is one
        w.count_type = self.shape == "template"
        if self.shape in ("lambda", "early return"):
            w.may_jump_out = False
        self.tasks = w.pick([None, None, None, "auto", 1, 2, 3, 7, 8, 32, 64])
        collapse = parallel and "collapse" not in disabled and w.chance(0.15)
        form = collapsed_form(w) if collapse else choose_form(w)
        self.write_body(form, violation)
        self.text = self.assemble(form, collapse)

    def write_body(self, form, violation):
        w = self.writer
        w.indentation = 2
        w.iteration = form.iteration or None
        w.frames[0].may_continue = form.may_continue
        for text in form.first_lines:
            w.line(text)
        w.scopes[0] += [Value(name, is_index) for name, is_index in form.known]
        if w.parallel and w.chance(0.3):
            bias = w.outer("uint64_t", "(uint64_t)count * 5u", "bias")
            w.openmp_clause("firstprivate", bias)
            w.know(bias)
        if violation:
            plant(w, violation)
        fill(w, w.number_between(1, 6))
        if w.hard:
            for _ in range(w.number_between(1, 2)):
                write_one(w, {"load", "control", "update"}, hard=True)
            if self.shape == "escape":
                w.declare("uint64_t", f"mayThrow({w.value()}, 300)")
            elif self.shape == "early return":
                w.line(f"if ({w.value()} % 300u == 1)")
                w.line(f"  return {w.expression(1)};")
            fill(w, w.number_between(0, 1))
        for text in form.last_lines:
            w.line(text)

    def assemble(self, form, collapse):
        w = self.writer
        opening, closing = openmp_lines(w, collapse) if w.parallel else ([], [])
        loop = [*form.before, *opening, directive(w, self.tasks), form.header + " {"]
        loop += [*w.body, "  " + form.footer, *closing]
        announce = f'printf("{self.name}(%lld)\\n", (long long)count);'
        lines = [announce, *w.before, *self.surround(loop), *w.after]
        features = f"// Features of {self.name}: {' '.join(sorted(w.used))}"
        return [features, *w.file_scope, *self.function(lines), ""]

    def surround(self, loop):
        """What stands between the loop and its function."""
        result = f'"{self.name}.result"'
        if self.shape == "lambda":
            return ["auto run = [&] {", *loop, "};", "run();"]
        if self.shape == "early return":
            return ["auto run = [&]() -> uint64_t {", *loop, "return 1;", "};",
                    f"reportInteger({result}, run());"]
        if self.shape == "escape":
            return ["try {", *loop, "}", "catch (const Oops &oops) {",
                    f"reportInteger({result}, oops.value);", "}"]
        return loop

    def function(self, lines):
        inside = ["  " + line if line[:1] != "#" else line for line in lines]
        if self.shape == "recursive":
            # Many frames on a stack that may be small.
            return [f"static NOINLINE void {self.name}_at(int64_t count, int depth) {{",
                    *inside, "  if (depth > 0)",
                    f"    {self.name}_at(count / 2, depth - 1);", "}",
                    f"static void {self.name}(int64_t count) {{",
                    f"  {self.name}_at(count, {self.depth});", "}"]
        if self.shape == "member":
            return [f"struct Walker_{self.number} {{", "int64_t count;",
                    "NOINLINE void run() {", *inside, "}", "};",
                    f"static void {self.name}(int64_t count) {{",
                    f"  Walker_{self.number}{{count}}.run();", "}"]
        prefix = "template <typename Count>\n" if self.shape == "template" else ""
        kind = "Count" if prefix else "int64_t"
        return [f"{prefix}static NOINLINE void {self.name}({kind} count) {{",
                *inside, "}"]

    def calls(self, elements):
        """Calls with numbers of iterations around the interesting ones."""
        w = self.writer
        most = max(40, min(elements, int(MOST_WORK_PER_CALL / w.most_work)))
        tasks = self.tasks if isinstance(self.tasks, int) else 32
        around = {0, 1, 2, tasks - 1, tasks, tasks + 1, w.number_between(3, most)}
        counts = w.rng.sample(sorted(around), 3)
        for count in [min(count, most) for count in counts] + [most]:
            kinds = "<" + w.pick(["int32_t", "uint32_t", "int64_t", "size_t"]) + ">"
            yield f"{self.name}{kinds if self.shape == 'template' else ''}({count});"


@dataclass(frozen=True)
class Program:
    seed: int
    language: str  # "c" or "c++"
    openmp: bool
    source: str
    threads: tuple = (1,)  # numbers of threads to run it with
    runtimes: tuple = ("tuner", "fickle", "none")  # to link it with
    violation: str = ""  # the name of what is planted

    @property
    def standard(self):
        """What its language is called; C++20, whose headers take most of the time
        that a program takes to compile, where it is needed and now and then."""
        if self.language == "c":
            return "gnu17"
        return "c++20" if "#include <span>" in self.source or self.seed % 5 == 0 else "c++17"


def generate(seed, language=None, disabled=frozenset(), loops=None, with_violation=False):
    """The program of a seed. Disabled features do not occur in it."""
    rng = random.Random(f"heddle {seed}")
    drawn = "c" if rng.random() < 0.2 else "c++"
    language = language or drawn
    elements = int(64 * (5000 / 64) ** rng.random())
    count = loops or rng.randint(4, 6)
    violations = [""] * count
    if with_violation:
        # Every kind as often, whatever the seeds.
        violations[seed % count] = list(VIOLATIONS)[seed % len(VIOLATIONS)]
    parts = [
        Loop(rng, number, language, disabled, violation)
        for number, violation in enumerate(violations)
    ]
    openmp = any(loop.writer.needs_openmp for loop in parts)
    includes = sorted(set().union(*(loop.writer.includes for loop in parts)))
    lines = [
        f"// Random program {seed} of Heddle's differential test.",
        f"// Language: {language}. OpenMP: {'yes' if openmp else 'no'}.",
        f"#define ELEMENTS {elements}",
        f"#define BUCKETS (ELEMENTS / {rng.choice([1, 2, 4, 8])} + 1)",
        '#include "support.h"',
        *(f"#include <{name}>" for name in includes),
        "",
    ]
    for loop in parts:
        lines += loop.text
    lines += ["int main(void) {", f"  prepare({rng.randrange(1, 1 << 30)}u);"]
    for loop in parts:
        lines += ["  " + call for call in loop.calls(elements)]
    lines += ["  return 0;", "}", ""]
    threads = (1, 2) if openmp else (1,)
    source = "\n".join(lines)
    return Program(seed, language, openmp, source, threads, violation="".join(violations))
