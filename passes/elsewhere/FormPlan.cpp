//===- FormPlan.cpp - Where a function is suspended -----------------------===//

#include "elsewhere/FormPlan.h"
#include "elsewhere/FormProtocol.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

static constexpr int64_t LineBytes = 64;
static constexpr unsigned MostRequests = 6;
static constexpr unsigned MostCuts = 8;

static bool mayBeCalled(const CallBase &Call) {
  if (auto *Known = dyn_cast<IntrinsicInst>(&Call);
      Known && Known->isAssumeLikeIntrinsic())
    return true;
  return isa<CallInst>(Call) && Call.getCalledFunction() &&
         Call.onlyReadsMemory() && Call.doesNotThrow() &&
         Call.hasFnAttr(Attribute::WillReturn) && !Call.isConvergent() &&
         !Call.hasOperandBundles() && !Call.isMustTailCall() &&
         !Call.isStrictFP() && !Call.hasFnAttr(Attribute::ReturnsTwice);
}

/// True for values that need not be kept: structures are taken apart at once.
static bool hasPlainType(const Type &T) {
  return T.isVoidTy() || T.isLabelTy() || isPlainNumber(T) ||
         T.isMetadataTy() || T.isStructTy();
}

bool heddle::mayBeCut(const Function &F) {
  return all_of(instructions(F), [](const Instruction &I) {
    if (I.isDebugOrPseudoInst())
      return true;
    if (!hasPlainType(*I.getType()) ||
        any_of(I.operand_values(), [](const Value *Operand) {
          return Operand->getType()->isVectorTy() ||
                 Operand->getType()->isTokenTy();
        }))
      return false;
    if (auto *Call = dyn_cast<CallBase>(&I))
      return mayBeCalled(*Call);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && isPlainNumber(*Load->getType()) &&
             !Load->getPointerAddressSpace();
    if (I.isTerminator())
      return isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(I);
    return !I.mayReadOrWriteMemory() && !I.isEHPad() && !isa<AllocaInst>(I);
  });
}

namespace {

/// What a value is found by.
struct Origin {
  uint64_t Arguments = 0;
  /// By what has been read at a place that numbers choose, or by a walk.
  bool IsLoaded = false;

  void add(const Origin &Other) {
    Arguments |= Other.Arguments;
    IsLoaded |= Other.IsLoaded;
  }
};

class Planner {
  Function &F;
  const DominatorTree &DT;
  const LoopInfo &LI;
  const DataLayout &DL;
  DenseMap<const Value *, Origin> Origins;
  SmallVector<FormCut, 4> Cuts;
  /// Something waits in a loop, or for what has been waited for.
  bool IsWorthwhile = false;

public:
  Planner(Function &F, const DominatorTree &DT, const LoopInfo &LI)
      : F(F), DT(DT), LI(LI), DL(F.getDataLayout()) {}

  SmallVector<FormCut, 4> run() {
    const ReversePostOrderTraversal<Function *> Order(&F);
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        Origins[&I] = originOf(I);
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (auto *Load = dyn_cast<LoadInst>(&I))
          add(*Load);
    if (IsWorthwhile)
      for (BasicBlock &Block : F)
        if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
          addResult(*Return);
    if (!IsWorthwhile || Cuts.size() > MostCuts)
      Cuts.clear();
    return std::move(Cuts);
  }

private:
  Origin of(const Value *V) const {
    if (auto *A = dyn_cast<Argument>(V))
      return {.Arguments = uint64_t(1) << A->getArgNo()};
    return Origins.lookup(V);
  }

  /// Operands of all but phis have been looked at before.
  Origin originOf(const Instruction &I) const {
    Origin From;
    // Which way has been taken depends on anything.
    if (isa<PHINode>(I))
      return {.Arguments = (uint64_t(1) << F.arg_size()) - 1,
              .IsLoaded = LI.isLoopHeader(I.getParent())};
    for (const Value *Operand : I.operand_values())
      From.add(of(Operand));
    // Fields of objects that are handed over, such as where a table begins, are
    // the same in most calls.
    From.IsLoaded |= isa<LoadInst, CallBase>(I) && !followsFromPointers(From);
    return From;
  }

