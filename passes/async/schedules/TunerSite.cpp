//===- TunerSite.cpp - What a loop and the site tuner share ---------------===//

#include "async/schedules/TunerSite.h"
#include "ir/Registers.h"
#include "loop/Tunables.h"
#include "tuner/site.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

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

TunerSite::TunerSite(const Decision &Choice, const Directive &D,
                     const SchedulerState &State, const Segments &Cuts)
    : Choice(Choice), D(D), State(State), Cuts(Cuts), F(State.F),
      Context(F.getContext()), I64(State.i64()), I32(Type::getInt32Ty(Context)),
      SiteType(SiteFields.type(Context)), PlanType(PlanFields.type(Context)) {}

unsigned TunerSite::versionsHeld() const {
  return (Choice.HasSerial ? 1u << HEDDLE_SERIAL : 0) |
         (Choice.HasLockstep ? 1u << HEDDLE_LOCKSTEP : 0) |
         (Choice.HasFifo ? 1u << HEDDLE_FIFO : 0);
}

unsigned TunerSite::defaultVersion() const {
  return Choice.Default == Schedule::Fifo ? HEDDLE_FIFO : HEDDLE_LOCKSTEP;
}

/// Returns the number of iterations in flight if neither the user nor the run
/// time sets it.
unsigned TunerSite::defaultTasks() const {
  if (D.Tasks)
    return D.Tasks;
  if (Choice.IsDynamic)
    return State.MaxTasks;
  return defaultVersion() == HEDDLE_FIFO ? tunable::FifoTasks
                                         : tunable::LockstepTasks;
}

void TunerSite::create(Instruction *At, bool WithChunks) {
  GetsChunks = WithChunks;
  Module &M = *F.getParent();
  IRBuilder<> B(At);
  DebugLoc Where = D.Marker->getDebugLoc();
  std::string File = Where ? Where->getFilename().str() : M.getSourceFileName();
  auto Int = [&](uint64_t N) { return ConstantInt::get(I32, N); };
  auto *Initial = ConstantStruct::get(
      SiteType,
      {B.CreateGlobalString(File, "heddle.file"),
       B.CreateGlobalString(F.getName(), "heddle.function"),
       Int(Where ? Where->getLine() : 0),
       Int(versionsHeld() | (GetsChunks ? HEDDLE_GETS_CHUNKS : 0)),
       Int(defaultVersion()), Int(D.Tasks), Int(State.MaxTasks),
       Int(Cuts.suspensions()), Int(0),
       Int(Choice.IsDynamic && !D.Tasks ? unsigned(tunable::FirstFarTasks) : 0),
       Constant::getNullValue(SiteType->elements().back())});
  Site = new GlobalVariable(M, SiteType, false, GlobalValue::InternalLinkage,
                            Initial, "heddle.site");
  Site->setAlignment(Align(State.LineBytes));
  Plan = createVariable(F, PlanType, "heddle.plan");
}

Function *TunerSite::runtimeFunction(StringRef Name,
                                     ArrayRef<Type *> Parameters) const {
  Module &M = *F.getParent();
  auto *Callee = cast<Function>(
      M.getOrInsertFunction(
           Name, FunctionType::get(Type::getVoidTy(Context), Parameters, false))
          .getCallee());
  if (Callee->isDeclaration()) {
    Callee->setLinkage(GlobalValue::ExternalWeakLinkage);
    Callee->setDoesNotThrow();
  }
  return Callee;
}

Value *TunerSite::address(IRBuilder<> &B, const RuntimeField &Field) const {
  return B.CreateStructGEP(SiteType, Site, SiteFields.numberOf(Field));
}

Value *TunerSite::decision(IRBuilder<> &B) const {
  LoadInst *Word = B.CreateAlignedLoad(
      I32, address(B, HEDDLE_FIELD(heddle_site, decision)), Align(4));
  Word->setAtomic(AtomicOrdering::Monotonic);
  return Word;
}

