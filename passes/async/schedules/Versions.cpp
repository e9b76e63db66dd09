//===- Versions.cpp - Serial and interleaved code side by side ------------===//

#include "async/schedules/Versions.h"
#include "async/schedules/ContextMemory.h"
#include "async/schedules/PlainCopy.h"
#include "async/schedules/Schedules.h"
#include "async/schedules/SerialCounter.h"
#include "async/schedules/TunerSite.h"
#include "ir/Registers.h"
#include "loop/RuntimeStruct.h"
#include "loop/Tunables.h"
#include "loop/Worksharing.h"
#include "tuner/site.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <numeric>
#include <optional>

using namespace llvm;
using namespace heddle;

/// The number of iterations where no limit is given.
static constexpr uint64_t Unlimited = UINT64_MAX;

/// How often the serial version is chosen for each time that another one is, as
/// the code generator is told. Loops of the others are nested one deeper, so
/// that it would give all registers to them; the serial version is to be as
/// fast as the loop without its directive.
static constexpr uint32_t SerialWeight = 16;

namespace {

class Versions {
  const LoopShape &Shape;
  const VariableClasses &Classes;
  const Decision &Choice;
  const Directive &D;
  ScalarEvolution &SE;
  const DominatorTree &DT;
  SchedulerState &State;
  Segments &Cuts;
  Function &F;
  LLVMContext &Context;
  Type *I64, *I32;

  AllocaInst *Suspensions, *Begun, *ChunkStart;
  /// The plan that runs: its version, and the number of iterations. In loops
  /// that get chunks of OpenMP, these are those that are left of it; in front
  /// of a chunk, the ones that are to run serially without a question.
  AllocaInst *Version, *Iterations;
  /// Loops that get chunks: the number of iterations that plans are still to be
  /// made for chunk by chunk, and for how many the next one may be.
  AllocaInst *Apart = nullptr, *Remaining = nullptr;
  TunerSite Site;
  /// Loops that get chunks of OpenMP on the way, and the copies of the code
  /// that gets one.
  std::optional<Refill> Chunks;
  SmallVector<Refill::Copy, 2> Takings;
  Value *TripCount = nullptr;
  DenseMap<PHINode *, Value *> Starts, Steps;
  SerialCounter Counter;
  /// What runs entries with few iterations; its first block.
  std::optional<PlainCopy> Plain;
  BasicBlock *PlainEnter = nullptr;

public:
  Versions(const LoopContext &C, const LoopFacts &Facts, const Decision &Choice,
           const ChunkNest *Nest, SchedulerState &State, Segments &Cuts)
      : Shape(Facts.Shape), Classes(Facts.Classes), Choice(Choice), D(Facts.D),
        SE(C.SE), DT(C.DT), State(State), Cuts(Cuts), F(State.F),
        Context(F.getContext()), I64(State.i64()),
        I32(Type::getInt32Ty(Context)), Site(Choice, D, State, Cuts),
        Counter(Shape, Classes, SE) {
    assert((Choice.HasLockstep || Choice.HasFifo) && "nothing to choose from");
    if (Nest)
      Chunks.emplace(*Nest, Shape, State);
  }

  void emit() {
    Site.create(Shape.Preheader->getTerminator(), Chunks.has_value());
    Suspensions = State.createRegister(I64, "heddle.suspensions");
    Begun = State.createRegister(Type::getInt1Ty(Context), "heddle.begun");
    ChunkStart = State.createRegister(I64, "heddle.chunk.start");
    Version = State.createRegister(I32, "heddle.version");
    Iterations = State.createRegister(I64, "heddle.iterations");

    if (Chunks) {
      Apart = State.createRegister(I64, "heddle.apart");
      Remaining = State.createRegister(I64, "heddle.remaining");
    }
    if (wantsPlainCopy())
      Plain.emplace(Shape, *D.Marker, PlainEnter = block("heddle.plain"));
    auto *Chunk = block("heddle.chunk");
    auto *Serial = block("heddle.serial");
    auto *ChunkEnd = block("heddle.chunk.end");
    auto *Exit = block("heddle.exit");
    emitSetUp(Chunk);
    rewriteExit(Exit);
    emitSerial(Serial, ChunkEnd);
    emitChunk(Chunk, Serial, ChunkEnd);
    emitChunkEnd(ChunkEnd, Chunk, Exit);
    if (Plain)
      Plain->connect();
  }

private:
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(Context, Name, &F);
  }

