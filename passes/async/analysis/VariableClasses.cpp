//===- VariableClasses.cpp - Loop-carried variables as task context -------===//

#include "async/analysis/VariableClasses.h"
#include "ir/Combining.h"
#include "ir/Instructions.h"
#include "names/SourceNames.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

const LoopVariable *VariableClasses::find(const Value *Phi) const {
  for (const LoopVariable &V : Variables)
    if (V.Phi == Phi)
      return &V;
  return nullptr;
}

namespace {

/// The update that \p I makes of chain value \p Current; None if it is none.
/// All minima of floating point numbers count as one, and so do all maxima.
RecurKind updateOf(const Instruction *I, const Value *Current) {
  const std::optional<unsigned> Fixed = fixedOperand(*I);
  if (count(I->operand_values(), Current) != 1 ||
      (Fixed && I->getOperand(*Fixed) != Current))
    return RecurKind::None;
  switch (const RecurKind Kind = recurrenceKind(*I)) {
  case RecurKind::FMinNum:
  case RecurKind::FMinimum:
  case RecurKind::FMinimumNum:
    return RecurKind::FMin;
  case RecurKind::FMaxNum:
  case RecurKind::FMaximum:
  case RecurKind::FMaximumNum:
    return RecurKind::FMax;
  default:
    return Kind;
  }
}

/// Recognises the shared variables: phis whose every use in the loop is an
/// update by one commutative operation.
class SharedChain {
  const LoopShape &Shape;
  PHINode *Phi;
  SharedUpdates &Updates;
  SetVector<Instruction *> Chain;
  RecurKind Op = RecurKind::None;
  Value *Assigned = nullptr;
  SmallPtrSet<Instruction *, 4> Lazy;

public:
  SharedChain(const LoopShape &Shape, PHINode *Phi, SharedUpdates &Updates)
      : Shape(Shape), Phi(Phi), Updates(Updates) {}

  bool recognise() {
    if (!collect())
      return false;
    // Each failed walk that may be repeated has made one more update lazy.
    for (unsigned Try = 0; Try <= Chain.size(); ++Try) {
      size_t LazyBefore = Lazy.size();
      if (walk()) {
        Updates.Chain.insert(Chain.begin(), Chain.end());
        return Op != RecurKind::None;
      }
      if (Lazy.size() == LazyBefore)
        return false;
    }
    return false;
  }

  bool isFloatingPoint() const {
    return Op == RecurKind::FAdd || Op == RecurKind::FMul;
  }

private:
  bool inChain(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Chain.contains(I);
  }

  bool setOperation(RecurKind New) {
    if (New == RecurKind::None || (Op != RecurKind::None && Op != New))
      return false;
    Op = New;
    return true;
  }

  bool setAssigned(Value *V) {
    if (!Shape.L->isLoopInvariant(V) || (Assigned && Assigned != V))
      return false;
    Assigned = V;
    return setOperation(RecurKind::AnyOf);
  }

