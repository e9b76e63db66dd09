// Assembly that defines a label of a fixed name exists once: the loop is left
// alone. Numbers and unique names may be copied.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle %s -o %t 2>&1 | FileCheck %s
// RUN: %t

#define LOOP(NAME, ASSEMBLY)                                                   \
  __attribute__((noinline)) long NAME(const long *a, const long *b, long n) {  \
    long sum = 0;                                                              \
    _Pragma("heddle async") for (long i = 0; i < n; ++i) {                     \
      long x = a[b[a[i]]];                                                     \
      __asm__ volatile(ASSEMBLY : "+r"(x));                                    \
      sum += x;                                                                \
    }                                                                          \
    return sum;                                                                \
  }

// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(first, "fixed_label:")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(behindStatement, "nop; .Lfixed_local: nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(secondLine, "nop\n\t_fixed$label2:\n\tnop")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(number, "1: nop; .if 0; jmp 1b; .endif")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(unique, "unique%=: nop\n.Lother%=:")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(noLabel, "nop # a comment")

int main(void) {
  static long zeros[64];
  return (int)(first(zeros, zeros, 64) + behindStatement(zeros, zeros, 64) +
               secondLine(zeros, zeros, 64) + number(zeros, zeros, 64) +
               unique(zeros, zeros, 64) + noLabel(zeros, zeros, 64));
}
