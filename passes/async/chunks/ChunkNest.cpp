//===- ChunkNest.cpp - A loop over the chunks of OpenMP -------------------===//

#include "async/chunks/ChunkNest.h"
#include "async/chunks/SteadyValues.h"
#include "ir/Instructions.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

namespace {

class NestFinder {
  const LoopContext &C;
  const LoopFacts &Facts;
  const SuspensionPlan &Plan;
  const ArrayRef<AllocaInst *> InMemory;
  const LoopShape &Shape;
  ScalarEvolution &SE;
  ChunkCalls Calls;
  std::optional<SteadyValues> Values;
  ChunkNest Nest;

public:
  NestFinder(const LoopContext &C, const LoopFacts &Facts,
             const SuspensionPlan &Plan, ArrayRef<AllocaInst *> InMemory)
      : C(C), Facts(Facts), Plan(Plan), InMemory(InMemory), Shape(Facts.Shape),
        SE(C.SE) {}

  std::optional<ChunkNest> find() {
    std::optional<ChunkCalls> Found = findChunkCalls(C.L, C.DT);
    if (!Found || !isPlainLoop())
      return std::nullopt;
    Calls = std::move(*Found);
    Nest.Around = C.L.getParentLoop();
    Values.emplace(C.L, *Nest.Around, Calls.Variables, SE);
    if (!findBlocks() || !findCarried() || !onlyTakesChunks() ||
        !findCounter() || !usesSteadyValues())
      return std::nullopt;
    return std::move(Nest);
  }

private:
  /// True if the marked loop is counted and left at its end only.
  bool isPlainLoop() const {
    return Shape.BackedgeCount && !Shape.isLeftEarly() &&
           Facts.Classes.LastValues.empty() && !Plan.Rows;
  }

  bool isBetween(const BasicBlock *Block) const {
    return Nest.Around->contains(Block) && !C.L.contains(Block);
  }
  bool isBetween(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && isBetween(I->getParent());
  }

  bool findBlocks() {
    if (Nest.Around->getSubLoops().size() != 1 || !isBetween(Shape.Preheader) ||
        !isBetween(Shape.Exit) ||
        Shape.Exit->getSinglePredecessor() != Shape.Latch)
      return false;
    for (const BasicBlock &Block : *Shape.Exit->getParent())
      if (!Nest.Around->contains(&Block))
        Nest.Outside.insert(&Block);
    for (BasicBlock *Block : Nest.Around->blocks()) {
      if (C.L.contains(Block))
        continue;
      Nest.Between.push_back(Block);
      SmallPtrSet<BasicBlock *, 4> Seen;
      for (BasicBlock *To : successors(Block))
        if (!Nest.Around->contains(To)) {
          Nest.WaysOut.push_back({Block, To});
          if (!Seen.insert(To).second)
            return false;
        }
    }
    return !Nest.WaysOut.empty();
  }

  /// The variable of the loop that has the value \p V behind it; null if there
  /// is none.
  Value *variableBehind(const Value *V) const {
    for (const LoopVariable &Variable : Facts.Classes.Variables)
      if (Variable.Class != VariableClass::Induction && Variable.Next == V)
        return Variable.Phi;
    return nullptr;
  }

