// The value that is combined where an edge has no message, for each kind.
//
// RUN: %heddle_opt %s --heddle-lower-pull | FileCheck %s

// CHECK-LABEL: @add_i32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0> : vector<8xi32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @add_i32(%edges: memref<?x8xi32>, %n: index, %v: i32) -> i32 {
  %r = heddle.pull <add> %edges[%n to %n] init(%v : i32) captures(%v : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    heddle.yield %m : i32
  }
  return %r : i32
}

// CHECK-LABEL: @mul_i16
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<1> : vector<8xi16>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @mul_i16(%edges: memref<?x8xi32>, %n: index, %v: i16) -> i16 {
  %r = heddle.pull <mul> %edges[%n to %n] init(%v : i16) captures(%v : i16)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i16):
    heddle.yield %m : i16
  }
  return %r : i16
}

// CHECK-LABEL: @minsi_i32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<2147483647> : vector<8xi32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @minsi_i32(%edges: memref<?x8xi32>, %n: index, %v: i32) -> i32 {
  %r = heddle.pull <minsi> %edges[%n to %n] init(%v : i32) captures(%v : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    heddle.yield %m : i32
  }
  return %r : i32
}

// CHECK-LABEL: @maxsi_i32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @maxsi_i32(%edges: memref<?x8xi32>, %n: index, %v: i32) -> i32 {
  %r = heddle.pull <maxsi> %edges[%n to %n] init(%v : i32) captures(%v : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    heddle.yield %m : i32
  }
  return %r : i32
}

// CHECK-LABEL: @minui_i8
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<-1> : vector<8xi8>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @minui_i8(%edges: memref<?x8xi32>, %n: index, %v: i8) -> i8 {
  %r = heddle.pull <minui> %edges[%n to %n] init(%v : i8) captures(%v : i8)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i8):
    heddle.yield %m : i8
  }
  return %r : i8
}

// CHECK-LABEL: @maxui_i64
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0> : vector<8xi64>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @maxui_i64(%edges: memref<?x8xi32>, %n: index, %v: i64) -> i64 {
  %r = heddle.pull <maxui> %edges[%n to %n] init(%v : i64) captures(%v : i64)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i64):
    heddle.yield %m : i64
  }
  return %r : i64
}

// CHECK-LABEL: @and_i32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<-1> : vector<8xi32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @and_i32(%edges: memref<?x8xi32>, %n: index, %v: i32) -> i32 {
  %r = heddle.pull <and> %edges[%n to %n] init(%v : i32) captures(%v : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    heddle.yield %m : i32
  }
  return %r : i32
}

// CHECK-LABEL: @or_i1
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<false> : vector<8xi1>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @or_i1(%edges: memref<?x8xi32>, %n: index, %v: i1) -> i1 {
  %r = heddle.pull <or> %edges[%n to %n] init(%v : i1) captures(%v : i1)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i1):
    heddle.yield %m : i1
  }
  return %r : i1
}

// CHECK-LABEL: @xor_i32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0> : vector<8xi32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @xor_i32(%edges: memref<?x8xi32>, %n: index, %v: i32) -> i32 {
  %r = heddle.pull <xor> %edges[%n to %n] init(%v : i32) captures(%v : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    heddle.yield %m : i32
  }
  return %r : i32
}

// CHECK-LABEL: @add_f64
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<-0.000000e+00> : vector<8xf64>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @add_f64(%edges: memref<?x8xi32>, %n: index, %v: f64) -> f64 {
  %r = heddle.pull <add> %edges[%n to %n] init(%v : f64) captures(%v : f64)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f64):
    heddle.yield %m : f64
  }
  return %r : f64
}

// CHECK-LABEL: @mul_f32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<1.000000e+00> : vector<8xf32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @mul_f32(%edges: memref<?x8xi32>, %n: index, %v: f32) -> f32 {
  %r = heddle.pull <mul> %edges[%n to %n] init(%v : f32) captures(%v : f32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f32):
    heddle.yield %m : f32
  }
  return %r : f32
}

// CHECK-LABEL: @minnumf_f32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0x7FC00000> : vector<8xf32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @minnumf_f32(%edges: memref<?x8xi32>, %n: index, %v: f32) -> f32 {
  %r = heddle.pull <minnumf> %edges[%n to %n] init(%v : f32) captures(%v : f32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f32):
    heddle.yield %m : f32
  }
  return %r : f32
}

// CHECK-LABEL: @maxnumf_f32
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0x7FC00000> : vector<8xf32>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @maxnumf_f32(%edges: memref<?x8xi32>, %n: index, %v: f32) -> f32 {
  %r = heddle.pull <maxnumf> %edges[%n to %n] init(%v : f32) captures(%v : f32)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f32):
    heddle.yield %m : f32
  }
  return %r : f32
}

// CHECK-LABEL: @minimumf_f64
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0x7FF0000000000000> : vector<8xf64>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @minimumf_f64(%edges: memref<?x8xi32>, %n: index, %v: f64) -> f64 {
  %r = heddle.pull <minimumf> %edges[%n to %n] init(%v : f64) captures(%v : f64)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f64):
    heddle.yield %m : f64
  }
  return %r : f64
}

// CHECK-LABEL: @maximumf_f64
// CHECK: %[[IDENTITY:.*]] = arith.constant dense<0xFFF0000000000000> : vector<8xf64>
// CHECK: iter_args(%{{.*}} = %[[IDENTITY]])
func.func @maximumf_f64(%edges: memref<?x8xi32>, %n: index, %v: f64) -> f64 {
  %r = heddle.pull <maximumf> %edges[%n to %n] init(%v : f64) captures(%v : f64)
      : memref<?x8xi32> {
  ^bb0(%u: i32, %m: f64):
    heddle.yield %m : f64
  }
  return %r : f64
}
