//===- Fifo.cpp - A ring of coroutines ------------------------------------===//
//
// Slots 0..live-1 hold the contexts of the tasks in flight and, where there are
// several suspension points, the number of the one that each waits at. Every
// suspension ends in its own dispatch: step to the next slot, and jump to where
// its task waits. At a retirement the slot takes the next iteration; when none
// is left, the last slot moves into the gap. A task that is alone does not
// suspend.
//
// Over far memory the next slot is not the next in the ring but one whose
// requests have completed, and tasks stay in their slots: these are their ids.
// A task suspends only if it has to wait.
//
//===----------------------------------------------------------------------===//

#include "async/FarTasks.h"
#include "async/Schedules.h"

using namespace llvm;
using namespace heddle;

namespace {

class Fifo {
  const Stretch &S;
  SchedulerState &State;
  Function &F;
  Type *I64;
  TurnRing Ring;
  const bool IsDynamic;
  AllocaInst *Slot, *Live;
  /// Null where all tasks wait at the same suspension point.
  AllocaInst *WaitsAt = nullptr;
  /// One array for each variable that some context saves.
  MapVector<AllocaInst *, AllocaInst *> Fields;
  SmallVector<BasicBlock *> Resume, Continue;

public:
  explicit Fifo(const Stretch &S)
      : S(S), State(S.State), F(State.F), I64(State.i64()), Ring(S),
        IsDynamic(State.Amu) {
    Slot = IsDynamic ? State.Id : State.createRegister(I64, "fifo.slot");
    Live = State.createRegister(I64, "fifo.live");
    if (S.Cuts.suspensions() - (Ring.exists() ? 1 : 0) > 1)
      WaitsAt = State.createArray(Type::getInt32Ty(F.getContext()),
                                  State.MaxTasks, "fifo.waits");
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I)
      if (!isTurn(I))
        for (AllocaInst *Variable : S.Cuts.context(I).Saved)
          if (!Fields.count(Variable))
            Fields[Variable] =
                State.createArray(Variable->getAllocatedType(), State.MaxTasks,
                                  Variable->getName() + ".contexts");
  }

  BasicBlock *emit() {
    auto *Enter = block("fifo");
    auto *Fill = block("fifo.fill");
    auto *FillLaunch = block("fifo.fill.launch");
    auto *Start = block("fifo.start");
    auto *First = block("fifo.first");
    auto *Retire = block("fifo.retire");
    BasicBlock *TurnDrain = Ring.exists() ? Ring.emitDrain(Retire) : nullptr;

    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I) {
      Resume.push_back(isTurn(I) ? nullptr : block("fifo.resume"));
      Continue.push_back(nullptr);
    }
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I)
      if (!isTurn(I))
        Continue[I] = block("fifo.continue");

    // How a segment ends once the ring is running.
    auto SuspendAfter = [&](unsigned Segment, IRBuilder<> &B,
                            unsigned Suspension) {
      if (isTurn(Suspension)) {
        Ring.emitWait(B);
        B.CreateBr(TurnDrain);
        return;
      }
      auto *Switch = block("fifo.switch");
      Value *Waits =
          IsDynamic ? emitFarAwait(B, State)
                    : B.CreateICmpNE(B.CreateLoad(I64, Live), B.getInt64(1));
      B.CreateCondBr(Waits, Switch, Continue[Suspension]);
      B.SetInsertPoint(Switch);
      emitSave(B, Segment, Suspension, B.CreateLoad(I64, Slot));
      B.CreateStore(
          B.CreateAdd(B.CreateLoad(I64, S.Suspensions), B.getInt64(1)),
          S.Suspensions);
      emitStep(B);
      emitDispatch(B);
    };
    auto Retired = [&](IRBuilder<> &B) { B.CreateBr(Retire); };

    IRBuilder<> B(Enter);
    B.CreateStore(B.getInt64(0), Live);
    if (IsDynamic)
      emitFarBegin(B, State);
    Ring.emitReset(B);
    B.CreateBr(Fill);

    // Init: launch until the ring is full.
    B.SetInsertPoint(Fill);
    Value *Room = B.CreateICmpULT(B.CreateLoad(I64, Live),
                                  B.CreateLoad(I64, State.Tasks));
    B.CreateCondBr(B.CreateAnd(Room, emitMayLaunch(B)), FillLaunch, Start);
    B.SetInsertPoint(FillLaunch);
    if (IsDynamic)
      B.CreateStore(B.CreateLoad(I64, Live), Slot);
    emitAhead(B, S, B.getInt64(1));
    BasicBlock *FillDrain = Ring.exists() ? Ring.emitDrain(Fill) : nullptr;
    B.CreateBr(S.Cuts.clone(0, ".fill",
                            {[&](IRBuilder<> &B, unsigned Suspension) {
                               if (isTurn(Suspension)) {
                                 Ring.emitWait(B);
                                 B.CreateBr(FillDrain);
                                 return;
                               }
                               Value *At = B.CreateLoad(I64, Live);
                               emitSave(B, 0, Suspension, At);
                               if (IsDynamic)
                                 emitFarQueue(B, State);
                               B.CreateStore(B.CreateAdd(At, B.getInt64(1)),
                                             Live);
                               B.CreateBr(Fill);
                             },
                             [&](IRBuilder<> &B) { B.CreateBr(Fill); }}));
    B.SetInsertPoint(Start);
    B.CreateCondBr(B.CreateIsNull(B.CreateLoad(I64, Live)), emitDone(), First);
    B.SetInsertPoint(First);
    B.CreateStore(IsDynamic ? emitFarFinished(B, State) : B.getInt64(0), Slot);
    emitDispatch(B);

    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I) {
      if (isTurn(I))
        continue;
      B.SetInsertPoint(Resume[I]);
      emitLoad(B, I, B.CreateLoad(I64, Slot));
      B.CreateBr(Continue[I]);
      B.SetInsertPoint(Continue[I]);
      auto Suspend = [&](IRBuilder<> &B, unsigned Suspension) {
        SuspendAfter(I + 1, B, Suspension);
      };
      B.CreateBr(S.Cuts.clone(I + 1, ".fifo", {Suspend, Retired}));
    }
    auto Suspend = [&](IRBuilder<> &B, unsigned Suspension) {
      SuspendAfter(0, B, Suspension);
    };
    emitRetire(Retire, Fill, Suspend, Retired);
    return Enter;
  }