  /// In the preheader: trip count, starts and steps, first values.
  void emitSetUp(BasicBlock *Chunk) {
    Instruction *At = Shape.Preheader->getTerminator();
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    if (Shape.BackedgeCount) {
      const SCEV *Count = SE.getNoopOrZeroExtend(Shape.BackedgeCount, I64);
      // The number of iterations must not wrap where few of them may be run.
      if (Shape.isLeftEarly())
        Count = SE.getUMinExpr(Count, SE.getConstant(I64, Unlimited - 1));
      TripCount = Expander.expandCodeFor(SE.getAddExpr(Count, SE.getOne(I64)),
                                         I64, At->getIterator());
    }
    for (const LoopVariable &V : Classes.Variables) {
      Starts[V.Phi] = V.Phi->getIncomingValueForBlock(Shape.Preheader);
      if (V.Class == VariableClass::Induction)
        Steps[V.Phi] = Expander.expandCodeFor(V.Step, V.Step->getType(),
                                              At->getIterator());
    }
    if (Chunks)
      prepareChunks();
    IRBuilder<> B(At);
    if (Chunks)
      Chunks->begin(B);
    B.CreateStore(B.getInt64(0), State.NextIteration);
    if (State.More)
      B.CreateStore(B.getTrue(), State.More);
    for (const LoopVariable &V : Classes.Variables)
      if (AllocaInst *Variable = State.Variable.lookup(V.Phi))
        B.CreateStore(Starts[V.Phi], Variable);
    if (State.Left) {
      B.CreateStore(B.getInt32(0), State.Left);
      B.CreateStore(B.getFalse(), State.Unsure);
      for (auto &[Phi, Value] : State.Leaving)
        B.CreateStore(PoisonValue::get(Phi->getType()), Value);
      for (auto &[Array, Extent] : State.Extents) {
        B.CreateStore(B.getInt64(0), Extent.Begin);
        B.CreateStore(B.getInt64(0), Extent.Length);
      }
    }
    for (auto &[ExitPhi, Last] : State.Last) {
      B.CreateStore(B.getInt64(0), Last.Iteration);
      B.CreateStore(Constant::getNullValue(ExitPhi->getType()), Last.Value);
    }
    At->eraseFromParent();
    B.SetInsertPoint(Shape.Preheader);
    if (Plain && Chunks)
      emitPlainChunk(B, Chunk);
    else if (Plain)
      emitPlainChoice(B, Chunk);
    else
      B.CreateBr(Chunk);
  }

  /// What the schedules need to get chunks. No plan runs in front of the first
  /// one, but the tuner may have decided. Otherwise, a thread's first
  /// iterations are run chunk by chunk.
  void prepareChunks() {
    Chunks->prepare(TripCount);
    for (unsigned I = 0; I < Choice.HasLockstep + Choice.HasFifo; ++I)
      Takings.push_back(Chunks->copy());
    for (BasicBlock *Entry : Chunks->entries()) {
      IRBuilder<> B(Entry->getTerminator());
      Value *IsSerial =
          Choice.HasSerial ? Site.decidedSerialChunks(B) : B.getFalse();
      Value *None = B.getInt64(0);
      B.CreateStore(
          B.CreateSelect(IsSerial, B.getInt64(tunable::UnaskedChunks), None),
          Iterations);
      B.CreateStore(
          B.CreateSelect(IsSerial, None,
                         B.getInt64(tunable::ChunksApart * State.MaxTasks)),
          Apart);
      B.CreateStore(B.getFalse(), Begun);
    }
  }

  /// Whether entries with few iterations have a copy of the loop, or chunks of
  /// OpenMP. In other loops that are divided among threads, such entries are
  /// rare.
  bool wantsPlainCopy() const {
    if (!Choice.HasSerial || !Shape.BackedgeCount || hasFrames(D))
      return false;
    if (!Chunks &&
        (SE.getUnsignedRangeMin(Shape.BackedgeCount).uge(tunable::ShortLoop) ||
         isWorksharing(*Shape.L, DT)))
      return false;
    unsigned Size = 0;
    for (const BasicBlock *Block : Shape.L->blocks())
      Size += Block->sizeWithoutDebug();
    return Size <= tunable::PlainCopy;
  }

