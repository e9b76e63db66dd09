// Memory references as functions of MLIR with llvm.emit_c_interface take them.

#ifndef MEMREF_H
#define MEMREF_H

#include <cstdint>
#include <vector>

template <typename T, int Rank = 1> struct MemRef {
  T *allocated = nullptr, *aligned = nullptr;
  std::int64_t offset = 0, sizes[Rank] = {}, strides[Rank] = {};

  MemRef() = default;
  explicit MemRef(std::vector<T> &values)
      : allocated(values.data()), aligned(values.data()),
        sizes{std::int64_t(values.size())}, strides{1} {}
};

#endif
