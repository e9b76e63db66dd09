//===- VariableClasses.cpp - Loop-carried variables as task context -------===//

#include "async/analysis/VariableClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

const LoopVariable *VariableClasses::find(const Value *Phi) const {
  for (const LoopVariable &V : Variables)
    if (V.Phi == Phi)
      return &V;
  return nullptr;
}

/// The name of \p V in the source, as far as debug information or, where the
/// compiler keeps it, the IR knows it.
static std::string sourceName(const Value *V) {
  if (auto *Global = dyn_cast<GlobalVariable>(V))
    return demangle(Global->getName());
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(const_cast<Value *>(V), Records);
  for (DbgVariableRecord *Record : Records)
    return Record->getVariable()->getName().str();
  return V->getName().split('.').first.str();
}

std::string heddle::describeVariable(const Value *V, StringRef Kind) {
  std::string Name = sourceName(V);
  if (Name.empty())
    Name = sourceName(getUnderlyingObject(V));
  bool Vowel = StringRef("aeiou").contains(Kind.front());
  return Name.empty() ? ((Vowel ? "an " : "a ") + Kind).str()
                      : ("the " + Kind + " '" + Name + "'").str();
}

SmallVector<Instruction *> heddle::accessesOf(const Value *Address,
                                              const Loop &L, AAResults &AA) {
  const Value *Object = getUnderlyingObject(Address);
  MemoryLocation Whole = MemoryLocation::getBeforeOrAfter(Object);
  SmallVector<Instruction *> Accesses;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd())
        continue;
      std::optional<MemoryLocation> Place = MemoryLocation::getOrNone(&I);
      if (Place ? getUnderlyingObject(Place->Ptr) == Object
                : isModOrRefSet(AA.getModRefInfo(&I, Whole)))
        Accesses.push_back(&I);
    }
  return Accesses;
}

namespace {

/// The operation of a commutative update. Subtraction counts as addition.
enum class Operation {
  None,
  Add,
  FAdd,
  Mul,
  FMul,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
  FMin,
  FMax,
  Assign
};

struct Update {
  Operation Op = Operation::None;
  /// Which operand is the current value.
  Value *Current = nullptr;
};

Operation minMaxOperation(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::smin:
    return Operation::SMin;
  case Intrinsic::smax:
    return Operation::SMax;
  case Intrinsic::umin:
    return Operation::UMin;
  case Intrinsic::umax:
    return Operation::UMax;
  case Intrinsic::minnum:
  case Intrinsic::minimum:
  case Intrinsic::minimumnum:
    return Operation::FMin;
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
  case Intrinsic::maximumnum:
    return Operation::FMax;
  default:
    return Operation::None;
  }
}

/// The update that \p I makes of chain value \p Current, if it is one.
Operation updateOf(const Instruction *I, const Value *Current) {
  auto OnlyOnce = [&] { return count(I->operand_values(), Current) == 1; };
  if (auto *Binary = dyn_cast<BinaryOperator>(I)) {
    if (!OnlyOnce())
      return Operation::None;
    bool Left = Binary->getOperand(0) == Current;
    switch (Binary->getOpcode()) {
    case Instruction::Add:
      return Operation::Add;
    case Instruction::Sub:
      return Left ? Operation::Add : Operation::None;
    case Instruction::FAdd:
      return Operation::FAdd;
    case Instruction::FSub:
      return Left ? Operation::FAdd : Operation::None;
    case Instruction::Mul:
      return Operation::Mul;
    case Instruction::FMul:
      return Operation::FMul;
    case Instruction::And:
      return Operation::And;
    case Instruction::Or:
      return Operation::Or;
    case Instruction::Xor:
      return Operation::Xor;
    default:
      return Operation::None;
    }
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
    if (!OnlyOnce())
      return Operation::None;
    Intrinsic::ID ID = Call->getIntrinsicID();
    if ((ID == Intrinsic::fmuladd || ID == Intrinsic::fma) &&
        Call->getArgOperand(2) == Current)
      return Operation::FAdd;
    return minMaxOperation(ID);
  }
  return Operation::None;
}

/// Recognises the shared variables: phis whose every use in the loop is an
/// update by one commutative operation.
class SharedChain {
  const LoopShape &Shape;
  PHINode *Phi;
  SharedUpdates &Updates;
  SetVector<Instruction *> Chain;
  Operation Op = Operation::None;
  Value *Assigned = nullptr;
  SmallPtrSet<Instruction *, 4> Lazy;

public:
  SharedChain(const LoopShape &Shape, PHINode *Phi, SharedUpdates &Updates)
      : Shape(Shape), Phi(Phi), Updates(Updates) {}

