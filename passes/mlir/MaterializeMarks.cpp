//===- MaterializeMarks.cpp - From attributes of loops to heddle.mark -----===//

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace heddle {
#define GEN_PASS_DEF_MATERIALIZEMARKSPASS
#include "mlir/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// The loop itself, where \p Loop says how it is shared out.
Operation *withoutWrappers(Operation *Loop) {
  auto Wrapper = dyn_cast<omp::LoopWrapperInterface>(Loop);
  return Wrapper ? Wrapper.getWrappedLoop() : Loop;
}

/// What \p Loop repeats.
Block &bodyOf(Operation *Loop) {
  if (auto While = dyn_cast<scf::WhileOp>(Loop))
    return While.getAfter().front();
  return Loop->getRegion(0).front();
}

/// What \p Loop counts, and from where.
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

struct MaterializeMarks
    : heddle::impl::MaterializeMarksPassBase<MaterializeMarks> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *Op) {
      auto Async = dyn_cast_or_null<AsyncAttr>(
          Op->removeDiscardableAttr(AsyncAttributeName));
      if (!Async)
        return;
      Operation *Loop = withoutWrappers(Op);
      auto B = OpBuilder::atBlockBegin(&bodyOf(Loop));
      auto [Counters, Starts] = countersOf(Loop);
      auto From = getValueOrCreateConstantIndexOp(B, Loop->getLoc(), Starts);
      MarkOp::create(B, Loop->getLoc(), Async, /*condition=*/{}, Counters, From,
                     {}, {}, {}, {}, {});
    });
  }
};

} // namespace
