// The value that is combined where an edge has no message. The cases are kinds,
// types of messages, and their values.
//
// RUN: sed -n 's,^// CASE: ,,p' %s | while read kind type identity; do \
// RUN:   sed "s/KIND/$kind/; s/TYPE/$type/" %s | %heddle_opt --heddle-lower-pull \
// RUN:     | FileCheck %s -DTYPE=$type -DIDENTITY=$identity || exit 1; \
// RUN: done
//
// CASE: add i32 0
// CASE: mul i16 1
// CASE: minsi i32 2147483647
// CASE: maxsi i32 -2147483648
// CASE: minui i8 -1
// CASE: maxui i64 0
// CASE: and i32 -1
// CASE: or i1 false
// CASE: xor i32 0
// CASE: add f64 -0.000000e+00
// CASE: mul f32 1.000000e+00
// CASE: minnumf f32 0x7FC00000
// CASE: maxnumf f32 0x7FC00000
// CASE: minimumf f64 0x7FF0000000000000
// CASE: maximumf f64 0xFFF0000000000000
//
// CHECK: %[[START:.*]] = arith.constant dense<[[IDENTITY]]> : vector<8x[[TYPE]]>
// CHECK: iter_args(%{{.*}} = %[[START]])
!message = TYPE
func.func @pull(%edges: memref<?x8xi32>, %n: index, %v: !message) -> !message {
  %r = heddle.pull <KIND> %edges[%n to %n] init(%v : !message)
      captures(%v : !message) : memref<?x8xi32> {
  ^bb0(%u: i32, %m: !message):
    heddle.yield %m : !message
  }
  return %r : !message
}
