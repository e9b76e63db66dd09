// The lines and variables of the body belong to every version of it, and the
// debug information is sound.
//
// RUN: %clangxx -O2 -g -c -o %t.o %s
// RUN: llvm-dwarfdump --verify %t.o
// RUN: %clangxx -O2 -g -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define {{.*}}chain
// CHECK: {{^}}task.resume{{.*}}lockstep:
// CHECK: load i64, ptr {{.*}}!dbg [[SECOND:![0-9]+]]
// CHECK: #dbg_value({{.*}}, [[VALUE:![0-9]+]],
// CHECK-DAG: [[VALUE]] = !DILocalVariable(name: "value"
// CHECK-DAG: [[SECOND]] = !DILocation(line: [[#@LINE + 5]],
long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i) {
    long value = table[keys[i]];
    sum += table[value];
  }
  return sum;
}
