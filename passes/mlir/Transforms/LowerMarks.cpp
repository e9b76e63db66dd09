//===- LowerMarks.cpp - From heddle.mark to AsyncMark's call --------------===//
//
// What AsyncMark looks for stands in MarkProtocol.h. A memref is handed to it
// as the address of its first element, so that accesses to the memref can be
// told by their addresses.
//
//===----------------------------------------------------------------------===//

#include "mark/MarkProtocol.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/HeddlePasses.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERMARKSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class MarkLowering : public ConvertOpToLLVMPattern<MarkOp> {
public:
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MarkOp Mark, OpAdaptor Adaptor,
                  ConversionPatternRewriter &Rewriter) const override {
    if (Mark.hasLostItsLoop()) {
      Rewriter.eraseOp(Mark);
      return success();
    }
    Location Where = Mark.getLoc();
    SmallVector<Value> Arguments;
    auto Constant = [&](uint32_t Number) {
      return LLVM::ConstantOp::create(Rewriter, Where, Rewriter.getI32Type(),
                                      Rewriter.getI32IntegerAttr(Number));
    };
    auto Add = [&](ClauseKind Kind, Value Operand) {
      Arguments.append({Constant(Kind), Operand});
    };
    auto AddAddresses = [&](ClauseKind Kind, ValueRange Operands) {
      for (Value Operand : Operands)
        Add(Kind, isa<LLVM::LLVMPointerType>(Operand.getType())
                      ? Operand
                      : MemRefDescriptor(Operand).alignedPtr(Rewriter, Where));
    };
    Arguments.push_back(Constant(InnermostLoop));
    AsyncAttr Async = Mark.getAsync();
    if (Async.getTasks())
      Add(Tasks, Constant(Async.getTasks()));
    if (Async.getScheduler() != AsyncScheduler::Unspecified)
      Add(Scheduler, Constant(uint32_t(Async.getScheduler())));
    if (Async.getCoalesce())
      Add(Coalesce, Constant(Async.getCoalesce()));
    if (Async.getSuspensions())
      Add(Suspensions, Constant(Async.getSuspensions()));
    if (Value Condition = Adaptor.getCondition())
      Add(If, LLVM::ZExtOp::create(Rewriter, Where, Rewriter.getI32Type(),
                                   Condition));
    AddAddresses(Private, Adaptor.getPrivates());
    AddAddresses(Shared, Adaptor.getShared());
    AddAddresses(Sequential, Adaptor.getSequential());
    AddAddresses(RemoteData, Adaptor.getRemote());
    AddAddresses(NearData, Adaptor.getNear());
    LLVM::LLVMFuncOp Marker = getMarker(Mark, Rewriter);
    if (!Marker)
      return failure();
    Rewriter.replaceOpWithNewOp<LLVM::CallOp>(Mark, Marker, Arguments);
    return success();
  }

private:
  /// Null, with an error, if the name stands for something else.
  LLVM::LLVMFuncOp getMarker(MarkOp Mark, OpBuilder &B) const {
    auto Module = Mark->getParentOfType<ModuleOp>();
    auto Type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(B.getContext()), {B.getI32Type()},
        /*isVarArg=*/true);
    if (Operation *Found = Module.lookupSymbol(MarkFunctionName)) {
      auto Marker = dyn_cast<LLVM::LLVMFuncOp>(Found);
      if (Marker && Marker.getFunctionType() == Type && Marker.isExternal())
        return Marker;
      Mark.emitOpError("needs the name '")
          << MarkFunctionName << "', which is something else's";
      return {};
    }
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(Module.getBody());
    auto Marker =
        LLVM::LLVMFuncOp::create(B, Module.getLoc(), MarkFunctionName, Type);
    Marker.setNoUnwind(true);
    Marker.setWillReturn(true);
    return Marker;
  }
};

struct LowerMarks : heddle::impl::LowerMarksPassBase<LowerMarks> {
  void runOnOperation() override {
    LLVMTypeConverter Types(&getContext());
    LLVMConversionTarget Target(getContext());
    Target.addIllegalOp<MarkOp>();
    RewritePatternSet Patterns(&getContext());
    Patterns.add<MarkLowering>(Types);
    if (failed(applyPartialConversion(getOperation(), Target,
                                      std::move(Patterns))))
      signalPassFailure();
  }
};

} // namespace
