// An update that inserts on the first use of a key and adds later ones: the sum
// may come before the insertion of another iteration. The report names both
// lines, with the whole path of the file, both iterations, the field and the
// loop. Whether it is found does not depend on how the program is compiled.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t && %t 2> %t.text
// RUN: FileCheck %s --match-full-lines < %t.text
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t && %t 2>&1 | FileCheck %s --match-full-lines
// RUN: %heddle_clang -fheddle-check -O3 -g -c %s -o %t.o && %heddle_clang -fheddle-check %t.o -o %t
// RUN: %t 2>&1 | FileCheck %s --match-full-lines
// RUN: mkdir -p %t.temps && cd %t.temps && %heddle_clang -fheddle-check -O1 -save-temps %s -o %t 2>&1 | count 0
// RUN: %t 2>&1 | FileCheck %s --match-full-lines
// RUN: %clang -fplugin-arg-HeddlePlugin-check -O2 %s -o %t %build_root/lib/libheddle-check.a %runtime
// RUN: %t 2>&1 | FileCheck %s --match-full-lines
// RUN: HEDDLE_CHECK=json:%t.json %t && %python -m json.tool %t.json | FileCheck %s --check-prefix=JSON
// RUN: not --crash env HEDDLE_CHECK=abort %t 2>&1 | FileCheck %s --check-prefix=ABORT
// RUN: HEDDLE_CHECK=loud %t 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: %heddle_clang -fheddle-check -fno-heddle-check %s -o %t && %t 2>&1 | count 0

#include <stdint.h>

typedef struct {
  uint32_t key, value;
} Slot;

static Slot slots[64];

__attribute__((noinline)) static void insert(const uint32_t *keys, int count) {
#pragma heddle async
  for (int i = 0; i < count; ++i) {
    uint32_t key = keys[i], slot = key * 8 % 64;
    if (slots[slot].key == key) {
      slots[slot].value += 5; // line 34
    } else {
      slots[slot].key = key;
      slots[slot].value = keys[key]; // line 37
    }
  }
}

int main(void) {
  static const uint32_t keys[] = {1, 2, 3, 2, 1};
  insert(keys, 5);
}

// CHECK: [[FILE:/.*upsert.c]]:34:[[#]]: heddle: conflict between iterations: update torn between lines: 'slots[16].value'
// CHECK-NEXT: [[FILE]]:37:[[#]]: iteration 1 updated it, in insert
// CHECK-NEXT: [[FILE]]:34:[[#]]: iteration 3 updates it, in insert
// CHECK-NEXT: [[FILE]]:31:3: the loop, in insert
// CHECK-NEXT: cure: make it one commutative update{{.*}}
// CHECK-NEXT: heddle: 1 conflict between iterations, found 2 times
// CHECK-NOT: {{.}}

// JSON: "kind": "update torn between lines"
// JSON: "place": "slots[16].value"
// JSON: "line": 37
// JSON: "line": 34
// JSON: "count": 2

// ABORT: update torn between lines
// ABORT-NOT: found

// INVALID: heddle: warning: HEDDLE_CHECK='loud' ignored: expected 'report', 'abort' or 'json:FILE'
// INVALID: update torn between lines
