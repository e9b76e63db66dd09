// The lines and variables of the body belong to every version of it, and the
// debug information is sound. Where both ways of a branch become one, nothing
// is said of variables that one of the ways alone has.
//
// RUN: %clangxx -O2 -g -c -o %t.o %s
// RUN: llvm-dwarfdump --verify %t.o
// RUN: %clangxx -O2 -g -fno-discard-value-names -S -emit-llvm -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=ONE-WAY %s < %t.ll

// CHECK-LABEL: define {{.*}}chain
// CHECK: {{^}}task.resume{{.*}}phase:
// CHECK: load i64, ptr {{.*}}!dbg [[SECOND:![0-9]+]]
// CHECK: #dbg_value({{.*}}, [[VALUE:![0-9]+]],
// CHECK-DAG: [[VALUE]] = !DILocalVariable(name: "value"
// CHECK-DAG: [[SECOND]] = !DILocation(line: [[#@LINE + 5]],
long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i) {
    long value = table[table[keys[i]]];
    sum += table[value];
  }
  return sum;
}

// ONE-WAY-LABEL: define {{.*}}oneWay
// ONE-WAY: {{^}}if.then:
// ONE-WAY: #dbg_value(i64 %{{.*}}, [[ONE_WAY:![0-9]+]],
// ONE-WAY: {{^}}task.resume{{.*}}phase:
// ONE-WAY: select i1 {{.*}}, ptr %heddle.harmless
// ONE-WAY-NOT: #dbg_value({{.*}}, [[ONE_WAY]],
// ONE-WAY: [[ONE_WAY]] = !DILocalVariable(name: "oneWay"
long oneWay(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i) {
    const long *entry = &table[keys[i]];
    if (entry[0] & 1) {
      long oneWay = entry[1];
      sum += oneWay;
    }
  }
  return sum;
}
