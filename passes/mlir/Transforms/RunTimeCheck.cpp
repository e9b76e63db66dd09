//===- RunTimeCheck.cpp - Checks that end a program -----------------------===//

#include "mlir/Transforms/RunTimeCheck.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// True if \p Op is no more than the declaration of a function of type \p Type,
/// of either dialect.
static bool declares(Operation *Op, LLVM::LLVMFunctionType Type) {
  auto Function = dyn_cast<FunctionOpInterface>(Op);
  if (!Function || !Function.isExternal())
    return false;
  auto Plain = dyn_cast<FunctionType>(Function.getFunctionType());
  if (!Plain)
    return Function.getFunctionType() == Type;
  ArrayRef<mlir::Type> Results = Type.getReturnTypes();
  if (isa<LLVM::LLVMVoidType>(Type.getReturnType()))
    Results = {};
  return Plain.getInputs() == Type.getParams() && Plain.getResults() == Results;
}

/// Declares the function \p Name of the C library in \p Module, unless the
/// program does. Fails, with an error, if the name is something else's.
static LogicalResult declare(OpBuilder &B, ModuleOp Module, StringRef Name,
                             LLVM::LLVMFunctionType Type) {
  if (Operation *Found = Module.lookupSymbol(Name)) {
    if (declares(Found, Type))
      return success();
    return Found->emitOpError("takes the name of the C library's '")
           << Name << "', which heddle.pack calls, without declaring it as "
           << Type;
  }
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(Module.getBody());
  LLVM::LLVMFuncOp::create(B, Module.getLoc(), Name, Type);
  return success();
}

/// Calls the function \p Name, which \p Module declares.
static void call(ImplicitLocOpBuilder &B, ModuleOp Module, StringRef Name,
                 ValueRange Arguments) {
  Operation *Callee = Module.lookupSymbol(Name);
  if (auto Function = dyn_cast<func::FuncOp>(Callee))
    func::CallOp::create(B, Function, Arguments);
  else
    LLVM::CallOp::create(B, cast<LLVM::LLVMFuncOp>(Callee), Arguments);
}

LogicalResult heddle::require(ImplicitLocOpBuilder &B, ModuleOp Module,
                              Value Holds, StringRef Message) {
  MLIRContext *Context = B.getContext();
  Type Long = B.getI64Type(), Pointer = LLVM::LLVMPointerType::get(Context);
  auto WriteType =
      LLVM::LLVMFunctionType::get(Long, {B.getI32Type(), Pointer, Long});
  auto AbortType =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(Context), {});
  if (failed(declare(B, Module, "write", WriteType)) ||
      failed(declare(B, Module, "abort", AbortType)))
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
  // Stores the text on the stack: a global would need a unique name.
  Value Place = LLVM::AllocaOp::create(B, Pointer, B.getI8Type(),
                                       Number(Long, int64_t(Text.size())));
  auto Bytes = LLVM::LLVMArrayType::get(B.getI8Type(), Text.size());
  LLVM::StoreOp::create(
      B, LLVM::ConstantOp::create(B, Bytes, B.getStringAttr(Text)), Place);
  call(B, Module, "write",
       ValueRange{Number(B.getI32Type(), 2), Place,
                  Number(Long, int64_t(Text.size()))});
  call(B, Module, "abort", {});
  return success();
}
