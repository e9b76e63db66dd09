//===- GroupSizes.h - How vertices fall into groups ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_GROUPSIZES_H
#define HEDDLE_TOOLS_COMMAND_GROUPSIZES_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heddle {

struct GroupSizes {
  std::size_t count = 0;
  std::size_t largest = 0; ///< vertices
};

/// The groups of vertices with the same label, which is one of the vertices.
template <typename Labels> GroupSizes groupSizes(const Labels &labels) {
  std::vector<std::size_t> sizes(labels.size());
  for (const auto label : labels)
    ++sizes[label];
  GroupSizes result;
  for (const std::size_t size : sizes) {
    result.count += size > 0;
    result.largest = std::max(result.largest, size);
  }
  return result;
}

} // namespace heddle

#endif
