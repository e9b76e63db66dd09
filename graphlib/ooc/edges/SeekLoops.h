//===- SeekLoops.h - Loops over single words of a graph --------*- C++ -*-===//
//
// Loops that seek single words of a prepared graph, in far memory or in the
// parts of the file that are kept in memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_SEEKLOOPS_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_SEEKLOOPS_H

#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/edges/SoughtEdges.h"

#include <cstdint>
#include <span>

namespace heddle::graph::ooc {

/// Copies the words at the indices `places` to `begins`, and the words behind
/// them to `ends`.
void findRows(const std::uint32_t *rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends);
/// Throws Error if a word cannot be read.
void findRows(FarFile &rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends);

/// Copies runs of words, none of which is empty.
void copyRuns(const std::uint32_t *words, std::span<const WordRun> runs,
              std::uint32_t *to);
/// Throws Error if a word cannot be read.
void copyRuns(FarFile &words, std::span<const WordRun> runs, std::uint32_t *to);

} // namespace heddle::graph::ooc

#endif