  /// Lets entries with few iterations take the copy.
  void emitPlainChoice(IRBuilder<> &B, BasicBlock *Chunk) {
    auto *NotTiny = block("heddle.not.tiny");
    auto *Short = block("heddle.short");
    Value *IsTiny = B.CreateICmpULT(TripCount, B.getInt64(tunable::TinyLoop));
    if (D.Condition)
      IsTiny = B.CreateOr(IsTiny, B.CreateIsNull(D.Condition));
    B.CreateCondBr(IsTiny, PlainEnter, NotTiny);
    B.SetInsertPoint(NotTiny);
    MDNode *Weights = MDBuilder(Context).createBranchWeights(SerialWeight, 1);
    B.CreateCondBr(B.CreateICmpULT(TripCount, B.getInt64(tunable::ShortLoop)),
                   Short, Chunk, Weights);
    B.SetInsertPoint(Short);
    B.CreateCondBr(Site.decidedSerial(B), PlainEnter, Chunk, Weights);
  }

  /// Lets a chunk of OpenMP take the copy if all of it is to run serially.
  void emitPlainChunk(IRBuilder<> &B, BasicBlock *Chunk) {
    auto *Whole = block("heddle.whole");
    Value *Left = load(B, Iterations);
    B.CreateCondBr(B.CreateICmpULE(TripCount, Left), Whole, Chunk,
                   MDBuilder(Context).createBranchWeights(SerialWeight, 1));
    B.SetInsertPoint(Whole);
    B.CreateStore(B.CreateSub(Left, TripCount), Iterations);
    B.CreateBr(PlainEnter);
  }

  Value *variableNow(IRBuilder<> &B, const LoopVariable &V) {
    if (V.Class != VariableClass::Induction)
      return load(B, State.Variable.lookup(V.Phi));
    return stepped(B, Starts[V.Phi], Steps[V.Phi],
                   State.shifted(B, load(B, State.NextIteration)));
  }

  /// The loop's users now get their values from the registers.
  void rewriteExit(BasicBlock *Exit) {
    IRBuilder<> B(Exit);
    for (PHINode &Phi : Shape.Exit->phis()) {
      Value *Incoming = Phi.getIncomingValueForBlock(Shape.Latch);
      Value *New = Incoming;
      if (State.Last.count(&Phi))
        New = B.CreateLoad(Phi.getType(), State.Last[&Phi].Value);
      else
        for (const LoopVariable &V : Classes.Variables)
          if (V.Next == Incoming) {
            New = variableNow(B, V);
            break;
          }
      ExitValues.push_back({&Phi, Incoming});
      int Index = Phi.getBasicBlockIndex(Shape.Latch);
      Phi.setIncomingBlock(Index, Exit);
      Phi.setIncomingValue(Index, New);
    }
    B.CreateBr(Shape.Exit);
  }
  SmallVector<std::pair<PHINode *, Value *>> ExitValues;

  /// Makes the original loop run from the current state to the limit.
  void emitSerial(BasicBlock *Enter, BasicBlock *After) {
    BasicBlock *Header = Shape.L->getHeader();
    assert(Shape.latchBranch()->isConditional() && "the latch leaves the loop");
    IRBuilder<> B(Enter);
    for (const LoopVariable &V : Classes.Variables) {
      int Index = V.Phi->getBasicBlockIndex(Shape.Preheader);
      V.Phi->setIncomingValue(Index, variableNow(B, V));
      V.Phi->setIncomingBlock(Index, Enter);
    }
    Value *First = load(B, State.NextIteration);
    Value *End = load(B, State.Limit);
    BranchInst *Begin = B.CreateBr(Header);

    auto *Done = block("heddle.serial.done");
    Counter.limit(Enter, First, End, [&](PHINode *Phi) {
      if (!State.Shift)
        return Starts.lookup(Phi);
      B.SetInsertPoint(Begin);
      return stepped(B, Starts[Phi], Steps[Phi], load(B, State.Shift));
    });
    BranchInst *Branch = Shape.latchBranch();
    B.SetInsertPoint(Branch);
    Value *Continue = Counter.goesOn(B);
    Value *Wanted = nullptr;
    if (State.More) {
      Wanted = Branch->getCondition();
      if (!Shape.continuesOnTrue())
        Wanted = B.CreateNot(Wanted);
      Continue = B.CreateAnd(Continue, Wanted);
    }
    MDNode *LoopID = Branch->getMetadata(LLVMContext::MD_loop);
    BranchInst *NewBranch = B.CreateCondBr(Continue, Header, Done);
    NewBranch->setMetadata(LLVMContext::MD_loop, LoopID);
    NewBranch->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();

    for (auto [Number, Exit] : enumerate(Shape.EarlyExits))
      emitSerialLeave(Exit, Number + 1, After);

    B.SetInsertPoint(Done);
    for (const LoopVariable &V : Classes.Variables)
      if (AllocaInst *Variable = State.Variable.lookup(V.Phi))
        B.CreateStore(V.Next, Variable);
    for (auto &[Phi, Incoming] : ExitValues)
      if (State.Last.count(Phi)) {
        B.CreateStore(Incoming, State.Last[Phi].Value);
        B.CreateStore(Counter.lastNumber(B), State.Last[Phi].Iteration);
      }
    if (Wanted)
      B.CreateStore(Wanted, State.More);
    B.CreateStore(Counter.nextNumber(), State.NextIteration);
    B.CreateBr(After);
  }

