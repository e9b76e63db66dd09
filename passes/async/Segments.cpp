//===- Segments.cpp - A task cut at its suspension points -----------------===//

#include "async/Segments.h"
#include "async/BranchFree.h"
#include "async/ObjectAddress.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

/// How many values the search for the smallest contexts may look at.
static constexpr size_t MostRematerialisationWork = 1 << 18;
static constexpr int64_t LineBytes = 64;

namespace {

/// Which values of a task body are live into its blocks.
class Liveness {
  using Set = SmallSetVector<Instruction *, 16>;
  const SmallPtrSet<BasicBlock *, 32> Blocks;
  DenseMap<BasicBlock *, Set> LiveIn;

public:
  explicit Liveness(ArrayRef<BasicBlock *> Body)
      : Blocks(Body.begin(), Body.end()) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : reverse(Body))
        Changed |= update(Block);
    }
  }

  const Set &into(BasicBlock *Block) { return LiveIn[Block]; }

private:
  /// The instruction of the body that \p V is, or null.
  Instruction *valueOf(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Blocks.contains(I->getParent()) ? I : nullptr;
  }

  bool update(BasicBlock *Block) {
    Set Live;
    for (BasicBlock *Successor : successors(Block)) {
      if (Blocks.contains(Successor))
        for (Instruction *I : LiveIn[Successor])
          Live.insert(I);
      for (PHINode &Phi : Successor->phis())
        if (Instruction *I = valueOf(Phi.getIncomingValueForBlock(Block)))
          Live.insert(I);
    }
    for (Instruction &I : reverse(*Block)) {
      Live.remove(&I);
      if (isa<PHINode>(I))
        continue;
      for (Value *Operand : I.operands())
        if (Instruction *Used = valueOf(Operand))
          Live.insert(Used);
    }
    Set &Old = LiveIn[Block];
    bool Grew = Live.size() != Old.size();
    Old = std::move(Live);
    return Grew;
  }
};

/// True if computing \p I again costs less than a store and a load.
bool isCheap(const Instruction *I) {
  if (isa<CastInst, GetElementPtrInst, CmpInst, SelectInst>(I))
    return true;
  if (auto *Binary = dyn_cast<BinaryOperator>(I))
    switch (Binary->getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv:
    case Instruction::FRem:
      return false;
    default:
      return true;
    }
  return false;
}

/// True if tasks do nothing in \p Body but read and compute, and nothing that
/// other threads publish can come to be seen on the way: then a load yields the
/// same when it is repeated.
bool onlyReads(const TaskBody &Body, const SchedulerState &State) {
  const SmallPtrSet<const Value *, 16> Registers(State.Promotable.begin(),
                                                 State.Promotable.end());
  for (const BasicBlock *Block : Body.Blocks)
    for (const Instruction &I : *Block) {
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (Store  ? !Registers.contains(Store->getPointerOperand())
          : Load ? !Load->isSimple()
                 : I.mayReadOrWriteMemory() &&
                       !(Intrinsic &&
                         Intrinsic->getIntrinsicID() == Intrinsic::prefetch))
        return false;
    }
  return true;
}

/// Decides which values tasks compute again at a resumption instead of saving
/// them. The decision holds for the whole body: a value that is computed again
/// makes what it starts from live wherever it is live itself.
class Rematerialisation {
  using Values = SetVector<Instruction *>;
  SmallVector<Values> Live;
  const SmallPtrSet<BasicBlock *, 32> Blocks;
  DenseSet<Instruction *> Repeated;
  bool MayRepeatLoads;

public:
  struct Choice {
    Values Saved, Repeat;
  };

  Rematerialisation(ArrayRef<BasicBlock *> Body, SmallVector<Values> LiveSets,
                    bool MayRepeatLoads)
      : Live(std::move(LiveSets)), Blocks(Body.begin(), Body.end()),
        MayRepeatLoads(MayRepeatLoads) {
    for (const Values &Set : Live)
      for (Instruction *I : Set)
        addCheap(I);
    // Then keep whatever makes the contexts larger when it is not saved.
    unsigned Best = cost();
    SmallVector<Instruction *> Candidates(Repeated.begin(), Repeated.end());
    llvm::sort(Candidates, [](Instruction *A, Instruction *B) {
      if (A->getParent() != B->getParent())
        return A->getParent()->getNumber() < B->getParent()->getNumber();
      return A->comesBefore(B);
    });
    // Each trial looks at all that is live: fewer trials for large bodies.
    size_t Size = Candidates.size() + 1;
    for (const Values &Set : Live)
      Size += Set.size();
    size_t Trials = MostRematerialisationWork / Size;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (Instruction *I : Candidates)
        if (Trials && Repeated.erase(I)) {
          --Trials;
          unsigned Cost = cost();
          if (Cost < Best) {
            Best = Cost;
            Changed = true;
          } else
            Repeated.insert(I);
        }
    }
  }

  Choice choose(unsigned Resume) const {
    Choice C;
    for (Instruction *I : Live[Resume])
      expand(I, C);
    return C;
  }

