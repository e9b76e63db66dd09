//===- MarkGathers.cpp - Finds the loops that wait for memory -------------===//
//
// A loop waits for memory if the address of an access has been loaded by the
// same iteration. It is marked if its iterations are independent, see
// Independence.h. If each iteration depends on a load of the previous one, as
// along a list, the loop around it is marked.
//
//===----------------------------------------------------------------------===//

#include "mark/MarkProtocol.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Independence.h"
#include "mlir/Transforms/Remarks.h"

namespace heddle {
#define GEN_PASS_DEF_MARKGATHERSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
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

/// Returns the values that \p Argument, which a loop carries, may have.
SmallVector<Value> carriedValues(BlockArgument Argument) {
  Operation *Loop = Argument.getOwner()->getParentOp();
  unsigned Number = Argument.getArgNumber();
  if (auto For = dyn_cast<scf::ForOp>(Loop)) {
    if (Argument == For.getInductionVar())
      return {};
    return {For.getTiedLoopInit(Argument)->get(),
            For.getTiedLoopYieldedValue(Argument)->get()};
  }
  auto While = dyn_cast<scf::WhileOp>(Loop);
  if (!While)
    return {};
  if (Argument.getOwner() == While.getAfterBody())
    return {While.getConditionOp().getArgs()[Number]};
  return {While.getInits()[Number], While.getYieldOp().getOperand(Number)};
}

/// True if \p V is computed from something that is loaded by the same iteration
/// of \p Loop, or by an earlier one where \p Earlier.
bool dependsOnLoad(Value V, Operation *Loop, bool Earlier = false) {
  SmallVector<Value> Worklist{V};
  DenseSet<Value> Seen;
  while (!Worklist.empty()) {
    Value Next = Worklist.pop_back_val();
    Operation *Around = Next.getParentBlock()->getParentOp();
    if (!Seen.insert(Next).second || !Loop->isAncestor(Around))
      continue;
    if (auto Argument = dyn_cast<BlockArgument>(Next)) {
      if (Earlier || Around != Loop)
        append_range(Worklist, carriedValues(Argument));
      continue;
    }
    if (isa<memref::LoadOp>(Next.getDefiningOp()))
      return true;
    append_range(Worklist, Next.getDefiningOp()->getOperands());
  }
  return false;
}

/// True if the bounds of \p Loop have been loaded inside \p Around.
bool hasLoadedBounds(Operation *Loop, Operation *Around) {
  auto For = dyn_cast<scf::ForOp>(Loop);
  return For && (dependsOnLoad(For.getLowerBound(), Around) ||
                 dependsOnLoad(For.getUpperBound(), Around));
}

/// The loop that waits for memory where \p Load is, if one does. Iterations
/// that follow from the ones before them wait together: rows and lists.
Operation *waitingLoop(memref::LoadOp Load) {
  Operation *Loop = innermostLoop(Load);
  while (isa_and_present<scf::WhileOp>(Loop))
    Loop = innermostLoop(Loop);
  if (!Loop)
    return nullptr;
  auto Waits = [&](bool Earlier) {
    return llvm::any_of(Load.getIndices(), [&](Value Index) {
      return dependsOnLoad(Index, Loop, Earlier);
    });
  };
  Operation *Around = innermostLoop(Loop);
  if (!Waits(/*Earlier=*/false))
    return Waits(/*Earlier=*/true) ? Around : nullptr;
  return Around && hasLoadedBounds(Loop, Around) ? Around : Loop;
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

  LogicalResult initialize(MLIRContext *Context) override {
    if (tasks <= MaximumTasks)
      return success();
    return emitError(UnknownLoc::get(Context),
                     "heddle-mark-gathers: expected from 1 to ")
           << MaximumTasks << " tasks, or 0 for as many as suit the host, not "
           << unsigned(tasks);
  }

  void runOnOperation() override {
    auto &AA = getAnalysis<AliasAnalysis>();
    SetVector<Operation *> Waiting, Loops;
    getOperation()->walk([&](memref::LoadOp Load) {
      // The operation is a loop of its own, which prefetches.
      if (Load->getParentOfType<PullParallelOp>())
        return;
      Operation *Loop = waitingLoop(Load);
      if (Loop && !isInMarkedNest(Loop))
        Waiting.insert(Loop);
    });
    for (Operation *Loop : Waiting) {
      if (MaybeRefusal Why = whyInOrder(Loop, AA))
        sayLeft(*this, Loop,
                "waits for memory, and cannot be interleaved: ", *Why);
      else
        Loops.insert(Loop);
    }
    auto Async = AsyncAttr::get(&getContext(), tasks, scheduler);
    for (Operation *Loop : Loops)
      if (llvm::none_of(Loops, [&](Operation *Other) {
            return Loop->isProperAncestor(Other);
          })) {
        sayDone(*this, Loop, "waits for memory, and is marked");
        (isa<omp::LoopNestOp>(Loop) ? Loop->getParentOp() : Loop)
            ->setAttr(AsyncAttributeName, Async);
      }
  }
};

} // namespace
