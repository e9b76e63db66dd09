//===- SeekLoops.h - Loops over what lies here and there -------*- C++ -*-===//
//
// Loops over words of a prepared graph that are sought one by one. A prepared
// graph is far memory, but for what is kept of it; the loops are the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_SEEKLOOPS_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_SEEKLOOPS_H

#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/edges/SoughtEdges.h"

#include <cstdint>
#include <span>

namespace heddle::graph::ooc {

/// Takes the words at `places`, and those behind them.
void findRows(const std::uint32_t *rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends);
/// Throws Error if one of them cannot be read.
void findRows(FarFile &rows, std::span<const std::uint64_t> places,
              std::uint32_t *begins, std::uint32_t *ends);

/// Copies runs of words, none of which is empty.
void copyRuns(const std::uint32_t *words, std::span<const WordRun> runs,
              std::uint32_t *to);
/// Throws Error if one of them cannot be read.
void copyRuns(FarFile &words, std::span<const WordRun> runs, std::uint32_t *to);

} // namespace heddle::graph::ooc

#endif