  /// Makes the original loop note that it is left by early exit \p Number.
  void emitSerialLeave(const EarlyExit &Exit, unsigned Number,
                       BasicBlock *After) {
    auto *Leave = block("heddle.serial.leave");
    Exit.From->getTerminator()->replaceSuccessorWith(Exit.To, Leave);
    IRBuilder<> B(Leave);
    for (PHINode &Phi : Exit.To->phis())
      B.CreateStore(Phi.getIncomingValueForBlock(Exit.From),
                    State.Leaving.lookup(&Phi));
    B.CreateStore(B.getInt32(Number), State.Left);
    B.CreateStore(B.CreateAdd(Counter.number(B), B.getInt64(1)),
                  State.NextIteration);
    B.CreateBr(After);
  }

  /// Goes on where the loop was left early. Returns the first block.
  BasicBlock *emitLeaves(BasicBlock *Otherwise) {
    auto *Enter = block("heddle.leave");
    IRBuilder<> B(Enter);
    SwitchInst *Switch = B.CreateSwitch(load(B, State.Left), Otherwise);
    for (auto [Number, Exit] : enumerate(Shape.EarlyExits)) {
      auto *Leave = block("heddle.leave.to");
      Switch->addCase(B.getInt32(Number + 1), Leave);
      B.SetInsertPoint(Leave);
      for (PHINode &Phi : Exit.To->phis()) {
        Value *Leaving = load(B, State.Leaving.lookup(&Phi));
        while (Phi.getNumIncomingValues() > 1)
          Phi.removeIncomingValue(1u);
        Phi.setIncomingBlock(0, Leave);
        Phi.setIncomingValue(0, Leaving);
      }
      B.CreateBr(Exit.To);
    }
    return Enter;
  }

  /// Chooses the version that runs next.
  void emitChunk(BasicBlock *Chunk, BasicBlock *Serial, BasicBlock *ChunkEnd) {
    auto *Ask = block("heddle.ask");
    auto *Run = block("heddle.run");
    IRBuilder<> B(Chunk);
    Value *Next = load(B, State.NextIteration);
    B.CreateStore(Next, ChunkStart);
    if (Chunks)
      emitGoingOn(B, Run);
    Value *Left = emitRemaining(B, Next);
    B.CreateStore(B.getInt64(0), Suspensions);
    if (State.Work)
      B.CreateStore(B.getInt64(0), State.Work);
    B.CreateStore(B.getFalse(), Begun);
    B.CreateStore(B.getInt32(HEDDLE_SERIAL), Version);
    B.CreateStore(B.getInt64(1), State.Tasks);
    B.CreateStore(B.getInt64(Unlimited), Iterations);

    // A condition that is false, or a tiny loop, is settled here.
    Value *Interleave =
        D.Condition ? B.CreateIsNotNull(D.Condition) : B.getTrue();
    if (Choice.HasSerial && TripCount)
      Interleave = B.CreateAnd(
          Interleave, B.CreateICmpUGE(Left, B.getInt64(tunable::TinyLoop)));
    B.CreateCondBr(Interleave, Ask, Run);

    B.SetInsertPoint(Ask);
    Site.emitAsk(B, Left, {Version, Iterations, Begun}, Run);

    B.SetInsertPoint(Run);
    emitLimit(B, Next, Left);
    Value *Chosen = load(B, Version);
    Value *KeptTasks = Site.address(B, HEDDLE_FIELD(heddle_site, far_tasks));
    B.CreateCondBr(B.CreateICmpEQ(Chosen, B.getInt32(HEDDLE_SERIAL)), Serial,
                   emitTasks(Chosen, KeptTasks, Serial, ChunkEnd),
                   MDBuilder(Context).createBranchWeights(SerialWeight, 1));
  }

