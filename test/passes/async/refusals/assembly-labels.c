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
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(spaced, "spaced_label : nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(behindComment, "/* a comment */ commented: nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(quoted, "\"quoted_label\": nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(behindNumber, "1: behind_number: nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(oneOfTwo, "{one_of_two: | other_of_two:} nop")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(equivalent, ".equiv fixed_number, 5")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(common, ".lcomm fixed_common, 8")
// CHECK: [[#@LINE+1]]:1: remark: loop not interleaved: it contains inline assembly, which must not be duplicated
LOOP(macro, ".macro fixed_macro\n nop\n .endm\n fixed_macro")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(assigned, "assigned_number = 4")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(otherSection, ".pushsection .data\n 2: .quad 1\n .popsection\n nop")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(number, "1: nop; .if 0; jmp 1b; .endif")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(unique, "unique%=: nop\n.Lother%=:")
// CHECK: [[#@LINE+1]]:1: remark: interleaved the loop's iterations
LOOP(noLabel, "nop # a comment")

int main(void) {
  static long zeros[64];
  long sum = 0;
  sum += first(zeros, zeros, 64);
  sum += behindStatement(zeros, zeros, 64);
  sum += secondLine(zeros, zeros, 64);
  sum += spaced(zeros, zeros, 64);
  sum += behindComment(zeros, zeros, 64);
  sum += quoted(zeros, zeros, 64);
  sum += behindNumber(zeros, zeros, 64);
  sum += oneOfTwo(zeros, zeros, 64);
  sum += equivalent(zeros, zeros, 64);
  sum += common(zeros, zeros, 64);
  sum += macro(zeros, zeros, 64);
  sum += assigned(zeros, zeros, 64);
  sum += otherSection(zeros, zeros, 64);
  sum += number(zeros, zeros, 64);
  sum += unique(zeros, zeros, 64);
  sum += noLabel(zeros, zeros, 64);
  return (int)sum;
}
