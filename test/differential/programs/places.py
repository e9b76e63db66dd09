"""Ingredients that keep a state in a place that the iteration chooses, in an
object that a callee finds, or in what the C library keeps.

Each iteration writes the state before it uses it.
"""

from .ingredients import ingredient
from .states import chain


def use(w, bins, place, callee):
    """bins[place] += something that waits, here or in a callee."""
    amount = chain(w, w.expression(1))
    if w.chance(0.4):
        amount = w.declare("uint64_t", chain(w, chain(w, w.value())))
    w.line(f"{callee}({amount});" if callee else f"{bins}[{place}] += {amount};")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def state_in_slot(w):
    """The place is one of several, named by an index or by a pointer."""
    bins = w.output("uint64_t", "bins")
    scratch, note, take, slot = (w.fresh(name) for name in ("scratch", "note", "take", "slot"))
    by_pointer = w.chance(0.5)
    kind = "uint64_t *" if by_pointer else "uint64_t "
    place = "*slot" if by_pointer else f"{scratch}[slot]"
    w.file_scope += [
        f"static uint64_t {scratch}[8];",
        f"static NOINLINE void {note}({kind}slot, uint64_t key) {{",
        f"  {place} = key % ELEMENTS;",
        "}",
        f"static NOINLINE void {take}({kind}slot, uint64_t amount) {{",
        f"  {bins}[{place}] += amount;",
        "}",
    ]
    chosen = f"{w.value()} & 7"
    w.line(f"{kind}{slot} = " + (f"&{scratch}[{chosen}];" if by_pointer else f"{chosen};"))
    here = f"*{slot}" if by_pointer else f"{scratch}[{slot}]"
    inline_note, inline_take = w.pick([(0, 0), (0, 0), (1, 0), (0, 1)])
    w.line(f"{here} = {w.index()};" if inline_note else f"{note}({slot}, {w.value()});")
    amount = chain(w, w.expression(1))
    if w.chance(0.5):
        amount = w.declare("uint64_t", chain(w, w.value()))
    w.line(f"{bins}[{here}] += {amount};" if inline_take else f"{take}({slot}, {amount});")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def state_of_object(w):
    """An object that a callee returns, or that pointers to pointers lead to."""
    bins = w.output("uint64_t", "bins")
    kind, found, bump = w.fresh("Holder"), w.fresh("holder"), w.fresh("bump")
    w.file_scope += [
        f"typedef struct {{ uint64_t unused, at; }} {kind};",
        f"static {kind} {found}_object, *{found}_known = &{found}_object;",
    ]
    if w.chance(0.5):
        w.file_scope += [
            f"static NOINLINE {kind} *{found}(void) {{",
            '  __asm__ volatile("");',
            f"  return {found}_known;",
            "}",
        ]
        place = f"{found}()->at"
    else:
        w.file_scope.append(f"static {kind} **{found} = &{found}_known;")
        place = f"(*{found})->at"
    w.file_scope += [
        f"UNUSED static NOINLINE void {bump}(uint64_t amount) {{",
        f"  {bins}[{place}] += amount;",
        "}",
    ]
    w.line(f"{place} = {w.index()};")
    use(w, bins, place, bump if w.chance(0.5) else "")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def ring_of_buffers(w):
    """A callee returns the next of some buffers, or the only one."""
    bins = w.output("uint64_t", "bins")
    ring, text, take = w.fresh("ring"), w.fresh("text"), w.fresh("take")
    count = w.pick([1, 2, 4])
    w.file_scope += [
        f"static uint64_t {ring}[{count}][2];",
        f"static unsigned {ring}_at;",
        f"static NOINLINE uint64_t *{text}(uint64_t key) {{",
        f"  uint64_t *buffer = {ring}[{ring}_at++ % {count}];",
        "  buffer[0] = key % ELEMENTS;",
        "  buffer[1] = key * 3;",
        "  return buffer;",
        "}",
        f"UNUSED static NOINLINE void {take}(const uint64_t *buffer, uint64_t amount) {{",
        f"  {bins}[buffer[0]] += buffer[1] + amount;",
        "}",
    ]
    buffer = w.fresh("buffer")
    w.line(f"uint64_t *{buffer} = {text}({w.value()});")
    amount = w.declare("uint64_t", chain(w, w.value()))
    if w.chance(0.5):
        w.line(f"{take}({buffer}, {amount});")
    else:
        w.line(f"{bins}[{buffer}[0]] += {buffer}[1] + {amount};")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def pushed_then_popped(w):
    """A stack of the program's own is as high after an iteration as before."""
    bins = w.output("uint64_t", "bins")
    stack, push, pop = w.fresh("stack"), w.fresh("push"), w.fresh("pop")
    w.file_scope += [
        f"static uint64_t {stack}[64], {stack}_height;",
        f"static NOINLINE void {push}(uint64_t key) {{",
        f"  {stack}[{stack}_height++ % 64] = key % ELEMENTS;",
        "}",
        f"static NOINLINE uint64_t {pop}(void) {{",
        f"  return {stack}[--{stack}_height % 64];",
        "}",
    ]
    w.report_variable(f"{stack}_height")
    w.line(f"{push}({w.value()});")
    amount = w.declare("uint64_t", chain(w, w.value()))
    w.line(f"{bins}[{pop}()] += {amount};")


