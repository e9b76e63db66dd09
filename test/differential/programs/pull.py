"""Programs with loops under `#pragma heddle pull`: rows that combine what their
edges bring.

What a row combines does not depend on the order of its edges: integers wrap
around or stay small, floating-point values are small whole numbers.
"""

import random

from .program import Program

FEATURES = (
    "skip", "skipCount", "storeBefore", "startLoaded", "inMemory", "edgeSkip", "conditional",
    "total", "edgeTotal", "rowTotal", "first", "ordered", "storeBehind", "conditionalStore",
    "several", "numbered",
)

# Degree of row v, of ELEMENTS; at most EDGE_CAPACITY edges in all are kept.
DEGREES = (
    "dice % 3 ? 0 : dice / 3 % 20",
    "dice % 61 ? dice % 4 : 400",
    "v == ELEMENTS / 2 ? EDGE_CAPACITY : 0",
    "v % 100 == 7 ? 3000 : 0",
    "v + 1 == ELEMENTS ? EDGE_CAPACITY : dice % 3",
    "0",
    "8",
    "v < 12 ? 700 : 0",
)
COUNTERS = ("int32_t", "uint32_t", "int64_t", "uint64_t", "size_t")
UNSIGNED = ("uint8_t", "uint16_t", "uint32_t", "uint32_t", "uint64_t", "uint64_t")
SIGNED = ("int8_t", "int16_t", "int32_t", "int32_t", "int32_t", "int64_t", "int64_t")
REALS = ("float", "double")
ENDS = {
    "uint32_t": "ends32", "int32_t": "signedEnds32", "uint64_t": "ends64",
    "int64_t": "signedEnds64", "pointer": "endPointers",
}
CHUNKS = ("", "", " edges(64)", " edges(65)", " edges(100)", " edges(1000)", " edges(chunk)")
SCHEDULES = (
    "", "", " schedule(static)", " schedule(static, 3)", " schedule(static, 100)",
    " schedule(dynamic)", " schedule(dynamic, 16)", " schedule(guided)", " schedule(auto)",
    " schedule(runtime)",
)

PREPARATION = """
static uint32_t ends32[ELEMENTS + 1];
static int32_t signedEnds32[ELEMENTS + 1];
static uint64_t ends64[ELEMENTS + 1];
static int64_t signedEnds64[ELEMENTS + 1];
static const uint32_t *endPointers[ELEMENTS + 1];
static uint32_t sources[EDGE_CAPACITY];

static NOINLINE void prepareEnds(uint64_t state) {
  uint64_t edges = 0;
  for (uint64_t v = 0; v < ELEMENTS; ++v) {
    uint64_t dice = nextRandom(&state) % 1000;
    (void)dice;
    for (uint64_t left = DEGREE; left && edges < EDGE_CAPACITY; --left)
      sources[edges++] = (uint32_t)(nextRandom(&state) % ELEMENTS);
    ends64[v + 1] = edges;
  }
  for (uint64_t v = 0; v <= ELEMENTS; ++v) {
    ends32[v] = (uint32_t)ends64[v];
    signedEnds32[v] = (int32_t)ends64[v];
    signedEnds64[v] = (int64_t)ends64[v];
    endPointers[v] = sources + ends64[v];
  }
}
"""


# Combinations of a row. {t} stands for the type, {x} for the variable, {b} for
# an edge's value, {c} for a condition of the edge, {n} for a number.
KINDS = ["unsigned"] * 4 + ["signed"] * 3 + ["real"] * 4 + ["bool"]
TYPES = {"unsigned": UNSIGNED, "signed": SIGNED, "real": REALS, "bool": ("bool",)}
STARTS = {
    "unsigned": ("0", "1", "({t})-1", "({t})values64[v]"),
    "signed": ("0", "-1", "100", "({t})signed32[v]"),
    "real": ("0", "1", "-1", "({t})reals64[v]"),
    "bool": ("false", "values8[v] == 3"),
}
SUMS = ("{x} += {b};", "{x} -= {b};")
EXTREMES = ("{x} = {b} < {x} ? {b} : {x};", "if ({b} < {x}) {x} = {b};")
UPDATES = {
    "unsigned": SUMS + (
        "{x} *= ({t})({b} | 1);", "{x} |= {b};", "{x} &= ({t})({b} | 5);", "{x} ^= {b};",
        "{x} = {b} < {x} ? {b} : {x};", "if ({b} > {x}) {x} = {b};", "if ({c}) {x} = {n};",
    ),
    "signed": SUMS + EXTREMES + ("{x} = {x} < {b} ? {b} : {x};",),
    "real": SUMS + EXTREMES + (
        "{x} += {b} * 3;", "{x} *= 1 - (int)(values8[u] & 2);", "{x} = {b} > {x} ? {b} : {x};",
    ),
    "bool": ("{x} = {x} || {c};",),
}


