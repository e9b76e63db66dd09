// The remarks are optimization records, too.
//
// RUN: %clangxx -O2 -g -c -o %t.o -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=heddle %s
// RUN: FileCheck %s < %t.yaml

// CHECK: --- !Passed
// CHECK-NEXT: Pass: heddle
// CHECK-NEXT: Name: Interleaved
// CHECK-NEXT: DebugLoc: { File: '{{.*}}records.cpp',
// CHECK: Line: [[#@LINE + 24]],
// CHECK: Function: _Z5chainPKlS0_l
// CHECK: Schedule: lockstep and FIFO schedules
// CHECK: SuspensionPoints: 1 suspension point
// CHECK: Requests: 2 requests
// CHECK: EarlyRequests: '1'
// CHECK: ContextBytes: 8 bytes
// CHECK: Tasks: 16 tasks
// CHECK: --- !Analysis
// CHECK-NEXT: Pass: heddle
// CHECK-NEXT: Name: Variable
// CHECK: Name: '{{.*}}''sum'''
// CHECK: --- !Missed
// CHECK-NEXT: Pass: heddle
// CHECK-NEXT: Name: NotInterleaved
// CHECK-NEXT: DebugLoc: { File: '{{.*}}records.cpp',
// CHECK: Line: [[#@LINE + 15]],
// CHECK: Function: _Z6streamPll
// CHECK: Reason: 'it has no long-latency access
// CHECK: Next: {{.*}}remote(...)
// CHECK-NEXT: Refusal: Predictable
long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async tasks(16)
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

void stream(long *values, long n) {
#pragma heddle async
  for (long i = 0; i < n; ++i)
    values[i] += 3;
}
