//===- verify.h - Independent solutions to check against --------*- C++ -*-===//
//
// Serial textbook solutions that share nothing with the algorithms but the
// graph: those that Heddle's library has, and what it has not.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_DRIVER_VERIFY_H
#define GRAPH_DRIVER_VERIFY_H

#include "../input/input.h"

#include "heddle/graph/verify/Violation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The error in a result, or nothing.
using Verdict = heddle::graph::Violation;

/// Every parent must be one level up, over an edge that exists.
Verdict checkParents(const Graph &graph, int32_t source,
                     const Array<int32_t> &parent);

/// Another step of power iteration must leave the ranks as they are, up to
/// `tolerance` in sum.
Verdict checkRanks(const Graph &graph, const Array<double> &rank,
                   double tolerance);

/// Labels must be the lowest vertex of each weakly connected component.
Verdict checkLabels(const Graph &graph, const Array<int32_t> &label);

/// Number of vertices on the longest chain of a graph whose edges lead from
/// lower to higher vertices.
int32_t longestChainLength(const Csr &acyclic);
/// The chain must be as long as expected, each link an edge of `acyclic`.
Verdict checkChain(const Csr &acyclic, int32_t expected, int32_t length,
                   int32_t last, const int32_t *predecessor);

#endif