class Accumulator:
    """A variable of the row, and how edges update it."""

    def __init__(self, w, number):
        rng = w.rng
        self.name = f"value{number}"
        self.kind = rng.choice(KINDS)
        self.type = rng.choice(TYPES[self.kind])
        self.start = rng.choice(STARTS[self.kind]).format(t=self.type)
        self.update = rng.choice(UPDATES[self.kind]).format(
            t=self.type, x=self.name, b=f"({self.type}){self.brought(w)}",
            c=w.condition("u"), n=rng.choice([0, 1, 9]),
        )

    def brought(self, w):
        if self.kind == "signed":
            return w.rng.choice(["signed32[u]", "records[u].count"])
        if self.kind == "real":
            return w.rng.choice(["reals32[u]", "reals64[u]", "records[u].real"])
        return w.integer()


class PullLoop:
    """One function with one nest of rows and edges."""

    def __init__(self, rng, number, language):
        self.rng = rng
        self.language = language
        self.name = f"loop_{number}"
        self.used = set()
        self.before, self.rows, self.edges, self.behind, self.reports = [], [], [], [], []
        self.arrays, self.reductions = [], []
        self.write()

    def use(self, feature, probability):
        if self.rng.random() >= probability:
            return False
        self.used.add(feature)
        return True

    def integer(self):
        return self.rng.choice(["values32[u]", "values64[u]", "values16[u]", "(u * 7u + v)",
                                "records[u].weight", "values64[indices[u]]", "edgeWeights[u]"])

    def condition(self, index):
        return self.rng.choice([f"values8[{index}] % 5 == 1", f"values32[{index}] & 2",
                                f"signed32[{index}] > 30", f"records[{index}].count < 0",
                                f"reals32[{index}] > 7"])

    def array(self, kind):
        name = f"{self.name}_{len(self.arrays)}"
        self.arrays.append(f"static {kind} {name}[ELEMENTS];")
        self.reports.append(f'reportBytes("{name}", {name}, sizeof {name});')
        return name

    def total(self, kind, operation):
        name = f"total{len(self.reductions)}"
        self.before.append(f"{kind} {name} = 0;")
        self.reductions.append(f"reduction({operation} : {name})")
        report = "reportReal" if kind in REALS else "reportInteger"
        value = f"(uint64_t){name}" if report == "reportInteger" else name
        self.reports.append(f'{report}("{self.name}.{name}", {value});')
        return name

    def write(self):
        self.write_rows()
        if self.use("first", 0.15):
            self.write_first()
        elif self.use("ordered", 0.05):
            out = self.array("uint64_t")
            self.rows.append("uint64_t value = v;")
            self.edges.append(f"value = value * 3 + {self.integer()};")
            self.behind.append(f"{out}[v] = value;")
        else:
            self.write_accumulators()
        self.write_totals()

    def write_rows(self):
        if self.use("skip", 0.15):
            self.rows.append(f"if ({self.condition('v')}) continue;")
        if self.use("skipCount", 0.1):
            skipped = self.total("uint32_t", "+")
            self.rows += [f"if ({self.condition('v')}) {{", f"++{skipped};", "continue;", "}"]
        if self.use("storeBefore", 0.15):
            self.rows.append(f"{self.array('int16_t')}[v] = (int16_t)(v * 3);")
        if self.use("edgeSkip", 0.15):
            self.edges.append(f"if ({self.condition('u')}) continue;")

    def write_first(self):
        kind = self.rng.choice(["int32_t", "int64_t", "uint32_t"])
        test, start = "first == -1", "-1"
        if kind != "uint32_t" and self.rng.random() < 0.5:
            test, start = "first < 0", "values8[v] & 1 ? -1 - (v & 7) : 5"
        elif kind == "uint32_t":
            test, start = "first == 0xffffffffu", "0xffffffffu"
        out = self.array(kind)
        self.rows.append(f"{kind} first = ({kind})({start});")
        self.edges.append(f"if ({test} && {self.condition('u')}) first = ({kind})u;")
        self.behind.append(f"{out}[v] = first;")

    def write_accumulators(self):
        count = 1 + self.use("several", 0.3) * self.rng.randint(1, 2)
        for number in range(count):
            self.write_accumulator(Accumulator(self, number))
        if self.use("numbered", 0.1):
            out = self.array("uint32_t")
            self.rows.append("uint32_t number = 0, numbered = 0;")
            self.edges.append(f"numbered += number++ * (uint32_t){self.integer()};")
            self.behind.append(f"{out}[v] = numbered + number;")

    def write_accumulator(self, accumulator):
        out = self.array(accumulator.type)
        update = accumulator.update
        if self.use("conditional", 0.2):
            update = f"if ({self.condition('u')}) {{ {update} }}"
        # Rows that store bytes may store to anything.
        if accumulator.kind in ("unsigned", "real") and self.use("inMemory", 0.2):
            update = update.replace(accumulator.name, f"{out}[v]")
            self.rows.append(f"{out}[v] = {accumulator.start};")
            self.edges.append(update)
            return
        self.rows.append(f"{accumulator.type} {accumulator.name} = {accumulator.start};")
        self.edges.append(update)
        value = accumulator.name
        if self.use("storeBehind", 0.2):
            value = f"({accumulator.type})({value} + 1)"
        if self.use("conditionalStore", 0.15):
            self.behind.append(f"if ({accumulator.name} != 0)")
        self.behind.append(f"{out}[v] = {value};")
        if self.use("rowTotal", 0.2):
            total = self.total("uint64_t", "+")
            self.behind.append(f"if ({accumulator.name} > 3) {total} += v;")

    def write_totals(self):
        if self.use("total", 0.15):
            total = self.total("double", "+")
            self.edges.append(f"{total} += reals64[u];")
        if self.use("edgeTotal", 0.15):
            total = self.total("uint32_t", self.rng.choice(["+", "max", "|", "^"]))
            operation = self.reductions[-1].split("(")[1].split()[0]
            if operation == "max":
                self.edges.append(f"{total} = values32[u] > {total} ? values32[u] : {total};")
            else:
                self.edges.append(f"if ({self.condition('u')}) {total} {operation}= values32[u];")

    def nest(self):
        rng = self.rng
        counter, kind = rng.choice(COUNTERS), rng.choice(sorted(ENDS))
        ends = ENDS[kind]
        if kind == "pointer":
            test = rng.choice(["!=", "<"])
            head = (f"for (const uint32_t *e = {ends}[v]; e {test} {ends}[v + 1]; ++e) {{"
                    " const uint32_t u = *e;")
        else:
            head = (f"for ({kind} e = {ends}[v]; e < {ends}[v + 1]; ++e) {{"
                    " const uint32_t u = sources[e];")
        clauses = "".join(" " + reduction for reduction in self.reductions)
        clauses += rng.choice(SCHEDULES)
        opening, closing = [f"#pragma omp parallel for{clauses}"], []
        if rng.random() < 0.3:
            nowait = " nowait" if rng.random() < 0.3 else ""
            opening = ["#pragma omp parallel", "{", f"#pragma omp for{clauses}{nowait}"]
            closing = ["}"]
        return [
            *opening, "#pragma heddle pull" + rng.choice(CHUNKS),
            f"for ({counter} v = 0; v < ({counter})count; ++v) {{", *self.rows, head,
            *self.edges, "}", *self.behind, "}", *closing,
        ]

    def text(self):
        nest = self.nest()
        if self.language == "c++" and self.rng.random() < 0.3:
            nest = ["auto run = [&] {", *nest, "};", "run();"]
        lines = [
            f"// Features of {self.name}: {' '.join(sorted(self.used))}", *self.arrays,
            f"static NOINLINE void {self.name}(int64_t count, int64_t chunk) {{",
            f'printf("{self.name}(%lld)\\n", (long long)count);', "(void)chunk;",
            *self.before, *nest, *self.reports, "}", "",
        ]
        return lines


def generate_pull(seed, language=None):
    """The program of a seed."""
    rng = random.Random(f"heddle pull {seed}")
    drawn = "c" if rng.random() < 0.3 else "c++"
    language = language or drawn
    elements = int(16 * (3000 / 16) ** rng.random())
    loops = [PullLoop(rng, number, language) for number in range(rng.randint(5, 8))]
    lines = [
        f"// Random program {seed} of Heddle's differential test.",
        f"// Language: {language}. Pull loops.",
        f"#define ELEMENTS {elements}",
        f"#define DEGREE ({rng.choice(DEGREES)})",
        '#include "support.h"',
        "#include <stdbool.h>",
        PREPARATION,
    ]
    for loop in loops:
        lines += loop.text()
    state = rng.randrange(1, 1 << 30)
    lines += ["int main(void) {", f"  prepare({state}u);", f"  prepareEnds({state}u);"]
    for loop in loops:
        for count in {0, 1, rng.randint(2, elements), elements}:
            lines.append(f"  {loop.name}({count}, {rng.choice([0, 1, 64, 300, 1 << 40])});")
    lines += ["  return 0;", "}", ""]
    return Program(seed, language, True, "\n".join(lines), threads=(1, 2, 5), runtimes=("tuner",))
