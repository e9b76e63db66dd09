//===- Worksharing.cpp - The OpenMP loop around a nest --------------------===//

#include "loop/Worksharing.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace heddle;

// The kinds of schedules in calls of OpenMP's run time, without the modifiers.
static constexpr uint64_t KindMask = (1u << 29) - 1;
static constexpr uint64_t StaticChunked = 33, Static = 34, DynamicChunked = 35,
                          Auto = 38;

/// True for names that begin with one of \p Prefixes.
static auto beginsWith(std::initializer_list<StringRef> Prefixes) {
  return [Prefixes = SmallVector<StringRef>(Prefixes)](StringRef Name) {
    return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
  };
}

/// Whether \p L starts at the value of the variable \p Lower.
static bool startsAt(const Loop &L, const Value *Lower) {
  for (const PHINode &Phi : L.getHeader()->phis()) {
    SmallVector<const Value *, 4> Work{
        Phi.getIncomingValueForBlock(L.getLoopPreheader())};
    SmallPtrSet<const Value *, 8> Seen;
    while (!Work.empty()) {
      auto *I = dyn_cast<Instruction>(Work.pop_back_val());
      if (!I || !Seen.insert(I).second)
        continue;
      if (auto *Load = dyn_cast<LoadInst>(I)) {
        if (Load->getPointerOperand() == Lower)
          return true;
      } else if (isa<CastInst, BinaryOperator, PHINode>(I)) {
        append_range(Work, I->operands());
      }
    }
  }
  return false;
}

/// Whether the program reads which thread runs the last iteration.
static bool isLastAsked(const Value *IsLast) {
  return any_of(IsLast->users(),
                [](const User *U) { return isa<LoadInst>(U); });
}

/// Whether every thread may execute \p I, which is between the begin and the
/// end of the schedule and not in the loop: it is part of OpenMP's worksharing,
/// or ends the thread's own part of a reduction.
static bool isEachThreadsOwn(const Instruction &I, const Worksharing &W) {
  if (!I.mayHaveSideEffects() || I.isLifetimeStartOrEnd() ||
      I.isDebugOrPseudoInst() || isa<AssumeInst>(I) ||
      is_contained(W.Takes, &I))
    return true;
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store &&
         isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
}

/// Returns an instruction under the schedule that is neither part of \p L nor
/// each thread's own, or null. Loop unswitching may have left such code.
static const Instruction *besides(const Loop &L, const LoopInfo &LI,
                                  const Worksharing &W) {
  SmallPtrSet<const Instruction *, 16> Seen;
  SmallVector<const Instruction *, 16> Work{W.Begin->getNextNode()};
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    const Loop *Around = LI.getLoopFor(I->getParent());
    if (!Seen.insert(I).second)
      continue;
    if (L.contains(I)) {
      Work.push_back(&L.getExitBlock()->front());
      continue;
    }
    if (Around && !Around->contains(&L))
      return I;
    for (; I && !is_contained(W.Ends, I); I = I->getNextNode()) {
      if (!isEachThreadsOwn(*I, W))
        return I;
      if (I->isTerminator())
        for (const BasicBlock *Next : successors(I->getParent()))
          Work.push_back(&Next->front());
    }
  }
  return nullptr;
}

static MaybeRefusal readDispatch(Worksharing &W, const Loop &L,
                                 const DominatorTree &DT) {
  Function &F = *L.getHeader()->getParent();
  for (CallInst *Next : findCalls(F, beginsWith({"__kmpc_dispatch_next"})))
    if (DT.dominates(W.Begin, Next) && startsAt(L, Next->getArgOperand(3)))
      W.Takes.push_back(Next);
  if (W.Takes.empty())
    return refuse(RefusalKind::OtherWorksharing);
  if (isLastAsked(W.Takes[0]->getArgOperand(2)))
    return refuse(RefusalKind::LastPrivate);
  W.IsDynamic = true;
  W.ChunkRows = W.Begin->getArgOperand(6);
  return std::nullopt;
}

