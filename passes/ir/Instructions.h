//===- Instructions.h - Going through code ----------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_IR_INSTRUCTIONS_H
#define HEDDLE_PASSES_IR_INSTRUCTIONS_H

#include "ir/AssemblyNames.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <ranges>

namespace heddle {

/// Returns the instructions of \p Blocks, pointers to blocks, in this order.
template <typename Range> auto instructionsIn(Range &&Blocks) {
  return std::views::join(
      std::views::transform(std::forward<Range>(Blocks),
                            [](auto *Block) -> auto & { return *Block; }));
}

/// True if a sanitizer sees every access of \p F, also of iterations that are
/// not reached.
inline bool isSanitized(const llvm::Function &F) {
  using llvm::Attribute;
  return F.hasFnAttribute(Attribute::SanitizeAddress) ||
         F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
         F.hasFnAttribute(Attribute::SanitizeMemory) ||
         F.hasFnAttribute(Attribute::SanitizeMemTag) ||
         F.hasFnAttribute(Attribute::SanitizeThread);
}

/// Returns the address that \p I loads, stores or updates; null for others.
inline llvm::Value *accessedAddress(const llvm::Instruction &I) {
  if (auto *Update = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return const_cast<llvm::Value *>(Update->getPointerOperand());
  if (auto *Exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I))
    return const_cast<llvm::Value *>(Exchange->getPointerOperand());
  return const_cast<llvm::Value *>(llvm::getLoadStorePointerOperand(&I));
}

/// The variable of all threads if \p V is that of the current one; else \p V.
template <typename ValueOrConst> ValueOrConst *withoutThread(ValueOrConst *V) {
  auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address
             ? Call->getArgOperand(0)
             : V;
}

/// True if \p I is an intrinsic that reads or writes memory of the program,
/// such as a gather or a masked store; but for copies and fills. Fences,
/// prefetches and marks do neither.
inline bool isMemoryIntrinsic(const llvm::Instruction &I) {
  auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  if (!Call || Call->isAssumeLikeIntrinsic() ||
      llvm::isa<llvm::AnyMemIntrinsic, llvm::InstrProfInstBase>(Call) ||
      Call->getIntrinsicID() == llvm::Intrinsic::prefetch ||
      Call->getIntrinsicID() == llvm::Intrinsic::stackrestore)
    return false;
  const llvm::MemoryEffects Effects = Call->getMemoryEffects().getWithoutLoc(
      llvm::IRMemLocation::InaccessibleMem);
  // Where they are given no address, those that may do anything are fences.
  const bool HasAddress = llvm::any_of(Call->args(), [](const llvm::Use &U) {
    return U->getType()->isPtrOrPtrVectorTy();
  });
  return !Effects.doesNotAccessMemory() &&
         (HasAddress || Effects.onlyReadsMemory() ||
          Effects.onlyWritesMemory());
}

/// Returns the function that \p I calls, or null if it is not known.
inline llvm::Function *calleeOf(const llvm::Instruction &I) {
  auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  return Call ? Call->getCalledFunction() : nullptr;
}

/// Returns the name of that function; empty if there is none.
inline llvm::StringRef calleeName(const llvm::Instruction &I) {
  const llvm::Function *Callee = calleeOf(I);
  return Callee ? Callee->getName() : llvm::StringRef();
}

/// Returns the function that \p I calls if its body is what will run; or null.
inline llvm::Function *definedCallee(const llvm::Instruction &I) {
  llvm::Function *Callee = calleeOf(I);
  return Callee && !Callee->isDeclaration() && !Callee->isInterposable()
             ? Callee
             : nullptr;
}

/// True for operator new and delete in expressions and containers of C++,
/// unless they are defined here, be it for want of another definition. They may
/// keep accounts, but change no pointer that the program has in a variable of
/// its own.
inline bool isNewOrDelete(const llvm::CallBase &Call) {
  const llvm::StringRef Name = calleeName(Call);
  const llvm::Function *Callee = calleeOf(Call);
  return Callee && Callee->isDeclaration() &&
         Call.hasFnAttr(llvm::Attribute::Builtin) &&
         (Name.starts_with("_Znw") || Name.starts_with("_Zna") ||
          Name.starts_with("_Zdl") || Name.starts_with("_Zda"));
}

/// True if there must be no second copy of \p Call.
inline bool mustNotBeCopied(const llvm::CallBase &Call) {
  return Call.cannotDuplicate() || mayDefineName(Call);
}

/// Gives calls without a place in the source the place of \p F: the verifier
/// demands one of calls that may be inlined.
inline void locateCalls(llvm::Function &F) {
  llvm::DISubprogram *Subprogram = F.getSubprogram();
  if (!Subprogram)
    return;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (llvm::isa<llvm::CallBase>(I) && !I.getDebugLoc())
      I.setDebugLoc(llvm::DILocation::get(F.getContext(), 0, 0, Subprogram));
}

/// Returns the calls in \p F, but for invokes, of functions whose names
/// \p IsWanted.
inline llvm::SmallVector<llvm::CallInst *, 4>
findCalls(llvm::Function &F,
          llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  llvm::SmallVector<llvm::CallInst *, 4> Found;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
        Call && calleeOf(I) && IsWanted(calleeName(I)))
      Found.push_back(Call);
  return Found;
}

/// Returns the one of \p Calls that comes last on every path to \p Where, or
/// null.
inline llvm::CallInst *latestBefore(llvm::ArrayRef<llvm::CallInst *> Calls,
                                    const llvm::Instruction *Where,
                                    const llvm::DominatorTree &DT) {
  llvm::CallInst *Latest = nullptr;
  for (llvm::CallInst *Call : Calls)
    if (DT.dominates(Call, Where) && (!Latest || DT.dominates(Latest, Call)))
      Latest = Call;
  return Latest;
}

/// The next step of findOperand at an instruction.
enum class OperandWalk { Found, GoOn, Pass };

/// Returns an instruction that \p Look finds among those of \p L that \p V is
/// computed from, itself included; null if there is none. \p Look says whether
/// the search goes on through the operands of an instruction.
inline const llvm::Instruction *
findOperand(const llvm::Value *V, const llvm::Loop &L,
            llvm::function_ref<OperandWalk(const llvm::Instruction &)> Look) {
  llvm::SmallVector<const llvm::Value *> Worklist{V};
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  while (!Worklist.empty()) {
    auto *I = llvm::dyn_cast<llvm::Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    const OperandWalk Next = Look(*I);
    if (Next == OperandWalk::Found)
      return I;
    if (Next == OperandWalk::GoOn)
      append_range(Worklist, I->operand_values());
  }
  return nullptr;
}

/// True if \p V is computed from \p Phi, a variable of \p L, in one iteration.
inline bool dependsOnVariable(const llvm::Value *V, const llvm::PHINode &Phi,
                              const llvm::Loop &L) {
  return findOperand(V, L, [&](const llvm::Instruction &I) {
    if (&I == &Phi)
      return OperandWalk::Found;
    return llvm::isa<llvm::PHINode>(I) && I.getParent() == L.getHeader()
               ? OperandWalk::Pass
               : OperandWalk::GoOn;
  });
}

/// The block at whose end \p I has a value. A call that throws has none.
inline llvm::BasicBlock *blockWithValue(llvm::Instruction &I) {
  auto *Invoke = llvm::dyn_cast<llvm::InvokeInst>(&I);
  return Invoke ? Invoke->getNormalDest() : I.getParent();
}

} // namespace heddle

#endif
