"""The text of functions in MLIR, line by line."""


class FunctionWriter:
    """Writes one function, whose values have names of their own."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.indentation = 1
        self.names = 0

    def line(self, text):
        self.lines.append("  " * self.indentation + text)

    def open(self, text):
        self.line(text)
        self.indentation += 1

    def close(self, text="}"):
        self.indentation -= 1
        self.line(text)

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def set(self, text):
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def constant(self, number, form="i64"):
        return self.set(f"arith.constant {number} : {form}")

    def pick(self, choices):
        return self.rng.choice(choices)

    def chance(self, probability):
        return self.rng.random() < probability


# One number of the first elements of an array.
SUM = """
func.func private @sum(%a: memref<?xi64>, %n: index, %start: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 31 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> i64 {
    %v = memref.load %a[%i] : memref<?xi64>
    %m = arith.muli %s, %many : i64
    %t = arith.addi %m, %v : i64
    scf.yield %t : i64
  }
  return %sum : i64
}
"""