static MaybeRefusal readStatic(Worksharing &W, const Loop &L, uint64_t Kind) {
  if (!startsAt(L, W.Begin->getArgOperand(4)))
    return refuse(RefusalKind::OtherWorksharing);
  if (isLastAsked(W.Begin->getArgOperand(3)))
    return refuse(RefusalKind::LastPrivate);
  if (Kind == StaticChunked)
    W.ChunkRows = W.Begin->getArgOperand(8);
  return std::nullopt;
}

/// True if \p P is a variable of a loop around \p L whose iterations are those
/// of the program: not one that goes from chunk to chunk, by what \p Stride
/// says.
static bool isOfLoopAround(const PHINode &P, const Loop &L,
                           const Value *Stride) {
  const Loop *Around = L.getParentLoop();
  while (Around && Around->getHeader() != P.getParent())
    Around = Around->getParentLoop();
  const BasicBlock *Latch = Around ? Around->getLoopLatch() : nullptr;
  if (!Latch)
    return Around;
  auto *Next = dyn_cast<BinaryOperator>(P.getIncomingValueForBlock(Latch));
  return !Stride || !Next || none_of(Next->operands(), [&](const Value *By) {
    auto *Load = dyn_cast<LoadInst>(By->stripPointerCasts());
    return Load && Load->getPointerOperand() == Stride;
  });
}

/// True if \p L goes from or to a bound that OpenMP has put into one of \p
/// Bounds.
static bool goesBetween(const Loop &L, ArrayRef<const Value *> Bounds,
                        const Value *Stride) {
  SmallVector<const Value *> Work;
  for (const PHINode &Phi : L.getHeader()->phis())
    Work.push_back(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  for (const BasicBlock *Block : {L.getHeader(), L.getLoopLatch()})
    if (auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
        Branch && Branch->isConditional() && L.isLoopExiting(Block))
      if (auto *Test = dyn_cast<CmpInst>(Branch->getCondition()))
        copy_if(Test->operands(), std::back_inserter(Work),
                [&](const Value *V) { return L.isLoopInvariant(V); });
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (is_contained(Bounds, Load->getPointerOperand()))
        return true;
      continue;
    }
    auto *Phi = dyn_cast<PHINode>(I);
    if (!(Phi && isOfLoopAround(*Phi, L, Stride)) && !I->mayWriteToMemory())
      append_range(Work, I->operands());
  }
  return false;
}

bool heddle::isWorksharing(const Loop &L, const DominatorTree &DT) {
  const BasicBlock &Header = *L.getHeader();
  Function &F = *L.getHeader()->getParent();
  auto LastBefore = [&](function_ref<bool(StringRef)> IsWanted) {
    return latestBefore(findCalls(F, IsWanted), Header.getTerminator(), DT);
  };
  const CallInst *Begin = LastBefore(
      beginsWith({"__kmpc_for_static_init_", "__kmpc_dispatch_init_"}));
  const CallInst *End = LastBefore(
      [](StringRef Name) { return Name == "__kmpc_for_static_fini"; });
  if (!Begin || (End && DT.dominates(Begin, End)))
    return false;
  if (calleeName(*Begin).starts_with("__kmpc_for_static_init_"))
    return goesBetween(L, {Begin->getArgOperand(4), Begin->getArgOperand(5)},
                       Begin->getArgOperand(6));
  return any_of(
      findCalls(F, beginsWith({"__kmpc_dispatch_next"})),
      [&](const CallInst *Take) {
        return DT.dominates(Begin, Take) &&
               goesBetween(L, {Take->getArgOperand(3), Take->getArgOperand(4)},
                           nullptr);
      });
}