  /// The value for the next iteration.
  const Value *last() const {
    return Phi->getIncomingValueForBlock(Shape.Latch);
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
          // A task has no value of the variable before its update.
          if (!isa<PHINode>(I) || Current != last())
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

  using ValueAtEnd = DenseMap<BasicBlock *, Value *>;

  /// Follows the current value through the body. False where an operand of a
  /// phi is not the current value of its edge; then the update to blame has
  /// become lazy, if there is one.
  bool walk() {
    Updates = SharedUpdates();
    ValueAtEnd AtEnd;
    MapVector<BasicBlock *, Value *> Unmerged;
    ReversePostOrderTraversal<BasicBlock *> RPO(Shape.L->getHeader());
    for (BasicBlock *Block : RPO) {
      if (!Shape.L->contains(Block))
        continue;
      SmallVector<PHINode *, 1> Merges;
      for (PHINode &P : Block->phis())
        if (inChain(&P))
          Merges.push_back(&P);
      Value *Current = nullptr;
      if (Block == Shape.L->getHeader())
        Current = Phi;
      else if (Merges.size() > 1)
        return false;
      else if (!Merges.empty())
        Current = Merges.front();
      else if (!findCommonValue(*Block, AtEnd, Current))
        return false;
      else
        Unmerged[Block] = Current;
      if (!walkBlock(*Block, Current))
        return false;
      AtEnd[Block] = Current;
    }
    return checkBackEdges(Unmerged, AtEnd) && checkPhis(AtEnd) &&
           checkExit(AtEnd.lookup(Shape.Latch));
  }

  /// Finds the value with which all known predecessors of \p Block end; false
  /// if there are several.
  bool findCommonValue(BasicBlock &Block, const ValueAtEnd &AtEnd,
                       Value *&Common) const {
    for (BasicBlock *Pred : predecessors(&Block)) {
      Value *There = AtEnd.lookup(Pred);
      if (There && Common && There != Common)
        return false;
      if (There)
        Common = There;
    }
    return true;
  }

  /// Follows the updates in \p Block, which begins with \p Current.
  bool walkBlock(BasicBlock &Block, Value *&Current) {
    for (Instruction &I : Block) {
      if (!Chain.contains(&I) || isa<PHINode>(I))
        continue;
      if (auto *Select = dyn_cast<SelectInst>(&I)) {
        if (!recordSelect(*Select, Current))
          return false;
        Current = Select;
        continue;
      }
      if (!is_contained(I.operand_values(), Current))
        return false;
      if (onlySelected(I) || Lazy.contains(&I))
        continue;
      Updates.Eager.push_back(&I);
      Current = &I;
    }
    return true;
  }

  /// Makes the update \p Current lazy, since some edge drops it.
  void blame(Value *Current) {
    auto *Update = dyn_cast_or_null<Instruction>(Current);
    if (Update && !isa<PHINode, SelectInst>(Update) &&
        all_of(Update->users(),
               [&](User *U) { return isa<PHINode>(U) && inChain(U); }))
      Lazy.insert(Update);
  }

  /// True if no inner loop without a phi of the chain contains an update: each
  /// of its iterations would start from the same value.
  bool checkBackEdges(const MapVector<BasicBlock *, Value *> &Unmerged,
                      const ValueAtEnd &AtEnd) {
    for (auto [Block, Current] : Unmerged)
      for (BasicBlock *Pred : predecessors(Block))
        if (Value *There = AtEnd.lookup(Pred); There != Current) {
          blame(There);
          return false;
        }
    return true;
  }

  /// True if the only use of \p I is by one select of the chain.
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

  bool checkPhis(const ValueAtEnd &AtEnd) {
    for (Instruction *I : Chain) {
      auto *P = dyn_cast<PHINode>(I);
      if (!P)
        continue;
      for (unsigned Edge = 0; Edge < P->getNumIncomingValues(); ++Edge) {
        BasicBlock *From = P->getIncomingBlock(Edge);
        Value *Incoming = P->getIncomingValue(Edge);
        // Several cases of a switch become one edge.
        const bool IsSeen = P->getBasicBlockIndex(From) < int(Edge);
        if (!Shape.L->contains(From) || IsSeen)
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

  /// True if only the final value is used behind the loop.
  bool checkExit(Value *Final) {
    for (Instruction *I : Chain)
      for (User *U : I->users())
        if (!Shape.L->contains(cast<Instruction>(U)) && I != Final)
          return false;
    return true;
  }
};

/// Collects the instructions that a launch has to execute to know a value.
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
    // The next iteration may not be reached.
    if (Shape.isLeftEarly() &&
        (I.mayReadFromMemory() || !isSafeToSpeculativelyExecute(&I)))
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
    for (Instruction &I : instructionsIn(Shape.L->blocks()))
      if (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Location)))
        return true;
    return false;
  }
};

bool isInduction(PHINode &Phi, const LoopShape &Shape, ScalarEvolution &SE,
                 const SCEV *&Step) {
  return SE.isSCEVable(Phi.getType()) &&
         match(SE.getSCEV(&Phi),
               m_scev_AffineAddRec(m_SCEV(), m_SCEV(Step),
                                   m_SpecificLoop(Shape.L))) &&
         SE.isLoopInvariant(Step, Shape.L);
}

/// Finds the Launch variables among the candidates.
class LaunchFinder {
  const LoopContext &C;
  const LoopShape &Shape;
  function_ref<bool(const Instruction *)> IsLongLatency;
  VariableClasses &Classes;
  /// The variables that are known when a task is launched, as far as that has
  /// not been disproved.
  SmallPtrSet<PHINode *, 8> AtLaunch;

public:
  LaunchFinder(const LoopContext &C, const LoopShape &Shape,
               function_ref<bool(const Instruction *)> IsLongLatency,
               VariableClasses &Classes)
      : C(C), Shape(Shape), IsLongLatency(IsLongLatency), Classes(Classes) {
    for (LoopVariable &V : Classes.Variables)
      if (V.Class != VariableClass::Shared)
        AtLaunch.insert(V.Phi);
  }

  /// Makes Ordered variables that a launch can advance Launch variables, and
  /// builds the slice of the launch; false if it does not tell whether there is
  /// another iteration.
  bool run() {
    // A Launch variable may depend on others: assume that all candidates are
    // Launch variables and drop those that turn out not to be, until nothing
    // changes.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const LoopVariable &V : Classes.Variables)
        if (isCandidate(V) && !canAdvance(V)) {
          AtLaunch.erase(V.Phi);
          Changed = true;
        }
    }
    SetVector<Instruction *> Slice;
    SliceBuilder Builder(C, Shape, AtLaunch, Slice);
    for (LoopVariable &V : Classes.Variables)
      if (isCandidate(V)) {
        V.Class = VariableClass::Launch;
        Builder.add(V.Next);
      }
    if (!Shape.BackedgeCount &&
        !Builder.add(Shape.latchBranch()->getCondition()))
      return false;
    Classes.LaunchSlice = Slice.takeVector();
    return true;
  }

private:
  bool isCandidate(const LoopVariable &V) const {
    return V.Class == VariableClass::Ordered && AtLaunch.contains(V.Phi);
  }

