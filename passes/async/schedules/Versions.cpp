//===- Versions.cpp - Serial and interleaved code side by side ------------===//

#include "async/schedules/Versions.h"
#include "async/schedules/ContextMemory.h"
#include "async/schedules/PlainCopy.h"
#include "async/schedules/Schedules.h"
#include "async/schedules/SerialCounter.h"
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

// The fields of heddle_site in runtime/tuner/site.h.
static constexpr RuntimeStruct SiteFields{
    {HEDDLE_FIELD(heddle_site, file), HEDDLE_FIELD(heddle_site, function),
     HEDDLE_FIELD(heddle_site, line), HEDDLE_FIELD(heddle_site, versions),
     HEDDLE_FIELD(heddle_site, default_version),
     HEDDLE_FIELD(heddle_site, fixed_tasks),
     HEDDLE_FIELD(heddle_site, max_tasks),
     HEDDLE_FIELD(heddle_site, suspension_points),
     HEDDLE_FIELD(heddle_site, decision), HEDDLE_FIELD(heddle_site, far_tasks),
     HEDDLE_FIELD(heddle_site, state)},
    sizeof(heddle_site)};
static constexpr RuntimeStruct PlanFields{
    {HEDDLE_FIELD(heddle_plan, version), HEDDLE_FIELD(heddle_plan, tasks),
     HEDDLE_FIELD(heddle_plan, iterations), HEDDLE_FIELD(heddle_plan, start)},
    sizeof(heddle_plan)};
static_assert(SiteFields.isWhole() && PlanFields.isWhole());

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
  AllocaInst *ChunkPlan;
  StructType *SiteType, *ChunkPlanType;
  GlobalVariable *Site;
  Value *TripCount = nullptr;
  DenseMap<PHINode *, Value *> Starts, Steps;
  SerialCounter Counter;
  /// What runs entries with few iterations; its first block.
  std::optional<PlainCopy> Plain;
  BasicBlock *PlainEnter = nullptr;

