//===- LoopFacts.h - Results of the analyses of one loop --------*- C++ -*-===//
//
// LoopContext holds LLVM's analyses of a loop; LoopFacts holds the directive
// and the results of the analyses of this folder, for plan and rewrite.
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

  /// True if tasks can do without suspensions from some place on.
  bool mayEndSuspensions() const {
    return D.Scheduler != Schedule::Dynamic && !Shape.isLeftEarly();
  }
};

} // namespace heddle

#endif
