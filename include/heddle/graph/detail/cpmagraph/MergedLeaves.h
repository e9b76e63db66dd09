//===- cpmagraph/MergedLeaves.h - Leaves merged with a batch ---*- C++ -*-===//
//
// The batch-merge phase of CPMA, section 4, but into separate memory: no leaf
// changes before memory for the whole batch has been allocated, in both
// directions of the graph. Whether an edge is inserted, erased or assigned
// depends on whether it is there, so this is decided when its leaf is read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_MERGEDLEAVES_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_MERGEDLEAVES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/cpmagraph/PatchLeaf.h"
#include "heddle/graph/detail/pma/NearLeaves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::graph::cpmagraph {

/// The leaves that a batch changes, one per group. A group with a single key
/// will be patched in place. Other groups are merged; a large group is merged
/// into several pieces, each as long as a few leaves, so that several threads
/// can spread it.
template <typename Layout> class MergedLeaves {
public:
  using Traits = typename Layout::Traits;
  using Leaves = typename Layout::Leaves;
  using View = detail::LeafView<Traits>;

  /// `keys` must ascend strictly and not be empty. Throws std::bad_alloc.
  MergedLeaves(const Leaves &leaves, std::span<const Key> keys)
      : leaves(leaves), keys(keys), batch(keys), groups(leaves, batch),
        pieceBegin(groups.size() + 1), changed(groups.size()),
        places(groups.size()) {
    std::size_t count = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      pieceBegin[group] = count;
      count +=
          isPatched(group) ? 0 : (groups.sizeOf(group) - 1) / KeysInPiece + 1;
    }
    pieceBegin[groups.size()] = count;
    rooms = Array<std::size_t>(count + 1);
    pieces = Array<View>(count);
    std::size_t bytes = 0;
    for (std::size_t group = 0, piece = 0; group < groups.size(); ++group)
      for (; piece < pieceBegin[group + 1]; ++piece) {
        rooms[piece] = bytes;
        bytes += roomFor(group, sizeOf(group, piece));
      }
    rooms[count] = bytes;
    memory = Array<std::byte>(bytes);
  }

  /// Merges the leaves with `changes`, which have the keys of the batch: a
  /// class with decide(), see PlayedChanges. Returns the sum of the results of
  /// decide() for the keys for which `isCounted(key)` is true.
  template <typename Changes, typename Counted>
  std::size_t merge(Changes &changes, Counted isCounted) {
    return detail::sumOfRanges(
        groups.size(), detail::NearLeaves<Traits>::Most,
        worthThreads(keys.size()), [&](std::size_t first, std::size_t last) {
          detail::NearLeaves<Traits> near;
          if (!leaves.empty())
            near.take(leaves, groups, first, last);
          std::size_t sum = 0;
          for (std::size_t group = first; group < last; ++group)
            sum +=
                isPatched(group)
                    ? patch(group, near.view(group - first), changes, isCounted)
                    : merge(group,
                            leaves.empty() ? View() : near.view(group - first),
                            changes, isCounted);
          return sum;
        });
  }

  std::size_t groupCount() const { return groups.size(); }
  std::size_t leafOf(std::size_t group) const { return groups[group].leaf; }

  /// The index of the group's first key in the batch.
  std::size_t firstKey(std::size_t group) const { return groups[group].begin; }

  /// The first group of `leaf` or of a leaf behind it.
  std::size_t find(std::size_t leaf) const { return groups.find(leaf); }

  /// Whether the elements of a group's leaf will change.
  bool isChanged(std::size_t group) const { return changed[group]; }

  bool isPatched(std::size_t group) const {
    return !leaves.empty() && groups.sizeOf(group) == 1;
  }

  /// The change of a leaf that is patched.
  const PatchPlace &placeOf(std::size_t group) const { return places[group]; }

  /// The future elements of a leaf that is changed and not patched. Pieces may
  /// be empty.
  std::span<const View> piecesOf(std::size_t group) const {
    HEDDLE_ASSERT(group < groups.size());
    return {pieces.data() + pieceBegin[group],
            pieceBegin[group + 1] - pieceBegin[group]};
  }

