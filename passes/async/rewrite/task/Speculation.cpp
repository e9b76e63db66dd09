//===- Speculation.cpp - Tasks that may begin in vain ---------------------===//
//
// The part of TaskBuilder for loops that may be left early. Each early exit is
// behind the turn:
//
//   ... read only ...; suspend until it is the task's turn
//   if found: left = number of the exit; values behind it; end all tasks
//
// In front of the turn, a task may read what only earlier iterations make safe
// to read. So each read is guarded: where it might fail, the task waits for its
// turn, and then runs the iteration from its start, as the serial loop would:
//
//   address = ...; if address is not in the extent of its array: go to unsure
//   ...
//   wait:   again = from unsure; suspend until it is the task's turn
//           if again: run the iteration; the extent grows by what it reads
//   rest:   ...
//
//===----------------------------------------------------------------------===//

#include "async/analysis/ObjectAddress.h"
#include "async/order/RunsAhead.h"
#include "async/rewrite/task/TaskBuilder.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle;

/// The smallest pages of memory that systems protect.
static constexpr uint64_t PageBytes = 4096;

/// Rounds: an inner loop of more may be one that does not end, because it works
/// on what the serial loop would not read.
static constexpr uint64_t MostRounds = 1 << 16;

void TaskBuilder::createLeaves(const ValueToValueMapTy &Of) {
  if (!Shape.isLeftEarly())
    return;
  if (!Body.Leave) {
    Body.Leave = BasicBlock::Create(F.getContext(), "task.left", &F);
    Body.Blocks.push_back(Body.Leave);
    new UnreachableInst(F.getContext(), Body.Leave);
  }
  for (auto [Number, Exit] : enumerate(Shape.EarlyExits)) {
    auto *Leave = BasicBlock::Create(F.getContext(), "task.leave", &F);
    Body.Blocks.push_back(Leave);
    auto *From = cast<BasicBlock>(Of.lookup(Exit.From));
    From->getTerminator()->replaceSuccessorWith(Exit.To, Leave);
    IRBuilder<> B(Leave);
    for (PHINode &Phi : Exit.To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(Exit.From);
      Value *New = Of.lookup(V);
      B.CreateStore(New ? New : V, State.Leaving.lookup(&Phi));
    }
    B.CreateStore(B.getInt32(Number + 1), State.Left);
    B.CreateStore(B.CreateAdd(Iteration, B.getInt64(1)), State.NextIteration);
    B.CreateBr(Body.Leave);
  }
}

void TaskBuilder::limitRounds() {
  if (!Shape.isLeftEarly())
    return;
  for (Loop *Inner : Shape.L->getLoopsInPreorder()) {
    const bool Suspends =
        tunable::Suspensions && !D.Suspensions &&
        any_of(Plan.Points, [&](const SuspensionPoint &Point) {
          return !Point.AwaitsTurn && !Point.Early &&
                 Inner->contains(Point.Before) && Inner->getLoopLatch() &&
                 C.DT.dominates(Point.Before,
                                Inner->getLoopLatch()->getTerminator());
        });
    const unsigned Most = SE.getSmallConstantMaxTripCount(Inner);
    if (Inner == Shape.L || Suspends || (Most && Most <= MostRounds) ||
        C.DT.dominates(Plan.TurnPoint, Inner->getHeader()))
      continue;
    auto *Header = cast<BasicBlock>(Map[Inner->getHeader()]);
    auto *Back = cast<Instruction>(Map[Inner->getLoopLatch()->getTerminator()]);
    IRBuilder<> B(Header, Header->begin());
    PHINode *Round = B.CreatePHI(B.getInt32Ty(), 2, "round");
    B.SetInsertPoint(Back);
    Value *Next = B.CreateAdd(Round, B.getInt32(1));
    addWaysIn(*Round, *Inner, B.getInt32(0), Next);
    Rounds[Back] = B.CreateICmpULT(Next, B.getInt32(MostRounds));
  }
}