  /// True for state that is found by no number, such as the beginning of a
  /// table.
  bool followsFromPointers(const Origin &From) const {
    return none_of(F.args(), [&](const Argument &A) {
      return !A.getType()->isPointerTy() &&
             (From.Arguments >> A.getArgNo() & 1);
    });
  }

  /// True if \p Phi advances by a constant in \p L, be it around an array.
  static bool isCounter(const PHINode &Phi, const Loop &L) {
    const BasicBlock *Latch = L.getLoopLatch();
    const Value *Next = Latch ? Phi.getIncomingValueForBlock(Latch) : nullptr;
    while (auto *I = dyn_cast_or_null<Instruction>(Next)) {
      if (I->getOpcode() == Instruction::And ||
          I->getOpcode() == Instruction::URem) {
        if (!L.isLoopInvariant(I->getOperand(1)))
          return false;
        Next = I->getOperand(0);
      } else if (auto *Choice = dyn_cast<SelectInst>(I)) {
        const bool IsFirst = L.isLoopInvariant(Choice->getTrueValue());
        Next = IsFirst ? Choice->getFalseValue() : Choice->getTrueValue();
        if (!IsFirst && !L.isLoopInvariant(Choice->getFalseValue()))
          return false;
      } else if (I->getOpcode() == Instruction::Add) {
        return I->getOperand(0) == &Phi && isa<ConstantInt>(I->getOperand(1));
      } else {
        auto *Step = dyn_cast<GetElementPtrInst>(I);
        return Step && Step->getPointerOperand() == &Phi &&
               Step->hasAllConstantIndices();
      }
    }
    return false;
  }

