// A circle with two entries is no loop: a function with one gets no nested
// form, although C++ promises that it ends. One with a loop does.
//
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck %s
//
// CHECK: @__heddle_nested_{{[0-9a-f_]+}}__Z4loop
// CHECK-NOT: @__heddle_nested_{{[0-9a-f_]+}}__Z6circle

struct Node {
  long key;
  Node *next;
};

Node *loop(Node *a, long key) {
  while (a && a->key != key)
    a = a->next;
  return a;
}

Node *circle(Node *a, Node *b, long key, long most) {
  Node *node = b;
  a = loop(a, key);
  if (key & 1) {
    node = a;
    goto second;
  }
first:
  if (most-- < 0)
    return node;
  if (most & 4)
    node = a;
second:
  if (most-- < 2)
    return node;
  if (most & 8)
    node = b;
  goto first;
}