private:
  Instruction *valueOf(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Blocks.contains(I->getParent()) ? I : nullptr;
  }

  /// True if \p Load is of a field of an object that a task needs whenever it
  /// needs the field: its line is there.
  bool isFieldAtHand(LoadInst *Load) const {
    ObjectAddress Address(Load->getPointerOperand());
    Instruction *Object = valueOf(Address.base());
    return Object && Object != Load && Address.variables().empty() &&
           std::abs(Address.constant()) < LineBytes &&
           all_of(
               Live,
               [&](const Values &Set) {
                 return !Set.contains(Load) || Set.contains(Object);
               });
  }

  void addCheap(Instruction *I) {
    auto *Load = dyn_cast<LoadInst>(I);
    bool Cheap = Load ? MayRepeatLoads && isFieldAtHand(Load) : isCheap(I);
    if (!Cheap || !Repeated.insert(I).second)
      return;
    for (Value *Operand : I->operands())
      if (Instruction *Used = valueOf(Operand))
        addCheap(Used);
  }

  void expand(Instruction *I, Choice &C) const {
    if (C.Saved.contains(I) || C.Repeat.contains(I))
      return;
    if (!Repeated.contains(I)) {
      C.Saved.insert(I);
      return;
    }
    for (Value *Operand : I->operands())
      if (Instruction *Used = valueOf(Operand))
        expand(Used, C);
    C.Repeat.insert(I);
  }

  /// Bytes that are saved, with a little for every instruction.
  unsigned cost() const {
    unsigned Total = 0;
    for (unsigned R = 0; R < Live.size(); ++R) {
      Choice C = choose(R);
      for (Instruction *I : C.Saved)
        Total +=
            4 *
            I->getDataLayout().getTypeStoreSize(I->getType()).getFixedValue();
      Total += C.Repeat.size();
    }
    return Total;
  }
};

} // namespace

Segments::Segments(TaskBody &Body, SchedulerState &State)
    : Body(Body), State(State), Debug(Body), Alike(Body) {
  for (unsigned I = 0; I < Body.Resumes.size(); ++I)
    ResumeIndex[Body.Resumes[I]] = I;
  computeContexts();
}

Segments::~Segments() {
  for (Context &C : Contexts)
    for (auto &[I, Variable] : C.Recomputed)
      I->deleteValue();
}

void Segments::computeContexts() {
  Liveness Live(Body.Blocks);
  SmallVector<SetVector<Instruction *>> LiveSets;
  for (BasicBlock *Resume : Body.Resumes) {
    const auto &Set = Live.into(Resume);
    LiveSets.emplace_back(Set.begin(), Set.end());
  }
  Rematerialisation Remat(Body.Blocks, std::move(LiveSets),
                          onlyReads(Body, State));
  SmallVector<Rematerialisation::Choice> Choices;
  SetVector<Instruction *> AllValues;
  for (unsigned R = 0; R < Body.Resumes.size(); ++R) {
    Choices.push_back(Remat.choose(R));
    AllValues.insert(Choices.back().Saved.begin(), Choices.back().Saved.end());
    AllValues.insert(Choices.back().Repeat.begin(),
                     Choices.back().Repeat.end());
  }

  demote(AllValues);

  for (Rematerialisation::Choice &C : Choices) {
    Context New;
    for (Instruction *I : C.Saved)
      New.Saved.push_back(Variables.lookup(I));
    for (Instruction *I : C.Repeat) {
      Instruction *Copy = I->clone();
      New.Recomputed.push_back({Copy, Variables.lookup(I)});
    }
    Contexts.push_back(std::move(New));
  }
}

