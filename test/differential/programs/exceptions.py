"""Ingredients that throw, catch, check, and end the program.

Nothing that leaves an iteration is ever thrown, and no program is ended: for all
that the compiler knows, it could be.
"""

from .ingredients import fill, ingredient

# What is never true, for a reason that is not seen.
NEVER = (
    "indices[{index}] >= ELEMENTS",
    "records[{index}].count > 1000",
    "signed32[{index}] < -4000",
    "opaque({value}) == 0 && values64[{index}] == 1",
)


def never(w):
    return w.pick(NEVER).format(index=w.index(), value=w.value())


@ingredient("control", weight=1.5)
def program_end(w):
    """Ends the program, after some work, for what never happens."""
    end = w.number_between(0, 3)
    w.includes.add("stdlib.h")
    with w.block(f"if ({never(w)})"):
        if end == 0:
            w.line("abort();")
        elif end == 1:
            w.line(f'printf("%llu\\n", (unsigned long long){w.value()});')
            w.line("exit(3);")
        elif end == 2:
            own = w.own_objects()
            if own:
                item = w.pick(own)
                w.line(f"scramble({item.name}, {item.length}, {w.value()});")
                w.line(f'printf("%llu\\n", (unsigned long long){item.name}[0]);')
            w.line("_Exit(4);")
        else:
            fail = w.fresh("fail")
            w.file_scope += [
                f"__attribute__((noreturn)) static NOINLINE void {fail}(uint64_t value) {{",
                '  printf("failed at %llu\\n", (unsigned long long)value);',
                "  exit(value % 2 ? 5 : 6);",
                "}",
            ]
            w.line(f"{fail}({w.value()});")


@ingredient("control", weight=1.2, cxx=True)
def thrown_out(w):
    """Throws out of the iteration what is never thrown."""
    with w.block(f"if ({never(w)})"):
        w.line(f"throw {w.pick(['Oops{' + w.value() + '}', '1', 'uint64_t(2)'])};")


@ingredient("load", weight=1.2, cxx=True)
def checked_access(w):
    """A function that throws out of the iteration for what it never gets."""
    form = w.number_between(0, 2)
    if form == 0:
        w.declare("uint64_t", f"checkedAt(values64, {w.index()})")
    elif form == 1:
        w.declare("uint64_t", f"checkedDeeply({w.value()} % ELEMENTS)")
    else:
        w.includes.add("array")
        small = w.fresh("small")
        w.line(f"std::array<uint64_t, 4> {small} = {{1, 2, {w.value()}, 4}};")
        w.declare("uint64_t", f"{small}.at(values8[{w.index()}] % 4)")


@ingredient("load", weight=0.8, cxx=True)
def own_container(w):
    """A container of the iteration."""
    name = w.fresh("own")
    form = w.number_between(0, 2)
    if form == 0:
        w.includes.add("vector")
        w.line(f"std::vector<uint64_t> {name};")
        w.line(f"for (uint32_t k = 0; k < {w.number_between(1, 5)}; ++k)")
        w.line(f"  {name}.push_back(values64[(indices[{w.index()}] + k) % ELEMENTS]);")
        w.declare("uint64_t", f"{name}.back() + {name}.at(0) + {name}.size()")
    elif form == 1:
        w.includes.add("string")
        w.line(f'std::string {name} = "number ";')
        w.line(f"{name} += std::to_string({w.value()} % 100000);")
        if w.chance(0.5):
            w.line(f'{name} += " and a tail that is too long to be kept inside";')
        w.declare("uint64_t", f"{name}.size() * 256 + (unsigned char){name}[7]")
    else:
        w.includes.add("memory")
        w.line(f"auto {name} = std::make_unique<uint64_t>(values64[{w.index()}]);")
        w.line(f"addTo({name}.get(), {w.value()});")
        w.declare("uint64_t", f"*{name}")


@ingredient("control", weight=1.5, cxx=True)
def own_handlers(w):
    """Throws and catches by type, inside the iteration."""
    thrown, outcome = w.fresh("thrown"), w.declare("uint64_t", w.value(), prefix="outcome")
    rethrows = w.chance(0.4)
    if rethrows:
        w.line("try {")
        w.indentation += 1
    with w.block("try", footer="}"):
        fill(w, w.number_between(0, 1))
        with w.block(f"switch ({w.value()} % {w.number_between(4, 9)}u)"):
            w.line(f"case 0: throw Oops{{{w.value()}}};")
            w.line("case 1: throw 5;")
            w.line(f"case 2: {outcome} += mayThrow({w.value()}, 3); break;")
            w.line("default: break;")
        fill(w, w.number_between(0, 1))
    with w.block(f"catch (const Oops &{thrown})"):
        w.line(f"{outcome} += {thrown}.value * 3;")
        if rethrows:
            w.line(f"if ({outcome} % 2)")
            w.line(f"  {w.pick(['throw;', 'throw uint64_t(7);'])}")
        else:
            fill(w, 0)
    with w.block(w.pick(["catch (int)", "catch (...)"])):
        w.line(f"{outcome} += 11;")
    if rethrows:
        w.indentation -= 1
        w.line("} catch (...) {")
        w.line(f"  {outcome} += values64[indices[{outcome} % ELEMENTS]];")
        w.line("}")


@ingredient("load", weight=0.8, cxx=True)
def cleaned_up(w):
    """An object that is destroyed on each way out, also for exceptions."""
    left = w.declare("uint64_t", w.value(), prefix="left")
    guard = w.fresh("guard")
    with w.block("try", footer="} catch (const Oops &) {"):
        w.line(f"AddAtEnd {guard}{{&{left}}};")
        w.line(f"{left} += mayThrow({w.value()}, {w.number_between(2, 6)});")
    w.line(f"  {left} ^= 1;")
    w.line("}")