  /// Goes on at \p Run with the serial version where a plan does so; another
  /// plan is needed where it ends.
  void emitGoingOn(IRBuilder<> &B, BasicBlock *Run) {
    auto *GoesOn = block("heddle.plan.goes.on");
    auto *UsedUp = block("heddle.plan.used.up");
    auto *Report = block("heddle.report");
    auto *Fresh = block("heddle.fresh");
    B.CreateCondBr(B.CreateIsNull(load(B, Iterations)), UsedUp, GoesOn);
    B.SetInsertPoint(GoesOn);
    B.CreateStore(B.getInt32(HEDDLE_SERIAL), Version);
    B.CreateStore(B.getInt64(1), State.Tasks);
    B.CreateStore(B.getInt64(Unlimited), Remaining);
    B.CreateBr(Run);
    B.SetInsertPoint(UsedUp);
    B.CreateCondBr(load(B, Begun), Report, Fresh);
    emitReport(Report, Fresh);
    B.SetInsertPoint(Fresh);
  }

  /// The number of iterations that a new plan may be made for. In loops that
  /// get chunks, it ends with the chunk as long as they are run one by one.
  Value *emitRemaining(IRBuilder<> &B, Value *Next) {
    if (!Chunks)
      return TripCount ? B.CreateSub(TripCount, Next) : B.getInt64(Unlimited);
    Value *Left =
        B.CreateSelect(B.CreateIsNull(load(B, Apart)), B.getInt64(Unlimited),
                       B.CreateSub(load(B, Chunks->End), Next));
    B.CreateStore(Left, Remaining);
    return Left;
  }

