//===- LineStore.h - Memory in cache lines ---------------------*- C++ -*-===//
//
// Chunks come and go in a few sizes. Their lines are cut from large blocks, one
// behind the other, so that what is loaded in order lies in order; lines that
// are given back are kept by size.
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
#include <new>
#include <utility>
#include <vector>

namespace heddle::graph::cblist {

/// Gives out runs of lines. take(), give() and the functions that throw may be
/// called by any number of threads; the others, moving and destroying are for
/// one. Memory goes back to the system when the store is destroyed.
class LineStore {
public:
  /// The largest run that can be given back.
  static constexpr unsigned MostLines = 16;

  LineStore() = default;
  LineStore(LineStore &&other) noexcept { swap(other); }
  LineStore &operator=(LineStore &&other) noexcept {
    LineStore taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// A run of at most MostLines lines of undefined content. Throws
  /// std::bad_alloc.
  Line *take(unsigned lines) {
    HEDDLE_ASSERT(lines >= 1 && lines <= MostLines);
    const SpinGuard guard(lock);
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
    const SpinGuard guard(lock);
    givenBack += lines;
    keep(run, lines);
  }

  /// Sees to it that the next calls of take() do not throw, as long as they ask
  /// for no more than `lines` altogether. The lines cost no memory before they
  /// are used. Throws std::bad_alloc.
  void reserve(std::size_t lines) {
    const SpinGuard guard(lock);
    // The end of a stretch may be too short for what is asked for.
    constexpr std::size_t MostWasted = MostLines - 1;
    std::size_t surelyFree = 0;
    for (const Stretch &stretch : unused)
      surelyFree += std::max(stretch.size(), MostWasted) - MostWasted;
    if (surelyFree < lines)
      addBlock(lines + MostWasted);
  }

  /// Any number of lines side by side. Throws std::bad_alloc.
  Line *takeRun(std::size_t lines) {
    const SpinGuard guard(lock);
    for (Stretch &stretch : unused)
      if (stretch.size() >= lines)
        return cut(stretch, lines);
    addBlock(lines);
    return cut(unused.back(), lines);
  }

  /// How much memory was ever given out.
  std::size_t bytes() const { return usedLines * sizeof(Line); }

  /// How much was given back, counting lines as often as they were.
  std::size_t bytesGivenBack() const { return givenBack * sizeof(Line); }

  /// Calls `visit(run, lines)` for what has been given back and not taken
  /// again.
  template <typename Visit> void forEachKept(Visit visit) const {
    for (unsigned lines = 1; lines <= MostLines; ++lines)
      for (const Bundle *bundle = kept[lines]; bundle; bundle = bundle->next) {
        visit(reinterpret_cast<Line *>(const_cast<Bundle *>(bundle)), lines);
        for (std::size_t i = 0; i < bundle->size; ++i)
          visit(bundle->runs[i], lines);
      }
  }

private:
  /// Lines that were never given out, and that nobody has touched.
  struct Stretch {
    Line *begin, *end;

    std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  };

  /// What is written in a run that is kept: where others of its size are, so
  /// that most runs are taken without a look at them.
  struct Bundle {
    static constexpr std::size_t Most = 6;

    Bundle *next;
    std::size_t size;
    std::array<Line *, Most> runs;
  };
  static_assert(sizeof(Bundle) <= sizeof(Line));

  void swap(LineStore &other) noexcept {
    std::swap(blocks, other.blocks);
    std::swap(kept, other.kept);
    std::swap(unused, other.unused);
    std::swap(usedLines, other.usedLines);
    std::swap(givenBack, other.givenBack);
  }

  Line *cut(Stretch &stretch, std::size_t lines) {
    HEDDLE_ASSERT(lines <= stretch.size());
    usedLines += lines;
    return std::exchange(stretch.begin, stretch.begin + lines);
  }

  /// Keeps the lines of the last stretch, of which there are too few for a run.
  void keepRest() {
    Stretch &rest = unused.back();
    if (const auto lines = static_cast<unsigned>(rest.size()))
      keep(cut(rest, lines), lines);
    unused.pop_back();
  }

  /// The shortest run kept that is long enough; the rest of it stays.
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

  /// Blocks grow with the store, so that there are few.
  void addBlock(std::size_t lines) {
    constexpr std::size_t Fewest = 64, Most = std::size_t(1) << 20;
    Array<Line> block(std::max(lines, std::clamp(usedLines / 8, Fewest, Most)));
    if (!HeaderWord::holds(block.data()) ||
        !HeaderWord::holds(block.data() + block.size() - 1))
      throw std::bad_alloc();
    unused.reserve(unused.size() + 1);
    blocks.push_back(std::move(block));
    unused.push_back({blocks.back().begin(), blocks.back().end()});
    HEDDLE_ASSERT(unused.back().size() >= lines);
  }

  std::vector<Array<Line>> blocks;
  std::array<Bundle *, MostLines + 1> kept = {}; ///< by number of lines
  std::vector<Stretch> unused;                   ///< the last one is cut first
  std::size_t usedLines = 0;
  std::size_t givenBack = 0; ///< lines
  SpinLock lock;
};

} // namespace heddle::graph::cblist

#endif
