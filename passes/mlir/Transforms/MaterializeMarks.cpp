//===- MaterializeMarks.cpp - From attributes of loops to heddle.mark -----===//

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/HeddlePasses.h"

namespace heddle {
#define GEN_PASS_DEF_MATERIALIZEMARKSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Returns the loop itself if \p Loop is a wrapper that says how it is
/// distributed.
Operation *withoutWrappers(Operation *Loop) {
  auto Wrapper = dyn_cast<omp::LoopWrapperInterface>(Loop);
  return Wrapper ? Wrapper.getWrappedLoop() : Loop;
}

/// Returns the block that \p Loop repeats.
Block &bodyOf(Operation *Loop) {
  if (auto While = dyn_cast<scf::WhileOp>(Loop))
    return While.getAfter().front();
  return Loop->getRegion(0).front();
}

/// Returns the induction variables of \p Loop and their lower bounds.
std::pair<SmallVector<Value>, SmallVector<OpFoldResult>>
countersOf(Operation *Loop) {
  if (auto Nest = dyn_cast<omp::LoopNestOp>(Loop))
    return {llvm::to_vector_of<Value>(Nest.getIVs()),
            getAsOpFoldResult(Nest.getLoopLowerBounds())};
  auto Like = cast<LoopLikeOpInterface>(Loop);
  auto Counters = Like.getLoopInductionVars();
  auto Starts = Like.getLoopLowerBounds();
  if (!Counters || !Starts || Counters->size() != Starts->size())
    return {};
  return {*Counters, *Starts};
}

/// Returns the loop that the canonicaliser merges with \p Loop, whose body
/// contains nothing else, or null.
scf::ParallelOp mergedWith(scf::ParallelOp Loop) {
  Block &Body = *Loop.getBody();
  auto Inner = dyn_cast<scf::ParallelOp>(Body.front());
  if (!Inner || !llvm::hasSingleElement(Body.without_terminator()) ||
      !Loop.getInitVals().empty() || !Inner.getInitVals().empty() ||
      !Inner.getBody()->getOps<MarkOp>().empty() ||
      llvm::any_of(Inner->getOperands(), [&](Value Bound) {
        return llvm::is_contained(Loop.getInductionVars(), Bound);
      }))
    return {};
  return Inner;
}

/// Returns the loops from \p Loop to the innermost one that is merged with it,
/// whose body gets the mark; their counters belong to it. A mark between
/// parallel loops would prevent merging.
SmallVector<Operation *> nestOf(Operation *Loop) {
  SmallVector<Operation *> Nest{withoutWrappers(Loop)};
  auto Parallel = dyn_cast<scf::ParallelOp>(Nest.front());
  while (Parallel && (Parallel = mergedWith(Parallel)))
    Nest.push_back(Parallel);
  return Nest;
}

Operation *innermostLoop(MarkOp Mark) {
  for (Operation *Around = Mark->getParentOp();
       Around && !Around->hasTrait<OpTrait::IsIsolatedFromAbove>();
       Around = Around->getParentOp())
    if (isa<LoopLikeOpInterface, omp::LoopNestOp>(Around))
      return Around;
  return nullptr;
}

/// Adds the counters of \p Loop to \p Mark.
void addCounters(MarkOp Mark, Operation *Loop) {
  OpBuilder B(Mark);
  auto [Counters, Starts] = countersOf(Loop);
  Mark.getCountersMutable().append(Counters);
  Mark.getStartsMutable().append(
      getValueOrCreateConstantIndexOp(B, Loop->getLoc(), Starts));
}

void markNest(Operation *Op, AsyncAttr Async) {
  SmallVector<Operation *> Nest = nestOf(Op);
  auto B = OpBuilder::atBlockBegin(&bodyOf(Nest.back()));
  auto Mark = MarkOp::create(B, Nest.back()->getLoc(), Async);
  for (Operation *Loop : Nest)
    addCounters(Mark, Loop);
}

struct MaterializeMarks
    : heddle::impl::MaterializeMarksPassBase<MaterializeMarks> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *Op) {
      if (auto Async = dyn_cast_or_null<AsyncAttr>(
              Op->removeDiscardableAttr(AsyncAttributeName)))
        markNest(Op, Async);
    });
    getOperation()->walk([](MarkOp Mark) {
      if (Operation *Loop = innermostLoop(Mark);
          Loop && Mark.getCounters().empty())
        addCounters(Mark, Loop);
    });
  }
};

} // namespace
