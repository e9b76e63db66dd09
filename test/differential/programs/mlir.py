"""Random MLIR programs, for what finds independent iterations by itself.

Nobody promises anything here: iterations of most loops may depend on each other
through memory, in ways that are more or less easy to overlook. A program is the
functions loop_0 to loop_19, which test/passes/mlir/Inputs/loops.c calls.
"""

import random

from programs.mlir_text import SUM, FunctionWriter

LOOPS = 20
SIZE = 256  # elements of each array that indices are made for
ROOM = 3 * SIZE  # elements of an array of a function's own, for views of it
PLAIN = "memref<?xi64>"
STRIDED = "memref<?xi64, strided<[{}], offset: ?>>"
ARGUMENTS = ("%keys", "%values", "%others")


class Array:
    def __init__(self, name, form=PLAIN):
        self.name = name
        self.type = form


class LoopWriter(FunctionWriter):
    """Writes one function with one loop, or a nest, to be marked or not."""

    def __init__(self, rng, number):
        super().__init__(rng)
        self.number = number
        self.parallel = rng.random() < 0.2
        self.arguments = [Array(name) for name in ARGUMENTS]
        self.owned = []  # arrays that the function allocates
        self.views = []

    # Values: i64 in `values`, indices of any array in `indices`.

    def masked(self, value):
        """An index of any array, from any value."""
        mask = self.constant(SIZE - 1)
        return self.set(f"arith.index_cast {self.set(f'arith.andi {value}, {mask} : i64')}"
                        " : i64 to index")

    def expression(self, values):
        operation = self.pick(["addi", "subi", "xori", "muli", "andi", "maxsi"])
        return self.set(f"arith.{operation} {self.pick(values)}, {self.pick(values)} : i64")

    def load(self, array, index):
        return self.set(f"memref.load {array.name}[{index}] : {array.type}")

    def store(self, value, array, index):
        self.line(f"memref.store {value}, {array.name}[{index}] : {array.type}")

    # Arrays.

    def allocate(self):
        for _ in range(self.rng.randint(1, 2)):
            room = self.constant(ROOM, "index")
            array = Array(self.set(f"memref.alloc({room}) : {PLAIN}"))
            self.line(f"scf.for %i = %c0 to {room} step %c1 {{")
            self.indentation += 1
            self.store(self.set("arith.index_cast %i : index to i64"), array, "%i")
            self.indentation -= 1
            self.line("}")
            self.owned.append(array)
        self.scalar = self.set("memref.alloc() : memref<i64>")
        self.line(f"memref.store %zero, {self.scalar}[] : memref<i64>")
        while self.chance(0.4) and not self.parallel:
            self.views.append(self.view(self.pick(self.owned)))

    def view(self, whole):
        kind = self.rng.random()
        size = f"[{SIZE}]"
        if kind < 0.5:
            offset, step = self.rng.randint(0, 20), self.pick([1, 1, 2])
            form = STRIDED.format(step).replace("?x", f"{SIZE}x").replace("offset: ?",
                                                                          f"offset: {offset}")
            name = self.set(f"memref.subview {whole.name}[{offset}] {size} [{step}] : "
                            f"{PLAIN} to {form}")
            return Array(name, form)
        if kind < 0.7:
            step = self.set(f"arith.minsi %n, %c{self.pick('01')} : index")
            form = STRIDED.format("?").replace(", offset: ?", "").replace("?x", f"{SIZE}x")
            name = self.set(f"memref.reinterpret_cast {whole.name} to offset: [0], "
                            f"sizes: {size}, strides: [{step}] : {PLAIN} to {form}")
            return Array(name, form)
        if kind < 0.85:
            return Array(self.set(f"memref.cast {whole.name} : {PLAIN} to memref<{ROOM}xi64>"),
                         f"memref<{ROOM}xi64>")
        other = self.pick(self.arguments + self.owned)
        odd = self.set("arith.trunci %count : i64 to i1")
        return Array(self.set(f"arith.select {odd}, {whole.name}, {other.name} : {PLAIN}"))

    # Statements.

    def any_array(self):
        return self.pick(self.arguments * 2 + self.owned * 3 + self.views * 3)

    def readable(self):
        """In parallel loops, what no iteration writes."""
        return self.pick(self.arguments) if self.parallel else self.any_array()

    def gather(self, values, indices):
        key = self.load(self.pick(self.arguments), self.pick(indices))
        value = self.load(self.readable(), self.masked(key))
        values += [key, value]

    def neighbour(self, index):
        """Where the next iterations, or the last ones, may be."""
        return self.set(f"arith.{self.pick(['addi', 'subi'])} {index}, %c{self.pick('12')} : index")

    def place(self, values, indices):
        return self.pick([indices[0], indices[0], self.pick(indices),
                          self.neighbour(indices[0]), self.masked(self.pick(values)), "%c3"])

    def update(self, values, indices):
        if self.parallel:
            self.store(self.expression(values), self.owned[0], indices[0])
            return
        array = self.pick(self.owned * 4 + self.views * 2 + self.arguments)
        index = self.pick([indices[0]] * 3 + [self.place(values, indices)])
        value = self.expression(values)
        if self.chance(0.4):
            old = self.load(array, self.pick([index, index, index, self.place(values, indices)]))
            value = self.expression([old, value])
            values.append(old)
        self.store(value, array, index)

    def effect(self, values, indices):
        """What is no load and no store of one element."""
        if self.parallel:
            return
        array, value = self.pick(self.owned), self.pick(values)
        place = self.pick([indices[0], self.place(values, indices)])
        kind = self.rng.randrange(7)
        if kind == 0:
            operation = self.pick(["addi", "maxs", "assign"])
            values.append(self.set(f"memref.atomic_rmw {operation} {value}, {array.name}[{place}] "
                                   f": (i64, {array.type}) -> i64"))
        elif kind == 1:
            wide = self.set(f"vector.broadcast {value} : i64 to vector<4xi64>")
            self.line(f"vector.store {wide}, {array.name}[{indices[0]}] : {array.type}, "
                      "vector<4xi64>")
        elif kind == 2:
            old = self.set(f"memref.load {self.scalar}[] : memref<i64>")
            new = self.expression([old, value])
            self.line(f"memref.store {new}, {self.scalar}[] : memref<i64>")
        elif kind == 3:
            self.line(f"func.call @record({value}) : (i64) -> ()")
        elif kind == 4:
            other = self.pick(self.owned)
            sides = []
            for side in array, other:
                offset = self.rng.randint(0, 40)
                form = STRIDED.format(1).replace("?x", "8x").replace("offset: ?",
                                                                     f"offset: {offset}")
                sides.append((self.set(f"memref.subview {side.name}[{offset}] [8] [1] : "
                                       f"{PLAIN} to {form}"), form))
            if array is not other:
                self.line(f"memref.copy {sides[0][0]}, {sides[1][0]} : {sides[0][1]} to "
                          f"{sides[1][1]}")
        elif kind == 5:
            self.line(f"linalg.fill ins({value} : i64) outs({self.scalar} : memref<i64>)")
        else:
            wide = self.set(f"vector.load {array.name}[{indices[0]}] : {array.type}, "
                            "vector<4xi64>")
            values.append(self.set(f"vector.reduction <xor>, {wide} : vector<4xi64> into i64"))

    def condition(self, values, indices):
        odd = self.set(f"arith.trunci {self.pick(values)} : i64 to i1")
        self.line(f"scf.if {odd} {{")
        self.block(values, indices, 1)
        self.line("}")

    def inner_loop(self, values, indices):
        end = self.constant(self.rng.randint(1, 6), "index")
        if self.chance(0.5):
            few = self.set(f"arith.andi {self.pick(values)}, {self.constant(7)} : i64")
            end = self.set(f"arith.index_cast {few} : i64 to index")
        counter, carried, result = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{result} = scf.for {counter} = %c2 to {end} step %c1 "
                  f"iter_args({carried} = {self.pick(values)}) -> i64 {{")
        self.indentation += 1
        inside = [*values, carried]
        self.gather(inside, [counter, *indices])
        if self.chance(0.5):
            outside = self.parallel or self.chance(0.7)
            self.update(inside, [*indices, counter] if outside else [counter, *indices])
        if self.chance(0.3):
            inside.append(self.load(self.readable(), self.masked(carried)))
        next_value = self.expression(inside[-3:])
        self.line(f"scf.yield {next_value} : i64")
        self.indentation -= 1
        self.line("}")
        values.append(result)

    def block(self, values, indices, depth=0):
        """Statements in a scope of their own."""
        self.indentation += 1
        values, indices = list(values), list(indices)
        kinds = [self.gather] * 3 + [self.update] * 4
        if not self.parallel and self.chance(0.5):
            kinds += [self.effect] * 3
        if depth == 0:
            kinds += [self.condition, self.inner_loop]
        for _ in range(self.rng.randint(1, 2)):
            self.pick(kinds)(values, indices)
        self.indentation -= 1
        return values

    # Values that a loop carries.

    def carried_values(self):
        """Pairs of type and initial value."""
        if self.parallel:
            return []
        result = []
        for _ in range(self.rng.randint(0, 2)):
            form = self.pick(["i64", "i64", "i64", "f64", "chase"])
            if self.chance(0.2) and len(self.owned) > 1 and form == "i64":
                form = PLAIN
            result.append(form)
        return result

    def next_value(self, form, name, values):
        if form == PLAIN:
            return self.pick([name, *(array.name for array in self.owned)])
        if form == "f64":
            third = self.constant("3.0", "f64")
            wide = self.set(f"arith.andi {self.pick(values)}, {self.constant(1023)} : i64")
            number = self.set(f"arith.sitofp {wide} : i64 to f64")
            part = self.set(f"arith.divf {number}, {third} : f64")
            return self.set(f"arith.{self.pick(['addf', 'addf', 'maximumf'])} {name}, {part} : f64")
        if form == "chase":
            return self.load(self.pick(self.arguments), self.masked(name))
        kind = self.rng.randrange(5)
        value = self.pick(values)
        if kind == 0:
            return value
        if kind == 1:
            many = self.set(f"arith.muli {name}, {self.constant(31)} : i64")
            return self.set(f"arith.addi {many}, {value} : i64")
        return self.set(f"arith.{self.pick(['addi', 'xori', 'maxsi', 'minsi'])} "
                        f"{name}, {value} : i64")

    def loop(self):
        if self.parallel:
            self.line("scf.parallel (%i) = (%c3) to (%last) step (%c1) {")
        else:
            forms = self.carried_values()
            names = [self.fresh() for _ in forms]
            types = ["i64" if form == "chase" else form for form in forms]
            starts = {"i64": "%one", "chase": "%one", "f64": "%none"}
            given = [f"{name} = {starts.get(form, self.owned[0].name)}"
                     for name, form in zip(names, forms)]
            carried = f" iter_args({', '.join(given)}) -> ({', '.join(types)})" if forms else ""
            result = f"%r:{len(forms)} = " if forms else ""
            step = self.pick(["%c1", "%c1", "%c1", "%c2", "%c3"])
            self.line(f"{result}scf.for %i = %c3 to %last step {step}{carried} {{")
            for name, form in zip(names, forms):
                if form == PLAIN:
                    self.views.append(Array(name))
        self.indentation += 1
        values = [self.set("arith.index_cast %i : index to i64"), "%one"]
        if not self.parallel:
            values += [name for name, form in zip(names, forms) if form in ("i64", "chase")]
        self.gather(values, ["%i"])
        self.indentation -= 1
        values = self.block(values, ["%i"])
        # The values of the block are in its scope, which is that of the loop.
        self.indentation += 1
        if self.parallel:
            self.line("scf.reduce")
        elif forms:
            following = [self.next_value(*pair, values) for pair in zip(forms, names)]
            self.line(f"scf.yield {', '.join(following)} : {', '.join(types)}")
        self.indentation -= 1
        self.line("}")
        return [] if self.parallel else [(f"%r#{i}", t) for i, t in enumerate(types)]

    def checked(self, results):
        """One number of all that has come out."""
        total = self.set(f"memref.load {self.scalar}[] : memref<i64>")
        for name, form in results:
            if form == PLAIN:
                name = self.set(f"memref.load {name}[%c3] : {PLAIN}")
            elif form == "f64":
                name = self.set(f"arith.bitcast {name} : f64 to i64")
            many = self.set(f"arith.muli {total}, %many : i64")
            total = self.set(f"arith.addi {many}, {name} : i64")
        room = self.constant(ROOM, "index")
        for array in self.owned:
            total = self.set(f"func.call @sum({array.name}, {room}, {total}) : "
                             f"({PLAIN}, index, i64) -> i64")
            self.line(f"memref.dealloc {array.name} : {PLAIN}")
        self.line(f"memref.dealloc {self.scalar} : memref<i64>")
        return total

    def function(self):
        arguments = ", ".join(f"{name}: {PLAIN}" for name in ARGUMENTS)
        for number in range(4):
            self.line(f"%c{number} = arith.constant {number} : index")
        for name, number in (("zero", 0), ("one", 1), ("many", 31)):
            self.line(f"%{name} = arith.constant {number} : i64")
        self.line("%none = arith.constant 0.0 : f64")
        self.line("%last = arith.addi %n, %c3 : index")
        self.line("%count = arith.index_cast %n : index to i64")
        self.allocate()
        total = self.checked(self.loop())
        self.line(f"return {total} : i64")
        return [f"func.func @loop_{self.number}(%n: index, {arguments}) -> i64 {{",
                *self.lines, "}", ""]


def generate_mlir(seed):
    """The text of the program of a seed."""
    rng = random.Random(f"heddle mlir {seed}")
    lines = [f"// Random program {seed} of Heddle's differential test of MLIR.",
             "func.func private @record(i64)", SUM]
    for number in range(LOOPS):
        lines += LoopWriter(rng, number).function()
    return "\n".join(lines)
