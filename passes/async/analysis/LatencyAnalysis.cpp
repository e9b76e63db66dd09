//===- LatencyAnalysis.cpp - Which accesses wait for memory ---------------===//

#include "async/analysis/LatencyAnalysis.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// The most bytes of one request, as in amu.h.
static constexpr uint64_t MostCopiedBytes = 4 << 10;

static bool isRegular(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                      bool Masked = false);

/// True if \p Recurrence keeps neighbours close, even if it is \p Masked.
static bool isRegularRecurrence(const SCEVAddRecExpr *Recurrence, const Loop &L,
                                ScalarEvolution &SE, bool Masked) {
  const SCEV *Step = Recurrence->getStepRecurrence(SE);
  if (!SE.isLoopInvariant(Step, &L))
    return false;
  auto *Constant = dyn_cast<SCEVConstant>(Step);
  const bool Scatters =
      Masked && Constant &&
      Constant->getAPInt().abs().ugt(tunable::ScatterStepBytes);
  return !Scatters && isRegular(Recurrence->getStart(), L, SE, Masked);
}

/// True if the hardware sees a pattern in \p S: affine recurrences over \p L
/// and its inner loops, truncated and scaled so that neighbours stay close.
static bool isRegular(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                      bool Masked) {
  if (SE.isLoopInvariant(S, &L))
    return true;
  switch (S->getSCEVType()) {
  case scAddRecExpr:
    return isRegularRecurrence(cast<SCEVAddRecExpr>(S), L, SE, Masked);
  case scTruncate:
  case scZeroExtend:
    Masked = true;
    break;
  case scSignExtend:
    Masked = false;
    break;
  case scPtrToInt:
  case scUDivExpr:
  case scAddExpr:
  case scMulExpr:
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    break;
  default:
    return false;
  }
  return all_of(S->operands(), [&](const SCEV *Operand) {
    return isRegular(Operand, L, SE, Masked);
  });
}

/// True if \p S moves through memory at a fixed small stride in an inner loop,
/// whatever its start.
static bool isStream(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                     unsigned LineBytes) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  if (!Recurrence || Recurrence->getLoop() == &L ||
      !L.contains(Recurrence->getLoop()))
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
  return Step && Step->getAPInt().abs().ule(LineBytes);
}

Align Access::alignment() const {
  return isa<LoadInst, StoreInst>(I) ? getLoadStoreAlignment(I) : Align(1);
}

LatencyAnalysis::LatencyAnalysis(const LoopContext &C, bool OnlyFar)
    : L(C.L), LI(C.LI), SE(C.SE), Frames(C), OnlyFar(OnlyFar),
      LineBytes(lineBytes(C.TTI)) {
  ReversePostOrderTraversal<BasicBlock *> RPO(L.getHeader());
  for (BasicBlock *Block : RPO)
    if (L.contains(Block))
      for (Instruction &I : *Block)
        addAccess(I);
  // Consecutive streams, as the rows of a matrix, are one stream.
  for (Access &A : Accesses)
    if (A.Kind == AddressKind::StreamStart && depth(A.Address) == 0) {
      A.Kind = AddressKind::Affine;
      Depths.clear();
    }
  for (Access &A : Accesses)
    A.Depth = depth(A.Address);
}

const Access *LatencyAnalysis::find(const Instruction *I) const {
  auto Found = Index.find(I);
  assert((Found == Index.end() || Accesses[Found->second].I == I) &&
         "the index leads to the access");
  return Found == Index.end() ? nullptr : &Accesses[Found->second];
}

void LatencyAnalysis::addAccess(Instruction &I) {
  if (Value *Object = farObject(I))
    return addFarObject(cast<MemIntrinsic>(I), *Object);
  Value *Address = accessedAddress(I);
  if (!Address)
    return;
  Index[&I] = Accesses.size();
  Accesses.push_back(
      {&I, Address,
       I.getDataLayout().getTypeStoreSize(I.getAccessType()).getFixedValue(),
       !isa<LoadInst>(I),
       isFar(Address) ? AddressKind::Irregular : classify(Address), 0,
       I.hasMetadata(RemoteMetadata),
       I.hasMetadata(NearMetadata) || (OnlyFar && !isFar(Address)),
       I.hasMetadata(VisitedMetadata)});
  if (const MDNode *Reach = I.getMetadata(ReachMetadata)) {
    auto Number = [&](unsigned N) {
      return mdconst::extract<ConstantInt>(Reach->getOperand(N))
          ->getSExtValue();
    };
    Accesses.back().Least = Number(0);
    Accesses.back().Most = Number(1);
  }
}

