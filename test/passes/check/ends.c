// However a program ends, each conflict is reported once: by the process that
// has found it, in the loop that it ends in, too.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t -lpthread
// RUN: %t fork 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: rm -f %t.json
// RUN: HEDDLE_CHECK=json:%t.json %t fork && grep -c kind %t.json | FileCheck %s --check-prefix=ONLY
// RUN: %t fork-in-thread 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %t exit 2>&1 | FileCheck %s --check-prefix=VARIABLE
// ONE: a[1]
// ONE: 1 conflict
// ONE-NOT: conflict
// ONLY: {{^}}1{{$}}
// VARIABLE: order-dependent output: '*at'
// VARIABLE: 1 conflict
//
// What cannot be written is said.
// RUN: HEDDLE_CHECK=json:%t.none/x.json %t fork 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: HEDDLE_CHECK: cannot write {{.*}}x.json: No such file or directory

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 100 };
static unsigned long a[N], b[2];

static void prefix(unsigned long step) {
#pragma heddle async
  for (int i = 1; i < N; ++i)
    a[i] = a[i - 1] + step;
}
static void run_child(void) {
  if (fork() == 0)
    exit(0);
  wait(NULL);
}
static void *prefix_for_ever(void *unused) {
  for (unsigned long step = 2;; ++step)
    prefix(step);
  return unused;
}
static __attribute__((noinline)) void set(unsigned long *at, unsigned long x) {
  *at = x;
}
// It is known at the end of the loop only that `*at` is no variable.
static void exit_within(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    set(&b[i / 10 % 2], i);
    if (i == N / 2)
      exit(1);
  }
}
int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "exit"))
    exit_within();
  prefix(1);
  if (count > 1 && !strcmp(arguments[1], "fork-in-thread")) {
    pthread_t other;
    pthread_create(&other, NULL, prefix_for_ever, NULL);
    for (int i = 0; i < 50; ++i)
      run_child();
  }
  run_child();
}
