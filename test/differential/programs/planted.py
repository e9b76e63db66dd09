"""Violations of the promise: one stands in a loop that keeps it otherwise.

Every line of the violation ends in MARK, by which a test knows the places that
-fheddle-check is to report. What the violation writes is not printed, so that
the program's output stays the same.
"""

from .states import chain

MARK = "  // planted"
VIOLATIONS = {}


def violation(write):
    VIOLATIONS[write.__name__.replace("_", "-")] = write
    return write


def plant(w, name):
    """Writes a violation into the body of the annotated loop."""
    ticket = w.fresh("ticket")
    w.file_scope += [
        f"static uint64_t {ticket}_next;",
        # Another number each time, whichever thread or iteration asks.
        f"#define {ticket} __atomic_fetch_add(&{ticket}_next, 1, __ATOMIC_RELAXED)",
    ]
    around = w.pick(["", "", "if (count >= 0)", "for (int again = 0; again < 2; ++again)"])
    with w.block(around):
        turn = w.fresh("turn")
        w.line(f"uint64_t {turn} = {ticket};")
        VIOLATIONS[name](w, turn)


def mark(w, *lines):
    for text in lines:
        w.line(text + MARK)


def static(w, *lines):
    w.file_scope += [text + MARK for text in lines]


def statements(w, turn, lines):
    """The statements, which use {turn}: in the loop or in a callee."""
    if w.chance(0.5):
        in_callee(w, turn, lines)
    else:
        with w.block():
            mark(w, *(text.replace("{turn}", turn) for text in lines))


def in_callee(w, turn, lines):
    name = w.fresh("planted")
    static(w, f"static NOINLINE void {name}(uint64_t turn) {{",
           *("  " + text.replace("{turn}", "turn") for text in lines), "}")
    w.line(f"{name}({turn});")


@violation
def prefix(w, turn):
    sums = w.fresh("sums")
    field = w.pick(["", ".second"])
    static(w, f"static {'Pair' if field else 'uint64_t'} {sums}[8];")
    value = w.pick(["{turn}", chain(w, "{turn}")])
    statements(w, turn, w.pick([
        [f"{sums}[({{turn}} + 1) % 8]{field} = {sums}[{{turn}} % 8]{field} + {value};"],
        [f"uint64_t before = {sums}[({{turn}} + 7) % 8]{field};",
         f"{sums}[{{turn}} % 8]{field} = before * 3 + {value};"],
    ]))


@violation
def reduction(w, turn):
    total = w.fresh("total")
    value = w.pick(["{turn}", chain(w, "{turn}")])
    form = w.pick(["{p} = {p} * 31 + {v};", "{p} = ({p} ^ {v}) * 3;", "{p} = {p} / 2 + {v};"])
    if w.chance(0.5):
        static(w, f"static uint64_t {total}[4];")
        statements(w, turn, [form.format(p=f"{total}[{{turn}} % 4]", v=value)])
    else:
        # In the loop itself it would be kept in order.
        static(w, f"static uint64_t {total};")
        in_callee(w, turn, [form.format(p=total, v=value)])


@violation
def upsert(w, turn):
    form = w.number_between(0, 3)
    slots, values = w.fresh("slots"), w.fresh("values")
    first, second = f"{slots}[{{turn}} % 4].first", f"{slots}[{{turn}} % 4].second"
    if form == 0:
        static(w, f"static uint64_t {slots}[4], {values}[4];")
        first, second = f"{slots}[{{turn}} % 4]", f"{values}[{{turn}} % 4]"
    else:
        static(w, f"static Pair {slots}[4];")
    key = "1 + {turn} / 6 % 3"
    take = f"{first} = {key};"
    fill = f"{second} = {chain(w, '{turn}')};"
    if form == 1:
        put = w.fresh("put")
        static(w, f"static NOINLINE void {put}(Pair *slot, uint64_t value) {{",
               "  slot->second = value;", "}")
        fill = f"{put}(&{slots}[{{turn}} % 4], {chain(w, '{turn}')});"
    statements(w, turn, [
        f"if ({first} != {key}) {{", f"  {take}", f"  {fill}", "} else {",
        f"  {second} += {{turn}};", "}",
    ])


@violation
def appended_list(w, turn):
    if w.chance(0.4):
        values, used = w.fresh("values"), w.fresh("used")
        static(w, f"static uint64_t {values}[16];", f"static uint32_t {used};")
        in_callee(w, turn, [f"{values}[{used}++ % 16] = {{turn}};"])
        return
    pool, heads = w.fresh("pool"), w.fresh("heads")
    count = w.pick([1, 4])
    static(w, f"static Node {pool}[64], *{heads}[{count}];")
    head = f"{heads}[{{turn}} % {count}]"
    statements(w, turn, [
        f"Node *node = &{pool}[{{turn}} % 64];", "node->key = {turn};",
        f"node->next = {head};", f"{head} = node;",
    ])


@violation
def worklist(w, turn):
    """Iterations work on what others have put into the list."""
    work, end = w.fresh("work"), w.fresh("end")
    static(w, f"static uint64_t {work}[8] = {{1}};", f"static uint32_t {end} = 1;")
    at = "({turn} + 3) % 8"
    lines = [f"uint64_t item = {work}[{{turn}} % 8];"]
    if w.chance(0.5):
        in_callee(w, turn, [*lines, f"{work}[{end}++ % 8] = item + {chain(w, 'item')};"])
    else:
        statements(w, turn, [*lines, f"{work}[{at}] = item + 1;"])


@violation
def union_find(w, turn):
    parents = w.fresh("parents")
    static(w, f"static uint32_t {parents}[16];")
    statements(w, turn, [
        "uint32_t one = (uint32_t)({turn} % 16), other = (uint32_t)({turn} * 7 % 16);",
        f"while ({parents}[one] && {parents}[one] != one) one = {parents}[one];",
        f"if (one != other) {parents}[other] = one;",
    ])


@violation
def buffer_of_callee(w, turn):
    text, buffer = w.fresh("text"), w.fresh("buffer")
    if w.chance(0.5):
        fill = f'snprintf({buffer}, sizeof({buffer}), "%llu", (unsigned long long)turn);'
    else:
        fill = f"for (int at = 0; at < 8; ++at) {buffer}[at] = (char)('0' + turn % (at + 2u));"
    static(w, f"static NOINLINE const char *{text}(uint64_t turn) {{",
           f"  static char {buffer}[24];", f"  {fill}", f"  return {buffer};", "}")
    statements(w, turn, [f"if ({text}({{turn}})[0] == 'x') printf(\"impossible\\n\");"])


@violation
def last_output(w, turn):
    last = w.fresh("last")
    if w.chance(0.5):
        static(w, f"static uint64_t {last}[3];")
        statements(w, turn, [f"{last}[{{turn}} % 3] = {{turn}};"])
    else:
        static(w, f"static Pair {last}[3];")
        statements(w, turn, [f"{last}[{{turn}} % 3].second = {{turn}} + {chain(w, '{turn}')};"])


@violation
def copied_record(w, turn):
    pairs, change = w.fresh("pairs"), w.fresh("change")
    static(w, f"static Pair {pairs}[4];",
           f"static NOINLINE void {change}(Pair *pair) {{",
           "  uint64_t first = pair->first;",
           "  pair->first = pair->second + 1;",
           "  pair->second = first;", "}")
    statements(w, turn, [
        f"Pair pair = {pairs}[{{turn}} % 4];", f"{change}(&pair);", "pair.first += {turn};",
        f"{pairs}[{{turn}} % 4] = pair;",
    ])
