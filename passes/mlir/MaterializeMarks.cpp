//===- MaterializeMarks.cpp - From attributes of loops to heddle.mark -----===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/IR/Builders.h"

namespace heddle {
#define GEN_PASS_DEF_MATERIALIZEMARKSPASS
#include "mlir/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// What \p Loop repeats.
Block &bodyOf(Operation *Loop) {
  if (auto While = dyn_cast<scf::WhileOp>(Loop))
    return While.getAfter().front();
  return Loop->getRegion(0).front();
}

struct MaterializeMarks
    : heddle::impl::MaterializeMarksPassBase<MaterializeMarks> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *Loop) {
      auto Async = dyn_cast_or_null<AsyncAttr>(
          Loop->removeDiscardableAttr(AsyncAttributeName));
      if (!Async)
        return;
      auto B = OpBuilder::atBlockBegin(&bodyOf(Loop));
      MarkOp::create(B, Loop->getLoc(), Async, /*condition=*/{}, {}, {}, {}, {},
                     {});
    });
  }
};

} // namespace
