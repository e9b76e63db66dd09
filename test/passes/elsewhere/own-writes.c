// Of a function in another file it is not known what it reads. Tasks are
// suspended in it only if the loop writes nothing that the function may read
// before it updates it: elements that follow from the iteration's number, what
// is appended, and memory that the function cannot know.
//
// RUN: %clang -O2 -S -o /dev/null %s -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed 2>&1 | FileCheck %s

struct Node {
  long key, value;
  struct Node *next;
};
const struct Node *find(const struct Node *node, long key);
void unknown(void);
static long noted;

#define FOR _Pragma("heddle async") for (long i = 0; i < count; ++i)

long reads(struct Node **nodes, long count) {
  long sum = 0;
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR sum += find(nodes[i], i)->value;
  return sum;
}

void ofIteration(struct Node **nodes, long *values, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR values[i] = find(nodes[i], i) != 0;
}

struct Values {
  long *begin;
};
void ofVector(struct Node **nodes, struct Values *values, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR values->begin[count - i] += find(nodes[i], i) != 0;
}

long appends(struct Node **nodes, long *found, long count) {
  long size = 0;
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR if (find(nodes[i], i)) found[size++] = i;
  return size;
}

void *appendsByPointer(struct Node **nodes, long *found, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR if (find(nodes[i], i)) *found++ = i;
  return found;
}

long own(struct Node **nodes, long count) {
  long counts[16] = {0};
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'find' becomes a nested coroutine
  FOR counts[find(nodes[i], i)->key & 15]++;
  return counts[3];
}

long givenAway(struct Node **nodes, long count, long **to) {
  long counts[16] = {0};
  *to = counts;
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: what this call waits for is not hidden: 'find', which is defined in another file, may read what the loop writes
  FOR counts[find(nodes[i], i)->key & 15]++;
  return counts[3];
}

long freePlace(const long *places __attribute__((noescape)), long key);
long handed(const long *keys, long count) {
  long places[512] = {0};
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'freePlace', {{.*}} may read what the loop writes
  FOR places[freePlace(places, keys[i])] = keys[i];
  return places[3];
}

void updates(struct Node **nodes, long *counts, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
  FOR counts[find(nodes[i], i)->value]++;
}

void replaces(struct Node **nodes, long *parents, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
  FOR parents[nodes[i]->key] = find(nodes[i], i) != 0;
}

void decides(struct Node **nodes, long count) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
  FOR if (!find(nodes[i], i)) nodes[i]->value = i;
}

long writesBefore(struct Node **nodes, long count) {
  long sum = 0;
  FOR {
    nodes[i]->value = i;
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes (line [[#@LINE-1]])
    sum += find(nodes[i], i)->key;
  }
  return sum;
}

long callsUnknown(struct Node **nodes, long count) {
  long sum = 0;
  FOR {
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes (line [[#@LINE+2]])
    sum += find(nodes[i], i)->key;
    unknown();
  }
  return sum;
}

long notes(struct Node **nodes, long count) {
  long sum = 0;
  FOR {
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
    sum += find(nodes[i], i)->key;
    noted += i;
  }
  return sum;
}

long atomically(struct Node **nodes, long *count, long many) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < many; ++i) {
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
    sum += find(nodes[i], i)->key;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  }
  return sum;
}

// A stack shrinks: iterations write where others have written.
long stack(struct Node **nodes, long *places, long count) {
  long size = 0;
  // CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}} 'find', {{.*}} may read what the loop writes
  FOR {
    if (find(nodes[i], i))
      places[size++] = i;
    else if (size)
      --size;
  }
  return size;
}
