//===- BatchSums.h - The batches' parts of a result -------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_ENGINE_BATCHSUMS_H
#define HEDDLE_GRAPH_DETAIL_OOC_ENGINE_BATCHSUMS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::graph::ooc {

/// The contribution of each batch of a rank to the result of a call.
template <typename Sum> class BatchSums {
  static_assert(std::is_trivially_copyable_v<Sum>);

public:
  explicit BatchSums(const Share &share)
      : firstBatch(share.firstBatch), sums(share.batches()) {}

  Sum &operator[](std::size_t batch) {
    HEDDLE_ASSERT(batch - firstBatch < sums.size());
    return sums[batch - firstBatch].value;
  }

  std::string bytes() const {
    return {reinterpret_cast<const char *>(sums.data()),
            sums.size() * sizeof(Element)};
  }

  /// The sum of the bytes() of all ranks. The order of addition is that of
  /// batches, so that the result does not depend on the number of ranks.
  static Sum total(const std::vector<std::string> &bytesOfRanks) {
    Sum total = {};
    for (const std::string &bytes : bytesOfRanks)
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(Element)) {
        Element element;
        std::memcpy(&element, bytes.data() + at, sizeof(element));
        total += element.value;
      }
    return total;
  }

private:
  // A vector of bool would pack the sums of several threads into one word.
  struct Element {
    Sum value = {};
  };

  const std::size_t firstBatch;
  std::vector<Element> sums;
};

} // namespace heddle::graph::ooc

#endif
