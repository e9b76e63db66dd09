//===- RunTimeCheck.cpp - Checks that end a program -----------------------===//

#include "mlir/RunTimeCheck.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// The function \p Name of the C library in \p Module, or null with an error.
static LLVM::LLVMFuncOp libraryFunction(ImplicitLocOpBuilder &B,
                                        ModuleOp Module, StringRef Name,
                                        LLVM::LLVMFunctionType Type) {
  if (Operation *Found = Module.lookupSymbol(Name)) {
    auto Function = dyn_cast<LLVM::LLVMFuncOp>(Found);
    if (Function && Function.getFunctionType() == Type)
      return Function;
    Found->emitOpError("has the name of a function of the C library, '")
        << Name << "', but is none";
    return {};
  }
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(Module.getBody());
  return LLVM::LLVMFuncOp::create(B, Name, Type);
}

LogicalResult heddle::require(ImplicitLocOpBuilder &B, ModuleOp Module,
                              Value Holds, StringRef Message) {
  MLIRContext *Context = B.getContext();
  Type Long = B.getI64Type(), Pointer = LLVM::LLVMPointerType::get(Context);
  LLVM::LLVMFuncOp Write = libraryFunction(
      B, Module, "write",
      LLVM::LLVMFunctionType::get(Long, {B.getI32Type(), Pointer, Long}));
  LLVM::LLVMFuncOp Abort = libraryFunction(
      B, Module, "abort",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(Context), {}));
  if (!Write || !Abort)
    return failure();
  Value Fails = arith::XOrIOp::create(
      B, Holds, arith::ConstantOp::create(B, B.getBoolAttr(true)));
  auto If = scf::IfOp::create(B, Fails);
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(If.thenBlock());
  auto Number = [&](Type Type, int64_t Value) -> mlir::Value {
    return LLVM::ConstantOp::create(B, Type, B.getIntegerAttr(Type, Value));
  };
  const std::string Text = (Message + "\n").str();
  // On the stack: a global would need a name that nothing else has.
  Value Place = LLVM::AllocaOp::create(B, Pointer, B.getI8Type(),
                                       Number(Long, int64_t(Text.size())));
  auto Bytes = LLVM::LLVMArrayType::get(B.getI8Type(), Text.size());
  LLVM::StoreOp::create(
      B, LLVM::ConstantOp::create(B, Bytes, B.getStringAttr(Text)), Place);
  LLVM::CallOp::create(B, Write,
                       ValueRange{Number(B.getI32Type(), 2), Place,
                                  Number(Long, int64_t(Text.size()))});
  LLVM::CallOp::create(B, Abort, ValueRange());
  return success();
}
