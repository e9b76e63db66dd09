//===- SeekLoops.cpp - Loops over words of far memory --------------------===//
//
// Always compiled with the plugin, even if programs are not.
//
//===----------------------------------------------------------------------===//

#include "SeekLoops.h"

#include "heddle/far.h"

namespace heddle::graph::ooc {

namespace {

using FarWords = heddle_far const std::uint32_t *;

FarWords wordsOf(FarFile &file) {
  return reinterpret_cast<FarWords>(file.address());
}

template <typename Words>
void findRowsIn(Words rows, std::span<const std::uint64_t> places,
                std::uint32_t *begins, std::uint32_t *ends) {
  const std::size_t count = places.size();
  const std::uint64_t *const vertices = places.data();
#pragma heddle async
  for (std::size_t i = 0; i < count; ++i) {
    begins[i] = rows[vertices[i]];
    ends[i] = rows[vertices[i] + 1];
  }
}

/// Copies runs of words. A run does not cross a page: its first word brings in
/// the rest.
template <typename Words>
void copyRunsOf(Words words, std::span<const WordRun> allRuns,
                std::uint32_t *to) {
  const std::size_t count = allRuns.size();
  const WordRun *const runs = allRuns.data();
  const Words rest = words;
#pragma heddle async near(rest)
  for (std::size_t i = 0; i < count; ++i) {
    const auto [from, first, length] = runs[i];
    to[first] = words[from];
    for (std::uint32_t k = 1; k < length; ++k)
      to[first + k] = rest[from + k];
  }
}

} // namespace

void findRows(const std::uint32_t *rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends) {
  findRowsIn(rows, places, begins, ends);
}

void findRows(FarFile &rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends) {
  findRowsIn(wordsOf(rows), places, begins, ends);
  rows.check();
}

void copyRuns(const std::uint32_t *words, std::span<const WordRun> runs,
              std::uint32_t *to) {
  copyRunsOf(words, runs, to);
}

void copyRuns(FarFile &words, std::span<const WordRun> runs,
              std::uint32_t *to) {
  copyRunsOf(wordsOf(words), runs, to);
  words.check();
}

} // namespace heddle::graph::ooc
