"""Ingredients that synchronise: atomics, critical sections, locks."""

from .ingredients import ingredient


def atomic_array(w):
    """A std::atomic array; clearing and reporting it take loops."""
    name = w.fresh("atomics")
    w.includes.add("atomic")
    w.file_scope.append(f"static std::atomic<uint64_t> {name}[ELEMENTS];")
    w.before.append(f"for (auto &element : {name})")
    w.before.append("  element.store(0);")
    w.report(f"reportBytes({{}}, {name}, sizeof({name}));", name)
    return name


@ingredient("update", weight=2)
def builtin_atomic(w):
    bins = w.output(w.pick(["uint32_t", "uint64_t"]), "bins")
    order = w.pick(["__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST", "__ATOMIC_RELEASE"])
    call = w.pick(["__atomic_fetch_add", "__atomic_fetch_xor", "__atomic_add_fetch"])
    operand = f"({w.expression(1)}) & 4095u"
    w.line(f"{call}(&{bins}[{w.index()}], {operand}, {order});")


@ingredient("update", weight=1.5)
def builtin_atomic_extreme(w):
    bins = w.output("uint64_t", "bins")
    place, seen, value = w.fresh("place"), w.fresh("seen"), w.fresh("candidate")
    w.line(f"uint64_t {value} = {w.expression()};")
    w.line(f"uint64_t *{place} = &{bins}[{w.index()}];")
    w.line(f"uint64_t {seen} = __atomic_load_n({place}, __ATOMIC_RELAXED);")
    w.line(f"while ({seen} < {value} &&")
    w.line(f"       !__atomic_compare_exchange_n({place}, &{seen}, {value}, 1,")
    w.line("                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {")
    w.line("}")


@ingredient("update", weight=1.2, cxx=True)
def standard_atomic(w):
    bins = atomic_array(w)
    place = f"{bins}[{w.index()}]"
    value = f"{w.expression(1)} & 1023u"
    form = w.number_between(0, 2)
    if form == 0:
        w.line(f"{place}.fetch_add({value}, std::memory_order_relaxed);")
    elif form == 1:
        w.line(f"{place} += {value};")
    else:
        w.line(f"{place}.fetch_or({value});")


@ingredient("update", cxx=True)
def standard_atomic_extreme(w):
    bins = atomic_array(w)
    place, seen, value = w.fresh("place"), w.fresh("seen"), w.fresh("candidate")
    w.line(f"uint64_t {value} = {w.expression()};")
    w.line(f"std::atomic<uint64_t> &{place} = {bins}[{w.index()}];")
    w.line(f"uint64_t {seen} = {place}.load(std::memory_order_relaxed);")
    w.line(f"while ({seen} < {value} && !{place}.compare_exchange_weak({seen}, {value})) {{")
    w.line("}")


@ingredient("update")
def openmp_atomic(w):
    w.needs_openmp = True
    bins = w.output(w.pick(["uint32_t", "uint64_t", "double"]), "bins")
    place = f"{bins}[{w.index()}]"
    value = f"{w.expression(1)} & 63u"
    w.line("#pragma omp atomic" + w.pick(["", " update", " seq_cst"]))
    w.line(f"{place} += {value};")


@ingredient("update", weight=0.8)
def openmp_critical(w):
    w.needs_openmp = True
    bins = w.output("uint64_t", "bins")
    slot, value = w.fresh("slot"), w.expression(1)
    w.line(f"#pragma omp critical({w.fresh('section')})")
    with w.block():
        w.line(f"uint64_t {slot} = indices[{w.index()}];")
        w.line(f"{bins}[{slot}] += {value} + values64[indices[{slot}]];")


@ingredient("update", hard=True)
def spin_lock(w):
    """A suspended lock holder would keep its own thread out for ever."""
    lock = w.fresh("lock")
    bins = w.output("uint64_t", "bins")
    slot = w.fresh("slot")
    w.file_scope.append(f"static int {lock};")
    w.line(f"while (__atomic_exchange_n(&{lock}, 1, __ATOMIC_ACQUIRE)) {{")
    w.line("}")
    w.line(f"uint64_t {slot} = indices[{w.index()}];")
    w.line(f"{bins}[{slot}] += values64[indices[{slot}]];")
    w.line(f"__atomic_store_n(&{lock}, 0, __ATOMIC_RELEASE);")


@ingredient("update", cxx=True, hard=True)
def mutex(w):
    lock = w.fresh("lock")
    bins = w.output("uint64_t", "bins")
    slot = w.fresh("slot")
    w.includes.add("mutex")
    w.file_scope.append(f"static std::mutex {lock};")
    with w.block():
        w.line(f"std::lock_guard<std::mutex> guard({lock});")
        w.line(f"uint64_t {slot} = indices[{w.index()}];")
        w.line(f"{bins}[{slot}] += values64[indices[{slot}]];")
