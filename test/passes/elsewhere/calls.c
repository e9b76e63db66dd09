// A loop that calls a declared function is there twice: with the function's
// nested form, to which it refers weakly, and as it was.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s -Rpass=heddle 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARKS --input-file=%t.remarks %s
// RUN: %clang -O2 -m32 -S -emit-llvm -o - %s -Wno-pass-failed | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 -fsanitize=thread -S -emit-llvm -o - %s -Wno-pass-failed | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 -DWRITES -S -emit-llvm -o - %s -Wno-pass-failed | FileCheck --check-prefix=REFUSED %s
//
// CHECK-DAG: @[[FORM:__heddle_nested_3_[0-9a-f]+_walk]] = extern_weak constant { ptr, ptr }
// CHECK-DAG: @[[NONE:heddle.no.form]] = private {{.*}}constant { ptr, ptr } zeroinitializer
//
// CHECK-LABEL: define {{.*}}@sum(
// CHECK: %[[IS_MISSING:.*]] = icmp eq ptr @[[FORM]], null
// CHECK: %[[THERE:.*]] = select i1 %[[IS_MISSING]], ptr @[[NONE]], ptr @[[FORM]]
// CHECK: %[[PLAIN:.*]] = load ptr, ptr %[[THERE]]
// CHECK: icmp ne ptr %[[PLAIN]], @walk
// CHECK-NOT: __heddle_form
//
// REMARKS: calls.c:[[#@LINE+24]]:{{.*}}: remark: interleaved the loop's iterations
// REMARKS: calls.c:[[#@LINE+24]]:{{.*}}: remark: 'walk' becomes a nested coroutine if it only reads memory and the file that defines it is compiled with Heddle, too; otherwise it stays a call
//
// OFF-NOT: __heddle_nested
// Where the loop cannot be interleaved, nothing is looked up.
// REFUSED: define {{.*}}@sum(
// REFUSED-NOT: load ptr, ptr @heddle.no.form
// REFUSED-NOT: form

struct Node {
  long key;
  struct Node *next;
};
long walk(const struct Node *node, long most);

#ifdef WRITES
#define STEP(i) nodes[i]->key = walk(nodes[i], i);
#else
#define STEP(i) result += walk(nodes[i], i);
#endif

long sum(struct Node **nodes, long count) {
  long result = 0;
#pragma heddle async
  for (long i = 0; i < count; ++i)
    STEP(i)
  return result;
}
