//===- TaskBody.cpp - One iteration as a task -----------------------------===//

#include "async/TaskBody.h"
#include "async/Ablation.h"
#include "async/AddressSlice.h"
#include "async/SharedVariables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class Builder {
  const LoopShape &Shape;
  const Directive &D;
  const LatencyAnalysis &Latency;
  VariableClasses &Classes;
  const SuspensionPlan &Plan;
  const TaskLocals &Locals;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  SchedulerState &State;
  Function &F;
  ValueToValueMapTy Map;
  TaskBody Body;
  Value *Iteration = nullptr, *Place = nullptr;
  /// What the header's phis are in a task.
  MapVector<Value *, Value *> EntryValues;
  /// Stand-ins for Ordered variables until the turn point exists.
  MapVector<PHINode *, Instruction *> Awaited;
  DenseMap<const Request *, Value *> StreamStarts;
  DenseMap<const BlockedLoop *, Value *> BlockedCounts;
  /// i1: it is the first round of the inner loop.
  DenseMap<const Loop *, PHINode *> FirstRound;
  /// How many suspensions are left to a task where one of them is decided, and
  /// how many behind it.
  struct SuspensionCount {
    Instruction *StandIn;
    BasicBlock *Suspend;
    Value *Next;
  };
  SmallVector<SuspensionCount> Counts;

public:
  Builder(const LoopShape &Shape, const Directive &D,
          const LatencyAnalysis &Latency, VariableClasses &Classes,
          const SuspensionPlan &Plan, const TaskLocals &Locals,
          const DominatorTree &DT, ScalarEvolution &SE, SchedulerState &State)
      : Shape(Shape), D(D), Latency(Latency), Classes(Classes), Plan(Plan),
        Locals(Locals), DT(DT), SE(SE), State(State), F(State.F) {}

  TaskBody build() {
    expandInOriginal();
    createEntry();
    cloneBody();
    createRetire();
    for (const LoopVariable &V : Classes.Variables)
      if (V.Class == VariableClass::Shared)
        rewriteShared(V, Shape, Map, State, Body);
    for (const SuspensionPoint &Point : Plan.Points)
      if (Point.SameOnEntry)
        noteFirstRound(*Point.SameOnEntry);
    for (const BlockedLoop &Blocked : Plan.Blocks)
      if (Blocked.Inspected)
        insertInspector(Blocked);
      else
        insertBlockedRequests(Blocked);
    for (const SuspensionPoint &Point : Plan.Points)
      if (Point.Early)
        requestEarly(Point);
      else
        insertSuspension(Point);
    requestForLater();
    countSuspensions();
    finish();
    return std::move(Body);
  }

