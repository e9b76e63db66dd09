//===- LowerMarks.cpp - From heddle.mark to AsyncMark's call --------------===//
//
// MarkProtocol.h describes the call that AsyncMark looks for. A memref is
// passed as the address of its first element, by which accesses to it are
// recognised.
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
    Clauses Found{Rewriter, Mark.getLoc(), {}};
    Found.Arguments.push_back(Found.constant(InnermostLoop));
    addNumbers(Mark.getAsync(), Found);
    if (Value Condition = Adaptor.getCondition())
      Found.add(If, LLVM::ZExtOp::create(Rewriter, Mark.getLoc(),
                                         Rewriter.getI32Type(), Condition));
    addVariables(Adaptor, Found);
    LLVM::LLVMFuncOp Marker = getMarker(Mark, Rewriter);
    if (!Marker)
      return failure();
    Rewriter.replaceOpWithNewOp<LLVM::CallOp>(Mark, Marker, Found.Arguments);
    return success();
  }

private:
  /// The arguments of the call.
  struct Clauses {
    OpBuilder &B;
    Location Where;
    SmallVector<Value> Arguments;

    Value constant(uint32_t Number) {
      return LLVM::ConstantOp::create(B, Where, B.getI32Type(),
                                      B.getI32IntegerAttr(Number));
    }
    void add(ClauseKind Kind, Value Operand) {
      Arguments.append({constant(Kind), Operand});
    }
    void addNumber(ClauseKind Kind, uint32_t Number) {
      if (Number != 0)
        add(Kind, constant(Number));
    }
    void addAddresses(ClauseKind Kind, ValueRange Operands) {
      for (Value Operand : Operands)
        add(Kind, isa<LLVM::LLVMPointerType>(Operand.getType())
                      ? Operand
                      : MemRefDescriptor(Operand).alignedPtr(B, Where));
    }
  };

  static void addNumbers(AsyncAttr Async, Clauses &Found) {
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  Found.addNumber(Kind, Async.get##Kind());
#define HEDDLE_SCHEDULE_CLAUSE(Kind, Number, Name, Directives)                 \
  Found.addNumber(Kind, uint32_t(Async.get##Kind()));
#include "mark/Clauses.def"
  }

  static void addVariables(OpAdaptor Adaptor, Clauses &Found) {
#define HEDDLE_VARIABLES_CLAUSE(Kind, Number, Name, Directives, Operands)      \
  Found.addAddresses(Kind, Adaptor.get##Operands());
#define HEDDLE_ARRAYS_CLAUSE(Kind, Number, Name, Directives, Operands,         \
                             DataNumber)                                       \
  Found.addAddresses(Kind##Data, Adaptor.get##Operands());
#include "mark/Clauses.def"
  }

  /// Returns the marker function; null, with an error, if its name is taken.
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
          << MarkFunctionName << "', which something else has";
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