MaybeRefusal heddle::findWorksharing(const LoopContext &C, Worksharing &Found) {
  const Loop &L = C.L;
  const DominatorTree &DT = C.DT;
  Function &F = *L.getHeader()->getParent();
  Instruction *Start = L.getLoopPreheader()->getTerminator();
  SmallVector<CallInst *, 4> Begins = findCalls(
      F, beginsWith({"__kmpc_for_static_init", "__kmpc_dispatch_init"}));
  Found.Begin = latestBefore(Begins, Start, DT);
  if (Found.Begin)
    for (CallInst *End : findCalls(
             F, beginsWith({"__kmpc_for_static_fini", "__kmpc_dispatch_deinit",
                            "__kmpc_dispatch_fini"})))
      if (latestBefore(Begins, End, DT) == Found.Begin)
        Found.Ends.push_back(End);
  if (!Found.Begin || any_of(Found.Ends, [&](CallInst *End) {
        return DT.dominates(End, Start);
      }))
    return refuse(RefusalKind::NoWorksharing);
  Found.Place = Found.Begin->getArgOperand(0);
  Found.Thread = Found.Begin->getArgOperand(1);
  auto *Kind = dyn_cast<ConstantInt>(Found.Begin->getArgOperand(2));
  uint64_t Schedule = Kind ? Kind->getZExtValue() & KindMask : 0;
  MaybeRefusal Why;
  if (Schedule == StaticChunked || Schedule == Static)
    Why = readStatic(Found, L, Schedule);
  else if (Schedule >= DynamicChunked && Schedule <= Auto)
    Why = readDispatch(Found, L, DT);
  else
    Why = refuse(RefusalKind::UnknownSchedule);
  if (!Why)
    if (const Instruction *Other = besides(L, C.LI, Found))
      Why = refuse(RefusalKind::SeveralLoops, Other);
  return Why;
}

/// The dispatcher hands out all iterations at once, once.
static void serveOnce(Worksharing &W) {
  Function &F = *W.Begin->getFunction();
  CallInst &First = *W.Takes[0];
  Type *Ty = First.getType();
  AllocaInst *Rest = createVariable(F, Ty, "dispatch.rest");
  IRBuilder<> Builder(W.Begin);
  Builder.CreateStore(ConstantInt::get(Ty, 1), Rest);
  // dispatch_init(place, thread, schedule, lower, upper, stride, chunk)
  Builder.CreateStore(W.Begin->getArgOperand(3), First.getArgOperand(3));
  Builder.CreateStore(W.Begin->getArgOperand(4), First.getArgOperand(4));
  for (CallInst *Call : W.Takes) {
    Builder.SetInsertPoint(Call);
    Value *More = Builder.CreateLoad(Ty, Rest);
    Builder.CreateStore(ConstantInt::get(Ty, 0), Rest);
    Call->replaceAllUsesWith(More);
    Call->eraseFromParent();
  }
  DominatorTree DT(F);
  PromoteMemToReg({Rest}, DT);
}

void heddle::removeWorksharing(Worksharing &W) {
  if (W.IsDynamic) {
    serveOnce(W);
  } else {
    // static_init(place, thread, schedule, last, lower, upper, stride, ...):
    // the bounds are those of the whole loop until the call changes them. After
    // one stride the bounds are past the loop's end.
    IRBuilder<> Builder(W.Begin);
    Type *Ty = W.Begin->getArgOperand(7)->getType();
    Value *Upper = Builder.CreateLoad(Ty, W.Begin->getArgOperand(5));
    Value *Stride = W.Begin->getArgOperand(6);
    Builder.CreateStore(Builder.CreateAdd(Upper, ConstantInt::get(Ty, 1)),
                        Stride);
    // The next bound may exceed the type of signed rows; the schedule has no
    // chunks there.
    for (User *Read : Stride->users())
      if (isa<LoadInst>(Read))
        for (User *Step : Read->users())
          if (auto *Add = dyn_cast<BinaryOperator>(Step))
            Add->dropPoisonGeneratingFlags();
  }
  W.Begin->eraseFromParent();
  for (CallInst *End : W.Ends)
    End->eraseFromParent();
}