void Segments::demote(const SetVector<Instruction *> &Values) {
  for (Instruction *I : Values) {
    AllocaInst *Variable =
        State.createRegister(I->getType(), I->getName() + ".var");
    Variables[I] = Variable;
    if (Alike.isUniform(I))
      UniformVariables.insert(Variable);
  }
  SmallPtrSet<BasicBlock *, 32> Blocks(Body.Blocks.begin(), Body.Blocks.end());
  for (Instruction *I : Values) {
    AllocaInst *Variable = Variables.lookup(I);
    // Uses that no suspension separates from the definition keep the value.
    SmallVector<Use *> Uses;
    for (Use &U : I->uses())
      Uses.push_back(&U);
    DenseMap<std::pair<BasicBlock *, Instruction *>, Value *> PhiLoads;
    for (Use *U : Uses) {
      auto *User = cast<Instruction>(U->getUser());
      if (auto *Phi = dyn_cast<PHINode>(User)) {
        BasicBlock *From = Phi->getIncomingBlock(*U);
        Value *&Load = PhiLoads[{From, I}];
        if (!Load)
          Load = new LoadInst(I->getType(), Variable, I->getName() + ".now",
                              From->getTerminator()->getIterator());
        U->set(Load);
      } else
        U->set(new LoadInst(I->getType(), Variable, I->getName() + ".now",
                            User->getIterator()));
    }
    BasicBlock::iterator After;
    if (auto *Invoke = dyn_cast<InvokeInst>(I)) {
      BasicBlock *Normal = Invoke->getNormalDest();
      if (!Normal->getSinglePredecessor()) {
        BasicBlock *Edge = SplitEdge(Invoke->getParent(), Normal);
        Body.Blocks.push_back(Edge);
        Normal = Edge;
      }
      After = Normal->getFirstInsertionPt();
    } else if (isa<PHINode>(I))
      After = I->getParent()->getFirstInsertionPt();
    else
      After = std::next(I->getIterator());
    new StoreInst(I, Variable, After);
  }
}

bool Segments::isVariable(const Value *Address) const {
  return any_of(Variables,
                [&](const auto &Known) { return Known.second == Address; });
}

unsigned Segments::contextBytes(unsigned Suspension) const {
  const DataLayout &DL = State.F.getDataLayout();
  unsigned Bytes = 0;
  for (AllocaInst *Variable : Contexts[Suspension].Saved)
    Bytes += DL.getTypeStoreSize(Variable->getAllocatedType()).getFixedValue();
  return Bytes;
}

unsigned Segments::contextBytes() const {
  unsigned Most = 0;
  for (unsigned I = 0; I < suspensions(); ++I)
    Most = std::max(Most, contextBytes(I));
  return Most;
}

SmallVector<BasicBlock *> Segments::region(unsigned Segment) const {
  BasicBlock *Start = Segment ? Body.Resumes[Segment - 1] : Body.Entry;
  SmallPtrSet<BasicBlock *, 32> InBody(Body.Blocks.begin(), Body.Blocks.end());
  SetVector<BasicBlock *> Region;
  Region.insert(Start);
  for (unsigned I = 0; I < Region.size(); ++I)
    for (BasicBlock *Successor : successors(Region[I]))
      if (InBody.contains(Successor) && !ResumeIndex.contains(Successor))
        Region.insert(Successor);
  return Region.takeVector();
}

bool Segments::reaches(unsigned Segment, unsigned Suspension) const {
  for (BasicBlock *Block : region(Segment))
    if (is_contained(successors(Block), Body.Resumes[Suspension]))
      return true;
  return false;
}

bool Segments::isKept(unsigned Segment, const AllocaInst *Variable) const {
  if (!Segment || !is_contained(Contexts[Segment - 1].Saved, Variable))
    return false;
  SmallVector<BasicBlock *> Region = region(Segment);
  return none_of(Variable->users(), [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    return Store && is_contained(Region, Store->getParent());
  });
}

/// How a segment ends at \p Side if nothing else happens there: with the
/// suspension, or nullopt for a retirement. Nothing if more happens.
static std::optional<std::optional<unsigned>>
bareEnd(const BasicBlock *Side, const BasicBlock *Retire,
        const DenseMap<const BasicBlock *, unsigned> &Suspensions) {
  for (unsigned Steps = 0; Steps < 3; ++Steps) {
    if (Side->size() != 1)
      return std::nullopt;
    if (Side == Retire)
      return std::optional<unsigned>();
    const BasicBlock *Next = Side->getSingleSuccessor();
    if (!Next)
      return std::nullopt;
    auto Suspension = Suspensions.find(Next);
    if (Suspension != Suspensions.end())
      return std::optional<unsigned>(Suspension->second);
    Side = Next;
  }
  return std::nullopt;
}