  /// Adds the instructions in \p L that \p V is computed from, itself included,
  /// to \p Slice. False if it does not follow from a counter.
  static bool follows(Value *V, const Loop &L,
                      SmallVectorImpl<Instruction *> &Slice, bool &Counts) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I) || is_contained(Slice, I))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      Counts = true;
      return Phi->getParent() == L.getHeader() && isCounter(*Phi, L);
    }
    switch (I->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::And:
    case Instruction::GetElementPtr:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      break;
    default:
      return false;
    }
    for (Value *Operand : I->operand_values())
      if (!follows(Operand, L, Slice, Counts))
        return false;
    Slice.push_back(I);
    return Slice.size() < 16;
  }

  /// What \p V, or the first value of a counter, is found by in front of \p L.
  Origin atFirst(const Value *V, const Loop &L) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return of(V);
    auto *Phi = dyn_cast<PHINode>(I);
    return Phi ? of(Phi->getIncomingValueForBlock(L.getLoopPredecessor()))
               : Origin();
  }

  /// True if \p Load reads, at addresses that follow from a counter, what a
  /// request in front of its loop begins with.
  bool addInFront(LoadInst &Load, const Loop &L, Value *Object) {
    SmallVector<Instruction *, 4> Slice;
    bool Counts = false;
    BasicBlock *Preheader = L.getLoopPredecessor();
    if (!Preheader || !follows(Load.getPointerOperand(), L, Slice, Counts) ||
        !Counts)
      return false;
    for (const FormCut &Cut : Cuts)
      if (Cut.Requests.front().InFrontOf == &L && Cut.Object == Object)
        return true;
    Origin From;
    for (const Instruction *I : Slice)
      for (const Value *Operand : I->operand_values())
        From.add(atFirst(Operand, L));
    From.add(atFirst(Load.getPointerOperand(), L));
    FormRequest Request{Load.getPointerOperand(), 0, Slice, &L};
    FormRequest Next = Request;
    Next.Offset = LineBytes;
    Instruction *Before = Preheader->getTerminator();
    for (FormCut &Cut : Cuts)
      if (Cut.Before == Before && Cut.Requests.size() + 2 <= MostRequests) {
        Cut.Requests.append({Request, Next});
        Cut.Arguments |= From.Arguments;
        return true;
      }
    Cuts.push_back({.Before = Before,
                    .Requests = {Request, Next},
                    .Object = Object,
                    .Arguments = From.Arguments,
                    .IsRead = Load.getParent() == L.getHeader() &&
                              L.getLoopPreheader() != nullptr});
    IsWorthwhile |= LI.getLoopFor(Preheader) || From.IsLoaded;
    return true;
  }

  /// True if a suspension in front of \p Load has requested what it reads, at
  /// \p Offset of \p Object, or does so from now on.
  bool join(LoadInst &Load, Value *Object, int64_t Offset) {
    for (FormCut &Cut : Cuts) {
      if (Cut.Requests.front().InFrontOf || !DT.dominates(Cut.Before, &Load))
        continue;
      if (any_of(Cut.Requests, [&](const FormRequest &Known) {
            APInt At(64, 0);
            return Known.Address->stripAndAccumulateConstantOffsets(
                       DL, At, true) == Object &&
                   std::abs(At.getSExtValue() + Known.Offset - Offset) <=
                       form::NearBytes;
          }))
        return true;
      const bool IsThere = Object == Cut.Object || !isa<Instruction>(Object) ||
                           DT.dominates(cast<Instruction>(Object), Cut.Before);
      if (!IsThere || Cut.Requests.size() == MostRequests ||
          (Object != Cut.Object && Load.getParent() != Cut.Before->getParent()))
        continue;
      Cut.Requests.push_back({Object, Offset});
      if (Object != Cut.Object) {
        Cut.Arguments |= of(Object).Arguments;
        Cut.Walk = nullptr;
      }
      return true;
    }
    return false;
  }

  void add(LoadInst &Load) {
    Value *Address = Load.getPointerOperand();
    if (!of(Address).Arguments)
      return;
    auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
    if (Variable && Variable->isConstant())
      return;
    APInt Offset(64, 0);
    Value *Object =
        Address->stripAndAccumulateConstantOffsets(DL, Offset, true);
    const Loop *L = LI.getLoopFor(Load.getParent());
    if ((L && addInFront(Load, *L, Object)) ||
        join(Load, Object, Offset.getSExtValue()))
      return;
    FormCut Cut{.Before = &Load,
                .Requests = {{Address, 0}},
                .Object = Object,
                .Arguments = of(Object).Arguments};
    auto *Walk = dyn_cast<PHINode>(Object);
    const Loop *Around = Walk ? LI.getLoopFor(Walk->getParent()) : nullptr;
    Value *Begin =
        Around && Around->getHeader() == Walk->getParent() &&
                Around->getLoopPredecessor()
            ? Walk->getIncomingValueForBlock(Around->getLoopPredecessor())
            : nullptr;
    // What is chosen by a number, as by a hash, is another one in each call.
    if (Begin && followsFromPointers(of(Begin))) {
      Cut.Walk = Walk;
      Cut.Begin = Begin;
      Cut.Arguments = of(Begin).Arguments;
    }
    IsWorthwhile |= L != nullptr || of(Object).IsLoaded;
    Cuts.push_back(std::move(Cut));
  }

  /// True if what \p V points to has been waited for where \p At is reached.
  bool isThere(const Value *V, const Instruction &At) const {
    if (isa<Constant, Argument>(V))
      return true;
    auto *Merge = dyn_cast<PHINode>(V);
    if (Merge &&
        none_of(Cuts, [&](const FormCut &Cut) { return Cut.Object == Merge; }))
      return !LI.isLoopHeader(Merge->getParent()) &&
             all_of(Merge->incoming_values(), [&](const Use &In) {
               return isThere(In,
                              *Merge->getIncomingBlock(In)->getTerminator());
             });
    return any_of(Cuts, [&](const FormCut &Cut) {
      return DT.dominates(Cut.Before, &At) &&
             any_of(Cut.Requests, [&](const FormRequest &Known) {
               APInt Offset(64, 0);
               return !Known.InFrontOf &&
                      Known.Address->stripAndAccumulateConstantOffsets(
                          DL, Offset, true) == V &&
                      Offset.getSExtValue() + Known.Offset <= form::NearBytes;
             });
    });
  }

  /// Callers find what the result points to without waiting.
  void addResult(ReturnInst &Return) {
    Value *Result = Return.getReturnValue();
    if (!Result->getType()->isPointerTy() || isThere(Result, Return))
      return;
    Cuts.push_back({.Before = &Return,
                    .Requests = {{Result, 0}},
                    .Object = Result,
                    .Arguments = of(Result).Arguments,
                    .IsRead = false,
                    .IsResult = true});
  }
};

} // namespace

SmallVector<FormCut, 4> heddle::planForm(Function &F, const DominatorTree &DT,
                                         const LoopInfo &LI) {
  assert(mayBeCut(F) && "only reads");
  return Planner(F, DT, LI).run();
}
