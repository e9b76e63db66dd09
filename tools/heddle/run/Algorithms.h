//===- Algorithms.h - The algorithms of `heddle run` ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_RUN_ALGORITHMS_H
#define HEDDLE_TOOLS_RUN_ALGORITHMS_H

#include "Task.h"

namespace heddle {

Algorithm betweennessAlgorithm();
Algorithm breadthFirstAlgorithm();
Algorithm componentsAlgorithm();
Algorithm coreNumbersAlgorithm();
Algorithm labelPropagationAlgorithm();
Algorithm pageRankAlgorithm();
Algorithm shortestPathsAlgorithm();
Algorithm trianglesAlgorithm();

/// The most iterations of PageRank that may be asked for.
inline constexpr unsigned MostIterations = 1000000;

/// Adds the parameters of PageRank.
void addPageRankOptions(CLI::App &command, graph::PageRankOptions &options);

/// Adds a subcommand of `heddle run`. It throws graph::Error for a graph that
/// the algorithm cannot be run on, and VerificationFailed.
void addAlgorithm(CLI::App &run, const Algorithm &algorithm);

} // namespace heddle

#endif
