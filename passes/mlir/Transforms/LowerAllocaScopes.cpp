//===- LowerAllocaScopes.cpp - Stack scopes as saves and restores ---------===//
//
// memref.alloca_scope has a region of one block, so that nothing inside it can
// become branches. The operations that save and restore the stack have none.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/HeddlePasses.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERALLOCASCOPESPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;

namespace {

void lower(memref::AllocaScopeOp Scope) {
  OpBuilder B(Scope);
  Location Where = Scope.getLoc();
  Block &Body = Scope.getBodyRegion().front();
  Operation *Return = Body.getTerminator();
  auto Pointer = LLVM::LLVMPointerType::get(B.getContext());
  Value Stack = LLVM::StackSaveOp::create(B, Where, Pointer);
  Scope->getBlock()->getOperations().splice(Scope->getIterator(),
                                            Body.getOperations(), Body.begin(),
                                            Return->getIterator());
  LLVM::StackRestoreOp::create(B, Where, Stack);
  Scope.replaceAllUsesWith(Return->getOperands());
  Scope.erase();
}

struct LowerAllocaScopes
    : heddle::impl::LowerAllocaScopesPassBase<LowerAllocaScopes> {
  void runOnOperation() override {
    getOperation()->walk([](memref::AllocaScopeOp Scope) { lower(Scope); });
  }
};

} // namespace