/// Makes the code of a task in front of the turn harmless.
class TaskBuilder::Guards {
  TaskBuilder &Task;
  TaskBody &Body;
  SchedulerState &State;
  Function &F;
  /// The blocks in front of the turn.
  SmallSetVector<BasicBlock *, 32> Ahead;
  /// Clones of loads from memory that is there for certain.
  SmallPtrSet<const Value *, 8> Certain;
  /// What the other clones of loads read from. A pointer that advances with the
  /// iterations is a value of the scheduler in the clones.
  DenseMap<const Value *, Value *> Arrays;
  /// Where tasks go that cannot go on before it is their turn; null if there
  /// are none.
  BasicBlock *Unsure = nullptr;
  BasicBlock *const Resume;

public:
  explicit Guards(TaskBuilder &Task)
      : Task(Task), Body(Task.Body), State(Task.State), F(Task.F),
        Resume(Body.Resumes[*Body.TurnResume]) {
    Ahead.insert(Body.Entry);
    for (unsigned I = 0; I < Ahead.size(); ++I)
      for (BasicBlock *Next : successors(Ahead[I]))
        if (Next != Resume)
          Ahead.insert(Next);
    for (Instruction &I : instructionsIn(Task.Shape.L->blocks()))
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        const Value *Clone = Task.Map.lookup(Load);
        if (isThereForCertain(*Load))
          Certain.insert(Clone);
        else if (Value *Array = arrayOf(*Load))
          Arrays[Clone] = Array;
      }
  }

  void insert() {
    makeSpeculative();
    for (auto &[Back, GoesOn] : Task.Rounds)
      if (Ahead.contains(Back->getParent()))
        require(GoesOn, Back);
    SmallVector<Instruction *> Risky;
    for (Instruction &I : instructionsIn(Ahead))
      if (isRisky(I))
        Risky.push_back(&I);
    for (Instruction *I : Risky)
      guard(*I);
    if (Unsure)
      runAgain();
  }

