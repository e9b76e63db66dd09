// A plain C program links the runtime with nothing but the C library, and the
// public header is strict C and C++.
//
// RUN: %gcc -std=c11 -pedantic -Wall -Wextra -Werror %s %runtime -o %t.gcc
// RUN: %t.gcc | FileCheck %s
// RUN: %plain_clang -std=c11 -pedantic -Wall -Wextra -Werror %s %runtime -o %t.clang
// RUN: %t.clang | FileCheck %s
// RUN: %gxx -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only %s
// RUN: %plain_clangxx -x c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only %s
// RUN: %plain_clangxx -x c++ -fno-exceptions -Wall -Werror -fsyntax-only %s
// RUN: ldd %t.gcc | FileCheck %s --check-prefix=LIBRARIES

// LIBRARIES-NOT: {{libstdc|libm[.]}}
// LIBRARIES: libc.
// LIBRARIES-NOT: {{libstdc|libm[.]}}

#include "heddle/heddle.h"

#include <stdio.h>

static void print_loop(const struct heddle_loop *loop, void *context) {
  fprintf((FILE *)context, "%s\n", loop->file);
}

int main(void) {
  double *block = (double *)heddle_remote_alloc(4u << 20);
  if (!block)
    return 1;
  block[(4u << 20) / sizeof *block - 1] = 1;
  // CHECK: aligned: 1
  printf("aligned: %d\n", (uintptr_t)block % (2u << 20) == 0);
  heddle_remote_free(block);

  // CHECK: serial: 1
  printf("%s: %u\n", heddle_schedule_name(HEDDLE_SCHEDULE_SERIAL),
         heddle_default_tasks(HEDDLE_SCHEDULE_SERIAL));
  // CHECK: loops:
  // CHECK-NOT: {{.}}
  puts("loops:");
  heddle_for_each_loop(print_loop, stdout);
  return 0;
}
