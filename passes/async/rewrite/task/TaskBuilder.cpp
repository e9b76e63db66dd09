//===- TaskBuilder.cpp - One iteration of a loop as a task ----------------===//
//
// The body from its launch to its retirement, without requests and suspensions.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "async/rewrite/DebugValues.h"
#include "async/rewrite/task/SharedVariables.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

TaskBody TaskBuilder::build() {
  assert((!Plan.Points.empty() || !Plan.Blocks.empty() ||
          !Plan.Rehearsals.empty() || Plan.Rows) &&
         "nothing to request");
  createEntry();
  cloneBody();
  createRetire();
  rewriteSharedVariables();
  limitRounds();
  for (const SuspensionPoint &Point : Plan.Points)
    if (Point.SameOnEntry)
      noteFirstRound(*Point.SameOnEntry);
  for (const BlockedLoop &Blocked : Plan.Blocks)
    if (Blocked.Inspected)
      insertInspector(Blocked);
    else
      insertBlockedRequests(Blocked);
  if (Plan.Rows)
    requestThroughRows(*Plan.Rows);
  for (const SuspensionPoint &Point : Plan.Points)
    if (Point.Early)
      requestEarly(Point);
    else if (!Point.AwaitsTurn)
      insertSuspension(Point);
  // A rehearsal in front of the turn requests what is behind it.
  for (const Rehearsal &R : Plan.Rehearsals)
    rehearse(R);
  for (const SuspensionPoint &Point : Plan.Points)
    if (Point.AwaitsTurn)
      insertSuspension(Point);
  for (auto &[Update, Anchor] : Anchors)
    Anchor->eraseFromParent();
  requestForLater();
  countSuspensions();
  guard();
  finish();
  return std::move(Body);
}

void TaskBuilder::rewriteSharedVariables() {
  for (const LoopVariable &V : Classes.Variables) {
    if (V.Class != VariableClass::Shared)
      continue;
    removeShown(*State.Variable.lookup(V.Phi), Body.Blocks);
    for (const SuspensionPoint &Point : Plan.Points)
      if (V.Updates.Chain.contains(Point.Before) &&
          !Anchors.contains(Point.Before)) {
        IRBuilder<> B(cast<Instruction>(Map[Point.Before]));
        Anchors[Point.Before] =
            cast<Instruction>(B.CreateFreeze(PoisonValue::get(B.getInt1Ty())));
      }
    rewriteShared(V, Shape, Map, State, Body);
  }
}

void TaskBuilder::createEntry() {
  Body.Entry = BasicBlock::Create(F.getContext(), "task.launch", &F);
  Body.Blocks.push_back(Body.Entry);
  Body.Loop = D.Marker->getDebugLoc();
  IRBuilder<> B(Body.Entry);
  Iteration = B.CreateLoad(State.i64(), State.NextIteration, "iteration");
  B.CreateStore(B.CreateAdd(Iteration, B.getInt64(1)), State.NextIteration);

  for (const LoopVariable &V : Classes.Variables) {
    AllocaInst *Variable = State.Variable.lookup(V.Phi);
    assert((V.Class == VariableClass::Induction) == !Variable &&
           "what the iteration's number does not give has a register");
    switch (V.Class) {
    case VariableClass::Induction:
      EntryValues[V.Phi] = inductionValue(B, V, Iteration);
      break;
    case VariableClass::Launch:
      EntryValues[V.Phi] =
          B.CreateLoad(V.Phi->getType(), Variable, V.Phi->getName());
      break;
    case VariableClass::Ordered:
      if (Plan.TurnPoint) {
        Awaited[V.Phi] = cast<Instruction>(
            B.CreateFreeze(PoisonValue::get(V.Phi->getType())));
        EntryValues[V.Phi] = Awaited[V.Phi];
      } else
        EntryValues[V.Phi] =
            B.CreateLoad(V.Phi->getType(), Variable, V.Phi->getName());
      break;
    case VariableClass::Shared:
      EntryValues[V.Phi] = PoisonValue::get(V.Phi->getType());
      break;
    }
  }
  advanceLaunchVariables(B);
  createLocals(B);
}

Value *TaskBuilder::inductionValue(IRBuilder<> &B, const LoopVariable &V,
                                   Value *Number) {
  assert(V.Class == VariableClass::Induction && V.Step && "not an induction");
  // The start is the variable's value on entry to the loop, not to this chunk
  // of it.
  Value *Start = V.Phi->getIncomingValueForBlock(Shape.Preheader);
  Type *StepType = V.Step->getType();
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  Value *Step = Expander.expandCodeFor(V.Step, StepType,
                                       Shape.Preheader->getTerminator());
  return stepped(B, Start, Step, Number, V.Phi->getName());
}

