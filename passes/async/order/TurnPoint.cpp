//===- TurnPoint.cpp - Where iterations wait for their turn ---------------===//

#include "async/order/TurnPoint.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/SharedMemory.h"
#include "async/order/DecidingUpdates.h"
#include "async/order/OrderedEnds.h"
#include "async/order/RunsAhead.h"
#include "ir/Instructions.h"
#include "names/AccessNames.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Adds the uses of \p V in iterations of \p Shape 's loop.
static void addUses(Value *V, const LoopShape &Shape,
                    SmallVectorImpl<OrderedUse> &Uses) {
  const Loop &L = *Shape.L;
  for (Use &U : V->uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (User->getParent() == Shape.Exit || hasCodeBeside(*User))
      continue;
    auto *Phi = dyn_cast<PHINode>(User);
    Instruction *At = Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
    if (!L.contains(At))
      continue;
    const bool IsMerge = Phi && Phi->getParent() != L.getHeader();
    Uses.push_back({IsMerge ? User : At, At});
  }
}

/// The block that each iteration passes once, in front of \p Uses.
static BasicBlock *blockBefore(ArrayRef<Instruction *> Uses,
                               const LoopShape &Shape, const LoopContext &C) {
  BasicBlock *Common = Shape.Latch;
  for (Instruction *User : Uses)
    Common = C.DT.findNearestCommonDominator(Common, User->getParent());
  while (C.LI.getLoopFor(Common) != Shape.L ||
         !C.DT.dominates(Common, Shape.Latch))
    Common = C.DT.getNode(Common)->getIDom()->getBlock();
  return Common;
}

static bool isOrdered(const LoopVariable &V) {
  return V.Class == VariableClass::Ordered;
}

/// Adds the ways out of a loop that may be left early, and what must not happen
/// before it is certain that no earlier iteration has left it.
static void addExits(const LoopContext &C, const LoopFacts &Facts,
                     SmallVectorImpl<OrderedUse> &Uses) {
  SmallSetVector<const Instruction *, 4> Exiting;
  SmallPtrSet<const SCEV *, 8> Written;
  for (const EarlyExit &Exit : Facts.Shape.EarlyExits) {
    Instruction *At = Exit.From->getTerminator();
    Uses.push_back({&Exit.To->front(), At});
    Exiting.insert(At);
  }
  Exiting.insert(Facts.Shape.latchBranch());
  // Some ways out of a block may end the program.
  Exiting.remove_if([&](const Instruction *At) {
    return any_of(successors(At->getParent()), [&](const BasicBlock *To) {
      return Facts.Shape.Ends.contains(const_cast<BasicBlock *>(To));
    });
  });
  for (Instruction &I : instructionsIn(C.L.blocks())) {
    if (Exiting.contains(&I) || mayRunAhead(I, C, Facts.Locals))
      continue;
    Uses.push_back({&I, &I});
    if (Value *Address = accessedAddress(I); Address && I.mayWriteToMemory())
      Written.insert(C.SE.getSCEV(Address));
  }
  // What an iteration updates, it reads when it is its turn.
  for (Instruction &I : instructionsIn(C.L.blocks()))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Written.contains(C.SE.getSCEV(Load->getPointerOperand())))
      Uses.push_back({&I, &I});
}

/// What the conditions of \p Exits read again in each iteration, at one place;
/// or null.
static LoadInst *readForWayOut(ArrayRef<EarlyExit> Exits, const Loop &L) {
  SmallVector<Value *> Worklist;
  for (const EarlyExit &Exit : Exits)
    append_range(Worklist, Exit.From->getTerminator()->operand_values());
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || isa<PHINode>(I) || !Seen.insert(I).second)
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && L.isLoopInvariant(Load->getPointerOperand()))
      return Load;
    if (!Load)
      append_range(Worklist, I->operand_values());
  }
  return nullptr;
}

static std::string describeWayOut(const LoopShape &Shape) {
  std::string Name = WayOut.str();
  if (LoadInst *Load = readForWayOut(Shape.EarlyExits, *Shape.L)) {
    const std::string Place = describeAccess(*Load);
    Name += ", whose condition reads " +
            (Place == "a load" ? "memory" : Place) + " again";
  }
  return Name;
}

/// What forces the order of \p Accesses, which reads alone would not do.
static Instruction *mostToBlame(ArrayRef<Instruction *> Accesses) {
  auto Weight = [](const Instruction *Access) {
    return !Access->mayWriteToMemory() ? 0 : isa<CallBase>(Access) ? 2 : 1;
  };
  return *max_element(Accesses, [&](Instruction *One, Instruction *Other) {
    return Weight(One) < Weight(Other);
  });
}

SmallVector<OrderedUse> heddle::findOrderedUses(const LoopContext &C,
                                                const LoopFacts &Facts,
                                                std::string *Name) {
  const Loop &L = *Facts.Shape.L;
  SmallVector<OrderedUse> Uses;
  auto SetName = [&](auto &&Describe) {
    if (Name)
      *Name = Describe();
  };
  for (const LoopVariable &V :
       make_filter_range(Facts.Classes.Variables, isOrdered)) {
    addUses(V.Phi, Facts.Shape, Uses);
    SetName([&] { return describeVariable(V.Phi, "loop-carried variable"); });
  }
  for (Value *Variable : Facts.D.Sequential) {
    for (Instruction *Access : accessesOf(Variable, L, C.AA))
      Uses.push_back({Access, Access});
    SetName([&] { return describeVariable(Variable); });
  }
  const SmallVector<Instruction *> Accesses =
      findOrderedAccesses(C, Facts.D, Facts.Locals);
  for (Instruction *Access : Accesses)
    Uses.push_back({Access, Access});
  if (!Accesses.empty())
    SetName([&] { return describeAccess(*mostToBlame(Accesses)); });
  addOrderedEnds(C, Facts, Uses);
  if (Name && Name->empty() && !Uses.empty())
    *Name = "what is read where the program ends";
  if (Facts.Shape.isLeftEarly()) {
    SetName([&] { return describeWayOut(Facts.Shape); });
    addExits(C, Facts, Uses);
  }
  const bool AnyOrdered = any_of(Facts.Classes.Variables, isOrdered);
  if (Uses.empty() && !AnyOrdered)
    return Uses;
  addDecidingUpdates(C, Facts, Uses);
  return Uses;
}

Instruction *heddle::findTurnPoint(const LoopContext &C, const LoopFacts &Facts,
                                   std::string &Name) {
  SmallVector<Instruction *> Uses;
  for (const OrderedUse &Use : findOrderedUses(C, Facts, &Name))
    Uses.push_back(Use.At);
  if (Uses.empty() && none_of(Facts.Classes.Variables, isOrdered))
    return nullptr;
  BasicBlock *Block = blockBefore(Uses, Facts.Shape, C);
  for (Instruction &I : *Block)
    if (is_contained(Uses, &I)) {
      // In front of a way out, this is what keeps it from being reached.
      auto *Call = dyn_cast<CallBase>(&I);
      if (Facts.Shape.isLeftEarly() && Call)
        Name = "the call of " + describeCallee(*Call);
      return &I;
    }
  return Block->getTerminator();
}
