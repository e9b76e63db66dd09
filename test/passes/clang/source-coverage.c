// Marks count for nothing in a coverage report, also where the directive's
// bracket is taken from a system header (-pedantic).
//
// RUN: %clang -std=c99 -fprofile-instr-generate -fcoverage-mapping -O1 %s -o %t
// RUN: env LLVM_PROFILE_FILE=%t.raw %t
// RUN: llvm-profdata merge %t.raw -o %t.data
// RUN: llvm-cov show %t -instr-profile=%t.data | FileCheck %s
// RUN: %clang -std=c99 -pedantic -fprofile-instr-generate -fcoverage-mapping -O1 %s -o %t
// RUN: env LLVM_PROFILE_FILE=%t.raw %t
// RUN: llvm-profdata merge %t.raw -o %t.data
// RUN: llvm-cov show %t -instr-profile=%t.data | FileCheck %s

int main(void) {
  int sum = 0;
  // CHECK: {{^ +}}[[@LINE+2]]|{{ +}}11|  for
#pragma heddle async private(sum)
  for (int i = 0; i < 10; ++i)
    sum += i; // CHECK-NEXT: {{^ +}}[[@LINE]]|{{ +}}10|
  if (sum > 3)
#pragma heddle async tasks(8)
    while (sum > 3) { // CHECK: {{^ +}}[[@LINE]]|{{ +}}43|
      --sum;          // CHECK-NEXT: {{^ +}}[[@LINE]]|{{ +}}42|
    } // CHECK-NEXT: {{^ +}}[[@LINE]]|{{ +}}42|
  return 0; // CHECK-NEXT: {{^ +}}[[@LINE]]|{{ +}}1|
}