@ingredient("update", weight=0.7, serial=True, conflicts=True)
def entered_once(w):
    """Counts how often an iteration enters while another one is inside."""
    inside, clashes = w.fresh("inside"), w.fresh("clashes")
    enter, leave = w.fresh("enter"), w.fresh("leave")
    bins = w.output("uint64_t", "bins")
    bits = w.chance(0.4)
    w.file_scope += [
        f"static unsigned {inside}, {clashes};",
        f"static NOINLINE void {enter}(void) {{",
        f"  {clashes} += {inside} != 0;",
        f"  {inside} |= 4;" if bits else f"  ++{inside};",
        "}",
        f"static NOINLINE void {leave}(void) {{",
        f"  {inside} &= ~4u;" if bits else f"  --{inside};",
        "}",
    ]
    w.report_variable(clashes)
    w.line(f"{enter}();")
    w.line(f"{bins}[{w.index()}] += {chain(w, w.expression(1))};")
    w.line(f"{leave}();")


@ingredient("update", weight=0.7, serial=True)
def state_behind_table(w):
    """Functions that a table names write the state and use it."""
    bins = w.output("uint64_t", "bins")
    state, table = w.fresh("state"), w.fresh("table")
    parts = [w.fresh("note"), w.fresh("take")]
    w.file_scope += [
        f"static uint64_t {state};",
        f"static NOINLINE void {parts[0]}(uint64_t key) {{ {state} = key % ELEMENTS; }}",
        f"static NOINLINE void {parts[1]}(uint64_t amount) {{ {bins}[{state}] += amount; }}",
        f"static void (*{table}[2])(uint64_t) = {{{parts[0]}, {parts[1]}}};",
    ]
    functions = w.fresh("functions")
    w.before.append(f"void (**{functions})(uint64_t) = HIDE(&{table}[0]);")
    w.line(f"{functions}[0]({w.value()});")
    w.line(f"{functions}[1]({chain(w, w.expression(1))});")


@ingredient("update", weight=0.5, cxx=True, serial=True)
def state_of_lambda(w):
    """Lambdas that are not inlined share a variable of the function."""
    bins = w.output("uint64_t", "bins")
    state = w.outer("uint64_t", "0", "state")
    note, take = w.fresh("note"), w.fresh("take")
    attribute = "__attribute__((noinline))"
    w.before += [
        f"auto {note} = [&](uint64_t key) {attribute} {{ {state} = key % ELEMENTS; }};",
        f"auto {take} = [&](uint64_t amount) {attribute} {{ {bins}[{state}] += amount; }};",
    ]
    w.line(f"{note}({w.value()});")
    w.line(f"{take}({chain(w, w.expression(1))});")


@ingredient("update", weight=0.5, serial=True)
def state_of_library(w):
    """What the C library keeps between two calls."""
    bins = w.output("uint64_t", "bins")
    if w.chance(0.5):
        w.includes |= {"errno.h", "stdlib.h"}
        w.line("errno = 0;")
        w.line(f'strtoll({w.value()} & 1 ? "99999999999999999999" : "5", 0, 10);')
        amount = w.declare("uint64_t", chain(w, w.value()))
        w.line(f"{bins}[{w.index()}] += {amount} + (errno == ERANGE);")
        return
    text, word = w.fresh("text"), w.fresh("word")
    w.line(f'char {text}[8] = "A,0";')
    w.line(f"{text}[0] = (char)('A' + {w.value()} % 26u);")
    w.line(f"{text}[2] = (char)('0' + {w.value()} % 10u);")
    w.line(f'uint64_t {word} = (uint64_t)strtok({text}, ",")[0];')
    amount = w.declare("uint64_t", chain(w, w.value()))
    w.line(f'{word} = {word} * 10u + (uint64_t)strtok(0, ",")[0];')
    w.line(f"{bins}[{word} % ELEMENTS] += {amount};")


@ingredient("update", weight=0.5, serial=True, conflicts=True)
def text_of_library(w):
    """The C library writes a buffer and reads it."""
    bins, text = w.output("uint64_t", "bins"), w.fresh("text")
    w.includes.add("stdlib.h")
    w.file_scope.append(f"static char {text}[24];")
    w.line(f'snprintf({text}, sizeof({text}), "%u", (unsigned)({w.index()}));')
    amount = w.declare("uint64_t", chain(w, w.value()))
    w.line(f"{bins}[atoi({text})] += {amount};")
