//===- kernels.h - Loops over a row and what they read ----------*- C++ -*-===//

#pragma once

#include <cstdint>

#if LANE_BITS == 32
using Lane = std::uint32_t;
constexpr Lane neighbourMask = LANES == 8 ? 0x7ffffff : 0x1fffffff;
#else
using Lane = std::uint64_t;
constexpr Lane neighbourMask = 0xffffffffffff;
#endif

struct Vertex {
  std::int32_t degree;
  double rank;
};

struct Arrays {
  const float *f32, *one, *nan, *half;
  const double *f64;
  const std::uint8_t *i8, *i8Half;
  const std::int16_t *i16;
  const std::int32_t *i32, *index;
  const std::int64_t *i64;
  const std::uint64_t *bits;
  const Vertex *vertices;
  const float (*matrix)[7];
  long column;
  float scale;
};

#define KERNEL(Name, W, T, ...)                                                \
  T Name(const Lane *edges, const W *weights, long n, const Arrays &, T s);
namespace scalar {
#include "kernels.def"
}
namespace vector {
#include "kernels.def"
}
#undef KERNEL
