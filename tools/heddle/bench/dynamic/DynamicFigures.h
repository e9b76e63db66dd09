//===- DynamicFigures.h - Experiments on graphs that change ----*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_DYNAMIC_DYNAMICFIGURES_H
#define HEDDLE_TOOLS_BENCH_DYNAMIC_DYNAMICFIGURES_H

#include "../FigureBench.h"

namespace heddle::bench {

/// Names of the stores that they compare.
std::vector<std::string> dynamicStores();

/// Figure 14 of GastCoCo (H. Li et al., 2024).
Figure strategiesFigure();

/// The read side: algorithms and memory.
Figure readingFigure();

} // namespace heddle::bench

#endif