  bool recognise() {
    if (!collect())
      return false;
    // Every failed walk has made one more update lazy.
    for (unsigned Try = 0; Try <= Chain.size(); ++Try) {
      size_t LazyBefore = Lazy.size();
      if (walk()) {
        Updates.Chain.insert(Chain.begin(), Chain.end());
        return Op != Operation::None;
      }
      if (Lazy.size() == LazyBefore)
        return false;
    }
    return false;
  }

  bool isFloatingPoint() const {
    return Op == Operation::FAdd || Op == Operation::FMul;
  }

private:
  bool inChain(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Chain.contains(I);
  }

  bool setOperation(Operation New) {
    if (New == Operation::None || (Op != Operation::None && Op != New))
      return false;
    Op = New;
    return true;
  }

  bool setAssigned(Value *V) {
    if (!Shape.L->isLoopInvariant(V) || (Assigned && Assigned != V))
      return false;
    Assigned = V;
    return setOperation(Operation::Assign);
  }

  /// Grows the chain from the phi; false if some use is not an update.
  bool collect() {
    SmallVector<Instruction *> Worklist{Phi};
    Chain.insert(Phi);
    while (!Worklist.empty()) {
      Instruction *Current = Worklist.pop_back_val();
      for (User *U : Current->users()) {
        auto *I = cast<Instruction>(U);
        if (!Shape.L->contains(I)) {
          if (!isa<PHINode>(I))
            return false;
          continue;
        }
        if (!isa<PHINode, SelectInst>(I) && !setOperation(updateOf(I, Current)))
          return false;
        if (auto *Select = dyn_cast<SelectInst>(I))
          if (Select->getCondition() == Current)
            return false;
        if (Chain.insert(I))
          Worklist.push_back(I);
      }
    }
    return true;
  }

  /// Follows the current value through the body. False where what a phi merges
  /// is not the current value of its edge; then the update to blame has become
  /// lazy, if there is one.
  bool walk() {
    Updates = SharedUpdates();
    DenseMap<BasicBlock *, Value *> AtEnd;
    MapVector<BasicBlock *, Value *> Unmerged;
    ReversePostOrderTraversal<BasicBlock *> RPO(Shape.L->getHeader());
    for (BasicBlock *Block : RPO) {
      if (!Shape.L->contains(Block))
        continue;
      Value *Current = nullptr;
      if (Block == Shape.L->getHeader())
        Current = Phi;
      else {
        for (PHINode &P : Block->phis())
          if (inChain(&P)) {
            if (Current)
              return false;
            Current = &P;
          }
        if (!Current) {
          for (BasicBlock *Pred : predecessors(Block)) {
            Value *There = AtEnd.lookup(Pred);
            if (There && Current && There != Current)
              return false;
            if (There)
              Current = There;
          }
          Unmerged[Block] = Current;
        }
      }
      for (Instruction &I : *Block) {
        if (!Chain.contains(&I) || isa<PHINode>(I))
          continue;
        if (auto *Select = dyn_cast<SelectInst>(&I)) {
          if (!recordSelect(*Select, Current))
            return false;
          Current = Select;
        } else if (is_contained(I.operand_values(), Current)) {
          if (onlySelected(I) || Lazy.contains(&I))
            continue;
          Updates.Eager.push_back(&I);
          Current = &I;
        } else
          return false;
      }
      AtEnd[Block] = Current;
    }
    return checkBackEdges(Unmerged, AtEnd) && checkPhis(AtEnd) &&
           checkExit(AtEnd.lookup(Shape.Latch));
  }

  /// Makes \p Current lazy, an update that some edge does not take.
  void blame(Value *Current) {
    auto *Update = dyn_cast_or_null<Instruction>(Current);
    if (Update && !isa<PHINode, SelectInst>(Update) &&
        all_of(Update->users(),
               [&](User *U) { return isa<PHINode>(U) && inChain(U); }))
      Lazy.insert(Update);
  }

  /// An inner loop whose header merges nothing must not have updated anything
  /// by its latch: each round would start over.
  bool checkBackEdges(const MapVector<BasicBlock *, Value *> &Unmerged,
                      const DenseMap<BasicBlock *, Value *> &AtEnd) {
    for (auto [Block, Current] : Unmerged)
      for (BasicBlock *Pred : predecessors(Block))
        if (Value *There = AtEnd.lookup(Pred); There != Current) {
          blame(There);
          return false;
        }
    return true;
  }

