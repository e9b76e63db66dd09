//===- RankGroup.h - This rank among the others ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RANKS_RANKGROUP_H
#define HEDDLE_GRAPH_DETAIL_OOC_RANKS_RANKGROUP_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/ooc/Communicator.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::graph::ooc {

/// The ranks that work on a graph, or a single one that needs no communicator.
/// Used by one thread at a time.
class RankGroup {
public:
  explicit RankGroup(Communicator *communicator)
      : communicator_(communicator),
        rank_(communicator ? communicator->rank() : 0),
        ranks_(communicator ? communicator->ranks() : 1) {}

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  bool hasOthers() const { return ranks_ > 1; }
  bool isFirst() const { return rank_ == 0; }

  /// Returns the strings that the ranks pass, in the order of ranks. All ranks
  /// call this.
  std::vector<std::string> gather(const std::string &bytes) const {
    if (!communicator_)
      return {bytes};
    return communicator_->gather(bytes);
  }

  /// Returns the values that the ranks pass, in the same way.
  template <typename T> std::vector<T> gatherValues(const T &value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values;
    for (const std::string &bytes :
         gather({reinterpret_cast<const char *>(&value), sizeof(value)})) {
      HEDDLE_ASSERT(bytes.size() == sizeof(T));
      std::memcpy(&values.emplace_back(), bytes.data(), sizeof(T));
    }
    return values;
  }

  /// Copies `memory` from the rank that has it to the first rank, into memory
  /// of the same size that the first rank passes. All ranks call this.
  void copyToFirst(std::span<std::byte> memory, bool isHere) const;

  /// The bytes that copyToFirst() transfers at a time.
  static constexpr std::size_t PieceBytes = std::size_t(1) << 20;

private:
  void receive(std::span<std::byte> memory) const;
  void send(std::span<const std::byte> memory) const;

  Communicator *const communicator_;
  const unsigned rank_, ranks_;
};

} // namespace heddle::graph::ooc

#endif