  /// Sets the number of the first iteration that is not run now.
  void emitLimit(IRBuilder<> &B, Value *Next, Value *Left) {
    Value *Count = B.CreateBinaryIntrinsic(Intrinsic::umin,
                                           Chunks ? load(B, Remaining) : Left,
                                           load(B, Iterations));
    Value *Limit = B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Next, Count);
    if (Chunks) {
      B.CreateStore(Count, Iterations);
      B.CreateStore(
          B.CreateBinaryIntrinsic(Intrinsic::usub_sat, load(B, Apart), Count),
          Apart);
      B.CreateStore(Limit, Chunks->PlanEnd);
      Limit =
          B.CreateBinaryIntrinsic(Intrinsic::umin, Limit, load(B, Chunks->End));
    }
    B.CreateStore(Limit, State.Limit);
  }

  /// The versions that run tasks, of which \p Chosen runs. Without memory for
  /// contexts, it is the serial version. Returns the first block.
  BasicBlock *emitTasks(Value *Chosen, Value *KeptTasks, BasicBlock *Serial,
                        BasicBlock *ChunkEnd) {
    auto *Enter = block("heddle.tasks");
    auto *Run = block("heddle.tasks.run");
    auto *Done = block("heddle.tasks.done");
    TaskChunk S{State, Cuts, Suspensions, Done, KeptTasks};
    TaskChunk Second = S;
    if (Chunks) {
      S.Chunks = Second.Chunks = &*Chunks;
      S.Taking = &Takings.front();
      Second.Taking = &Takings.back();
    }
    Cuts.leaveTo(Done);
    BasicBlock *Lockstep = nullptr, *Fifo = nullptr;
    if (Choice.HasLockstep)
      Lockstep = emitEarlyRequests(S, emitLockstep(S));
    if (Choice.HasFifo)
      Fifo = emitEarlyRequests(Second, emitFifo(Second));
    IRBuilder<> B(Run);
    emitFreePlaces(B);
    if (Lockstep && Fifo)
      B.CreateCondBr(B.CreateICmpEQ(Chosen, B.getInt32(HEDDLE_LOCKSTEP)),
                     Lockstep, Fifo);
    else
      B.CreateBr(Lockstep ? Lockstep : Fifo);
    BranchInst::Create(ChunkEnd, Done);
    if (State.Arrays.empty()) {
      BranchInst::Create(Run, Enter);
      return Enter;
    }
    State.ContextMemory = moveToContextMemory(State.Arrays, *Enter, Run, *Done);
    B.SetInsertPoint(Enter);
    B.CreateCondBr(B.CreateIsNull(State.ContextMemory), Serial, Run);
    return Enter;
  }

  /// All places for task locals are free.
  void emitFreePlaces(IRBuilder<> &B) {
    if (!State.FreePlaces)
      return;
    B.CreateStore(B.getInt64(State.MaxLaunched), State.FreeCount);
    SmallVector<uint32_t> Places(State.MaxLaunched);
    std::iota(Places.begin(), Places.end(), 0);
    Constant *All = ConstantDataArray::get(Context, Places);
    auto *Initial =
        new GlobalVariable(*F.getParent(), All->getType(), true,
                           GlobalValue::PrivateLinkage, All, "heddle.places");
    B.CreateMemCpy(State.FreePlaces, State.FreePlaces->getAlign(), Initial,
                   Align(4), Places.size() * sizeof(uint32_t));
  }

  void emitChunkEnd(BasicBlock *ChunkEnd, BasicBlock *Chunk, BasicBlock *Exit) {
    auto *Report = block("heddle.report");
    auto *Check = block("heddle.check");
    IRBuilder<> B(ChunkEnd);
    Value *IsReported = load(B, Begun);
    Value *Next = load(B, State.NextIteration);
    Value *GoesOn = nullptr;
    if (Chunks) {
      // Plans of other versions end when all tasks have.
      GoesOn = B.CreateSub(load(B, Iterations),
                           B.CreateSub(Next, load(B, ChunkStart)));
      B.CreateStore(GoesOn, Iterations);
      GoesOn = B.CreateSelect(
          B.CreateICmpEQ(load(B, Version), B.getInt32(HEDDLE_SERIAL)), GoesOn,
          B.getInt64(0));
      IsReported = B.CreateAnd(IsReported, B.CreateIsNull(GoesOn));
    }
    B.CreateCondBr(IsReported, Report, Check);
    emitReport(Report, Check);
    B.SetInsertPoint(Check);
    if (Chunks)
      B.CreateStore(GoesOn, Iterations);
    Value *Left = Chunks      ? B.CreateICmpNE(Next, load(B, Chunks->End))
                  : TripCount ? B.CreateICmpNE(Next, TripCount)
                              : load(B, State.More);
    if (State.Left) {
      auto *GoesOn = block("heddle.goes.on");
      BasicBlock *Leaves = emitLeaves(GoesOn);
      B.CreateBr(Leaves);
      B.SetInsertPoint(GoesOn);
    }
    B.CreateCondBr(Left, Chunk, Chunks ? emitEnd(Exit) : Exit);
  }

  /// Tells the tuner what has run, in \p Report.
  void emitReport(BasicBlock *Report, BasicBlock *Then) {
    IRBuilder<> B(Report);
    Value *Count =
        Chunks ? B.CreateSub(Site.planned(B), load(B, Iterations))
               : B.CreateSub(load(B, State.NextIteration), load(B, ChunkStart));
    Value *Work = State.Work ? B.CreateAdd(Count, load(B, State.Work)) : Count;
    Site.emitEnd(B, Count, Work, load(B, Suspensions));
    B.CreateStore(B.getFalse(), Begun);
    B.CreateBr(Then);
  }

  /// The end of a chunk of OpenMP: goes on at \p Exit, or, if a schedule has
  /// asked for another chunk and there is none, behind the loop around. A plan
  /// that is not used up then is over, too.
  BasicBlock *emitEnd(BasicBlock *Exit) {
    auto *End = block("heddle.chunk.over");
    auto *Leave = block("heddle.chunk.leave");
    IRBuilder<> B(End);
    B.CreateCondBr(load(B, Chunks->IsOver), Leave, Exit);
    Chunks->leave(Leave, [&](BasicBlock *Before, BasicBlock *Then) {
      auto *Report = block("heddle.report");
      IRBuilder<> AtEnd(Before);
      AtEnd.CreateCondBr(load(AtEnd, Begun), Report, Then);
      emitReport(Report, Then);
    });
    return End;
  }
};

} // namespace

/// The number of instructions behind \p Block that will be left when the
/// registers of \p State are.
static unsigned countBehind(const BasicBlock &Block,
                            const SchedulerState &State) {
  const SmallPtrSet<const Value *, 32> Registers(State.Promotable.begin(),
                                                 State.Promotable.end());
  unsigned Count = 0;
  for (auto Added = std::next(Block.getIterator());
       Added != Block.getParent()->end(); ++Added)
    for (const Instruction &I : *Added)
      Count += !Registers.contains(getLoadStorePointerOperand(&I));
  return Count;
}

unsigned heddle::emitVersions(const LoopContext &C, const LoopFacts &Facts,
                              const Decision &Choice, const ChunkNest *Nest,
                              SchedulerState &State, Segments &Cuts) {
  const BasicBlock &LastBefore = State.F.back();
  Versions(C, Facts, Choice, Nest, State, Cuts).emit();
  return countBehind(LastBefore, State);
}