/// Appends blocks of \p Blocks to their predecessors, where nothing else leads
/// from the one to the other and \p IsKept is false.
static void mergeStraightCode(SmallVectorImpl<BasicBlock *> &Blocks,
                              function_ref<bool(BasicBlock *)> IsKept) {
  SmallPtrSet<BasicBlock *, 32> In(Blocks.begin(), Blocks.end());
  SmallPtrSet<BasicBlock *, 32> Merged;
  for (BasicBlock *Block : drop_begin(Blocks)) {
    BasicBlock *Before = Block->getSinglePredecessor();
    if (!Before)
      continue;
    FoldSingleEntryPHINodes(Block);
    if (In.contains(Before) && !IsKept(Block) &&
        MergeBlockIntoPredecessor(Block))
      Merged.insert(Block);
  }
  erase_if(Blocks, [&](BasicBlock *Block) { return Merged.contains(Block); });
}

void Segments::removeDeadStores(
    BasicBlock *Block, const BasicBlock *Retire,
    const DenseMap<const BasicBlock *, unsigned> &Suspensions) {
  const BasicBlock *Next = Block->getSingleSuccessor();
  if (!Next || (Next != Retire && !Suspensions.contains(Next)))
    return;
  auto VariableOf = [&](Instruction &I) -> Value * {
    Value *Place = getLoadStorePointerOperand(&I);
    return Place && isVariable(Place) ? Place : nullptr;
  };
  DenseMap<Value *, Value *> Now;
  for (Instruction &I : make_early_inc_range(*Block)) {
    Value *Variable = VariableOf(I);
    if (!Variable)
      continue;
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Now[Variable] = Store->getValueOperand();
    else if (Value *Known = Now.lookup(Variable)) {
      I.replaceAllUsesWith(Known);
      I.eraseFromParent();
    } else
      Now[Variable] = &I;
  }
  SmallPtrSet<Value *, 8> Live;
  if (Next != Retire)
    for (AllocaInst *Saved : Contexts[Suspensions.lookup(Next)].Saved)
      Live.insert(Saved);
  SmallVector<WeakTrackingVH> Unused;
  for (Instruction &I : make_early_inc_range(reverse(*Block))) {
    Value *Variable = VariableOf(I);
    if (!Variable)
      continue;
    if (isa<LoadInst>(I))
      Live.insert(Variable);
    else if (!Live.erase(Variable)) {
      Unused.push_back(cast<StoreInst>(I).getValueOperand());
      I.eraseFromParent();
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

void Segments::emitEnds(SmallVectorImpl<BasicBlock *> &Clones,
                        ValueToValueMapTy &Map, const Ends &Ends) {
  auto Cloned = [&](BasicBlock *Block) {
    Value *Clone = Map.lookup(Block);
    return Clone ? cast<BasicBlock>(Clone) : Block;
  };
  BasicBlock *Retire = Cloned(Body.Retire);
  // A suspension edge is the only way into its resume block, so that only a
  // plain branch leads there.
  DenseMap<const BasicBlock *, unsigned> Suspensions, ToMemory;
  SegmentEnds Where;
  Where.Retire = Retire;
  for (auto [Resume, Index] : ResumeIndex) {
    Suspensions[Cloned(Resume)] = Index;
    if (Body.TurnResume != Index) {
      ToMemory[Cloned(Resume)] = Index;
      Where.Resumes.insert(Cloned(Resume));
    }
  }
  if (Ends.Either) {
    mergeStraightCode(Clones, [&](BasicBlock *Block) {
      return Block == Retire || Suspensions.contains(Block);
    });
    for (BasicBlock *Clone : Clones)
      removeDeadStores(Clone, Retire, Suspensions);
    auto IsPrivate = [&](const Value *V) { return isVariable(V); };
    Where.IsPrivate = IsPrivate;
    emptyEnds(Clones, Where, State);
  }
  for (BasicBlock *Clone : Clones) {
    auto *Branch = dyn_cast<BranchInst>(Clone->getTerminator());
    auto End = [&](function_ref<void(IRBuilder<> &)> Emit) {
      Clone->getTerminator()->eraseFromParent();
      IRBuilder<> B(Clone);
      Emit(B);
    };
    if (Clone == Retire)
      End(Ends.Retire);
    else if (Branch && Branch->isConditional() && Ends.Either) {
      auto IfTrue = bareEnd(Branch->getSuccessor(0), Retire, ToMemory);
      auto IfFalse = bareEnd(Branch->getSuccessor(1), Retire, ToMemory);
      if (!IfTrue || !IfFalse || !(*IfTrue || *IfFalse))
        continue;
      Value *Condition = Branch->getCondition();
      End([&](IRBuilder<> &B) {
        Ends.Either(B, Condition, *IfTrue, *IfFalse);
      });
    } else if (BasicBlock *Next = Clone->getSingleSuccessor();
               Next && Suspensions.contains(Next)) {
      unsigned Suspension = Suspensions.lookup(Next);
      End([&](IRBuilder<> &B) { Ends.Suspend(B, Suspension); });
    }
  }
}

BasicBlock *Segments::clone(unsigned Segment, const Twine &Suffix, Ends Ends) {
  Function &F = State.F;
  SmallVector<BasicBlock *> Region = region(Segment);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Clones;
  for (BasicBlock *Block : Region) {
    BasicBlock *Clone = CloneBasicBlock(Block, Map, Suffix, &F);
    Map[Block] = Clone;
    Clones.push_back(Clone);
  }
  BasicBlock *Start = Clones.front();
  SmallPtrSet<BasicBlock *, 32> InRegion(Region.begin(), Region.end());
  for (auto [Block, Clone] : zip_equal(Region, Clones)) {
    // Edges into the region from other segments do not exist here.
    for (PHINode &Phi : Clone->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!InRegion.contains(Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
    for (BasicBlock *Successor : successors(Block))
      if (!InRegion.contains(Successor) && !ResumeIndex.contains(Successor))
        // A way out that ends the program.
        for (PHINode &Phi : Successor->phis()) {
          if (Phi.getBasicBlockIndex(Clone) >= 0)
            continue;
          Value *V = Phi.getIncomingValueForBlock(Block);
          Value *New = Map.lookup(V);
          Phi.addIncoming(New ? New : V, Clone);
        }
  }
  for (BasicBlock *Clone : Clones)
    for (Instruction &I : *Clone) {
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map,
                          RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  emitEnds(Clones, Map, Ends);
  // Recompute at the resumption what the context does not hold.
  if (Segment) {
    Instruction *At = &*Start->getFirstInsertionPt();
    for (auto &[I, Variable] : Contexts[Segment - 1].Recomputed) {
      Instruction *Copy = I->clone();
      // Demotion has made its operands loads of variables in the body.
      for (Use &U : Copy->operands())
        if (auto *Load = dyn_cast<LoadInst>(U.get());
            Load && isVariable(Load->getPointerOperand()))
          U.set(new LoadInst(Load->getType(), Load->getPointerOperand(), "",
                             At->getIterator()));
      Copy->insertBefore(At->getIterator());
      new StoreInst(Copy, Variable, At->getIterator());
    }
    Debug.restore(Body.Resumes[Segment - 1], At, [&](Instruction *InBody) {
      return loadKnown(InBody, Segment, At);
    });
  }
  for (BasicBlock *Clone : Clones)
    repairDebugRecords(Clone, Segment);
  return Start;
}

Value *Segments::loadKnown(Instruction *InBody, unsigned Segment,
                           Instruction *At) const {
  AllocaInst *Variable = Variables.lookup(InBody);
  if (!Variable || Segment == 0)
    return nullptr;
  const Context &C = Contexts[Segment - 1];
  if (!is_contained(C.Saved, Variable) &&
      none_of(C.Recomputed,
              [&](const auto &Value) { return Value.second == Variable; }))
    return nullptr;
  return new LoadInst(Variable->getAllocatedType(), Variable, "",
                      At->getIterator());
}

void Segments::repairDebugRecords(BasicBlock *Clone, unsigned Segment) const {
  SmallPtrSet<BasicBlock *, 32> InBody(Body.Blocks.begin(), Body.Blocks.end());
  for (Instruction &I : make_early_inc_range(*Clone))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      SmallVector<Value *> Elsewhere;
      for (Value *V : Record.location_ops())
        if (auto *From = dyn_cast_or_null<Instruction>(V);
            From && InBody.contains(From->getParent()))
          Elsewhere.push_back(V);
      for (Value *V : Elsewhere) {
        Value *Now = isa<PHINode>(I)
                         ? nullptr
                         : loadKnown(cast<Instruction>(V), Segment, &I);
        if (Now)
          Record.replaceVariableLocationOp(V, Now);
        else
          Record.setKillLocation();
      }
    }
}

void Segments::eraseBody() {
  for (Context &C : Contexts) {
    for (auto &[I, Variable] : C.Recomputed)
      I->deleteValue();
    C.Recomputed.clear();
  }
  DeleteDeadBlocks(Body.Blocks);
  if (Body.Early.Code)
    DeleteDeadBlock(Body.Early.Code);
}