private:
  static constexpr std::size_t KeysInPiece = 1024;

  std::size_t sizeOf(std::size_t group, std::size_t piece) const {
    const std::size_t before = (piece - pieceBegin[group]) * KeysInPiece;
    return std::min(KeysInPiece, groups.sizeOf(group) - before);
  }

  /// Room for the elements of a leaf and `fresh` more. A key between two others
  /// replaces one code by two, one of which is no longer than the old one.
  std::size_t roomFor(std::size_t group, std::size_t fresh) const {
    return codeRoom(group, fresh) + frontOf(group, fresh) +
           (elements(group) + fresh) * Traits::ValueBytes;
  }
  std::size_t codeRoom(std::size_t group, std::size_t fresh) const {
    const std::size_t old =
        leaves.empty() ? 0 : leaves.fill(groups[group].leaf).codeBytes;
    return old + fresh * Traits::Codec::MostCodeBytes + Traits::Codec::Slack;
  }
  std::size_t frontOf(std::size_t group, std::size_t fresh) const {
    return Traits::Codec::frontBytes(codeRoom(group, fresh));
  }
  std::size_t elements(std::size_t group) const {
    return leaves.empty() ? 0 : leaves.fill(groups[group].leaf).count;
  }

  detail::ElementWriter<Traits> writer(std::size_t group, std::size_t piece) {
    const std::size_t fresh = sizeOf(group, piece);
    std::byte *const codes =
        memory.data() + rooms[piece] + frontOf(group, fresh);
    return {codes, codes + codeRoom(group, fresh)};
  }

  template <typename Changes, typename Counted>
  std::size_t patch(std::size_t group, const View &view, Changes &changes,
                    Counted isCounted) {
    const std::size_t i = groups[group].begin;
    const auto place = detail::locate(view, keys[i]);
    const std::size_t acts = changes.decide(i, place.found);
    const Effect effect = changes[i].effect;
    changed[group] = effect != Effect::None;
    if (changed[group])
      places[group] = measurePatch<Layout>(view, place, keys[i], effect);
    return isCounted(keys[i]) ? acts : 0;
  }

  template <typename Changes, typename Counted>
  std::size_t merge(std::size_t group, const View &view, Changes &changes,
                    Counted isCounted) {
    using Cursor = detail::LeafCursor<Traits>;
    bool hasOld = view.count != 0;
    Cursor old = hasOld ? Cursor(view) : Cursor();
    const auto advanceOld = [&] {
      hasOld = !old.isLast();
      if (hasOld)
        old.advance();
    };
    bool differs = false;
    std::size_t done = 0, i = groups[group].begin;
    for (std::size_t piece = pieceBegin[group]; piece < pieceBegin[group + 1];
         ++piece) {
      auto written = writer(group, piece);
      for (const std::size_t end = i + sizeOf(group, piece); i < end; ++i) {
        const Key key = keys[i];
        for (; hasOld && old.key() < key; advanceOld())
          written.put(old.key(), old.valueBytes());
        const bool exists = hasOld && old.key() == key;
        const std::size_t acts = changes.decide(i, exists);
        done += isCounted(key) ? acts : 0;
        const Effect effect = changes[i].effect;
        differs |= effect != Effect::None;
        if (effect == Effect::Insert || effect == Effect::Assign) {
          const auto value = Layout::valueOf(changes[i].weight);
          written.put(key, reinterpret_cast<const std::byte *>(&value));
        } else if (exists && effect == Effect::None) {
          written.put(key, old.valueBytes());
        }
        if (exists)
          advanceOld();
      }
      if (piece + 1 == pieceBegin[group + 1])
        while (hasOld) {
          written.put(old.key(), old.valueBytes());
          advanceOld();
        }
      pieces[piece] = written.view();
      HEDDLE_ASSERT(pieces[piece].codeBytes + Traits::Codec::Slack <=
                    codeRoom(group, sizeOf(group, piece)));
    }
    HEDDLE_ASSERT(i == groups[group + 1].begin);
    changed[group] = differs;
    return done;
  }

  const Leaves &leaves;
  const std::span<const Key> keys;
  const detail::SortedBatch<Traits> batch;
  const detail::Groups<Traits> groups;
  Array<std::size_t> pieceBegin; ///< of a group
  Array<bool> changed;
  Array<PatchPlace> places;
  Array<std::size_t> rooms; ///< where they begin, in bytes
  Array<View> pieces;
  Array<std::byte> memory;
};

} // namespace heddle::graph::cpmagraph

#endif
