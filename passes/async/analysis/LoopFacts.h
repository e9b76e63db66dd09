//===- LoopFacts.h - All that analyses found out about a loop ---*- C++ -*-===//
//
// LoopContext holds what LLVM knows about a loop; this holds what the directive
// says and what the analyses of this folder have found, for plan and rewrite.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_LOOPFACTS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_LOOPFACTS_H

#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "async/analysis/VariableClasses.h"
#include "loop/LoopShape.h"
#include "mark/Directive.h"

namespace heddle {

struct LoopFacts {
  const Directive &D;
  const LoopShape &Shape;
  const TaskLocals &Locals;
  const LatencyAnalysis &Latency;
  const VariableClasses &Classes;
};

} // namespace heddle

#endif
