//===- Segments.cpp - A task cut at its suspension points -----------------===//

#include "async/rewrite/Segments.h"
#include "async/analysis/ObjectAddress.h"
#include "ir/Instructions.h"
#include "loop/Liveness.h"
#include "loop/Tunables.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;

namespace {

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

/// True if tasks only read and compute in \p Body and cannot observe stores
/// that other threads publish meanwhile: then a repeated load yields the same
/// value.
bool onlyReads(const TaskBody &Body, const SchedulerState &State) {
  const SmallPtrSet<const Value *, 16> Registers(State.Promotable.begin(),
                                                 State.Promotable.end());
  for (const Instruction &I : instructionsIn(Body.Blocks)) {
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

/// Decides which values tasks recompute at a resumption instead of saving them.
/// The decision holds for the whole body: the operands of a recomputed value
/// are live wherever the value itself is.
class Rematerialisation {
  using Values = SetVector<Instruction *>;
  SmallVector<Values> Live;
  const SmallPtrSet<BasicBlock *, 32> Blocks;
  DenseSet<Instruction *> Repeated;
  bool MayRepeatLoads;
  int64_t LineBytes;

public:
  struct Choice {
    Values Saved, Repeat;
  };

  Rematerialisation(ArrayRef<BasicBlock *> Body, SmallVector<Values> LiveSets,
                    bool MayRepeatLoads, int64_t LineBytes)
      : Live(std::move(LiveSets)), Blocks(Body.begin(), Body.end()),
        MayRepeatLoads(MayRepeatLoads), LineBytes(LineBytes) {
    for (const Values &Set : Live)
      for (Instruction *I : Set)
        addCheap(I);
    // Then keep the values whose omission makes the contexts larger.
    unsigned Best = cost();
    SmallVector<Instruction *> Candidates(Repeated.begin(), Repeated.end());
    llvm::sort(Candidates, [](Instruction *A, Instruction *B) {
      if (A->getParent() != B->getParent())
        return A->getParent()->getNumber() < B->getParent()->getNumber();
      return A->comesBefore(B);
    });
    // Each trial visits all live values: fewer trials for large bodies.
    size_t Size = Candidates.size() + 1;
    for (const Values &Set : Live)
      Size += Set.size();
    size_t Trials = tunable::RematerialisationWork / Size;
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

Segments::Segments(TaskBody &Body, SchedulerState &State,
                   const BasicBlock *Before)
    : Body(Body), State(State), Debug(Body, Before), Alike(Body) {
  assert(all_of(Body.Resumes,
                [](const BasicBlock *Resume) {
                  return Resume->getSinglePredecessor();
                }) &&
         "a suspension is the only way to where tasks resume");
  assert((!Body.TurnResume || *Body.TurnResume < Body.Resumes.size()) &&
         "tasks wait for their turn at a suspension");
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
                          onlyReads(Body, State), State.LineBytes);
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
  // The result of an invoke is known on its normal edge only.
  for (Instruction *I : Values)
    if (auto *Invoke = dyn_cast<InvokeInst>(I);
        Invoke && !Invoke->getNormalDest()->getSinglePredecessor())
      Body.Blocks.push_back(
          SplitEdge(Invoke->getParent(), Invoke->getNormalDest()));
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
    if (auto *Invoke = dyn_cast<InvokeInst>(I))
      After = Invoke->getNormalDest()->getFirstInsertionPt();
    else if (isa<PHINode>(I))
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
  assert(Segment < count() && "no such segment");
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

void Segments::eraseBody() {
  assert(pred_empty(Body.Entry) && "the body is never run");
  for (Context &C : Contexts) {
    for (auto &[I, Variable] : C.Recomputed)
      I->deleteValue();
    C.Recomputed.clear();
  }
  DeleteDeadBlocks(Body.Blocks);
  if (Body.Early.Code)
    DeleteDeadBlock(Body.Early.Code);
}
