// Once interleaving has added enough instructions to a file, further loops
// have one schedule, and their remarks say why. A schedule that is named is not
// left out.
//
// RUN: %clang -O2 -mllvm -heddle-added-instructions=100 -Rpass=heddle -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -Rpass=heddle -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BELOW

typedef struct Node {
  struct Node *next;
  long value;
} Node;

// CHECK: budget.c:[[#@LINE+5]]:3: remark: {{.*}} (lockstep and FIFO schedules): {{.*}} the runtime chooses; {{[0-9]+}} instructions more [-Rpass=heddle]
// BELOW: (lockstep and FIFO schedules)
long first(Node *const *lists, const int *keys, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (const Node *node = lists[keys[i]]; node; node = node->next)
      sum += node->value;
  return sum;
}

// CHECK: budget.c:[[#@LINE+5]]:3: remark: {{.*}} (lockstep schedule): {{.*}} instructions more; one schedule only, as the file has many such loops [-Rpass=heddle]
// BELOW: (lockstep and FIFO schedules)
long second(Node *const *lists, const int *keys, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (const Node *node = lists[keys[i]]; node; node = node->next)
      sum += 3 * node->value;
  return sum;
}

// CHECK: budget.c:[[#@LINE+5]]:3: remark: {{.*}} (FIFO schedule): {{.*}} instructions more [-Rpass=heddle]
// BELOW: (FIFO schedule)
long named(Node *const *lists, const int *keys, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo)
  for (long i = 0; i < n; ++i)
    for (const Node *node = lists[keys[i]]; node; node = node->next)
      sum += 5 * node->value;
  return sum;
}