void TaskBuilder::advanceLaunchVariables(IRBuilder<> &B) {
  ValueToValueMapTy SliceMap;
  auto Mapped = [&](Value *V) -> Value * {
    if (Value *New = SliceMap.lookup(V))
      return New;
    Value *New = EntryValues.lookup(V);
    return New ? New : V;
  };
  for (Instruction *I : Classes.LaunchSlice) {
    Instruction *Clone = I->clone();
    for (Use &U : Clone->operands())
      U.set(Mapped(U.get()));
    stripScopes(*Clone);
    B.Insert(Clone, I->getName());
    SliceMap[I] = Clone;
  }
  for (const LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Launch)
      B.CreateStore(Mapped(V.Next), State.Variable.lookup(V.Phi));
  if (State.More) {
    Value *Condition = Mapped(Shape.latchBranch()->getCondition());
    if (!Shape.continuesOnTrue())
      Condition = B.CreateNot(Condition);
    B.CreateStore(Condition, State.More);
  }
}

void TaskBuilder::createLocals(IRBuilder<> &B) {
  if (Locals.empty())
    return;
  assert(State.FreePlaces && State.FreeCount && "no places for task locals");
  Value *Height = B.CreateSub(load(B, State.FreeCount), B.getInt64(1));
  B.CreateStore(Height, State.FreeCount);
  Type *PlaceType = B.getInt32Ty();
  Place = B.CreateLoad(
      PlaceType, B.CreateGEP(PlaceType, State.FreePlaces, Height), "place");
  const DataLayout &DL = F.getDataLayout();
  // Visits the variables in the order of the entry block: the order of the set
  // depends on addresses.
  for (Instruction &I : make_early_inc_range(F.getEntryBlock())) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local || !Locals.contains(Local))
      continue;
    uint64_t Bytes = alignTo(Local->getAllocationSize(DL)->getFixedValue(),
                             Local->getAlign());
    AllocaInst *All = State.createArray(
        B.getInt8Ty(), Bytes * State.MaxLaunched, Local->getName() + ".tasks");
    All->setAlignment(std::max(All->getAlign(), Local->getAlign()));
    Value *Mine = B.CreatePtrAdd(
        All, B.CreateMul(B.CreateZExt(Place, State.i64()), B.getInt64(Bytes)),
        Local->getName());
    if (is_contained(D.Private, Local))
      B.CreateMemCpy(Mine, Local->getAlign(), Local, Local->getAlign(), Bytes);
    Map[Local] = Mine;
  }
}

void TaskBuilder::stripScopes(Instruction &I) {
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  I.setMetadata(LLVMContext::MD_access_group, nullptr);
  I.setMetadata(LLVMContext::MD_mem_parallel_loop_access, nullptr);
}

SmallVector<BasicBlock *> TaskBuilder::ownBlocks() const {
  SmallVector<BasicBlock *> Own(Shape.L->blocks());
  const bool EndsUseLocals =
      any_of(instructionsIn(Shape.Ends), [&](const Instruction &I) {
        return any_of(I.operand_values(), [&](const Value *Operand) {
          auto *Local = dyn_cast<AllocaInst>(Operand);
          return Local && Locals.contains(Local);
        });
      });
  if (EndsUseLocals)
    append_range(Own, Shape.Ends);
  return Own;
}

void TaskBuilder::cloneBody() {
  append_range(Body.Blocks, cloneBlocks(Map, ".task"));
  IRBuilder<> B(Body.Entry);
  B.CreateBr(cast<BasicBlock>(Map[Shape.L->getHeader()]));
}