  /// True if \p I is used by one select of the chain and nothing else.
  bool onlySelected(Instruction &I) const {
    return I.hasOneUse() && isa<SelectInst>(*I.user_begin()) &&
           inChain(*I.user_begin());
  }

  bool recordSelect(SelectInst &Select, Value *Current) {
    Value *True = Select.getTrueValue(), *False = Select.getFalseValue();
    Value *Other = True == Current ? False : True;
    if (True != Current && False != Current)
      return false;
    if (inChain(Other)) {
      auto *I = cast<Instruction>(Other);
      if (!onlySelected(*I) || isa<PHINode, SelectInst>(I) ||
          !is_contained(I->operand_values(), Current))
        return false;
    } else if (!setAssigned(Other))
      return false;
    Updates.Selects.push_back(&Select);
    return true;
  }

  bool checkPhis(const DenseMap<BasicBlock *, Value *> &AtEnd) {
    for (Instruction *I : Chain) {
      auto *P = dyn_cast<PHINode>(I);
      if (!P)
        continue;
      for (unsigned Edge = 0; Edge < P->getNumIncomingValues(); ++Edge) {
        BasicBlock *From = P->getIncomingBlock(Edge);
        Value *Incoming = P->getIncomingValue(Edge);
        if (!Shape.L->contains(From))
          continue;
        Value *Current = AtEnd.lookup(From);
        if (Incoming == Current)
          continue;
        auto *Next = dyn_cast<Instruction>(Incoming);
        if (!inChain(Incoming)) {
          if (!setAssigned(Incoming))
            return false;
        } else if (!Lazy.contains(Next) ||
                   !is_contained(Next->operand_values(), Current)) {
          blame(Current);
          return false;
        }
        Updates.Edges.push_back({P, From, Incoming});
      }
    }
    return true;
  }

  /// What the loop's users get must be the final value.
  bool checkExit(Value *Final) {
    for (Instruction *I : Chain)
      for (User *U : I->users())
        if (!Shape.L->contains(cast<Instruction>(U)) && I != Final)
          return false;
    return true;
  }
};

/// Collects what a launch must compute to know \p Root, or false if that waits
/// for the body.
class SliceBuilder {
  const LoopShape &Shape;
  const DominatorTree &DT;
  AAResults &AA;
  const SmallPtrSetImpl<PHINode *> &Available;
  SetVector<Instruction *> &Slice;

public:
  SliceBuilder(const LoopContext &C, const LoopShape &Shape,
               const SmallPtrSetImpl<PHINode *> &Available,
               SetVector<Instruction *> &Slice)
      : Shape(Shape), DT(C.DT), AA(C.AA), Available(Available), Slice(Slice) {}

  bool add(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Shape.L->contains(I) || Slice.contains(I))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Available.contains(Phi);
    if (!movable(*I))
      return false;
    for (Value *Operand : I->operands())
      if (!add(Operand))
        return false;
    Slice.insert(I);
    return true;
  }

private:
  bool movable(Instruction &I) const {
    if (!DT.dominates(I.getParent(), Shape.Latch))
      return false;
    if (I.mayHaveSideEffects() || I.isTerminator() || isa<InvokeInst>(I))
      return false;
    if (!I.mayReadFromMemory())
      return true;
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!Load->isSimple())
        return false;
      return !clobbered(MemoryLocation::get(Load));
    }
    return false;
  }

  bool clobbered(const MemoryLocation &Location) const {
    for (BasicBlock *Block : Shape.L->blocks())
      for (Instruction &I : *Block)
        if (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Location)))
          return true;
    return false;
  }
};

bool isInduction(PHINode &Phi, const LoopShape &Shape, ScalarEvolution &SE,
                 const SCEV *&Step) {
  if (!SE.isSCEVable(Phi.getType()))
    return false;
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  if (!Recurrence || Recurrence->getLoop() != Shape.L ||
      !Recurrence->isAffine())
    return false;
  Step = Recurrence->getStepRecurrence(SE);
  return SE.isLoopInvariant(Step, Shape.L);
}

} // namespace

/// A load that \p V is computed from in its iteration, of one place that all
/// iterations write; null if there is none.
static const Instruction *readsWhatIterationsWrite(Value *V, const Loop &L,
                                                   ScalarEvolution &SE) {
  SmallVector<Value *> Worklist{V};
  SmallPtrSet<Value *, 16> Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second ||
        (isa<PHINode>(I) && I->getParent() == L.getHeader()))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      const SCEV *Place = SE.getSCEV(Load->getPointerOperand());
      if (SE.isLoopInvariant(Place, &L))
        for (BasicBlock *Block : L.blocks())
          for (Instruction &Writer : *Block)
            if (auto *Store = dyn_cast<StoreInst>(&Writer);
                Store && SE.getSCEV(Store->getPointerOperand()) == Place)
              return I;
    }
    append_range(Worklist, I->operand_values());
  }
  return nullptr;
}