  /// Follows the variables of the loop from where it ends to where it begins
  /// for the next chunk.
  bool findCarried() {
    for (PHINode &Phi : Shape.Exit->phis())
      if (Value *Variable =
              variableBehind(Phi.getIncomingValueForBlock(Shape.Latch)))
        Nest.Carried[&Phi] = Variable;
      else if (!Phi.use_empty())
        return false;
    for (BasicBlock *Block : Nest.Between)
      for (Instruction &I : *Block)
        if (auto *Load = dyn_cast<LoadInst>(&I);
            Load && is_contained(InMemory, Load->getPointerOperand()))
          Nest.Carried[Load] = Load->getPointerOperand();
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Nest.Between)
        for (PHINode &Phi : Block->phis())
          for (Value *Incoming : Phi.incoming_values())
            if (auto *I = dyn_cast<Instruction>(Incoming);
                I && Nest.Carried.count(I) && !Nest.Carried.count(&Phi)) {
              Value *Variable = Nest.Carried.lookup(I);
              Nest.Carried[&Phi] = Variable;
              Changed = true;
            }
    }
    return all_of(Nest.Carried,
                  [&](const auto &Known) {
                    return isCarried(*Known.first, Known.second);
                  }) &&
           all_of(Facts.Classes.Variables, [&](const LoopVariable &V) {
             return V.Class == VariableClass::Induction ||
                    carries(V.Phi->getIncomingValueForBlock(Shape.Preheader),
                            V.Phi);
           });
  }

  /// True if \p V holds what \p Variable is behind the last chunk.
  bool carries(const Value *V, const Value *Variable) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Nest.Carried.lookup(const_cast<Instruction *>(I)) == Variable;
  }

  /// True if \p I is nothing but \p Variable between two chunks.
  bool isCarried(const Instruction &I, const Value *Variable) const {
    if (auto *Phi = dyn_cast<PHINode>(&I);
        Phi && Phi->getParent() != Shape.Exit)
      for (auto [From, Incoming] :
           zip_equal(Phi->blocks(), Phi->incoming_values()))
        if (Nest.Around->contains(From) && !carries(Incoming, Variable))
          return false;
    return all_of(I.users(), [&](const User *U) {
      auto *User = cast<Instruction>(U);
      auto *Store = dyn_cast<StoreInst>(User);
      return !Nest.Around->contains(User) || User == Variable ||
             (isBetween(User) && (Store ? Store->getPointerOperand() == Variable
                                        : carries(User, Variable)));
    });
  }

  /// True if nothing happens between chunks but that OpenMP is asked for the
  /// next one.
  bool onlyTakesChunks() {
    return all_of(instructionsIn(Nest.Between), [&](const Instruction &I) {
      if (isa<AssumeInst>(I) || I.isDebugOrPseudoInst() ||
          is_contained(Calls.Takes, &I))
        return true;
      if (I.isTerminator())
        return isa<BranchInst, SwitchInst>(I);
      if (auto *Store = dyn_cast<StoreInst>(&I))
        return Store->isSimple() &&
               (Calls.Variables.contains(Store->getPointerOperand()) ||
                (is_contained(InMemory, Store->getPointerOperand()) &&
                 carries(Store->getValueOperand(),
                         Store->getPointerOperand())));
      if (auto *Load = dyn_cast<LoadInst>(&I))
        return Load->isSimple() &&
               (Calls.Variables.contains(Load->getPointerOperand()) ||
                Nest.Carried.count(const_cast<LoadInst *>(Load)) ||
                Values->isSteady(Load));
      return !I.mayHaveSideEffects() && !I.mayReadOrWriteMemory() &&
             !I.getType()->isTokenTy();
    });
  }

  /// True if \p Start is the lower bound of a chunk.
  bool isLowerBound(const Value *Start) const {
    SmallVector<const Value *, 4> Work{Start};
    SmallPtrSet<const Value *, 8> Seen;
    bool IsRead = false;
    while (!Work.empty()) {
      auto *I = dyn_cast<Instruction>(Work.pop_back_val());
      if (!I)
        return false;
      if (!Seen.insert(I).second)
        continue;
      auto Reads = [&](const Value *V, const Value *Variable) {
        auto *Cast = dyn_cast<CastInst>(V);
        auto *Load = dyn_cast<LoadInst>(Cast ? Cast->getOperand(0) : V);
        return Load && Load->getPointerOperand() == Variable;
      };
      if (Reads(I, Calls.Lower))
        IsRead = true;
      else if (isa<CastInst, PHINode>(I))
        append_range(Work, I->operands());
      else if (I->getOpcode() == Instruction::Add && Calls.Takes.empty())
        for (unsigned Side : {0, 1}) {
          if (!Reads(I->getOperand(Side), Calls.Stride))
            continue;
          Work.push_back(I->getOperand(1 - Side));
          break;
        }
      else
        return false;
    }
    return IsRead;
  }

  bool findCounter() {
    for (const LoopVariable &V : Facts.Classes.Variables) {
      const Value *Start = V.Phi->getIncomingValueForBlock(Shape.Preheader);
      if (V.Class != VariableClass::Induction || !V.Step->isOne() ||
          !V.Phi->getType()->isIntegerTy() ||
          V.Phi->getType()->getIntegerBitWidth() > 64 || !isLowerBound(Start))
        continue;
      for (bool IsSigned : {true, false}) {
        Nest.Counter = V.Phi;
        Nest.IsSigned = IsSigned;
        const SCEV *First = SE.getSCEV(const_cast<Value *>(Start));
        Type *I64 = Type::getInt64Ty(Start->getContext());
        if (isNumberedBy(IsSigned ? SE.getNoopOrSignExtend(First, I64)
                                  : SE.getNoopOrZeroExtend(First, I64)))
          return true;
      }
    }
    return false;
  }

  /// True if all that the iterations begin with follows from their numbers,
  /// where \p Number is that of the chunk's first one.
  bool isNumberedBy(const SCEV *Number) {
    auto Follows = [&](const SCEV *S) {
      return Values->followsFromNumber(S, Number);
    };
    auto IsPlanned = [&](const Request &R) {
      return !R.Start || Follows(R.Start);
    };
    return all_of(Facts.Classes.Variables,
                  [&](const LoopVariable &V) {
                    return V.Class != VariableClass::Induction ||
                           Values->followsFromNumber(
                               SE.getSCEV(V.Phi->getIncomingValueForBlock(
                                   Shape.Preheader)),
                               V.Step, Number);
                  }) &&
           all_of(Plan.Points,
                  [&](const SuspensionPoint &Point) {
                    return all_of(Point.Requests, IsPlanned);
                  }) &&
           all_of(Plan.Blocks, [&](const BlockedLoop &Blocked) {
             return Blocked.Inspected || Follows(Blocked.BackedgeCount);
           });
  }

  /// True if \p I only decides whether there is another iteration.
  bool isEndTest(const Instruction &I) const {
    return &I == Shape.latchBranch() ||
           (I.hasOneUse() && !I.mayHaveSideEffects() &&
            *I.user_begin() == Shape.latchBranch());
  }

  /// True if tasks use nothing that changes from chunk to chunk.
  bool usesSteadyValues() {
    if (Facts.D.Condition && !Values->isSteady(Facts.D.Condition))
      return false;
    auto IsSteady = [&](const Instruction &I) {
      return isEndTest(I) || all_of(I.operands(), [&](const Value *Used) {
               return !isBetween(Used) || Values->isSteady(Used);
             });
    };
    auto AreSteady = [&](const auto &Blocks) {
      return all_of(instructionsIn(Blocks), [&](const Instruction &I) {
        return I.getParent() == C.L.getHeader() && isa<PHINode>(I)
                   ? true
                   : IsSteady(I);
      });
    };
    return AreSteady(C.L.blocks()) && AreSteady(Shape.Ends);
  }
};

} // namespace

std::optional<ChunkNest>
heddle::findChunkNest(const LoopContext &C, const LoopFacts &Facts,
                      const SuspensionPlan &Plan,
                      ArrayRef<AllocaInst *> InMemory) {
  return NestFinder(C, Facts, Plan, InMemory).find();
}