SmallVector<BasicBlock *> TaskBuilder::cloneBlocks(ValueToValueMapTy &To,
                                                   const Twine &Suffix) {
  const SmallVector<BasicBlock *> Own = ownBlocks();
  SmallVector<BasicBlock *> Clones;
  for (BasicBlock *Block : Own) {
    BasicBlock *Clone = CloneBasicBlock(Block, To, Suffix, &F);
    To[Block] = Clone;
    Clones.push_back(Clone);
  }
  for (auto &[Phi, New] : EntryValues) {
    auto *Clone = cast<Instruction>(To[Phi]);
    To[Phi] = New;
    Clone->eraseFromParent();
  }
  SmallVector<Instruction *> Dead;
  // Other code may end the program in the same place.
  for (BasicBlock *Block : ArrayRef(Own).drop_front(Shape.L->getNumBlocks()))
    for (PHINode &Phi : cast<BasicBlock>(To[Block])->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!To.count(Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  remapInstructionsInBlocks(Clones, To);
  for (Instruction &I : instructionsIn(Clones)) {
    stripScopes(I);
    if (I.isLifetimeStartOrEnd() || isa<NoAliasScopeDeclInst>(I))
      Dead.push_back(&I);
  }
  Dead.push_back(cast<Instruction>(To[D.Marker]));
  for (Instruction *I : Dead)
    I->eraseFromParent();
  createLeaves(To);
  // Otherwise, ways out of the loop that end the program are shared with the
  // original.
  auto IsEnd = [&](BasicBlock *Block) {
    return !To.count(Block) && Block != Shape.Exit &&
           none_of(Shape.EarlyExits,
                   [&](const EarlyExit &Exit) { return Exit.To == Block; });
  };
  for (BasicBlock *Block : Own)
    for (BasicBlock *Successor : successors(Block))
      if (IsEnd(Successor))
        for (PHINode &Phi : Successor->phis()) {
          auto *From = cast<BasicBlock>(To[Block]);
          Value *V = Phi.getIncomingValueForBlock(Block);
          Value *New = To.lookup(V);
          if (Phi.getBasicBlockIndex(From) < 0)
            Phi.addIncoming(New ? New : V, From);
        }
  return Clones;
}

void TaskBuilder::recordResults(IRBuilder<> &B, const ValueToValueMapTy &Of) {
  auto InTask = [&](Value *V) {
    Value *New = Of.lookup(V);
    return New ? New : V;
  };
  for (const LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Ordered)
      B.CreateStore(InTask(V.Next), State.Variable.lookup(V.Phi));
  for (PHINode *ExitPhi : Classes.LastValues) {
    auto &Last = State.Last[ExitPhi];
    Value *Newest = B.CreateLoad(State.i64(), Last.Iteration);
    Value *IsNewer = B.CreateICmpUGE(Iteration, Newest);
    B.CreateStore(B.CreateSelect(IsNewer, Iteration, Newest), Last.Iteration);
    Value *Old = B.CreateLoad(ExitPhi->getType(), Last.Value);
    Value *New = InTask(ExitPhi->getIncomingValueForBlock(Shape.Latch));
    B.CreateStore(B.CreateSelect(IsNewer, New, Old), Last.Value);
  }
}

void TaskBuilder::createRetire() {
  Body.Retire = BasicBlock::Create(F.getContext(), "task.retire", &F);
  Body.Blocks.push_back(Body.Retire);
  auto *Latch = cast<BasicBlock>(Map[Shape.Latch]);
  Latch->getTerminator()->eraseFromParent();
  IRBuilder<> B(Body.Retire);
  if (Shape.isLeftEarly()) {
    End = BasicBlock::Create(F.getContext(), "task.end", &F, Body.Retire);
    Body.Blocks.push_back(End);
    BranchInst::Create(End, Latch);
    BranchInst::Create(Body.Retire, End);
    B.SetInsertPoint(End->getTerminator());
    recordResults(B, Map);
    B.SetInsertPoint(Body.Retire);
  } else {
    BranchInst::Create(Body.Retire, Latch);
    recordResults(B, Map);
  }
  Body.Complete = Shape.isLeftEarly() ? End : Body.Retire;
  if (Place) {
    Value *Height = load(B, State.FreeCount);
    B.CreateStore(Place, B.CreateGEP(B.getInt32Ty(), State.FreePlaces, Height));
    B.CreateStore(B.CreateAdd(Height, B.getInt64(1)), State.FreeCount);
  }
  // Not all tasks reach the store.
  if (any_of(Plan.Points, [](const SuspensionPoint &P) { return P.Owns; }))
    State.Far->release(B, State.farTask(B));
  B.CreateUnreachable();
}

void TaskBuilder::finish() {
  for (auto &[Phi, StandIn] : Awaited) {
    assert(StandIn->use_empty() && "a use in front of the turn point");
    StandIn->eraseFromParent();
  }
}

TaskBody heddle::buildTaskBody(const LoopContext &C, const LoopFacts &Facts,
                               const SuspensionPlan &Plan,
                               const PlannedExpressions &Expressions,
                               SchedulerState &State) {
  return TaskBuilder(C, Facts, Plan, Expressions, State).build();
}
