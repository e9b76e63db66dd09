//===- kernels.cpp - Loops over a row, compiled twice ---------------------===//

#include "kernels.h"
#include <algorithm>
#include <cmath>

using u32 = std::uint32_t;

// Tests replace the metadata of the pragma.
#define KERNEL(Name, W, T, ...)                                                \
  T VERSION::Name(const Lane *edges, const W *weights, long n,                 \
                  const Arrays &arrays, T s) {                                 \
    const Arrays a = arrays;                                                   \
    _Pragma("clang loop unroll(disable)") for (long i = 0; i < n; ++i) {       \
      Lane u = edges[i] & neighbourMask;                                       \
      [[maybe_unused]] W w = weights[i];                                       \
      __VA_ARGS__;                                                             \
    }                                                                          \
    return s;                                                                  \
  }
#include "kernels.def"
