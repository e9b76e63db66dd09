//===- TaskSuspensions.cpp - Suspension and resumption of tasks -----------===//
//
// The part of TaskBuilder that cuts the body at suspension points.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/DebugValues.h"
#include "async/rewrite/task/TaskBuilder.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle;

BasicBlock *TaskBuilder::cutBefore(Instruction *At, const Twine &Name) {
  assert(is_contained(Body.Blocks, At->getParent()) && "a cut in the body");
  BasicBlock *Resume = At->getParent()->splitBasicBlock(At, Name);
  Body.Blocks.push_back(Resume);
  Body.Resumes.push_back(Resume);
  return Resume;
}

void TaskBuilder::suspendAtEnd(IRBuilder<> &B) {
  if (!tunable::Suspensions)
    return;
  Instruction *Jump = B.CreateUnreachable();
  BasicBlock *Resume = cutBefore(Jump, "task.resume");
  if (mayBeSpent())
    passIfSpent(Resume);
  B.SetInsertPoint(Jump->getParent());
  Jump->eraseFromParent();
}

void TaskBuilder::addWaysIn(PHINode &Phi, const Loop &Inner, Value *OnEntry,
                            Value *NextRound) {
  Value *Preheader = Map[Inner.getLoopPreheader()];
  for (BasicBlock *From : predecessors(Phi.getParent()))
    Phi.addIncoming(From == Preheader ? OnEntry : NextRound, From);
}

void TaskBuilder::noteFirstRound(const Loop &Inner) {
  PHINode *&First = FirstRound[&Inner];
  if (First)
    return;
  auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
  IRBuilder<> B(Header, Header->begin());
  First = B.CreatePHI(B.getInt1Ty(), 2, "first.round");
  addWaysIn(*First, Inner, B.getTrue(), B.getFalse());
}

BasicBlock *TaskBuilder::passIf(Value *Passes, BasicBlock *Resume) {
  BasicBlock *From = Resume->getSinglePredecessor();
  assert(From && "only suspended tasks come to where they resume");
  BasicBlock *Go = Resume->splitBasicBlock(Resume->begin(), "task.go");
  BasicBlock *Suspend =
      BasicBlock::Create(F.getContext(), "task.suspend", &F, Resume);
  Body.Blocks.append({Suspend, Go});
  BranchInst::Create(Resume, Suspend);
  From->getTerminator()->eraseFromParent();
  BranchInst::Create(Go, Suspend, Passes, From);
  return Suspend;
}

bool TaskBuilder::mayBeSpent() const {
  return D.Suspensions || !Plan.Ends.empty();
}

BasicBlock *TaskBuilder::passIfSpent(BasicBlock *Resume) {
  IRBuilder<> B(Resume->getSinglePredecessor()->getTerminator());
  auto *Left =
      cast<Instruction>(B.CreateFreeze(PoisonValue::get(B.getInt32Ty())));
  BasicBlock *Suspend = passIf(B.CreateIsNull(Left), Resume);
  B.SetInsertPoint(Suspend->getTerminator());
  // Behind the only suspension, no number is needed, nor where there may be any
  // number.
  Value *Next = D.Suspensions <= 1 ? B.getInt32(!D.Suspensions)
                                   : B.CreateSub(Left, B.getInt32(1), "left");
  Counts.push_back({Left, Suspend, Next});
  return Suspend;
}

BasicBlock *TaskBuilder::endBehind(Instruction &I) {
  if (!I.isTerminator())
    Body.Blocks.push_back(
        I.getParent()->splitBasicBlock(I.getNextNode(), "task.spent"));
  return I.getParent();
}

void TaskBuilder::countSuspensions() {
  if (Counts.empty())
    return;
  SSAUpdater Updater;
  Type *I32 = Type::getInt32Ty(F.getContext());
  Updater.Initialize(I32, "left");
  Updater.AddAvailableValue(Body.Entry,
                            ConstantInt::get(I32, std::max(D.Suspensions, 1u)));
  for (Instruction *End : Plan.Ends)
    Updater.AddAvailableValue(endBehind(*cast<Instruction>(Map[End])),
                              ConstantInt::get(I32, 0));
  for (const SuspensionCount &Count : Counts)
    Updater.AddAvailableValue(Count.Suspend, Count.Next);
  for (const SuspensionCount &Count : Counts) {
    Count.StandIn->replaceAllUsesWith(
        Updater.GetValueInMiddleOfBlock(Count.StandIn->getParent()));
    Count.StandIn->eraseFromParent();
  }
}

Instruction *TaskBuilder::placeOf(const Instruction *Before) const {
  if (Instruction *Anchor = Anchors.lookup(Before))
    return Anchor;
  // The original latch's branch became the way to the retirement.
  return Before == Shape.latchBranch() ? (End ? End : Body.Retire)
                                             ->getSinglePredecessor()
                                             ->getTerminator()
                                       : cast<Instruction>(Map.lookup(Before));
}

void TaskBuilder::insertSuspension(const SuspensionPoint &Point) {
  assert(!Point.Early && "nobody waits for early requests");
  assert(!(Point.AwaitsTurn && Body.TurnResume) && "tasks wait for one turn");
  Instruction *At = placeOf(Point.Before);
  IRBuilder<> B(At);
  if (Point.AwaitsTurn)
    B.CreateStore(Iteration, State.Ticket);
  if (!Point.AwaitsTurn && !tunable::Suspensions)
    return requestAt(B, Point);
  BasicBlock *Resume =
      cutBefore(At, Point.AwaitsTurn ? "task.turn" : "task.resume");
  BasicBlock *Request = Resume->getSinglePredecessor();
  if (Point.SameOnEntry)
    Request = passIf(FirstRound.lookup(Point.SameOnEntry), Resume);
  if (mayBeSpent() && !Point.AwaitsTurn)
    Request = passIfSpent(Resume);
  B.SetInsertPoint(Request->getTerminator());
  requestAt(B, Point);
  if (!Point.AwaitsTurn)
    return;
  Body.TurnResume = Body.Resumes.size() - 1;
  B.SetInsertPoint(At);
  for (auto &[Phi, StandIn] : Awaited) {
    AllocaInst *Register = State.Variable.lookup(Phi);
    Value *Now = B.CreateLoad(Phi->getType(), Register, Phi->getName());
    // Up to its turn, a task shows what the iterations before have left.
    removeShown(*Register, *StandIn);
    StandIn->replaceAllUsesWith(Now);
    EntryValues[Phi] = Now;
  }
  Turn = At;
}
