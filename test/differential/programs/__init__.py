"""Random programs whose annotated loops keep the directive's promise.

Iterations of every generated loop are independent but for commutative updates
of memory and for scalar variables that are updated in iteration order, and no
operation is undefined. So the output of the serial program is the only right
output, whatever iterations are interleaved.
"""
