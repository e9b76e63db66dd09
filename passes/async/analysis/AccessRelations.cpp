//===- AccessRelations.cpp - How accesses of a loop relate ----------------===//

#include "async/analysis/AccessRelations.h"
#include "async/analysis/ObjectAddress.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

bool heddle::flowsInto(const Instruction *Load, const Instruction *Store,
                       const Loop &L, const FrameValues &Frames) {
  SmallVector<const Value *> Worklist;
  if (auto *S = dyn_cast<StoreInst>(Store))
    Worklist.push_back(S->getValueOperand());
  else
    append_range(Worklist, Store->operand_values());
  SmallPtrSet<const Value *, 32> Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I == Load)
      return true;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      continue;
    append_range(Worklist, I->operand_values());
    append_range(Worklist, Frames.saved(I));
  }
  return false;
}

/// True if \p A and \p B are instructions of one kind, so that equal operands
/// make equal values.
static bool sameOperation(const Instruction *A, const Instruction *B) {
  if (!A || !B || A->getOpcode() != B->getOpcode() ||
      A->getType() != B->getType() ||
      A->getNumOperands() != B->getNumOperands() ||
      !isa<GetElementPtrInst, CastInst, BinaryOperator, LoadInst, FreezeInst>(
          A))
    return false;
  auto *Gep = dyn_cast<GetElementPtrInst>(A);
  return !Gep || Gep->getSourceElementType() ==
                     cast<GetElementPtrInst>(B)->getSourceElementType();
}

static bool sameFrom(const Value *A, const Value *B, const FrameValues &Frames,
                     unsigned Depth) {
  A = Frames.origin(A);
  B = Frames.origin(B);
  if (A == B)
    return true;
  auto *IA = dyn_cast<Instruction>(A), *IB = dyn_cast<Instruction>(B);
  if (Depth == tunable::ExpressionDepth)
    return true;
  for (auto [Merge, Other] : {std::pair(IB, A), std::pair(IA, B)}) {
    auto IsOther = [&, Other = Other](const Value *Way) {
      return sameFrom(Other, Way, Frames, Depth + 1);
    };
    if (Merge && isa<PHINode, SelectInst>(Merge))
      return any_of(drop_begin(Merge->operand_values(), isa<SelectInst>(Merge)),
                    IsOther);
    if (Merge && !Frames.saved(Merge).empty())
      return any_of(Frames.saved(Merge), IsOther);
  }
  return sameOperation(IA, IB) &&
         all_of(zip(IA->operands(), IB->operands()), [&](auto Pair) {
           return sameFrom(std::get<0>(Pair).get(), std::get<1>(Pair).get(),
                           Frames, Depth + 1);
         });
}

bool heddle::sameExpression(const Value *A, const Value *B,
                            const FrameValues &Frames) {
  return sameFrom(A, B, Frames, 0);
}

bool heddle::sameAddress(Value *A, Value *B, ScalarEvolution &SE,
                         const FrameValues &Frames) {
  return A == B || SE.getSCEV(A) == SE.getSCEV(B) ||
         sameExpression(A, B, Frames);
}

bool heddle::areDifferentFields(const Access &A, const Access &B,
                                const FrameValues &Frames) {
  const ObjectAddress First(A.Address), Second(B.Address);
  if (Frames.origin(First.base()) != Frames.origin(Second.base()))
    return false;
  uint64_t Stride = 0;
  for (const ObjectAddress *Address : {&First, &Second})
    for (auto &[Index, Scale] : Address->variables())
      Stride = std::gcd(Stride, uint64_t(std::abs(Scale)));
  int64_t Apart = Second.constant() - First.constant();
  if (!Stride)
    return Apart >= int64_t(A.Bytes) || -Apart >= int64_t(B.Bytes);
  Apart %= int64_t(Stride);
  const uint64_t Behind = uint64_t(Apart) + (Apart < 0 ? Stride : 0);
  return Behind >= A.Bytes && Stride - Behind >= B.Bytes;
}

bool heddle::isLocal(Value *Address, const TaskLocals &Locals,
                     const FrameValues &Frames) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  SmallPtrSet<const Value *, 8> Seen;
  while (!Objects.empty()) {
    const Value *Object = Objects.pop_back_val();
    if (!Seen.insert(Object).second || isa<UndefValue>(Object))
      continue;
    ArrayRef<const Value *> Saved = Frames.saved(Object);
    for (const Value *Way : Saved)
      getUnderlyingObjects(Way, Objects);
    auto *Alloca = dyn_cast<AllocaInst>(Object);
    if (Saved.empty() && !(Alloca && Locals.contains(Alloca)))
      return false;
  }
  return true;
}

bool heddle::distinctPerIteration(Value *Address, uint64_t Bytes, const Loop &L,
                                  ScalarEvolution &SE) {
  const APInt *Step;
  return match(SE.getSCEV(Address),
               m_scev_AffineAddRec(m_SCEV(), m_scev_APInt(Step),
                                   m_SpecificLoop(&L))) &&
         Step->abs().uge(Bytes);
}

bool heddle::writtenElsewhere(Value *Address, const Loop &L, AAResults &AA) {
  MemoryLocation Object =
      MemoryLocation::getBeforeOrAfter(getUnderlyingObject(Address));
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd())
      continue;
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Store->getPointerOperand() == Address)
        continue;
    if (isModSet(AA.getModRefInfo(&I, Object)))
      return true;
  }
  return false;
}

SmallVector<Instruction *> heddle::accessesOf(const Value *Address,
                                              const Loop &L, AAResults &AA) {
  const Value *Object = getUnderlyingObject(Address);
  MemoryLocation Whole = MemoryLocation::getBeforeOrAfter(Object);
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd())
      continue;
    std::optional<MemoryLocation> Place = MemoryLocation::getOrNone(&I);
    if (Place ? getUnderlyingObject(Place->Ptr) == Object
              : isModOrRefSet(AA.getModRefInfo(&I, Whole)))
      Accesses.push_back(&I);
  }
  return Accesses;
}

bool heddle::acquires(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isAcquireOrStronger(Load->getOrdering());
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isAcquireOrStronger(Update->getOrdering());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && isAcquireOrStronger(Exchange->getMergedOrdering());
}

bool heddle::reaches(const Instruction *From, const Instruction *To,
                     const Instruction *Avoiding, const Loop &L) {
  assert(L.contains(From) && "begins in an iteration");
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *> Worklist;
  const BasicBlock *Block = From->getParent();
  BasicBlock::const_iterator It = std::next(From->getIterator());
  while (true) {
    bool Stopped = false;
    for (; It != Block->end() && !Stopped; ++It) {
      if (&*It == To)
        return true;
      Stopped = &*It == Avoiding;
    }
    if (!Stopped)
      for (const BasicBlock *Successor : successors(Block))
        if (L.contains(Successor) && Successor != L.getHeader() &&
            Seen.insert(Successor).second)
          Worklist.push_back(Successor);
    if (Worklist.empty())
      return false;
    Block = Worklist.pop_back_val();
    It = Block->begin();
  }
}
