// With -flto, callees that are defined in other files become parts of tasks
// when the program is linked: one that is inlined, one that recurses, and one
// whose writes the iteration reads again.
//
// DEFINE: %{files} = %s %S/Inputs/callees.c
// DEFINE: %{options} = -O2 -fopenmp -I%S/Inputs
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %heddle_clang %{options} -fno-lto %{files} -Wno-pass-failed -o plain
// RUN: ./plain > expected
//
// RUN: %heddle_clang %{options} -flto -c %{files} -Rpass-analysis=heddle 2>&1 | FileCheck --check-prefix=LEFT %s
// RUN: %heddle_clang -flto -fopenmp -fuse-ld=lld callees-elsewhere.o callees.o -o full -Wl,-plugin-opt=opt-remarks-filename=full.yaml -Wl,-plugin-opt=opt-remarks-passes=heddle
// RUN: FileCheck --input-file=full.yaml --check-prefix=LOOPS %s
// RUN: FileCheck --input-file=full.yaml --check-prefix=NESTED %s
// RUN: env HEDDLE_TUNE=once ./full | diff expected -
// RUN: env HEDDLE_TUNE=random:3 ./full | diff expected -
// RUN: llvm-nm full | FileCheck --check-prefix=SYMBOLS %s
//
// RUN: %heddle_clang %{options} -flto=thin -g -c %{files} -Rpass-analysis=heddle 2>&1 | FileCheck --check-prefix=LEFT %s
// RUN: %heddle_clang -flto=thin -fopenmp -fuse-ld=lld callees-elsewhere.o callees.o -o thin -Wl,-plugin-opt=opt-remarks-filename=thin.yaml -Wl,-plugin-opt=opt-remarks-passes=heddle
// RUN: cat thin.yaml* | FileCheck --check-prefix=LOOPS %s
// RUN: cat thin.yaml* | FileCheck --check-prefix=NESTED %s
// RUN: env HEDDLE_TUNE=once ./thin | diff expected -
// RUN: env HEDDLE_TUNE=random:3 ./thin | diff expected -
//
// A linker without the passes makes the plain program of it.
// RUN: clang-22 -flto=thin -fopenmp -fuse-ld=lld callees-elsewhere.o callees.o -o without
// RUN: ./without | diff expected -
// RUN: llvm-nm without | FileCheck --check-prefix=SYMBOLS %s
// RUN: %heddle_clang -flto=thin -fopenmp -fuse-ld=bfd callees-elsewhere.o callees.o -o bfd 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: ./bfd | diff expected -
// SYMBOLS-NOT: __heddle_async
// WARNING: heddle-clang: warning: callees-elsewhere.o: annotated loops that call functions of other files are not interleaved: link with -fuse-ld=lld
// WARNING-NOT: warning
//
// Objects with code beside the bitcode are whole without a link by LLVM.
// RUN: %heddle_clang %{options} -flto -ffat-lto-objects -c %{files} -Wno-pass-failed
// RUN: %heddle_clang -fopenmp callees-elsewhere.o callees.o -o fat
// RUN: env HEDDLE_TUNE=once ./fat | diff expected -
//
// Sanitizers see the loops while their file is compiled.
// RUN: %heddle_clang %{options} -fsanitize=address -flto -c %s -Rpass-analysis=heddle -Wno-pass-failed -o asan.o 2>&1 | FileCheck --check-prefix=WATCHED %s
// WATCHED-NOT: left for the link

#include "callees.h"
#include <stdio.h>

enum { Size = 1 << 12 };

static struct Part parts[Size];
static const struct Part *buckets[Size];
static struct Tree trees[Size];

static void build(void) {
  for (long i = 0; i < Size; ++i) {
    struct Part *part = &parts[i * 1237 % Size];
    *part = (struct Part){i * 3, i % 100, buckets[i * 3 & Size - 1]};
    buckets[i * 3 & Size - 1] = part;
  }
  for (long i = 1; i < Size; ++i) {
    trees[i].key = i * 2654435761 % Size;
    const struct Tree **at = &trees[0].left;
    while (*at)
      at = trees[i].key < (*at)->key ? (const struct Tree **)&(*at)->left
                                     : (const struct Tree **)&(*at)->right;
    *at = &trees[i];
  }
}

int main(void) {
  build();
  long stock = 0, below = 0, kept = 0;
#pragma heddle async
  // LEFT-DAG: :[[#@LINE+1]]:3: remark: the loop is left for the link, which sees 'findPart' (line [[#@LINE+2]]); link with heddle-clang and -fuse-ld=lld
  for (long i = 0; i < 3 * Size; ++i) {
    const struct Part *part = findPart(buckets, Size - 1, i);
    if (part)
      stock += part->stock;
  }
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : below)
  // LEFT-DAG: :[[#@LINE-1]]:1: remark: the loop is left for the link, which sees 'sumBelow' (line [[#@LINE+3]]); link with
#pragma heddle async
  for (long i = 0; i < Size; ++i)
    below += sumBelow(trees[0].left, i % 64);
#pragma heddle async
  for (long i = 0; i < Size; ++i) {
    keep(parts[i * 811 % Size].number);
    kept ^= parts[scratch % Size].stock * i;
  }
  printf("%ld %ld %ld\n", stock, below, kept);
}

// LOOPS-COUNT-3: Name: {{ *}}Interleaved
// LOOPS-NOT: !Missed
// NESTED: Callee: {{.*}}sumBelow
// NESTED-NEXT: became a nested coroutine