void LatencyAnalysis::addFarObject(MemIntrinsic &I, Value &Address) {
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  if (!Length || Length->isZero() || Length->getValue().ugt(MostCopiedBytes))
    return;
  Index[&I] = Accesses.size();
  Accesses.push_back({&I, &Address, Length->getZExtValue(),
                      &Address == I.getRawDest(), AddressKind::Irregular, 0,
                      false, false});
}

AddressKind LatencyAnalysis::classify(Value *Address) const {
  if (L.isLoopInvariant(Address))
    return AddressKind::Invariant;
  // The iteration has filled it in.
  if (Frames.isInOwn(Address))
    return AddressKind::Affine;
  const Value *Object = getUnderlyingObject(Address);
  const DataLayout &DL = L.getHeader()->getDataLayout();
  if (auto *Alloca = dyn_cast<AllocaInst>(Object)) {
    std::optional<TypeSize> Size = Alloca->getAllocationSize(DL);
    if (Size && !Size->isScalable() &&
        Size->getFixedValue() <= tunable::SmallObjectBytes)
      return AddressKind::Affine;
  }
  if (auto *Global = dyn_cast<GlobalVariable>(Object))
    if (Global->getValueType()->isSized() &&
        (Global->hasDefinitiveInitializer() || Global->hasInitializer()) &&
        DL.getTypeAllocSize(Global->getValueType()).getFixedValue() <=
            tunable::SmallObjectBytes)
      return AddressKind::Affine;
  const SCEV *S = SE.getSCEV(Address);
  if (isRegular(S, L, SE))
    return AddressKind::Affine;
  return isStream(S, L, SE, LineBytes) ? AddressKind::StreamStart
                                       : AddressKind::Irregular;
}

unsigned LatencyAnalysis::depth(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return 0;
  if (auto *Phi = dyn_cast<PHINode>(I);
      Phi && Phi->getParent() == L.getHeader())
    return 0;
  // A value that is visited again while its operands are is carried by an inner
  // loop; its chain is endless if it contains a long-latency load.
  auto [Known, Inserted] = Depths.try_emplace(V, 0);
  if (!Inserted)
    return Known->second;
  auto Combine = [&] {
    unsigned Deepest = 0;
    for (Value *Operand : I->operands())
      Deepest = std::max(Deepest, depth(Operand));
    for (const Value *Stored : Frames.kept(I))
      Deepest = std::max(Deepest, depth(const_cast<Value *>(Stored)));
    if (isUnpredictable(I))
      Deepest = std::min(Deepest + 1, EndlessChain);
    return Deepest;
  };
  Depths[V] = Combine();
  if (auto *Phi = dyn_cast<PHINode>(I); Phi && Depths[V] > 0 && isChased(*Phi))
    Depths[V] = EndlessChain;
  return Depths[V];
}

/// True if \p From depends on \p Phi within the loop \p Inner.
static bool dependsOn(const Value *From, const PHINode &Phi,
                      const Loop &Inner) {
  return findOperand(From, Inner, [&](const Instruction &I) {
    return &I == &Phi ? OperandWalk::Found : OperandWalk::GoOn;
  });
}

bool LatencyAnalysis::isChased(const PHINode &Phi) const {
  Loop *Inner = LI.getLoopFor(Phi.getParent());
  assert(Inner && L.contains(Inner) && "asked about values of the loop only");
  if (Inner->getHeader() != Phi.getParent())
    return false;
  auto IsLink = [&](const Instruction &I) {
    return isa<LoadInst>(I) && isUnpredictable(&I) && dependsOn(&I, Phi, *Inner)
               ? OperandWalk::Found
               : OperandWalk::GoOn;
  };
  return any_of(Phi.blocks(), [&](const BasicBlock *From) {
    return Inner->contains(From) &&
           findOperand(Phi.getIncomingValueForBlock(From), *Inner, IsLink);
  });
}

const PHINode *heddle::findChased(const Loop &L) {
  for (const PHINode &Phi : L.getHeader()->phis()) {
    auto IsLink = [&](const Instruction &I) {
      return isa<LoadInst>(I) && dependsOn(&I, Phi, L) ? OperandWalk::Found
                                                       : OperandWalk::GoOn;
    };
    if (findOperand(Phi.getIncomingValueForBlock(L.getLoopLatch()), L, IsLink))
      return &Phi;
  }
  return nullptr;
}
