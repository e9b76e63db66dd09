//===- MarkGathers.cpp - Find the loops that wait for memory --------------===//
//
// A loop waits for memory if the address of an access has been loaded by the
// same iteration. It is marked if its iterations are independent, see
// Independence.h.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/Independence.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace heddle {
#define GEN_PASS_DEF_MARKGATHERSPASS
#include "mlir/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool isLoop(Operation *Op) {
  return isa<LoopLikeOpInterface, omp::LoopNestOp, omp::LoopWrapperInterface>(
      Op);
}

Operation *innermostLoop(Operation *Op) {
  for (Operation *Around = Op->getParentOp(); Around;
       Around = Around->getParentOp())
    if (isLoop(Around))
      return Around;
  return nullptr;
}

/// True if \p V is computed from something that is loaded inside \p Loop.
bool dependsOnLoad(Value V, Operation *Loop) {
  SmallVector<Value> Worklist{V};
  DenseSet<Value> Seen;
  while (!Worklist.empty()) {
    Value Next = Worklist.pop_back_val();
    Operation *Definition = Next.getDefiningOp();
    if (!Seen.insert(Next).second || !Definition ||
        !Loop->isProperAncestor(Definition))
      continue;
    if (isa<memref::LoadOp>(Definition))
      return true;
    append_range(Worklist, Definition->getOperands());
  }
  return false;
}

/// True if how often \p Loop runs has been loaded inside \p Around.
bool hasLoadedBounds(Operation *Loop, Operation *Around) {
  auto For = dyn_cast<scf::ForOp>(Loop);
  return For && (dependsOnLoad(For.getLowerBound(), Around) ||
                 dependsOnLoad(For.getUpperBound(), Around));
}

/// True if a loop around \p Loop, itself or one inside it has a mark.
bool isInMarkedNest(Operation *Loop) {
  while (Operation *Around = innermostLoop(Loop))
    Loop = Around;
  return Loop
      ->walk([](Operation *Op) {
        return isa<MarkOp>(Op) || Op->hasAttr(AsyncAttributeName)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

struct MarkGathers : heddle::impl::MarkGathersPassBase<MarkGathers> {
  using Base::Base;

  void runOnOperation() override {
    auto &AA = getAnalysis<AliasAnalysis>();
    SetVector<Operation *> Loops;
    getOperation()->walk([&](memref::LoadOp Load) {
      Operation *Loop = innermostLoop(Load);
      if (!Loop || llvm::none_of(Load.getIndices(), [&](Value Index) {
            return dependsOnLoad(Index, Loop);
          }))
        return;
      if (Operation *Around = innermostLoop(Loop);
          Around && hasLoadedBounds(Loop, Around))
        Loop = Around;
      if (isIndependent(Loop, AA) && !isInMarkedNest(Loop))
        Loops.insert(Loop);
    });
    auto Async = AsyncAttr::get(&getContext(), tasks, scheduler, 0, 0);
    for (Operation *Loop : Loops)
      if (llvm::none_of(Loops, [&](Operation *Other) {
            return Loop->isProperAncestor(Other);
          }))
        (isa<omp::LoopNestOp>(Loop) ? Loop->getParentOp() : Loop)
            ->setAttr(AsyncAttributeName, Async);
  }
};

} // namespace
