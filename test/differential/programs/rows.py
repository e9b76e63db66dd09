"""Random MLIR programs with loops over compressed rows.

Each function makes rows in compressed form, goes over them in a way that
heddle-pull-rows may take for a heddle.pull, and returns a checksum of what has
come out. Rows that the program does not look at have positions that mean
nothing: packing them would end the program. test/passes/mlir/Inputs/loops.c calls the
functions.
"""

import random

from programs.mlir_text import SUM, FunctionWriter

LOOPS = 20
SIZE = 256  # elements of the driver's arrays, and the most rows
ROOM = 1 << 13  # edges that there is room for
WORDS = "memref<?xi64>"
KINDS = ["addi", "addi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"]


def array(element):
    return f"memref<?x{element}>"


class RowsWriter(FunctionWriter):
    def __init__(self, rng, number):
        super().__init__(rng)
        self.number = number
        self.position = self.pick(["i16", "i32", "i64", "index", "index"])
        self.coordinate = self.pick(["i8", "i16", "i32", "i32", "i64", "index"])
        self.value = self.pick(["i8", "i16", "i32", "i32", "i64"])
        self.weight = self.pick([None, "i8", "i32", "i64", "f64"])
        self.times = self.chance(0.5)
        self.guard = self.chance(0.3)
        self.active = self.chance(0.25)
        self.parallel = self.chance(0.6)

    # Numbers.

    def converted(self, value, given, wanted):
        """`value` of one type as one of another, unsigned."""
        if given == wanted:
            return value
        if given == "f64":
            return self.set(f"arith.fptosi {value} : f64 to {wanted}")
        if wanted == "f64":
            few = self.set(f"arith.andi {value}, {self.constant(63, given)} : {given}")
            return self.set(f"arith.sitofp {few} : {given} to f64")
        if "index" in (given, wanted):
            return self.set(f"arith.index_castui {value} : {given} to {wanted}")
        bits = int(wanted[1:]) - int(given[1:])
        return self.set(f"arith.{'extui' if bits > 0 else 'trunci'} {value} : {given} to {wanted}")

    def load(self, base, index, element):
        return self.set(f"memref.load {base}[{index}] : {array(element)}")

    def store(self, value, base, index, element):
        self.line(f"memref.store {value}, {base}[{index}] : {array(element)}")

    def key(self, index):
        """A number below SIZE, as i64, for any index."""
        at = self.set(f"arith.andi {index}, %last : index")
        return self.load("%keys", at, "i64")

    def is_zero_in(self, value, mask):
        few = self.set(f"arith.andi {value}, {self.constant(mask)} : i64")
        return self.set(f"arith.cmpi eq, {few}, %zero : i64")

    # The rows.

    def allocate(self, name, count, element):
        self.line(f"{name} = memref.alloc({count}) : {array(element)}")

    def filled(self, name, count, element, number):
        self.allocate(name, count, element)
        self.open(f"scf.for %i = %c0 to {count} step %c1 {{")
        self.store(self.converted(number("%i"), "i64", element), name, "%i", element)
        self.close()

    def is_active(self, row):
        return self.set(f"arith.xori {self.is_zero_in(self.key(row), 3)}, %true : i1")

    def make_positions(self):
        degree = self.constant(self.pick([3, 7, 31]))
        self.allocate("%pos", "%rooms", self.position)
        self.open("%end = scf.for %i = %c0 to %rows step %c1 iter_args(%at = %c0) -> index {")
        self.store(self.converted("%at", "index", self.position), "%pos", "%i", self.position)
        count = self.set(f"arith.andi {self.key('%i')}, {degree} : i64")
        if self.active:
            count = self.set(f"arith.select {self.is_active('%i')}, {count}, %zero : i64")
        count = self.set(f"arith.index_cast {count} : i64 to index")
        self.line(f"%next = arith.addi %at, {count} : index")
        self.close("  scf.yield %next : index\n  }")
        self.store(self.converted("%end", "index", self.position), "%pos", "%positive",
                   self.position)
        if self.active:
            self.spoil_positions_of_inactive_rows()
        if self.times or self.guard:
            # No row is looked at: none has a beginning that makes sense.
            self.open("scf.if %idle {")
            self.open("scf.for %i = %c0 to %rows step %c1 {")
            wrong = self.set("arith.muli %i, %many : index")
            self.store(self.converted(wrong, "index", self.position), "%pos", "%i", self.position)
            self.close()
            self.close()

    def spoil_positions_of_inactive_rows(self):
        self.open("scf.for %i = %c1 to %rows step %c1 {")
        before = self.set("arith.subi %i, %c1 : index")
        either = self.set(f"arith.ori {self.is_active('%i')}, {self.is_active(before)} : i1")
        self.open(f"scf.if {either} {{")
        self.close("} else {")
        self.indentation += 1
        wrong = self.set("arith.muli %i, %many : index")
        self.store(self.converted(wrong, "index", self.position), "%pos", "%i", self.position)
        self.close()
        self.close()

    def make_rows(self):
        self.make_positions()
        self.filled("%crd", "%room", self.coordinate, self.key)
        self.filled("%x", "%size", self.value,
                    lambda i: self.set(f"arith.addi {self.key(i)}, %count : i64"))
        self.filled("%second", "%size", "i32", self.key)
        if self.weight:
            self.filled("%val", "%room", self.weight, self.key)
        self.filled("%y", "%rooms", "i64", self.key)

    # Operations on a row.

    def spoil(self, begin, end):
        """Writes to rows: to the same one, or to whatever comes at an index."""
        name, element = self.pick([("%crd", self.coordinate), ("%val", self.weight)])
        if not element or element == "f64":
            name, element = "%crd", self.coordinate
        step = "%c1" if self.parallel else self.pick(["%c1", "%c2"])
        self.open(f"scf.for %k = {begin} to {end} step {step} {{")
        old = self.load(name, "%k", element)
        new = self.set(f"arith.xori {old}, {self.constant(1, element)} : {element}")
        self.store(new, name, "%k", element)
        self.close()

    def messages(self):
        """Some numbers of type `value` for an edge, and their condition."""
        raw = self.load("%crd", "%k", self.coordinate)
        at = raw
        if self.coordinate not in ("i64", "index") and self.chance(0.5):
            at = self.converted(at, self.coordinate, "i64")
            at = self.set(f"arith.index_cast {at} : i64 to index")
        else:
            at = self.converted(at, self.coordinate, "index")
        values = [self.load("%x", at, self.value)]
        if self.chance(0.3):
            values.append(self.converted(raw, self.coordinate, self.value))
        if self.chance(0.3):
            there = self.load("%second", at, "i32")
            if self.chance(0.5):
                there = self.set(f"arith.andi {there}, {self.constant(127, 'i32')} : i32")
            there = self.converted(there, "i32", "index")
            values.append(self.load("%x", there, self.value))
        if self.chance(0.3):
            values.append(self.pick(["%scalar", self.own, self.constant(5, self.value)]))
        if self.weight:
            weight = self.load("%val", "%k", self.weight)
            values.append(self.converted(weight, self.weight, self.value))
        return values

    def message(self):
        values = self.messages()
        while len(values) > 1 or self.chance(0.2):
            a, b = self.pick(values), values.pop()
            operation = self.pick(["addi", "muli", "subi", "xori", "divui", "remsi"])
            if operation in ("divui", "remsi"):
                # Not zero, and not minus one where that would be the divisor.
                b = self.set(f"arith.andi {b}, {self.constant(63, self.value)} : {self.value}")
                b = self.set(f"arith.ori {b}, {self.constant(1, self.value)} : {self.value}")
            values.insert(0, self.set(f"arith.{operation} {a}, {b} : {self.value}"))
            values = values[:max(1, len(values) - 1)]
        return values[0]

    def row(self):
        begin = self.converted(self.load("%pos", "%v", self.position), self.position, "index")
        after = self.set("arith.addi %v, %c1 : index")
        end = self.converted(self.load("%pos", after, self.position), self.position, "index")
        if self.chance(0.1):
            self.spoil(begin, end)
        old = self.load("%y", "%v", "i64")
        self.own = self.converted(old, "i64", self.value)
        start = self.pick(["%start", self.own])
        self.open(f"%sum = scf.for %k = {begin} to {end} step %c1 iter_args(%all = {start}) "
                  f"-> {self.value} {{")
        message = self.message()
        following = self.set(f"arith.{self.pick(KINDS)} %all, {message} : {self.value}")
        if self.chance(0.3):
            odd = self.set(f"arith.cmpi {self.pick(['ult', 'sgt', 'ne'])}, {message}, %scalar "
                           f": {self.value}")
            following = self.set(f"arith.select {odd}, {following}, %all : {self.value}")
        self.line(f"scf.yield {following} : {self.value}")
        self.close()
        self.store(self.converted("%sum", self.value, "i64"), "%y", "%v", "i64")
        if self.chance(0.1):
            self.spoil(begin, end)

    def rows(self):
        if self.parallel:
            self.open("scf.parallel (%v) = (%c0) to (%rows) step (%c1) {")
        else:
            self.open("scf.for %v = %c0 to %rows step %c1 {")
        if self.active:
            self.open(f"scf.if {self.is_active('%v')} {{")
        self.row()
        if self.active:
            self.close()
        if self.parallel:
            self.line("scf.reduce")
        self.close()

    def loops(self):
        if self.times:
            self.open("scf.for %t = %c0 to %repeats step %c1 {")
        if self.guard:
            self.open("scf.if %busy {")
        self.rows()
        if self.guard:
            self.close()
        if self.times:
            self.close()

    def header(self):
        for number in range(4):
            self.line(f"%c{number} = arith.constant {number} : index")
        for name, number in (("last", SIZE - 1), ("size", SIZE), ("room", ROOM),
                             ("many", 0x1234567)):
            self.line(f"%{name} = arith.constant {number} : index")
        self.line("%zero = arith.constant 0 : i64")
        self.line("%true = arith.constant true")
        self.line(f"%start = arith.constant 3 : {self.value}")
        self.line(f"%rows = arith.{self.pick(['minui %n, %n', 'subi %n, %c1'])} : index")
        self.line("%positive = arith.maxsi %rows, %c0 : index")
        self.line("%rooms = arith.addi %positive, %c1 : index")
        self.line("%count = arith.index_cast %n : index to i64")
        self.line(f"%scalar = arith.{'muli' if self.value == 'i64' else 'trunci'} %count"
                  + (", %count : i64" if self.value == "i64" else f" : i64 to {self.value}"))
        if self.guard:
            self.line(f"%idle = arith.cmpi eq, {self.is_zero_in('%count', 1)}, %true : i1")
        else:
            self.line(f"%idle = arith.cmpi eq, {self.is_zero_in('%count', 3)}, %true : i1")
        self.line("%busy = arith.xori %idle, %true : i1")
        self.line("%repeats = arith.select %idle, %c0, %c3 : index")

    def function(self):
        self.header()
        self.make_rows()
        self.loops()
        self.line(f"%result = func.call @sum(%y, %positive, %zero) : ({WORDS}, index, i64) -> i64")
        for name, element in (("pos", self.position), ("crd", self.coordinate),
                              ("x", self.value), ("second", "i32"), ("val", self.weight),
                              ("y", "i64")):
            if element:
                self.line(f"memref.dealloc %{name} : {array(element)}")
        self.line("return %result : i64")
        arguments = ", ".join(f"%{name}: {WORDS}" for name in ("keys", "values", "others"))
        return [f"func.func @loop_{self.number}(%n: index, {arguments}) -> i64 {{",
                *self.lines, "}", ""]


def generate_rows(seed):
    """The text of the program of a seed."""
    rng = random.Random(f"heddle rows {seed}")
    lines = [f"// Random program {seed} of Heddle's differential test of rows.", SUM]
    for number in range(LOOPS):
        lines += RowsWriter(rng, number).function()
    return "\n".join(lines)
