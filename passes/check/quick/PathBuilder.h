//===- PathBuilder.h - Code of functions that record quickly ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_PATHBUILDER_H
#define HEDDLE_PASSES_CHECK_QUICK_PATHBUILDER_H

#include "check/execution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// Builds one function that returns where it has recorded what it is to, and
/// else calls another one for that, with the same arguments.
class PathBuilder {
protected:
  llvm::Function &F;
  llvm::GlobalVariable &Quick; ///< heddle_check_quick
  llvm::IRBuilder<> B;
  llvm::IntegerType *I32, *I64;
  llvm::PointerType *Pointer;
  llvm::BasicBlock *Slow, *Done;
  llvm::MDNode *Likely;

  PathBuilder(llvm::Function &F, llvm::GlobalVariable &Quick)
      : F(F), Quick(Quick), B(F.getContext()), I32(B.getInt32Ty()),
        I64(B.getInt64Ty()), Pointer(B.getPtrTy()),
        Likely(llvm::MDBuilder(F.getContext()).createLikelyBranchWeights()) {
    llvm::LLVMContext &C = F.getContext();
    B.SetInsertPoint(llvm::BasicBlock::Create(C, "entry", &F));
    Slow = llvm::BasicBlock::Create(C, "slow", &F);
    Done = llvm::BasicBlock::Create(C, "done", &F);
  }

  /// Calls \p Otherwise to record what is not quick.
  void finish(llvm::FunctionCallee Otherwise) {
    B.SetInsertPoint(Slow);
    llvm::SmallVector<llvm::Value *> Arguments;
    for (unsigned I = 0; I < Otherwise.getFunctionType()->getNumParams(); ++I)
      Arguments.push_back(F.getArg(I));
    B.CreateCall(Otherwise, Arguments);
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
    B.CreateRetVoid();
  }

  llvm::Value *fieldOf(llvm::Value *Of, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Of, Offset);
  }

  // Volatile: the runtime's state changes in hooks that are said to access
  // nothing of the program's.

  llvm::Value *loadCells() {
    return B.CreateLoad(Pointer, B.CreateThreadLocalAddress(&Quick),
                        /*isVolatile=*/true);
  }

  llvm::Value *load(llvm::Type *T, llvm::Value *Of, uint64_t Offset) {
    return B.CreateLoad(T, fieldOf(Of, Offset), /*isVolatile=*/true);
  }

  void store(llvm::Value *What, llvm::Value *Of, uint64_t Offset) {
    B.CreateStore(What, fieldOf(Of, Offset), /*isVolatile=*/true);
  }

  llvm::Value *element(llvm::Value *First, llvm::Value *Index, uint64_t Bytes) {
    return B.CreateInBoundsGEP(llvm::ArrayType::get(B.getInt8Ty(), Bytes),
                               First, Index);
  }

  llvm::BasicBlock *newBlock(llvm::StringRef Name) {
    return llvm::BasicBlock::Create(F.getContext(), Name, &F, Slow);
  }

  /// Goes on where \p Holds, else to \p Otherwise.
  void require(llvm::Value *Holds, llvm::BasicBlock *Otherwise) {
    llvm::BasicBlock *Next = newBlock("next");
    B.CreateCondBr(Holds, Next, Otherwise, Likely);
    B.SetInsertPoint(Next);
  }

  /// heddle_block::notes of the block that \p Address is in, which must be
  /// found at once.
  llvm::Value *findNotes(llvm::Value *Cells, llvm::Value *Address) {
    llvm::Value *Block = B.CreateLShr(Address, HEDDLE_BLOCK_SHIFT);
    llvm::Value *Hash = B.CreateMul(Block, B.getInt64(HEDDLE_BLOCK_HASH));
    llvm::Value *Shift = load(I32, Cells, offsetof(heddle_cells, shift));
    llvm::Value *Entry = element(
        load(Pointer, Cells, offsetof(heddle_cells, blocks)),
        B.CreateLShr(Hash, B.CreateZExt(Shift, I64)), sizeof(heddle_block));
    llvm::Value *Key =
        B.CreateAdd(Block, load(I64, Cells, offsetof(heddle_cells, epoch)));
    require(B.CreateICmpEQ(load(I64, Entry, offsetof(heddle_block, key)), Key),
            Slow);
    return load(I64, Entry, offsetof(heddle_block, notes));
  }

  /// Adds an entry at \p At, the next one, and returns.
  void addToLog(llvm::Value *Cells, llvm::Value *At, llvm::Value *Address,
                llvm::Value *Base, llvm::Value *What, llvm::Value *Value) {
    store(Address, At, offsetof(heddle_logged, address));
    store(Base, At, offsetof(heddle_logged, base));
    store(What, At, offsetof(heddle_logged, what));
    if (Value)
      store(Value, At, offsetof(heddle_logged, value));
    // With the call, which is beside it in both.
    store(load(I64, Cells, offsetof(heddle_cells, iteration)), At,
          offsetof(heddle_logged, iteration));
    store(fieldOf(At, sizeof(heddle_logged)), Cells,
          offsetof(heddle_cells, log_at));
    B.CreateBr(Done);
  }

  /// Where the loop uses its log, and that is not full, adds an entry with what
  /// \p Make returns as its `what` and `value`, which may be null.
  void log(llvm::Value *Cells, llvm::Value *Address, llvm::Value *Base,
           llvm::function_ref<std::pair<llvm::Value *, llvm::Value *>()> Make) {
    llvm::Value *End = load(Pointer, Cells, offsetof(heddle_cells, log_end));
    llvm::BasicBlock *Used = newBlock("used"), *Unused = newBlock("unused");
    B.CreateCondBr(B.CreateIsNull(End), Unused, Used, Likely);
    B.SetInsertPoint(Used);
    llvm::Value *At = load(Pointer, Cells, offsetof(heddle_cells, log_at));
    require(B.CreateICmpNE(At, End), Slow);
    auto [What, Value] = Make();
    addToLog(Cells, At, Address, Base, What, Value);
    B.SetInsertPoint(Unused);
  }

  /// Where the notes lie that heddle_block::notes tells of.
  llvm::Value *firstNote(llvm::Value *Notes) {
    constexpr uint64_t Flags = HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED;
    return B.CreateIntToPtr(B.CreateAnd(Notes, ~Flags), Pointer);
  }

  /// True if notes have room for the number of a site.
  llvm::Value *isNotable(llvm::Value *Number) {
    return B.CreateICmpULT(B.CreateSub(Number, B.getInt64(1)),
                           B.getInt64(HEDDLE_NOTED_SITES - 1));
  }
};

} // namespace heddle

#endif
