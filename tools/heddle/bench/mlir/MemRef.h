//===- MemRef.h - Arrays as kernels in MLIR take them ----------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_MLIR_MEMREF_H
#define HEDDLE_TOOLS_BENCH_MLIR_MEMREF_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::bench {

/// The argument that a function with llvm.emit_c_interface gets for a memref.
template <typename T, std::size_t Rank = 1> struct MemRef {
  T *allocated = nullptr, *aligned = nullptr;
  std::int64_t offset = 0;
  std::array<std::int64_t, Rank> sizes{}, strides{};

  MemRef() = default;

  /// Refers to all elements of a vector or Array.
  explicit MemRef(auto &values)
    requires(Rank == 1)
      : allocated(values.data()), aligned(values.data()),
        sizes{static_cast<std::int64_t>(values.size())}, strides{1} {}
};

template <typename Values>
MemRef(Values &) -> MemRef<typename Values::value_type>;

} // namespace heddle::bench

#endif