private:
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  }

  bool isTurn(unsigned Suspension) const {
    return S.Cuts.turnSuspension() == Suspension;
  }

  Value *emitMayLaunch(IRBuilder<> &B) {
    return B.CreateAnd(emitCanLaunch(B, S), Ring.emitHasRoom(B));
  }

  Value *place(IRBuilder<> &B, AllocaInst *Variable, Value *At) {
    return B.CreateInBoundsGEP(Variable->getAllocatedType(), Fields[Variable],
                               At);
  }

  /// Saves the context of the task in slot \p At, which \p Segment has run.
  void emitSave(IRBuilder<> &B, unsigned Segment, unsigned Suspension,
                Value *At) {
    for (AllocaInst *Variable : S.Cuts.context(Suspension).Saved)
      // A task that need not wait has not been saved where it went on.
      if (IsDynamic || !S.Cuts.isKept(Segment, Variable))
        B.CreateStore(B.CreateLoad(Variable->getAllocatedType(), Variable),
                      place(B, Variable, At));
    if (WaitsAt)
      B.CreateStore(B.getInt32(Suspension),
                    B.CreateInBoundsGEP(B.getInt32Ty(), WaitsAt, At));
  }

  void emitLoad(IRBuilder<> &B, unsigned Suspension, Value *At) {
    for (AllocaInst *Variable : S.Cuts.context(Suspension).Saved)
      B.CreateStore(
          B.CreateLoad(Variable->getAllocatedType(), place(B, Variable, At)),
          Variable);
  }

  BasicBlock *emitDone() {
    if (!IsDynamic)
      return S.Done;
    auto *Done = block("fifo.done");
    IRBuilder<> B(Done);
    emitFarEnd(B, State);
    B.CreateBr(S.Done);
    return Done;
  }

  /// Slot = (Slot + 1) mod Live, or that of a task which is to be resumed.
  void emitStep(IRBuilder<> &B) {
    if (IsDynamic) {
      B.CreateStore(emitFarFinished(B, State), Slot);
      return;
    }
    Value *Next = B.CreateAdd(B.CreateLoad(I64, Slot), B.getInt64(1));
    Value *Wraps = B.CreateICmpUGE(Next, B.CreateLoad(I64, Live));
    B.CreateStore(B.CreateSelect(Wraps, B.getInt64(0), Next), Slot);
  }

  void emitDispatch(IRBuilder<> &B) {
    SmallVector<unsigned> Targets;
    for (unsigned I = 0; I < Resume.size(); ++I)
      if (Resume[I])
        Targets.push_back(I);
    if (!WaitsAt) {
      B.CreateBr(Resume[Targets.front()]);
      return;
    }
    Value *At =
        B.CreateInBoundsGEP(B.getInt32Ty(), WaitsAt, B.CreateLoad(I64, Slot));
    SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), At),
                                        Resume[Targets.back()]);
    for (unsigned I : drop_end(Targets))
      Switch->addCase(B.getInt32(I), Resume[I]);
  }

  /// Gives the slot to the next iteration, or closes the gap.
  template <typename SuspendFn, typename RetireFn>
  void emitRetire(BasicBlock *Retire, BasicBlock *Fill, SuspendFn Suspend,
                  RetireFn Retired) {
    auto *Launch = block("fifo.launch");
    auto *Shrink = block("fifo.shrink");
    auto *Move = block("fifo.move");
    auto *Empty = block("fifo.empty");
    IRBuilder<> B(Retire);
    B.CreateCondBr(emitMayLaunch(B), Launch, Shrink);

    B.SetInsertPoint(Launch);
    emitAhead(B, S, B.getInt64(1));
    B.CreateBr(S.Cuts.clone(0, ".relaunch", {Suspend, Retired}));

    B.SetInsertPoint(Shrink);
    Value *Last = B.CreateSub(B.CreateLoad(I64, Live), B.getInt64(1));
    B.CreateStore(Last, Live);
    B.CreateCondBr(B.CreateIsNull(Last), Empty, Move);

    // With Ordered variables, room may have come up since.
    B.SetInsertPoint(Empty);
    B.CreateBr(Fill);

    B.SetInsertPoint(Move);
    if (IsDynamic) {
      emitStep(B);
      emitDispatch(B);
      return;
    }
    Value *Gap = B.CreateLoad(I64, Slot);
    auto Copy = [&](Type *T, AllocaInst *Array) {
      B.CreateStore(B.CreateLoad(T, B.CreateInBoundsGEP(T, Array, Last)),
                    B.CreateInBoundsGEP(T, Array, Gap));
    };
    for (auto &[Variable, Field] : Fields)
      Copy(Variable->getAllocatedType(), Field);
    if (WaitsAt)
      Copy(B.getInt32Ty(), WaitsAt);
    Value *Wraps = B.CreateICmpUGE(Gap, Last);
    B.CreateStore(B.CreateSelect(Wraps, B.getInt64(0), Gap), Slot);
    emitDispatch(B);
  }
};

} // namespace

BasicBlock *heddle::emitFifo(const Stretch &S) { return Fifo(S).emit(); }