private:
  BasicBlock *block(const Twine &Name) {
    BasicBlock *Block = BasicBlock::Create(F.getContext(), Name, &F);
    Body.Blocks.push_back(Block);
    return Block;
  }

  /// Takes back what is promised of iterations that the serial loop comes to.
  void makeSpeculative() {
    for (BasicBlock *Block : Ahead)
      for (Instruction &I : make_early_inc_range(*Block)) {
        if (isa<AssumeInst>(I)) {
          I.eraseFromParent();
          continue;
        }
        I.dropPoisonGeneratingAnnotations();
        I.dropUBImplyingAttrsAndMetadata();
      }
  }

  /// The memory around the loop that \p Original reads from, or null.
  Value *arrayOf(const LoadInst &Original) const {
    Value *Array = heddle::arrayOf(
        const_cast<Value *>(Original.getPointerOperand()),
        [&](const Instruction *I) { return Task.Shape.L->contains(I); });
    auto *Local = dyn_cast_or_null<AllocaInst>(Array);
    return Local && is_contained(Task.Locals, Local) ? nullptr : Array;
  }

  bool isRisky(const Instruction &I) const {
    if (mayDivideByZero(I))
      return true;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || Certain.contains(Load))
      return false;
    auto *Place = dyn_cast<AllocaInst>(Load->getPointerOperand());
    return !Place || !is_contained(State.Promotable, Place);
  }

  void guard(Instruction &I) {
    IRBuilder<> B(&I);
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      Value *Array = Arrays.lookup(Load);
      if (!Array)
        Array = heddle::arrayOf(
            Load->getPointerOperand(),
            [&](const Instruction *I) {
              return is_contained(Body.Blocks, I->getParent());
            },
            /*Trusted=*/true);
      assert(Array && "read in front of the turn without a guard");
      // Variables of the task itself.
      if (auto *Own = dyn_cast<AllocaInst>(Array);
          Own && is_contained(State.Arrays, Own))
        return;
      if (!isAlignedWith(*Load, Array))
        Load->setAlignment(Align(1));
      require(isInExtent(B, *Load, State.extentOf(Array)), Load);
      return;
    }
    Value *Divisor = I.getOperand(1);
    Value *Divides = B.CreateIsNotNull(Divisor);
    if (I.getOpcode() == Instruction::SDiv ||
        I.getOpcode() == Instruction::SRem)
      Divides = B.CreateAnd(
          Divides, B.CreateICmpNE(
                       Divisor, Constant::getAllOnesValue(Divisor->getType())));
    require(Divides, &I);
  }

  /// True if \p Load has its alignment wherever in \p Array it is, not only
  /// where the serial loop comes to.
  static bool isAlignedWith(const LoadInst &Load, const Value *Array) {
    const ObjectAddress Place(const_cast<Value *>(Load.getPointerOperand()));
    const int64_t Bytes = Load.getAlign().value();
    return Place.base() == Array && Place.constant() % Bytes == 0 &&
           all_of(Place.variables(),
                  [&](auto &Index) { return Index.second % Bytes == 0; });
  }

  Value *isInExtent(IRBuilder<> &B, const LoadInst &Load,
                    const SchedulerState::Extent &Extent) {
    Value *Begin = load(B, Extent.Begin), *Length = load(B, Extent.Length);
    auto IsInside = [&](Value *Address) {
      return B.CreateICmpULT(B.CreateSub(Address, Begin), Length);
    };
    Value *Address = B.CreatePtrToInt(
        const_cast<Value *>(Load.getPointerOperand()), State.i64());
    Value *Inside = IsInside(Address);
    const uint64_t Bytes = bytesOf(Load);
    if (Load.getAlign() >= Bytes)
      return Inside;
    return B.CreateAnd(Inside,
                       IsInside(B.CreateAdd(Address, B.getInt64(Bytes - 1))));
  }

  static uint64_t bytesOf(const LoadInst &Load) {
    return Load.getDataLayout()
        .getTypeStoreSize(Load.getType())
        .getFixedValue();
  }

  /// Lets only tasks for which \p Holds go on to \p At.
  void require(Value *Holds, Instruction *At) {
    if (!Unsure)
      Unsure = block("task.unsure");
    BasicBlock *Before = At->getParent();
    BasicBlock *Go = Before->splitBasicBlock(At, "task.sure");
    Body.Blocks.push_back(Go);
    Ahead.insert(Go);
    Before->getTerminator()->eraseFromParent();
    BranchInst *Branch = BranchInst::Create(Go, Unsure, Holds, Before);
    Branch->setMetadata(LLVMContext::MD_prof,
                        MDBuilder(F.getContext()).createLikelyBranchWeights());
  }

  /// Leads tasks that are unsure to the turn, and from there through the
  /// iteration as it is in the serial loop.
  void runAgain() {
    BasicBlock *Wait = block("task.wait");
    IRBuilder<> B(Unsure);
    B.CreateStore(B.getTrue(), State.Unsure);
    B.CreateStore(Task.Iteration, State.Ticket);
    B.CreateBr(Wait);
    // Splits may have moved the end of this block.
    BasicBlock *Sure = Resume->getSinglePredecessor();
    Sure->getTerminator()->replaceSuccessorWith(Resume, Wait);
    B.SetInsertPoint(Wait);
    PHINode *Again = B.CreatePHI(B.getInt1Ty(), 2, "again");
    Again->addIncoming(B.getTrue(), Unsure);
    Again->addIncoming(B.getFalse(), Sure);
    B.CreateBr(Resume);

    BasicBlock *Rest =
        Task.Turn->getParent()->splitBasicBlock(Task.Turn, "task.rest");
    Body.Blocks.push_back(Rest);
    Instruction *Jump = Rest->getSinglePredecessor()->getTerminator();
    BranchInst::Create(emitAgain(), Rest, Again, Jump->getIterator());
    Jump->eraseFromParent();
    repairValues();
  }

  /// Emits the iteration, run at its turn. Returns the first block.
  BasicBlock *emitAgain() {
    BasicBlock *Enter = block("task.again");
    ValueToValueMapTy Of;
    for (const AllocaInst *Local : Task.Locals)
      Of[Local] = Task.Map.lookup(Local);
    append_range(Body.Blocks, Task.cloneBlocks(Of, ".again"));
    IRBuilder<> B(Enter);
    B.CreateStore(B.getFalse(), State.Unsure);
    B.CreateBr(cast<BasicBlock>(Of[Task.Shape.L->getHeader()]));
    BasicBlock *End = block("task.again.end");
    auto *Latch = cast<BasicBlock>(Of[Task.Shape.Latch]);
    Latch->getTerminator()->eraseFromParent();
    BranchInst::Create(End, Latch);
    B.SetInsertPoint(End);
    Task.recordResults(B, Of);
    B.CreateBr(Body.Retire);
    for (Instruction &I : instructionsIn(Task.Shape.L->blocks()))
      if (auto *Load = dyn_cast<LoadInst>(&I))
        growExtent(*Load, Of);
    return Enter;
  }

  /// Notes what the clone of \p Original reads, if tasks read it in front of
  /// the turn.
  void growExtent(const LoadInst &Original, const ValueToValueMapTy &Of) {
    Value *Array = arrayOf(Original);
    if (!Array || !State.Extents.contains(Array))
      return;
    const SchedulerState::Extent &Extent = State.extentOf(Array);
    auto *Load = cast<LoadInst>(Of.lookup(&Original));
    IRBuilder<> B(Load);
    Value *First = B.CreatePtrToInt(Load->getPointerOperand(), State.i64());
    Value *Last = B.CreateAdd(First, B.getInt64(bytesOf(*Load) - 1));
    Value *Mask = B.getInt64(-PageBytes);
    Value *Begin = B.CreateAnd(First, Mask);
    Value *End = B.CreateAdd(B.CreateAnd(Last, Mask), B.getInt64(PageBytes));
    Value *Before = load(B, Extent.Begin), *Length = load(B, Extent.Length);
    Value *IsFirst = B.CreateIsNull(Length);
    Value *Least =
        B.CreateSelect(IsFirst, Begin,
                       B.CreateBinaryIntrinsic(Intrinsic::umin, Begin, Before));
    Value *Most = B.CreateBinaryIntrinsic(Intrinsic::umax, End,
                                          B.CreateAdd(Before, Length));
    B.CreateStore(Least, Extent.Begin);
    B.CreateStore(B.CreateSub(B.CreateSelect(IsFirst, End, Most), Least),
                  Extent.Length);
  }

  /// What was computed in front of the turn is used behind it, where unsure
  /// tasks come without it.
  void repairValues() {
    SmallVector<Use *> Behind;
    for (BasicBlock *Block : drop_begin(Ahead.getArrayRef()))
      for (Instruction &I : *Block) {
        Behind.clear();
        for (Use &U : I.uses()) {
          auto *User = cast<Instruction>(U.getUser());
          auto *Phi = dyn_cast<PHINode>(User);
          if (!Ahead.contains(Phi ? Phi->getIncomingBlock(U)
                                  : User->getParent()))
            Behind.push_back(&U);
        }
        if (Behind.empty())
          continue;
        SSAUpdater Updater;
        Updater.Initialize(I.getType(), I.getName());
        Value *Unknown = PoisonValue::get(I.getType());
        Updater.AddAvailableValue(Body.Entry, Unknown);
        Updater.AddAvailableValue(Unsure, Unknown);
        Updater.AddAvailableValue(blockWithValue(I), &I);
        for (Use *U : Behind)
          Updater.RewriteUse(*U);
        Updater.UpdateDebugValues(&I);
      }
  }
};

void TaskBuilder::guard() {
  if (!Shape.isLeftEarly())
    return;
  assert(Body.TurnResume && Turn && "early exits are behind the turn");
  Guards(*this).insert();
}