private:
  /// Expressions over the values of inner loops' preheaders are materialised
  /// in the original loop, from where they are cloned.
  void expandInOriginal() {
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    for (const SuspensionPoint &Point : Plan.Points)
      for (const Request &R : Point.Requests)
        if (R.Start)
          StreamStarts[&R] = Expander.expandCodeFor(
              R.Start, R.Start->getType(), Point.Before->getIterator());
    for (const BlockedLoop &Blocked : Plan.Blocks) {
      if (Blocked.Inspected)
        continue;
      Instruction *At = Blocked.Inner->getLoopPreheader()->getTerminator();
      const SCEV *Wide =
          SE.getNoopOrZeroExtend(Blocked.BackedgeCount, State.i64());
      BlockedCounts[&Blocked] =
          Expander.expandCodeFor(SE.getAddExpr(Wide, SE.getOne(State.i64())),
                                 State.i64(), At->getIterator());
    }
    // Expressions over the iteration may have made an induction variable.
    for (PHINode &Phi : Shape.L->getHeader()->phis())
      if (!Classes.find(&Phi))
        Classes.Variables.push_back(
            {&Phi,
             VariableClass::Induction,
             Phi.getIncomingValueForBlock(Shape.Latch),
             cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))->getStepRecurrence(SE),
             {}});
  }

  /// The launch: takes the next iteration's number and variables.
  void createEntry() {
    Body.Entry = BasicBlock::Create(F.getContext(), "task.launch", &F);
    Body.Blocks.push_back(Body.Entry);
    IRBuilder<> B(Body.Entry);
    Iteration = B.CreateLoad(State.i64(), State.NextIteration, "iteration");
    B.CreateStore(B.CreateAdd(Iteration, B.getInt64(1)), State.NextIteration);

    for (const LoopVariable &V : Classes.Variables) {
      AllocaInst *Variable = State.Variable.lookup(V.Phi);
      switch (V.Class) {
      case VariableClass::Induction:
        EntryValues[V.Phi] = inductionValue(B, V, Iteration);
        break;
      case VariableClass::Launch:
        EntryValues[V.Phi] =
            B.CreateLoad(V.Phi->getType(), Variable, V.Phi->getName());
        break;
      case VariableClass::Ordered:
        Awaited[V.Phi] = cast<Instruction>(
            B.CreateFreeze(PoisonValue::get(V.Phi->getType())));
        EntryValues[V.Phi] = Awaited[V.Phi];
        break;
      case VariableClass::Shared:
        EntryValues[V.Phi] = PoisonValue::get(V.Phi->getType());
        break;
      }
    }
    advanceLaunchVariables(B);
    createLocals(B);
  }

  Value *inductionValue(IRBuilder<> &B, const LoopVariable &V, Value *Number) {
    // The start is what the variable was when the loop was entered, not when
    // this stretch of it was.
    Value *Start = V.Phi->getIncomingValueForBlock(Shape.Preheader);
    Type *StepType = V.Step->getType();
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    Value *Step = Expander.expandCodeFor(V.Step, StepType,
                                         Shape.Preheader->getTerminator());
    Value *Offset = B.CreateMul(B.CreateZExtOrTrunc(Number, StepType), Step);
    if (Start->getType()->isPointerTy())
      return B.CreatePtrAdd(Start, Offset, V.Phi->getName());
    return B.CreateAdd(Start, Offset, V.Phi->getName());
  }

  /// Computes the next values of Launch variables and, in a loop that is not
  /// counted, whether there is another iteration.
  void advanceLaunchVariables(IRBuilder<> &B) {
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

  void createLocals(IRBuilder<> &B) {
    if (Locals.empty())
      return;
    Value *Height =
        B.CreateSub(B.CreateLoad(State.i64(), State.FreeCount), B.getInt64(1));
    B.CreateStore(Height, State.FreeCount);
    Type *PlaceType = B.getInt32Ty();
    Place = B.CreateLoad(
        PlaceType, B.CreateGEP(PlaceType, State.FreePlaces, Height), "place");
    const DataLayout &DL = F.getDataLayout();
    // In the order of the entry block, not of addresses.
    for (Instruction &I : make_early_inc_range(F.getEntryBlock())) {
      auto *Local = dyn_cast<AllocaInst>(&I);
      if (!Local || !Locals.contains(Local))
        continue;
      uint64_t Bytes = alignTo(Local->getAllocationSize(DL)->getFixedValue(),
                               Local->getAlign());
      AllocaInst *All =
          State.createArray(B.getInt8Ty(), Bytes * State.MaxLaunched,
                            Local->getName() + ".tasks");
      All->setAlignment(std::max(All->getAlign(), Local->getAlign()));
      Value *Mine = B.CreatePtrAdd(
          All, B.CreateMul(B.CreateZExt(Place, State.i64()), B.getInt64(Bytes)),
          Local->getName());
      if (is_contained(D.Private, Local))
        B.CreateMemCpy(Mine, Local->getAlign(), Local, Local->getAlign(),
                       Bytes);
      Map[Local] = Mine;
    }
  }

  /// Scopes say that two pointers of one iteration differ; iterations that are
  /// interleaved must not be told so of each other.
  static void stripScopes(Instruction &I) {
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
    I.setMetadata(LLVMContext::MD_access_group, nullptr);
    I.setMetadata(LLVMContext::MD_mem_parallel_loop_access, nullptr);
  }

  void cloneBody() {
    for (BasicBlock *Block : Shape.L->blocks()) {
      BasicBlock *Clone = CloneBasicBlock(Block, Map, ".task", &F);
      Map[Block] = Clone;
      Body.Blocks.push_back(Clone);
    }
    auto *Header = cast<BasicBlock>(Map[Shape.L->getHeader()]);
    IRBuilder<> B(Body.Entry);
    for (auto &[Phi, New] : EntryValues) {
      auto *Clone = cast<Instruction>(Map[Phi]);
      Map[Phi] = New;
      Clone->eraseFromParent();
    }
    B.CreateBr(Header);
    SmallVector<Instruction *> Dead;
    for (BasicBlock *Block : drop_begin(Body.Blocks))
      for (Instruction &I : *Block) {
        RemapInstruction(&I, Map,
                         RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map,
                            RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        stripScopes(I);
        if (I.isLifetimeStartOrEnd() || isa<NoAliasScopeDeclInst>(I))
          Dead.push_back(&I);
      }
    Dead.push_back(cast<Instruction>(Map[D.Marker]));
    for (Instruction *I : Dead)
      I->eraseFromParent();
    // Ways out of the loop that end the program are shared with the original.
    for (BasicBlock *Block : Shape.L->blocks())
      for (BasicBlock *Successor : successors(Block))
        if (!Shape.L->contains(Successor) && Successor != Shape.Exit)
          for (PHINode &Phi : Successor->phis()) {
            Value *V = Phi.getIncomingValueForBlock(Block);
            Value *New = Map.lookup(V);
            auto *From = cast<BasicBlock>(Map[Block]);
            if (Phi.getBasicBlockIndex(From) < 0)
              Phi.addIncoming(New ? New : V, From);
          }
  }

  void createRetire() {
    Body.Retire = BasicBlock::Create(F.getContext(), "task.retire", &F);
    Body.Blocks.push_back(Body.Retire);
    auto *Latch = cast<BasicBlock>(Map[Shape.Latch]);
    Latch->getTerminator()->eraseFromParent();
    BranchInst::Create(Body.Retire, Latch);
    IRBuilder<> B(Body.Retire);
    auto Mapped = [&](Value *V) {
      Value *New = Map.lookup(V);
      return New ? New : V;
    };
    for (const LoopVariable &V : Classes.Variables)
      if (V.Class == VariableClass::Ordered)
        B.CreateStore(Mapped(V.Next), State.Variable.lookup(V.Phi));
    for (PHINode *ExitPhi : Classes.LastValues) {
      auto &Last = State.Last[ExitPhi];
      Value *Newest = B.CreateLoad(State.i64(), Last.Iteration);
      Value *IsNewer = B.CreateICmpUGE(Iteration, Newest);
      B.CreateStore(B.CreateSelect(IsNewer, Iteration, Newest), Last.Iteration);
      Value *Old = B.CreateLoad(ExitPhi->getType(), Last.Value);
      Value *New = Mapped(ExitPhi->getIncomingValueForBlock(Shape.Latch));
      B.CreateStore(B.CreateSelect(IsNewer, New, Old), Last.Value);
    }
    if (Place) {
      Value *Height = B.CreateLoad(State.i64(), State.FreeCount);
      B.CreateStore(Place,
                    B.CreateGEP(B.getInt32Ty(), State.FreePlaces, Height));
      B.CreateStore(B.CreateAdd(Height, B.getInt64(1)), State.FreeCount);
    }
    B.CreateUnreachable();
  }

  void createPrefetches(IRBuilder<> &B, const Request &R, Value *Address) {
    if (!hasRequests())
      return;
    for (int64_t Line : R.Lines) {
      Value *At = Line ? B.CreatePtrAdd(Address, B.getInt64(Line)) : Address;
      // Read or write; keep in all cache levels; data.
      B.CreateIntrinsic(
          Intrinsic::prefetch, {At->getType()},
          {At, B.getInt32(R.ForWrite), B.getInt32(3), B.getInt32(1)});
    }
  }

  /// Cuts \p Block in front of \p At; what follows is where tasks resume.
  BasicBlock *cutBefore(Instruction *At, const Twine &Name) {
    BasicBlock *Resume = At->getParent()->splitBasicBlock(At, Name);
    Body.Blocks.push_back(Resume);
    Body.Resumes.push_back(Resume);
    return Resume;
  }

  /// Gives \p Phi, in the header of \p Inner, its values on entry and from
  /// round to round. A shared variable may have put a block in front of the
  /// header.
  void addWaysIn(PHINode &Phi, const Loop &Inner, Value *OnEntry,
                 Value *NextRound) {
    Value *Preheader = Map[Inner.getLoopPreheader()];
    for (BasicBlock *From : predecessors(Phi.getParent()))
      Phi.addIncoming(From == Preheader ? OnEntry : NextRound, From);
  }

  void noteFirstRound(const Loop &Inner) {
    PHINode *&First = FirstRound[&Inner];
    if (First)
      return;
    auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
    IRBuilder<> B(Header, Header->begin());
    First = B.CreatePHI(B.getInt1Ty(), 2, "first.round");
    addWaysIn(*First, Inner, B.getTrue(), B.getFalse());
  }

  /// Lets tasks for which \p Passes is true go past the suspension in front of
  /// \p Resume. Returns the block in which the others suspend.
  BasicBlock *passIf(Value *Passes, BasicBlock *Resume) {
    BasicBlock *From = Resume->getSinglePredecessor();
    BasicBlock *Go = Resume->splitBasicBlock(Resume->begin(), "task.go");
    BasicBlock *Suspend =
        BasicBlock::Create(F.getContext(), "task.suspend", &F, Resume);
    Body.Blocks.append({Suspend, Go});
    BranchInst::Create(Resume, Suspend);
    From->getTerminator()->eraseFromParent();
    BranchInst::Create(Go, Suspend, Passes, From);
    return Suspend;
  }

  /// Lets tasks that have been suspended as often as they may go past the
  /// suspension in front of \p Resume. Returns the block in which the others
  /// suspend.
  BasicBlock *passIfSpent(BasicBlock *Resume) {
    IRBuilder<> B(Resume->getSinglePredecessor()->getTerminator());
    auto *Left =
        cast<Instruction>(B.CreateFreeze(PoisonValue::get(B.getInt32Ty())));
    BasicBlock *Suspend = passIf(B.CreateIsNull(Left), Resume);
    B.SetInsertPoint(Suspend->getTerminator());
    // Behind the only one there is nothing to count.
    Value *Next = D.Suspensions == 1 ? B.getInt32(0)
                                     : B.CreateSub(Left, B.getInt32(1), "left");
    Counts.push_back({Left, Suspend, Next});
    return Suspend;
  }

  /// Puts what is left of a task's suspensions in the places of its stand-ins.
  void countSuspensions() {
    if (Counts.empty())
      return;
    SSAUpdater Updater;
    Type *I32 = Type::getInt32Ty(F.getContext());
    Updater.Initialize(I32, "left");
    Updater.AddAvailableValue(Body.Entry, ConstantInt::get(I32, D.Suspensions));
    for (const SuspensionCount &Count : Counts)
      Updater.AddAvailableValue(Count.Suspend, Count.Next);
    for (const SuspensionCount &Count : Counts) {
      Count.StandIn->replaceAllUsesWith(
          Updater.GetValueInMiddleOfBlock(Count.StandIn->getParent()));
      Count.StandIn->eraseFromParent();
    }
  }

  void insertSuspension(const SuspensionPoint &Point) {
    // The original latch's branch became the way to the retirement.
    Instruction *At = Point.Before == Shape.latchBranch()
                          ? Body.Retire->getSinglePredecessor()->getTerminator()
                          : cast<Instruction>(Map[Point.Before]);
    IRBuilder<> B(At);
    if (Point.AwaitsTurn)
      B.CreateStore(Iteration, State.Ticket);
    if (!Point.AwaitsTurn && !hasSuspensions())
      return requestAt(B, Point);
    BasicBlock *Resume =
        cutBefore(At, Point.AwaitsTurn ? "task.turn" : "task.resume");
    BasicBlock *Request = Resume->getSinglePredecessor();
    if (Point.SameOnEntry)
      Request = passIf(FirstRound.lookup(Point.SameOnEntry), Resume);
    if (D.Suspensions && !Point.AwaitsTurn)
      Request = passIfSpent(Resume);
    B.SetInsertPoint(Request->getTerminator());
    requestAt(B, Point);
    if (!Point.AwaitsTurn)
      return;
    Body.TurnResume = Body.Resumes.size() - 1;
    B.SetInsertPoint(At);
    for (auto &[Phi, StandIn] : Awaited) {
      Value *Now = B.CreateLoad(Phi->getType(), State.Variable.lookup(Phi),
                                Phi->getName());
      StandIn->replaceAllUsesWith(Now);
    }
  }

  void requestAt(IRBuilder<> &B, const SuspensionPoint &Point) {
    for (const Request &R : Point.Requests)
      createPrefetches(B, R, addressFor(B, R, Point.Before));
  }

  Value *addressFor(IRBuilder<> &B, const Request &R, Instruction *Before) {
    if (R.Start) {
      Value *Start = StreamStarts.lookup(&R);
      Value *New = Map.lookup(Start);
      return New ? New : Start;
    }
    SetVector<Instruction *> Slice;
    bool Possible = addressSliceAt(
        R.Address, Before, [](const LoadInst *) { return true; }, DT, Slice);
    assert(Possible && "planned with the same slice");
    (void)Possible;
    return cloneSlice(B, Slice, R.Address, [&](Value *V) { return inTask(V); });
  }

  /// What \p V of the original loop is in the task.
  Value *inTask(Value *V) const {
    Value *New = Map.lookup(V);
    return New ? New : V;
  }

  /// What \p V is \p Ahead iterations of \p Inner further: a phi of its header,
  /// or something that does not change.
  Value *fromHereOn(IRBuilder<> &B, Value *V, const Loop &Inner, Value *Ahead) {
    Value *Now = inTask(V);
    auto *Phi = dyn_cast<PHINode>(V);
    if (!Phi || Phi->getParent() != Inner.getHeader())
      return Now;
    auto *Recurrence = cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
    auto *Step =
        cast<SCEVConstant>(Recurrence->getStepRecurrence(SE))->getValue();
    Value *Offset =
        B.CreateMul(B.CreateZExtOrTrunc(Ahead, Step->getType()), Step);
    return Now->getType()->isPointerTy() ? B.CreatePtrAdd(Now, Offset)
                                         : B.CreateAdd(Now, Offset);
  }

  /// Adds \p Point 's requests to those that are made early.
  void requestEarly(const SuspensionPoint &Point) {
    EarlyRequests &Early = Body.Early;
    if (!Early.Code) {
      Early.Code = BasicBlock::Create(F.getContext(), "task.early", &F);
      IRBuilder<> B(Early.Code);
      Early.Number =
          cast<Instruction>(B.CreateFreeze(PoisonValue::get(State.i64())));
      B.CreateUnreachable();
    }
    IRBuilder<> B(Early.Code->getTerminator());
    for (const Request &R : Point.Requests) {
      SetVector<Instruction *> Slice;
      unsigned Level = 0;
      bool Possible = addressSliceInLoop(R.Address, *Shape.L, Latency, DT, SE,
                                         Slice, Level);
      assert(Possible && "planned with the same slice");
      (void)Possible;
      createPrefetches(B, R, cloneSlice(B, Slice, R.Address, [&](Value *V) {
                         const LoopVariable *Variable = Classes.find(V);
                         return Variable
                                    ? inductionValue(B, *Variable, Early.Number)
                                    : V;
                       }));
    }
  }

  /// At the launch of a task: requests for the one that is launched later.
  void requestForLater() {
    if (!Body.Early.Code)
      return;
    IRBuilder<> B(Body.Entry->getTerminator());
    Value *Ahead = B.CreateLoad(State.i64(), State.Ahead);
    Body.Early.emitFor(B.CreateAdd(Iteration, Ahead), B);
  }

  /// Repeats \p Slice and returns its \p Result. \p Start says what the values
  /// are that it begins with.
  Value *cloneSlice(IRBuilder<> &B, const SetVector<Instruction *> &Slice,
                    Value *Result, function_ref<Value *(Value *)> Start) {
    ValueToValueMapTy SliceMap;
    auto Mapped = [&](Value *V) -> Value * {
      if (Value *New = SliceMap.lookup(V))
        return New;
      return SliceMap[V] = Start(V);
    };
    for (Instruction *I : Slice) {
      Instruction *Clone = I->clone();
      for (Use &U : Clone->operands())
        U.set(Mapped(U.get()));
      // What is loaded early may not be there yet.
      Clone->dropPoisonGeneratingFlags();
      Clone->dropUBImplyingAttrsAndMetadata();
      stripScopes(*Clone);
      B.Insert(Clone, I->getName());
      SliceMap[I] = Clone;
    }
    return Mapped(Result);
  }

  /// In front of each block of iterations of an inner loop: prefetch for all of
  /// them, suspend, and go on. The first block is the odd one, so that the rest
  /// begin where the count of iterations left is a multiple of the length.
  void insertBlockedRequests(const BlockedLoop &Blocked) {
    const Loop &Inner = *Blocked.Inner;
    auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
    auto *Latch = cast<BasicBlock>(Map[Inner.getLoopLatch()]);
    Value *Count = BlockedCounts.lookup(&Blocked);
    if (Value *Clone = Map.lookup(Count))
      Count = Clone;
    Type *I64 = State.i64();

    IRBuilder<> B(Header, Header->begin());
    PHINode *Left = B.CreatePHI(I64, 2, "left");
    PHINode *First = B.CreatePHI(B.getInt1Ty(), 2, "first");
    B.SetInsertPoint(Latch->getTerminator());
    Value *LeftNext = B.CreateSub(Left, B.getInt64(1));
    addWaysIn(*Left, Inner, Count, LeftNext);
    addWaysIn(*First, Inner, B.getTrue(), B.getFalse());

    BasicBlock *Run =
        Header->splitBasicBlock(Header->getFirstInsertionPt(), "block.run");
    BasicBlock *Issue =
        BasicBlock::Create(F.getContext(), "block.issue", &F, Run);
    Body.Blocks.append({Run, Issue});
    // The latch may have been the header.
    Header->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Header);
    Value *Mask = B.getInt64(Blocked.Length - 1);
    Value *AtBoundary = B.CreateICmpEQ(B.CreateAnd(Left, Mask), B.getInt64(0));
    B.CreateCondBr(B.CreateOr(First, AtBoundary), Issue, Run);

    B.SetInsertPoint(Issue);
    Value *Length = B.CreateAdd(
        B.CreateAnd(B.CreateSub(Left, B.getInt64(1)), Mask), B.getInt64(1));
    for (const auto &Level : Blocked.Levels) {
      BasicBlock *Before = B.GetInsertBlock();
      BasicBlock *Prefetch =
          BasicBlock::Create(F.getContext(), "block.prefetch", &F, Run);
      BasicBlock *Done =
          BasicBlock::Create(F.getContext(), "block.requested", &F, Run);
      Body.Blocks.append({Prefetch, Done});
      B.CreateBr(Prefetch);
      B.SetInsertPoint(Prefetch);
      PHINode *Ahead = B.CreatePHI(I64, 2, "ahead");
      Ahead->addIncoming(B.getInt64(0), Before);
      for (const Request &R : Level) {
        SetVector<Instruction *> Slice;
        unsigned Depth = 0;
        bool Possible =
            addressSliceInLoop(R.Address, Inner, Latency, DT, SE, Slice, Depth);
        assert(Possible && "planned with the same slice");
        (void)Possible;
        createPrefetches(B, R, cloneSlice(B, Slice, R.Address, [&](Value *V) {
                           return fromHereOn(B, V, Inner, Ahead);
                         }));
      }
      Value *AheadNext = B.CreateAdd(Ahead, B.getInt64(1));
      Ahead->addIncoming(AheadNext, Prefetch);
      B.CreateCondBr(B.CreateICmpEQ(AheadNext, Length), Done, Prefetch);
      B.SetInsertPoint(Done);
      suspendAtEnd(B);
    }
    B.CreateBr(Run);
    replaceExitTest(Blocked, LeftNext);
  }

  /// Suspends at the end of a block of requests.
  void suspendAtEnd(IRBuilder<> &B) {
    if (!hasSuspensions())
      return;
    Instruction *Jump = B.CreateUnreachable();
    BasicBlock *Resume = cutBefore(Jump, "task.resume");
    if (D.Suspensions)
      passIfSpent(Resume);
    B.SetInsertPoint(Jump->getParent());
    Jump->eraseFromParent();
  }

  /// In front of each block of iterations of an inner loop: let the inspector
  /// run over it and prefetch, suspend, and go on.
  void insertInspector(const BlockedLoop &Blocked) {
    const Loop &Inner = *Blocked.Inner;
    auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
    auto *Latch = cast<BasicBlock>(Map[Inner.getLoopLatch()]);
    Type *I64 = State.i64();

    IRBuilder<> B(Header, Header->begin());
    PHINode *Left = B.CreatePHI(I64, 2, "left");
    BasicBlock *Run =
        Header->splitBasicBlock(Header->getFirstInsertionPt(), "block.run");
    // The latch may have been the header.
    if (Latch == Header)
      Latch = Run;
    BasicBlock *Inspect =
        BasicBlock::Create(F.getContext(), "block.inspect", &F, Run);
    BasicBlock *Done =
        BasicBlock::Create(F.getContext(), "block.requested", &F, Run);
    Body.Blocks.append({Run, Inspect, Done});
    Header->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Header);
    B.CreateCondBr(B.CreateIsNull(Left), Inspect, Run);
    B.SetInsertPoint(Inspect);
    B.CreateBr(cloneInspector(Blocked, Inspect, Done));
    B.SetInsertPoint(Done);
    suspendAtEnd(B);
    BasicBlock *Requested = B.GetInsertBlock();
    B.CreateBr(Run);

    B.SetInsertPoint(Run, Run->begin());
    PHINode *Now = B.CreatePHI(I64, 2, "left.now");
    Now->addIncoming(Left, Header);
    Now->addIncoming(B.getInt64(Blocked.Length), Requested);
    B.SetInsertPoint(Latch->getTerminator());
    addWaysIn(*Left, Inner, B.getInt64(0), B.CreateSub(Now, B.getInt64(1)));
  }

  /// Builds the inspector of a block of iterations, which begins behind
  /// \p Before where the loop is and goes to \p Done. Returns its header.
  BasicBlock *cloneInspector(const BlockedLoop &Blocked, BasicBlock *Before,
                             BasicBlock *Done) {
    const Loop &Inner = *Blocked.Inner;
    const Inspector &Inspected = *Blocked.Inspected;
    ValueToValueMapTy Copies;
    SmallVector<BasicBlock *> Blocks;
    BasicBlock *Next = createInspectorBlock("inspect.next");
    auto CopyOf = [&](BasicBlock *Block) {
      Value *Copy = Copies.lookup(Block);
      if (!Copy) {
        Copies[Block] = Copy =
            createInspectorBlock(Block->getName() + ".inspect");
        Blocks.push_back(Block);
      }
      return cast<BasicBlock>(Copy);
    };
    // Where the copy of a block goes in place of a successor.
    auto Target = [&](BasicBlock *Successor) {
      if (!Inner.contains(Successor))
        return Done;
      return Successor == Inner.getHeader() ? Next : CopyOf(Successor);
    };
    BasicBlock *Header = CopyOf(Inner.getHeader());
    IRBuilder<> B(Header);
    PHINode *Ahead = B.CreatePHI(State.i64(), 2, "ahead");
    Ahead->addIncoming(B.getInt64(0), Before);
    for (unsigned I = 0; I < Blocks.size(); ++I) {
      BasicBlock *Block = Blocks[I];
      B.SetInsertPoint(cast<BasicBlock>(Copies[Block]));
      for (Instruction &Original : *Block) {
        if (Original.isTerminator())
          break;
        if (Inspected.Repeated.contains(&Original)) {
          Instruction *Copy = Original.clone();
          stripScopes(*Copy);
          Copy->dropUBImplyingAttrsAndMetadata();
          B.Insert(Copy, Original.getName());
          Copies[&Original] = Copy;
        }
      }
      Instruction *End = Block->getTerminator();
      if (BasicBlock *Join = Inspected.Joins.lookup(Block)) {
        B.CreateBr(Target(Join));
        continue;
      }
      Instruction *Copy = End->clone();
      Copy->setMetadata(LLVMContext::MD_loop, nullptr);
      for (unsigned J = 0; J < End->getNumSuccessors(); ++J)
        Copy->setSuccessor(J, Target(End->getSuccessor(J)));
      B.Insert(Copy);
    }
    B.SetInsertPoint(Next);
    Value *AheadNext = B.CreateAdd(Ahead, B.getInt64(1));
    Ahead->addIncoming(AheadNext, Next);
    B.CreateCondBr(B.CreateICmpEQ(AheadNext, B.getInt64(Blocked.Length)), Done,
                   Header);

    // All copies are there: what they refer to are the copies.
    auto Copied = [&](Value *V) {
      Value *Copy = Copies.lookup(V);
      return Copy ? Copy : inTask(V);
    };
    for (BasicBlock *Block : Blocks)
      for (Instruction &Copy : *cast<BasicBlock>(Copies[Block])) {
        auto *Phi = dyn_cast<PHINode>(&Copy);
        if (Phi == Ahead)
          continue;
        if (!Phi || Block != Inner.getHeader()) {
          for (Use &U : Copy.operands())
            if (!isa<BasicBlock>(U))
              U.set(Copied(U));
          if (Phi)
            for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
              Phi->setIncomingBlock(
                  I, cast<BasicBlock>(Copies[Phi->getIncomingBlock(I)]));
        }
      }
    for (PHINode &Phi : Inner.getHeader()->phis())
      if (Inspected.Repeated.contains(&Phi)) {
        auto *Copy = cast<PHINode>(Copies[&Phi]);
        Value *Again =
            Copied(Phi.getIncomingValueForBlock(Inner.getLoopLatch()));
        while (Copy->getNumIncomingValues())
          Copy->removeIncomingValue(0u, false);
        Copy->addIncoming(inTask(&Phi), Before);
        Copy->addIncoming(Again, Next);
      }
    for (const Request &R : Blocked.Levels.front()) {
      auto *Block =
          cast_or_null<BasicBlock>(Copies.lookup(R.For->I->getParent()));
      assert(Block && "reached like the access");
      B.SetInsertPoint(Block->getTerminator());
      createPrefetches(B, R, Copied(R.Address));
    }
    return Header;
  }

  BasicBlock *createInspectorBlock(const Twine &Name) {
    BasicBlock *Block = BasicBlock::Create(F.getContext(), Name, &F);
    Body.Blocks.push_back(Block);
    return Block;
  }

  /// Where the count is exact the inner loop ends by it, so that its own bound
  /// need not be kept.
  void replaceExitTest(const BlockedLoop &Blocked, Value *LeftNext) {
    BasicBlock *InnerLatch = Blocked.Inner->getLoopLatch();
    auto *Branch = dyn_cast<BranchInst>(InnerLatch->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Blocked.Inner->getExitingBlock() != InnerLatch ||
        SE.getExitCount(Blocked.Inner, InnerLatch) != Blocked.BackedgeCount)
      return;
    auto *Clone = cast<BranchInst>(Map[Branch]);
    IRBuilder<> B(Clone);
    bool ContinuesOnTrue =
        Branch->getSuccessor(0) == Blocked.Inner->getHeader();
    Clone->setCondition(
        B.CreateICmp(ContinuesOnTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ,
                     LeftNext, B.getInt64(0)));
  }

  void finish() {
    for (auto &[Phi, StandIn] : Awaited) {
      assert(StandIn->use_empty() && "a use in front of the turn point");
      StandIn->eraseFromParent();
    }
  }
};

} // namespace

TaskBody heddle::buildTaskBody(const LoopShape &Shape, const Directive &D,
                               const LatencyAnalysis &Latency,
                               VariableClasses &Classes,
                               const SuspensionPlan &Plan,
                               const TaskLocals &Locals,
                               const DominatorTree &DT, ScalarEvolution &SE,
                               SchedulerState &State) {
  return Builder(Shape, D, Latency, Classes, Plan, Locals, DT, SE, State)
      .build();
}
