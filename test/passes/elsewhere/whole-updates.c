// Of a function in another file it is known that its nested form only reads,
// but not what: it may read what the iteration writes.
//
// RUN: %clang -O2 -S -o /dev/null %s -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed 2>&1 | FileCheck %s

struct Node {
  long key, value;
  struct Node *next;
};
const struct Node *find(const struct Node *node, long key);

#define FOR _Pragma("heddle async") for (long i = 0; i < count; ++i)

long reads(struct Node **nodes, long count) {
  long sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR sum += find(nodes[i], i)->value;
  return sum;
}

void updates(struct Node **nodes, long *counts, long count) {
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR counts[find(nodes[i], i)->value]++;
}

void ofIteration(struct Node **nodes, long *values, long count) {
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR values[i] = find(nodes[i], i) != 0;
}

long appends(struct Node **nodes, long *found, long count) {
  long size = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR if (find(nodes[i], i)) found[size++] = i;
  return size;
}

void *appendsByPointer(struct Node **nodes, long *found, long count) {
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR if (find(nodes[i], i)) *found++ = i;
  return found;
}

void replaces(struct Node **nodes, long *parents, long count) {
  // CHECK: :[[#@LINE+1]]:3: remark: loop not interleaved: {{.*}}a suspension here would split a read-modify-write
  FOR parents[nodes[i]->key] = find(nodes[i], i) != 0;
}

void decides(struct Node **nodes, long count) {
  // CHECK: :[[#@LINE+1]]:3: remark: loop not interleaved: {{.*}}a suspension here would split a read-modify-write
  FOR if (!find(nodes[i], i)) nodes[i]->value = i;
}

long writesBefore(struct Node **nodes, long count) {
  long sum = 0;
  // CHECK: :[[#@LINE+4]]:12: remark: the latency of this access is not hidden: it lies between the write and the use
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations ({{.*}}): 1 suspension point,
  FOR {
    nodes[i]->value = i;
    sum += find(nodes[i], i)->key;
  }
  return sum;
}

void unknown(void);
long callsUnknown(struct Node **nodes, long count) {
  long sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: loop not interleaved
  FOR {
    sum += find(nodes[i], i)->key;
    unknown();
  }
  return sum;
}

static long noted;
long notes(struct Node **nodes, long count) {
  long sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: interleaved the loop's iterations
  FOR {
    sum += find(nodes[i], i)->key;
    noted += i;
  }
  return sum;
}