Value *TunerSite::decidedSerial(IRBuilder<> &B) const {
  return B.CreateICmpEQ(
      B.CreateAnd(decision(B), HEDDLE_DECIDED | HEDDLE_DECISION_VERSION_MASK),
      B.getInt32(HEDDLE_DECIDED | HEDDLE_SERIAL));
}

Value *TunerSite::decidedSerialChunks(IRBuilder<> &B) const {
  return B.CreateIsNotNull(
      B.CreateAnd(decision(B), B.getInt32(HEDDLE_SERIAL_CHUNKS)));
}

Value *TunerSite::inPlan(IRBuilder<> &B, const RuntimeField &Field) const {
  const unsigned I = PlanFields.numberOf(Field);
  return B.CreateLoad(PlanType->getElementType(I),
                      B.CreateStructGEP(PlanType, Plan, I));
}

Value *TunerSite::planned(IRBuilder<> &B) const {
  return inPlan(B, HEDDLE_FIELD(heddle_plan, iterations));
}

void TunerSite::useDecision(IRBuilder<> &B, Value *Word, const Answer &To) {
  B.CreateStore(B.CreateAnd(Word, B.getInt32(HEDDLE_DECISION_VERSION_MASK)),
                To.Version);
  B.CreateStore(
      B.CreateZExt(
          B.CreateAnd(
              B.CreateLShr(Word, B.getInt32(HEDDLE_DECISION_TASKS_SHIFT)),
              B.getInt32(HEDDLE_DECISION_TASKS_MASK)),
          I64),
      State.Tasks);
}

void TunerSite::emitAsk(IRBuilder<> &B, Value *Remaining, const Answer &To,
                        BasicBlock *Run) {
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(Context, Name, &F);
  };
  auto *Default = Block("heddle.default");
  auto *Look = Block("heddle.look");
  auto *Decided = Block("heddle.decided");
  auto *Begin = Block("heddle.begin");
  Function *SiteBegin =
      runtimeFunction("heddle_site_begin", {PointerType::get(Context, 0), I64,
                                            PointerType::get(Context, 0)});
  B.CreateCondBr(B.CreateIsNull(SiteBegin), Default, Look);

  B.SetInsertPoint(Default);
  B.CreateStore(B.getInt32(defaultVersion()), To.Version);
  B.CreateStore(B.getInt64(std::min(defaultTasks(), State.MaxTasks)),
                State.Tasks);
  B.CreateBr(Run);

  B.SetInsertPoint(Look);
  Value *Word = decision(B);
  Value *IsDecided =
      B.CreateIsNotNull(GetsChunks ? B.CreateAnd(Word, HEDDLE_DECIDED) : Word);
  Value *Usable = B.CreateAnd(
      IsDecided, B.CreateICmpULT(Remaining, B.getInt64(tunable::ShortLoop)));
  B.CreateCondBr(Usable, Decided, Begin);

  B.SetInsertPoint(Decided);
  useDecision(B, Word, To);
  B.CreateBr(Run);

  B.SetInsertPoint(Begin);
  // The runtime is not instrumented.
  if (F.hasFnAttribute(Attribute::SanitizeMemory))
    B.CreateStore(Constant::getNullValue(PlanType), Plan);
  B.CreateCall(SiteBegin, {Site, Remaining, Plan});
  B.CreateStore(inPlan(B, HEDDLE_FIELD(heddle_plan, version)), To.Version);
  B.CreateStore(B.CreateZExt(inPlan(B, HEDDLE_FIELD(heddle_plan, tasks)), I64),
                State.Tasks);
  B.CreateStore(planned(B), To.Iterations);
  B.CreateStore(B.getTrue(), To.Begun);
  B.CreateBr(Run);
}

void TunerSite::emitEnd(IRBuilder<> &B, Value *Iterations, Value *Work,
                        Value *Suspensions) const {
  Function *SiteEnd = runtimeFunction(
      "heddle_site_end", {PointerType::get(Context, 0),
                          PointerType::get(Context, 0), I64, I64, I64});
  B.CreateCall(SiteEnd, {Site, Plan, Iterations, Work, Suspensions});
}
