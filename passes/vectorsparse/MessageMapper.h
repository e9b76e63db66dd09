//===- MessageMapper.h - The messages of edges, in MLIR ---------*- C++ -*-===//
//
// The message slice is mapped on demand, backwards from the requested value.
// Control flow becomes conditions, and loads under a condition are gathered
// under it.
//
// Flags by which wrong values become poison are not copied, except those of
// floating point arithmetic: lanes without an edge have arbitrary values.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_MESSAGEMAPPER_H
#define HEDDLE_PASSES_VECTORSPARSE_MESSAGEMAPPER_H

#include "loop/Refusal.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "vectorsparse/PullBody.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace heddle {

/// Maps values of a loop to the body of a heddle.pull. A value that cannot be
/// mapped gives null, and the reason.
class MessageMapper {
public:
  using Chain = llvm::SmallPtrSet<const llvm::Value *, 8>;

  /// Values in \p Combined depend on the value that has been combined so far.
  MessageMapper(mlir::MLIRContext &Context, const PullLoop &Loop,
                const Chain &Combined);

  mlir::ImplicitLocOpBuilder B;
  std::unique_ptr<mlir::Block> Block = std::make_unique<mlir::Block>();
  llvm::SmallVector<PullCapture> Captures;
  /// Why something could not be mapped, for the first such thing.
  std::string Reason;

  mlir::Value map(llvm::Value *V);

  /// Returns the condition under which an edge goes from \p From to \p To, null
  /// if always; nullopt if it could not be mapped.
  std::optional<mlir::Value> conditionOf(const llvm::BasicBlock *From,
                                         const llvm::BasicBlock *To);

  mlir::Value constantBit(bool Bit);
  /// Combines conditions by a select, so that no lane depends on \p Second
  /// unless \p First holds. A null condition always holds.
  mlir::Value bothHold(mlir::Value First, mlir::Value Second);
  mlir::Value invert(mlir::Value Condition);

  bool refuse(RefusalKind Kind,
              std::initializer_list<std::string> Arguments = {});

private:
  using Steps = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;

  const PullLoop &Loop;
  const Chain &Combined;
  const llvm::DataLayout &DL;
  llvm::DominatorTree Dominators;
  llvm::PostDominatorTree PostDominators;
  llvm::DenseMap<const llvm::Value *, mlir::Value> Mapped;
  llvm::DenseMap<const llvm::BasicBlock *, mlir::Value> BlockConditions;
  llvm::DenseMap<mlir::Value, mlir::Value> Inverted;

  mlir::Value none(RefusalKind Kind,
                   std::initializer_list<std::string> Arguments = {});
  bool addParameter(llvm::LoadInst &Load);
  std::optional<mlir::Value> conditionOf(const llvm::BasicBlock *Block);
  mlir::Value capture(llvm::Value *Invariant, int64_t Offset, mlir::Type Type);
  mlir::Value mapConstant(llvm::Constant &C);
  mlir::Value mapInstruction(llvm::Instruction &I);
  mlir::Value mapPhi(llvm::PHINode &Phi);
  mlir::Value mapLoad(llvm::LoadInst &Load);
  static void addStep(Steps &Steps, llvm::Value *Variable,
                      llvm::APInt Distance);
  mlir::Value mapIndex(const Steps &Steps, int64_t Bytes);
  bool isNeighbour(const llvm::Instruction &I) const;
  bool makeDivisible(const llvm::Instruction &Division, mlir::Value &Divisor);
};

} // namespace heddle

#endif