public:
  Versions(const LoopContext &C, const LoopFacts &Facts, const Decision &Choice,
           SchedulerState &State, Segments &Cuts)
      : Shape(Facts.Shape), Classes(Facts.Classes), Choice(Choice), D(Facts.D),
        SE(C.SE), DT(C.DT), State(State), Cuts(Cuts), F(State.F),
        Context(F.getContext()), I64(State.i64()),
        I32(Type::getInt32Ty(Context)), Counter(Shape, Classes, SE) {
    assert((Choice.HasLockstep || Choice.HasFifo) && "nothing to choose from");
  }

  void emit() {
    createSite();
    Suspensions = State.createRegister(I64, "heddle.suspensions");
    Begun = State.createRegister(Type::getInt1Ty(Context), "heddle.begun");
    ChunkStart = State.createRegister(I64, "heddle.chunk.start");
    ChunkPlan = createVariable(F, ChunkPlanType, "heddle.plan");

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

  unsigned versionsHeld() const {
    return (Choice.HasSerial ? 1u << HEDDLE_SERIAL : 0) |
           (Choice.HasLockstep ? 1u << HEDDLE_LOCKSTEP : 0) |
           (Choice.HasFifo ? 1u << HEDDLE_FIFO : 0);
  }

  unsigned defaultVersion() const {
    return Choice.Default == Schedule::Fifo ? HEDDLE_FIFO : HEDDLE_LOCKSTEP;
  }

  /// Returns the number of iterations in flight if neither the user nor the run
  /// time sets it.
  unsigned defaultTasks() const {
    if (D.Tasks)
      return D.Tasks;
    if (Choice.IsDynamic)
      return State.MaxTasks;
    return defaultVersion() == HEDDLE_FIFO ? tunable::FifoTasks
                                           : tunable::LockstepTasks;
  }

  /// The loop's `heddle_site` (runtime/tuner/site.h).
  void createSite() {
    Module &M = *F.getParent();
    SiteType = SiteFields.type(Context);
    ChunkPlanType = PlanFields.type(Context);
    IRBuilder<> B(Shape.Preheader->getTerminator());
    DebugLoc Where = D.Marker->getDebugLoc();
    std::string File =
        Where ? Where->getFilename().str() : M.getSourceFileName();
    auto Int = [&](uint64_t N) { return ConstantInt::get(I32, N); };
    auto *Initial = ConstantStruct::get(
        SiteType,
        {B.CreateGlobalString(File, "heddle.file"),
         B.CreateGlobalString(F.getName(), "heddle.function"),
         Int(Where ? Where->getLine() : 0), Int(versionsHeld()),
         Int(defaultVersion()), Int(D.Tasks), Int(State.MaxTasks),
         Int(Cuts.suspensions()), Int(0),
         Int(Choice.IsDynamic && !D.Tasks ? unsigned(tunable::FirstFarTasks)
                                          : 0),
         Constant::getNullValue(SiteType->elements().back())});
    Site = new GlobalVariable(M, SiteType, false, GlobalValue::InternalLinkage,
                              Initial, "heddle.site");
    Site->setAlignment(Align(State.LineBytes));
  }

  Function *runtimeFunction(StringRef Name, ArrayRef<Type *> Parameters) {
    Module &M = *F.getParent();
    auto *Callee = cast<Function>(
        M.getOrInsertFunction(Name, FunctionType::get(Type::getVoidTy(Context),
                                                      Parameters, false))
            .getCallee());
    if (Callee->isDeclaration()) {
      Callee->setLinkage(GlobalValue::ExternalWeakLinkage);
      Callee->setDoesNotThrow();
    }
    return Callee;
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
    IRBuilder<> B(At);
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
    if (Plain)
      emitPlainChoice(B, Chunk);
    else
      B.CreateBr(Chunk);
  }

  /// Whether entries with few iterations have a copy of the loop. In one that
  /// is divided among threads, they are rare.
  bool wantsPlainCopy() const {
    if (!Choice.HasSerial || !Shape.BackedgeCount || hasFrames(D) ||
        SE.getUnsignedRangeMin(Shape.BackedgeCount).uge(tunable::ShortLoop) ||
        isWorksharing(*Shape.L, DT))
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
    Value *Decision =
        B.CreateAnd(decision(B), HEDDLE_DECIDED | HEDDLE_DECISION_VERSION_MASK);
    B.CreateCondBr(
        B.CreateICmpEQ(Decision, B.getInt32(HEDDLE_DECIDED | HEDDLE_SERIAL)),
        PlainEnter, Chunk, Weights);
  }

  /// What the site tuner has decided for entries with few iterations; 0 if it
  /// has not.
  Value *decision(IRBuilder<> &B) {
    LoadInst *Word = B.CreateAlignedLoad(
        I32,
        B.CreateStructGEP(
            SiteType, Site,
            SiteFields.numberOf(HEDDLE_FIELD(heddle_site, decision))),
        Align(4));
    Word->setAtomic(AtomicOrdering::Monotonic);
    return Word;
  }

  Value *variableNow(IRBuilder<> &B, const LoopVariable &V) {
    if (V.Class != VariableClass::Induction)
      return load(B, State.Variable.lookup(V.Phi));
    return stepped(B, Starts[V.Phi], Steps[V.Phi],
                   load(B, State.NextIteration));
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
    B.CreateBr(Header);

    auto *Done = block("heddle.serial.done");
    Counter.limit(Enter, First, End,
                  [&](const PHINode *Phi) { return Starts.lookup(Phi); });
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
    Value *Remaining =
        TripCount ? B.CreateSub(TripCount, Next) : B.getInt64(Unlimited);
    B.CreateStore(Next, ChunkStart);
    B.CreateStore(B.getInt64(0), Suspensions);
    if (State.Work)
      B.CreateStore(B.getInt64(0), State.Work);
    B.CreateStore(B.getFalse(), Begun);
    AllocaInst *Version = State.createRegister(I32, "heddle.version");
    AllocaInst *Iterations = State.createRegister(I64, "heddle.iterations");
    B.CreateStore(B.getInt32(HEDDLE_SERIAL), Version);
    B.CreateStore(B.getInt64(1), State.Tasks);
    B.CreateStore(B.getInt64(Unlimited), Iterations);

    // A condition that is false, or a tiny loop, is settled here.
    Value *Interleave =
        D.Condition ? B.CreateIsNotNull(D.Condition) : B.getTrue();
    if (Choice.HasSerial && TripCount)
      Interleave = B.CreateAnd(
          Interleave,
          B.CreateICmpUGE(Remaining, B.getInt64(tunable::TinyLoop)));
    B.CreateCondBr(Interleave, Ask, Run);

    B.SetInsertPoint(Ask);
    emitAsk(B, Remaining, Version, Iterations, Run);

    B.SetInsertPoint(Run);
    Value *Count = B.CreateBinaryIntrinsic(Intrinsic::umin, Remaining,
                                           load(B, Iterations));
    B.CreateStore(B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Next, Count),
                  State.Limit);
    Value *Chosen = load(B, Version);
    Value *KeptTasks = B.CreateStructGEP(
        SiteType, Site,
        SiteFields.numberOf(HEDDLE_FIELD(heddle_site, far_tasks)));
    B.CreateCondBr(B.CreateICmpEQ(Chosen, B.getInt32(HEDDLE_SERIAL)), Serial,
                   emitTasks(Chosen, KeptTasks, Serial, ChunkEnd),
                   MDBuilder(Context).createBranchWeights(SerialWeight, 1));
  }

  /// The versions that run tasks, of which \p Chosen runs. Without memory for
  /// contexts, it is the serial version. Returns the first block.
  BasicBlock *emitTasks(Value *Chosen, Value *KeptTasks, BasicBlock *Serial,
                        BasicBlock *ChunkEnd) {
    auto *Enter = block("heddle.tasks");
    auto *Run = block("heddle.tasks.run");
    auto *Done = block("heddle.tasks.done");
    const TaskChunk S{State, Cuts, Suspensions, Done, KeptTasks};
    Cuts.leaveTo(Done);
    BasicBlock *Lockstep = nullptr, *Fifo = nullptr;
    if (Choice.HasLockstep)
      Lockstep = emitEarlyRequests(S, emitLockstep(S));
    if (Choice.HasFifo)
      Fifo = emitEarlyRequests(S, emitFifo(S));
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

  void emitAsk(IRBuilder<> &B, Value *Remaining, AllocaInst *Version,
               AllocaInst *Iterations, BasicBlock *Run) {
    auto *Default = block("heddle.default");
    auto *Look = block("heddle.look");
    auto *Decided = block("heddle.decided");
    auto *Begin = block("heddle.begin");
    Function *SiteBegin =
        runtimeFunction("heddle_site_begin", {PointerType::get(Context, 0), I64,
                                              PointerType::get(Context, 0)});
    B.CreateCondBr(B.CreateIsNull(SiteBegin), Default, Look);

    B.SetInsertPoint(Default);
    B.CreateStore(B.getInt32(defaultVersion()), Version);
    B.CreateStore(B.getInt64(std::min(defaultTasks(), State.MaxTasks)),
                  State.Tasks);
    B.CreateBr(Run);

    B.SetInsertPoint(Look);
    Value *Word = decision(B);
    Value *Usable =
        B.CreateAnd(B.CreateIsNotNull(Word),
                    B.CreateICmpULT(Remaining, B.getInt64(tunable::ShortLoop)));
    B.CreateCondBr(Usable, Decided, Begin);

    B.SetInsertPoint(Decided);
    B.CreateStore(B.CreateAnd(Word, B.getInt32(HEDDLE_DECISION_VERSION_MASK)),
                  Version);
    B.CreateStore(
        B.CreateZExt(
            B.CreateAnd(
                B.CreateLShr(Word, B.getInt32(HEDDLE_DECISION_TASKS_SHIFT)),
                B.getInt32(HEDDLE_DECISION_TASKS_MASK)),
            I64),
        State.Tasks);
    B.CreateBr(Run);

    B.SetInsertPoint(Begin);
    // The runtime is not instrumented.
    if (F.hasFnAttribute(Attribute::SanitizeMemory))
      B.CreateStore(Constant::getNullValue(ChunkPlanType), ChunkPlan);
    B.CreateCall(SiteBegin, {Site, Remaining, ChunkPlan});
    auto Planned = [&](const RuntimeField &Field) {
      const unsigned I = PlanFields.numberOf(Field);
      return B.CreateLoad(ChunkPlanType->getElementType(I),
                          B.CreateStructGEP(ChunkPlanType, ChunkPlan, I));
    };
    B.CreateStore(Planned(HEDDLE_FIELD(heddle_plan, version)), Version);
    B.CreateStore(B.CreateZExt(Planned(HEDDLE_FIELD(heddle_plan, tasks)), I64),
                  State.Tasks);
    B.CreateStore(Planned(HEDDLE_FIELD(heddle_plan, iterations)), Iterations);
    B.CreateStore(B.getTrue(), Begun);
    B.CreateBr(Run);
  }

  void emitChunkEnd(BasicBlock *ChunkEnd, BasicBlock *Chunk, BasicBlock *Exit) {
    auto *Report = block("heddle.report");
    auto *Check = block("heddle.check");
    IRBuilder<> B(ChunkEnd);
    B.CreateCondBr(load(B, Begun), Report, Check);
    B.SetInsertPoint(Report);
    Function *SiteEnd = runtimeFunction(
        "heddle_site_end", {PointerType::get(Context, 0),
                            PointerType::get(Context, 0), I64, I64, I64});
    Value *Next = load(B, State.NextIteration);
    Value *Count = B.CreateSub(Next, load(B, ChunkStart));
    Value *Work = State.Work ? B.CreateAdd(Count, load(B, State.Work)) : Count;
    B.CreateCall(SiteEnd, {Site, ChunkPlan, Count, Work, load(B, Suspensions)});
    B.CreateBr(Check);
    B.SetInsertPoint(Check);
    Value *Left = TripCount
                      ? B.CreateICmpNE(load(B, State.NextIteration), TripCount)
                      : load(B, State.More);
    if (!State.Left) {
      B.CreateCondBr(Left, Chunk, Exit);
      return;
    }
    auto *GoesOn = block("heddle.goes.on");
    BasicBlock *Leaves = emitLeaves(GoesOn);
    B.CreateBr(Leaves);
    B.SetInsertPoint(GoesOn);
    B.CreateCondBr(Left, Chunk, Exit);
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
                              const Decision &Choice, SchedulerState &State,
                              Segments &Cuts) {
  const BasicBlock &LastBefore = State.F.back();
  Versions(C, Facts, Choice, State, Cuts).emit();
  return countBehind(LastBefore, State);
}
