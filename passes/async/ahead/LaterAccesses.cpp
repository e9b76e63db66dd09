//===- LaterAccesses.cpp - What a task is going to access -----------------===//

#include "async/ahead/LaterAccesses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if tasks wait for memory in \p Inner.
static bool waitsIn(const Loop &Inner, const LatencyAnalysis &Latency) {
  return any_of(Latency.accesses(), [&](const Access &A) {
    return Inner.contains(A.I) && A.isLongLatency() &&
           A.Kind != AddressKind::StreamStart;
  });
}

bool heddle::comesSoon(const Instruction *At, const Instruction *Later,
                       const LatencyAnalysis &Latency, const LoopContext &C,
                       const PostDominatorTree &PDT) {
  const BasicBlock *From = At->getParent(), *To = Later->getParent();
  const Loop *Around = C.LI.getLoopFor(From);
  // A loop in between that takes long without waiting hides what it costs to
  // fetch the line again.
  return isa<LoadInst>(Later) && C.LI.getLoopFor(To) == Around &&
         C.DT.properlyDominates(From, To) && PDT.dominates(To, From) &&
         none_of(*Around, [&](const Loop *Between) {
           return C.DT.dominates(From, Between->getHeader()) &&
                  !C.DT.dominates(To, Between->getHeader()) &&
                  waitsIn(*Between, Latency);
         });
}