bool heddle::isCommutativeUpdate(const Instruction *Update,
                                 const Value *Current) {
  return updateOf(Update, Current) != Operation::None;
}

MaybeRefusal
heddle::classifyVariables(const LoopContext &C, const LoopShape &Shape,
                          function_ref<bool(const Instruction *)> IsLongLatency,
                          VariableClasses &Classes) {
  SmallPtrSet<PHINode *, 8> AtLaunch;
  for (PHINode &Phi : Shape.L->getHeader()->phis()) {
    LoopVariable V{&Phi,
                   VariableClass::Ordered,
                   Phi.getIncomingValueForBlock(Shape.Latch),
                   nullptr,
                   {}};
    if (isInduction(Phi, Shape, C.SE, V.Step)) {
      V.Class = VariableClass::Induction;
      AtLaunch.insert(&Phi);
    } else {
      SharedChain Chain(Shape, &Phi, V.Updates);
      if (Chain.recognise()) {
        V.Class = VariableClass::Shared;
        if (Chain.isFloatingPoint())
          Classes.ReorderedFloat = &Phi;
      }
    }
    Classes.Variables.push_back(std::move(V));
  }

  // A launch variable may depend on others: assume all are, drop those that
  // turn out not to be, until nothing changes.
  SmallVector<LoopVariable *> Candidates;
  for (LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Ordered) {
      Candidates.push_back(&V);
      AtLaunch.insert(V.Phi);
    }
  auto ReachesPhi = [&](Instruction *I, const SetVector<Instruction *> &Slice) {
    SmallVector<Value *> Worklist(I->operand_values());
    SmallPtrSet<Value *, 8> Seen;
    while (!Worklist.empty()) {
      Value *V = Worklist.pop_back_val();
      auto *Operand = dyn_cast<Instruction>(V);
      if (!Operand || !Seen.insert(V).second)
        continue;
      if (auto *Phi = dyn_cast<PHINode>(Operand))
        if (const LoopVariable *Variable = Classes.find(Phi))
          if (Variable->Class != VariableClass::Induction)
            return true;
      if (Slice.contains(Operand))
        append_range(Worklist, Operand->operand_values());
    }
    return false;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (LoopVariable *&V : Candidates) {
      if (!V)
        continue;
      SetVector<Instruction *> Slice;
      bool AtLaunchPossible =
          SliceBuilder(C, Shape, AtLaunch, Slice).add(V->Next);
      // Waiting for memory at launch gains nothing unless the next task's
      // very identity depends on it.
      if (AtLaunchPossible)
        for (Instruction *I : Slice)
          if (IsLongLatency(I) && !ReachesPhi(I, Slice))
            AtLaunchPossible = false;
      if (!AtLaunchPossible) {
        AtLaunch.erase(V->Phi);
        V = nullptr;
        Changed = true;
      }
    }
  }
  SetVector<Instruction *> Slice;
  SliceBuilder Builder(C, Shape, AtLaunch, Slice);
  for (LoopVariable *V : Candidates)
    if (V) {
      V->Class = VariableClass::Launch;
      Builder.add(V->Next);
    }
  if (!Shape.BackedgeCount && !Builder.add(Shape.latchBranch()->getCondition()))
    return refuse(RefusalKind::NextIteration, Shape.latchBranch());
  Classes.LaunchSlice = Slice.takeVector();

  for (PHINode &ExitPhi : Shape.Exit->phis()) {
    Value *Incoming = ExitPhi.getIncomingValueForBlock(Shape.Latch);
    bool Carried = any_of(Classes.Variables, [&](const LoopVariable &V) {
      return V.Next == Incoming;
    });
    if (Carried || Shape.L->isLoopInvariant(Incoming))
      continue;
    // What the compiler knows to be in memory behind the last iteration need
    // not be what the iteration that happens to come last leaves there.
    if (const Instruction *Read =
            readsWhatIterationsWrite(Incoming, *Shape.L, C.SE))
      return refuse(RefusalKind::UpdateOrder, Read);
    Classes.LastValues.push_back(&ExitPhi);
  }
  return std::nullopt;
}
