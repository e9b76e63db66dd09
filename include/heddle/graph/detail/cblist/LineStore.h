//===- LineStore.h - Memory in cache lines ---------------------*- C++ -*-===//
//
// An allocator of chunks, which come in a few sizes. Lines are cut from large
// blocks, one behind the other, so that chunks which are allocated in order are
// in order in memory. Free lists by size keep the lines that are freed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_LINESTORE_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_LINESTORE_H

#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Layout.h"
#include "heddle/graph/detail/cblist/SpinLock.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace heddle::graph::cblist {

/// Allocates runs of lines. take(), give(), reserve() and takeRun() may be
/// called by any number of threads at once, everything else by one thread
/// alone. Memory is returned to the system when the store is destroyed.
class LineStore {
public:
  /// The largest run that can be given back.
  static constexpr unsigned MostLines = 16;

  /// A run of at most MostLines lines of undefined content. Throws
  /// std::bad_alloc.
  Line *take(unsigned lines) {
    HEDDLE_ASSERT(lines >= 1 && lines <= MostLines);
    const std::lock_guard guard(lock);
    if (Line *kept = takeKept(lines))
      return kept;
    while (!unused.empty() && unused.back().size() < lines)
      keepRest();
    if (unused.empty())
      addBlock(lines);
    return cut(unused.back(), lines);
  }

  /// Gives back a run that was taken, or a part of one.
  void give(Line *run, unsigned lines) noexcept {
    HEDDLE_ASSERT(run && lines >= 1 && lines <= MostLines);
    const std::lock_guard guard(lock);
    givenBack += lines;
    keep(run, lines);
  }

  /// Makes sure that the next calls of take() do not throw as long as they take
  /// no more than `lines` lines in all. Lines take no physical memory before
  /// they are used. Throws std::bad_alloc.
  void reserve(std::size_t lines) {
    const std::lock_guard guard(lock);
    // The end of a Stretch may be too short for the next run.
    constexpr std::size_t MostWasted = MostLines - 1;
    std::size_t surelyFree = 0;
    for (const Stretch &stretch : unused)
      surelyFree += std::max(stretch.size(), MostWasted) - MostWasted;
    if (surelyFree < lines)
      addBlock(lines + MostWasted);
  }

  /// Takes any number of consecutive lines. Throws std::bad_alloc.
  Line *takeRun(std::size_t lines) {
    const std::lock_guard guard(lock);
    for (Stretch &stretch : unused)
      if (stretch.size() >= lines)
        return cut(stretch, lines);
    addBlock(lines);
    return cut(unused.back(), lines);
  }

  /// The memory ever taken for the first time, in bytes.
  std::size_t bytes() const { return usedLines * sizeof(Line); }

  /// The memory given back, in bytes, counting lines each time.
  std::size_t bytesGivenBack() const { return givenBack * sizeof(Line); }

  /// Calls `visit(run, lines)` for each run that has been given back and not
  /// taken again.
  template <typename Visit> void forEachKept(Visit visit) const {
    for (unsigned lines = 1; lines <= MostLines; ++lines)
      for (const Bundle *bundle = kept[lines]; bundle; bundle = bundle->next) {
        visit(reinterpret_cast<Line *>(const_cast<Bundle *>(bundle)), lines);
        for (std::size_t i = 0; i < bundle->size; ++i)
          visit(bundle->runs[i], lines);
      }
  }

private:
  using Stretch = std::span<Line>;

  /// A node of a free list, written in a free run. It has the addresses of
  /// other runs of the same size, so most runs are taken without touching them.
  struct Bundle {
    static constexpr std::size_t Most = 6;

    Bundle *next;
    std::size_t size;
    std::array<Line *, Most> runs;
  };
  static_assert(sizeof(Bundle) <= sizeof(Line));

  Line *cut(Stretch &stretch, std::size_t lines) {
    HEDDLE_ASSERT(lines <= stretch.size());
    usedLines += lines;
    return std::exchange(stretch, stretch.subspan(lines)).data();
  }

  /// Moves the rest of the last Stretch, which is too short for a run, to the
  /// free lists.
  void keepRest() {
    Stretch &rest = unused.back();
    if (const auto lines = static_cast<unsigned>(rest.size()))
      keep(cut(rest, lines), lines);
    unused.pop_back();
  }

  /// Takes the shortest free run that is long enough; the rest of it stays
  /// free.
  Line *takeKept(unsigned lines) {
    for (unsigned length = lines; length <= MostLines; ++length)
      if (Bundle *const bundle = kept[length]) {
        Line *run = reinterpret_cast<Line *>(bundle);
        if (bundle->size != 0)
          run = bundle->runs[--bundle->size];
        else
          kept[length] = bundle->next;
        if (length > lines)
          keep(run + lines, length - lines);
        return run;
      }
    return nullptr;
  }

  void keep(Line *run, unsigned lines) {
    HEDDLE_ASSERT(lines >= 1 && lines <= MostLines);
    Bundle *&bundle = kept[lines];
    if (bundle && bundle->size != Bundle::Most) {
      bundle->runs[bundle->size++] = run;
      return;
    }
    bundle = new (run) Bundle{bundle, 0, {}};
  }

  /// Blocks grow with the store, so their number stays small.
  void addBlock(std::size_t lines) {
    constexpr std::size_t Fewest = 64, Most = std::size_t(1) << 20;
    Array<Line> block(
        std::max(lines, std::clamp<std::size_t>(usedLines / 8, Fewest, Most)));
    if (!HeaderWord::holds(block.data()) ||
        !HeaderWord::holds(block.data() + block.size() - 1))
      throw std::bad_alloc();
    unused.reserve(unused.size() + 1);
    blocks.push_back(std::move(block));
    unused.emplace_back(blocks.back());
    HEDDLE_ASSERT(unused.back().size() >= lines);
  }

  std::vector<Array<Line>> blocks;
  /// By the number of lines.
  std::array<ZeroWhenMoved<Bundle *>, MostLines + 1> kept = {};
  std::vector<Stretch> unused; ///< never taken; the last one is cut first
  ZeroWhenMoved<std::size_t> usedLines;
  ZeroWhenMoved<std::size_t> givenBack; ///< lines
  SpinLock lock;
};

} // namespace heddle::graph::cblist

#endif
