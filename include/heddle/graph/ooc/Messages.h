//===- Messages.h - What vertices have to say ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_MESSAGES_H
#define HEDDLE_GRAPH_OOC_MESSAGES_H

#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// The messages from a block of source vertices.
template <typename Message> struct MessageBlock {
  /// Who sent them, from the first of the block; nothing if all of them did.
  std::vector<std::uint16_t> sources;
  std::vector<Message> values;

  bool empty() const { return values.empty(); }
  bool fromAll() const { return sources.empty() && !values.empty(); }
  std::uint64_t bytes() const {
    return sources.size() * sizeof(std::uint16_t) +
           values.size() * sizeof(Message);
  }
};

/// The messages of one block, by vertex.
template <typename Message> class MessagesByVertex {
public:
  MessagesByVertex()
      : values(SourceBlockVertices), present(SourceBlockVertices / 64) {}

  void set(const MessageBlock<Message> &block) {
    if (block.fromAll()) {
      first = block.values.data();
      return;
    }
    std::ranges::fill(present, 0);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const std::uint16_t source = block.sources[i];
      values[source] = block.values[i];
      present[source / 64] |= std::uint64_t(1) << (source % 64);
    }
    first = values.data();
  }

  const Message *data() const { return first; }
  const std::uint64_t *presentBits() const { return present.data(); }

private:
  std::vector<Message> values;
  std::vector<std::uint64_t> present;
  const Message *first = nullptr;
};

} // namespace heddle::graph::ooc

#endif
