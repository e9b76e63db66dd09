//===- Algorithms.h - What `heddle run` can run ----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_RUN_ALGORITHMS_H
#define HEDDLE_TOOLS_RUN_ALGORITHMS_H

#include "Task.h"

namespace heddle {

Algorithm betweennessAlgorithm();
Algorithm breadthFirstAlgorithm();
Algorithm componentsAlgorithm();
Algorithm pageRankAlgorithm();
Algorithm shortestPathsAlgorithm();

} // namespace heddle

#endif