  bool canAdvance(const LoopVariable &V) const {
    SetVector<Instruction *> Slice;
    if (!SliceBuilder(C, Shape, AtLaunch, Slice).add(V.Next))
      return false;
    // Waiting for memory at launch gains nothing, unless the next task cannot
    // begin without the value.
    return none_of(Slice, [&](Instruction *I) {
      return IsLongLatency(I) && !isCarried(*I, Slice);
    });
  }

  /// True if \p I depends, in \p Slice, on a variable that the iteration before
  /// has left and that is no induction variable.
  bool isCarried(const Instruction &I,
                 const SetVector<Instruction *> &Slice) const {
    SmallVector<const Value *> Worklist(I.operand_values());
    SmallPtrSet<const Value *, 8> Seen;
    while (!Worklist.empty()) {
      auto *Operand = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!Operand || !Seen.insert(Operand).second)
        continue;
      const LoopVariable *Variable = Classes.find(Operand);
      if (Variable && Variable->Class != VariableClass::Induction)
        return true;
      if (Slice.contains(const_cast<Instruction *>(Operand)))
        append_range(Worklist, Operand->operand_values());
    }
    return false;
  }
};

} // namespace

/// True if some store in \p L is to the address \p Place.
static bool storesTo(const SCEV *Place, const Loop &L, ScalarEvolution &SE) {
  return any_of(instructionsIn(L.blocks()), [&](Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && SE.getSCEV(Store->getPointerOperand()) == Place;
  });
}

/// Returns a load that \p V depends on in its iteration, from an address that
/// all iterations write to; null if there is none.
static const Instruction *readsWhatIterationsWrite(Value *V, const Loop &L,
                                                   ScalarEvolution &SE) {
  return findOperand(V, L, [&](const Instruction &I) {
    if (isa<PHINode>(I) && I.getParent() == L.getHeader())
      return OperandWalk::Pass;
    auto *Load = dyn_cast<LoadInst>(&I);
    const SCEV *Place = Load ? SE.getSCEV(accessedAddress(*Load)) : nullptr;
    return Place && SE.isLoopInvariant(Place, &L) && storesTo(Place, L, SE)
               ? OperandWalk::Found
               : OperandWalk::GoOn;
  });
}

RecurKind heddle::commutativeOperation(const Instruction *Update,
                                       const Value *Current) {
  return updateOf(Update, Current);
}

bool heddle::isCommutativeUpdate(const Instruction *Update,
                                 const Value *Current) {
  return commutativeOperation(Update, Current) != RecurKind::None;
}

/// Classifies \p Phi as far as that does not depend on other variables; the
/// rest is Ordered.
static LoopVariable classify(PHINode &Phi, const LoopShape &Shape,
                             ScalarEvolution &SE, VariableClasses &Classes) {
  LoopVariable V{&Phi,
                 VariableClass::Ordered,
                 Phi.getIncomingValueForBlock(Shape.Latch),
                 nullptr,
                 {}};
  if (isInduction(Phi, Shape, SE, V.Step)) {
    V.Class = VariableClass::Induction;
    return V;
  }
  // What iterations behind the one that leaves add must not count.
  if (Shape.isLeftEarly())
    return V;
  SharedChain Chain(Shape, &Phi, V.Updates);
  if (!Chain.recognise())
    return V;
  V.Class = VariableClass::Shared;
  if (Chain.isFloatingPoint())
    Classes.ReorderedFloat = &Phi;
  return V;
}

/// Finds the values of the last iteration that are used behind the loop.
static MaybeRefusal findLastValues(const LoopShape &Shape, ScalarEvolution &SE,
                                   VariableClasses &Classes) {
  for (PHINode &ExitPhi : Shape.Exit->phis()) {
    Value *Incoming = ExitPhi.getIncomingValueForBlock(Shape.Latch);
    const bool IsCarried =
        any_of(Classes.Variables,
               [&](const LoopVariable &V) { return V.Next == Incoming; });
    if (IsCarried || Shape.L->isLoopInvariant(Incoming))
      continue;
    // The compiler has replaced a load of the value that the previous iteration
    // leaves in memory by a register, but tasks may write there in another
    // order.
    if (const Instruction *Read =
            readsWhatIterationsWrite(Incoming, *Shape.L, SE))
      return refuse(RefusalKind::UpdateOrder,
                    {describeVariable(Incoming, "value")}, Read);
    Classes.LastValues.push_back(&ExitPhi);
  }
  return std::nullopt;
}

MaybeRefusal
heddle::classifyVariables(const LoopContext &C, const LoopShape &Shape,
                          function_ref<bool(const Instruction *)> IsLongLatency,
                          VariableClasses &Classes) {
  assert(Shape.L && Shape.Latch && Shape.Exit &&
         "analyzeShape() has succeeded");
  assert(Classes.Variables.empty() && "classified once");
  for (PHINode &Phi : Shape.L->getHeader()->phis())
    Classes.Variables.push_back(classify(Phi, Shape, C.SE, Classes));
  if (!LaunchFinder(C, Shape, IsLongLatency, Classes).run())
    return refuse(RefusalKind::NextIteration, Shape.latchBranch());
  return findLastValues(Shape, C.SE, Classes);
}
