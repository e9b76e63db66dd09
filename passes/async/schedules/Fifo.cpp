//===- Fifo.cpp - A ring of coroutines ------------------------------------===//
//
// Slots 0..live-1 hold the contexts of the tasks in flight and, if there are
// several suspension points, the number of the one that each waits at. Every
// suspension ends in its own dispatch: step to the next slot, and jump to the
// suspension point of its task. At a retirement the slot takes the next
// iteration; when none is left, the last slot moves into the gap. A task that
// is alone does not suspend.
//
// Over far memory the next slot is not the next in the ring but one whose
// requests have completed, and tasks stay in their slots, whose numbers are
// their ids, until they retire. A task suspends only if it has to wait. Polling
// shows how many tasks there should be (CoroAMU III-A): code that frees a slot
// or waits launches more tasks while there are fewer.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "heddle/amu.h"
#include "ir/Registers.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

namespace {

class Fifo : ScheduleEmitter {
  TurnRing Ring;
  const bool IsDynamic;
  AllocaInst *Slot, *Live;
  /// Null where all tasks wait at the same suspension point.
  AllocaInst *WaitsAt = nullptr;
  /// Over far memory: the slots that are free, in the elements from Live on.
  AllocaInst *FreeSlots = nullptr;
  /// One array for each variable that some context saves.
  MapVector<AllocaInst *, AllocaInst *> Fields;
  SmallVector<BasicBlock *> Resume, Continue;
  /// The block at the end of tasks whose turn has not come; null if none wait
  /// for it.
  BasicBlock *TurnDrain = nullptr;
  /// The blocks that launch the next iteration: if there is one and the ring is
  /// empty, into one slot more, into the slot that is free.
  BasicBlock *Fill = nullptr, *NewSlot = nullptr, *Launch = nullptr;
  /// Over far memory: the block that launches while there are fewer tasks than
  /// there should be.
  BasicBlock *Return = nullptr;

public:
  explicit Fifo(const TaskChunk &S)
      : ScheduleEmitter(S), Ring(S), IsDynamic(State.Amu) {
    assert((!IsDynamic || State.MaxTasks <= HEDDLE_AMU_IDS) && "no such ids");
    assert(S.Cuts.suspensions() && "a ring that nobody enters");
    Slot = IsDynamic ? State.Id : State.createRegister(I64, "fifo.slot");
    Live = State.createRegister(I64, "fifo.live");
    if (IsDynamic)
      FreeSlots = State.createArray(slotType(), State.MaxTasks, "fifo.free");
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
    auto *Retire = block("fifo.retire");
    TurnDrain = Ring.exists() ? Ring.emitDrain(Retire) : nullptr;
    if (IsDynamic)
      Return = block("fifo.return");
    else {
      Fill = block("fifo.fill");
      NewSlot = block("fifo.slot");
      Launch = block("fifo.launch");
    }
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I) {
      Resume.push_back(isTurn(I) ? nullptr : block("fifo.resume"));
      Continue.push_back(isTurn(I) ? nullptr : block("fifo.continue"));
    }
    BasicBlock *Enter = IsDynamic ? emitDynamic(Retire) : emitStatic();
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I)
      if (!isTurn(I))
        emitResume(I, Retire);
    if (!IsDynamic)
      emitRetire(Retire);
    return Enter;
  }

private:
  Type *slotType() const {
    static_assert(HEDDLE_AMU_IDS <= 1 + UINT8_MAX);
    return Type::getInt8Ty(F.getContext());
  }

  /// Tasks are launched until the ring is full. Then each task that retires
  /// gives its slot to the next.
  BasicBlock *emitStatic() {
    auto *Enter = block("fifo");
    IRBuilder<> B(Enter);
    B.CreateStore(B.getInt64(0), Live);
    Ring.emitReset(B);
    B.CreateBr(Fill);

    B.SetInsertPoint(Fill);
    B.CreateCondBr(emitMayLaunch(B), NewSlot, S.Done);
    B.SetInsertPoint(NewSlot);
    Value *InFlight = load(B, Live);
    B.CreateStore(InFlight, Slot);
    B.CreateStore(B.CreateAdd(InFlight, B.getInt64(1)), Live);
    B.CreateBr(Launch);
    return Enter;
  }

  /// Launches while there are fewer tasks than there should be.
  BasicBlock *emitDynamic(BasicBlock *Retire) {
    auto *Enter = block("fifo");
    auto *Launch = block("fifo.launch");
    auto *Rest = block("fifo.rest");
    auto *Next = block("fifo.next");
    auto *Done = block("fifo.done");
    IRBuilder<> B(Enter);
    B.CreateStore(B.getInt64(0), Live);
    emitAllSlotsFree(B);
    B.CreateStore(State.Far->begin(B, S.KeptTasks, load(B, State.Tasks)),
                  State.Amu);
    Ring.emitReset(B);
    B.CreateBr(Return);

    B.SetInsertPoint(Retire);
    Value *Left = B.CreateSub(load(B, Live), B.getInt64(1));
    B.CreateStore(Left, Live);
    B.CreateStore(B.CreateTrunc(load(B, Slot), slotType()), freeSlot(B, Left));
    B.CreateBr(Return);

    B.SetInsertPoint(Return);
    B.CreateCondBr(B.CreateAnd(emitIsRoom(B), emitMayLaunch(B)), Launch, Rest);

    B.SetInsertPoint(Launch);
    Value *InFlight = load(B, Live);
    B.CreateStore(
        B.CreateZExt(B.CreateLoad(slotType(), freeSlot(B, InFlight)), I64),
        Slot);
    B.CreateStore(B.CreateAdd(InFlight, B.getInt64(1)), Live);
    emitAhead(B, S, B.getInt64(1));
    emitRun(B, 0, ".launch", Retire);

    B.SetInsertPoint(Rest);
    B.CreateCondBr(B.CreateIsNull(load(B, Live)), Done, Next);
    B.SetInsertPoint(Next);
    emitStep(B);
    emitDispatch(B);
    B.SetInsertPoint(Done);
    State.Far->end(B, State.farLoop(B));
    B.CreateBr(S.Done);
    return Enter;
  }

  void emitAllSlotsFree(IRBuilder<> &B) {
    SmallVector<uint8_t> Slots;
    for (unsigned I = 0; I < State.MaxTasks; ++I)
      Slots.push_back(I);
    Constant *All = ConstantDataArray::get(F.getContext(), Slots);
    auto *Initial =
        new GlobalVariable(*F.getParent(), All->getType(), true,
                           GlobalValue::PrivateLinkage, All, "heddle.slots");
    B.CreateMemCpy(FreeSlots, FreeSlots->getAlign(), Initial, Align(1),
                   State.MaxTasks);
  }

  Value *freeSlot(IRBuilder<> &B, Value *At) {
    return B.CreateInBoundsGEP(slotType(), FreeSlots, At);
  }

  /// i1: there should be more tasks.
  Value *emitIsRoom(IRBuilder<> &B) {
    Value *InFlight = load(B, Live);
    return B.CreateICmpULT(InFlight, State.Far->tasks(B, State.farLoop(B)));
  }

  void emitResume(unsigned Suspension, BasicBlock *Retire) {
    IRBuilder<> B(Resume[Suspension]);
    emitLoad(B, Suspension, load(B, Slot));
    B.CreateBr(Continue[Suspension]);
    B.SetInsertPoint(Continue[Suspension]);
    emitRun(B, Suspension + 1, ".fifo", Retire);
  }

  /// Runs a segment while the ring is running.
  void emitRun(IRBuilder<> &B, unsigned Segment, const char *Suffix,
               BasicBlock *Retire) {
    auto Suspend = [&](IRBuilder<> &B, unsigned Suspension) {
      emitSuspend(B, Segment, Suspension);
    };
    auto Retired = [&](IRBuilder<> &B) { B.CreateBr(Retire); };
    B.CreateBr(S.Cuts.clone(Segment, Suffix, {Suspend, Retired}));
  }

  void emitSuspend(IRBuilder<> &B, unsigned Segment, unsigned Suspension) {
    if (isTurn(Suspension)) {
      Ring.emitWait(B);
      B.CreateBr(TurnDrain);
      return;
    }
    auto *Switch = block("fifo.switch");
    const bool MayFill = !IsDynamic && Segment == 0;
    Value *Fills =
        MayFill
            ? B.CreateAnd(B.CreateICmpULT(load(B, Live), load(B, State.Tasks)),
                          emitMayLaunch(B))
            : nullptr;
    Value *Waits = IsDynamic ? State.Far->await(B, State.farTask(B))
                             : B.CreateICmpNE(load(B, Live), B.getInt64(1));
    if (Fills)
      Waits = B.CreateOr(Waits, Fills);
    B.CreateCondBr(Waits, Switch, Continue[Suspension]);
    B.SetInsertPoint(Switch);
    emitSave(B, Segment, Suspension, load(B, Slot));
    B.CreateStore(B.CreateAdd(load(B, S.Suspensions), B.getInt64(1)),
                  S.Suspensions);
    if (IsDynamic || Fills) {
      auto *Step = block("fifo.step");
      if (IsDynamic)
        B.CreateCondBr(emitIsRoom(B), Return, Step);
      else
        B.CreateCondBr(Fills, NewSlot, Step);
      B.SetInsertPoint(Step);
    }
    emitStep(B);
    emitDispatch(B);
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
        B.CreateStore(load(B, Variable), place(B, Variable, At));
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

  /// Emits Slot = (Slot + 1) mod Live, or over far memory the slot of a task
  /// that can be resumed.
  void emitStep(IRBuilder<> &B) {
    if (IsDynamic) {
      B.CreateStore(State.Far->next(B, State.farLoop(B)), Slot);
      return;
    }
    Value *Next = B.CreateAdd(load(B, Slot), B.getInt64(1));
    Value *Wraps = B.CreateICmpUGE(Next, load(B, Live));
    B.CreateStore(B.CreateSelect(Wraps, B.getInt64(0), Next), Slot);
  }

  void emitDispatch(IRBuilder<> &B) {
    SmallVector<unsigned> Targets;
    for (unsigned I = 0; I < Resume.size(); ++I)
      if (Resume[I])
        Targets.push_back(I);
    assert(!Targets.empty() && "tasks wait for their turn only");
    if (!WaitsAt) {
      B.CreateBr(Resume[Targets.front()]);
      return;
    }
    Value *At = B.CreateInBoundsGEP(B.getInt32Ty(), WaitsAt, load(B, Slot));
    SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), At),
                                        Resume[Targets.back()]);
    for (unsigned I : drop_end(Targets))
      Switch->addCase(B.getInt32(I), Resume[I]);
  }

  /// Gives the slot to the next iteration, or closes the gap.
  void emitRetire(BasicBlock *Retire) {
    auto *Shrink = block("fifo.shrink");
    auto *Move = block("fifo.move");
    IRBuilder<> B(Retire);
    B.CreateCondBr(emitMayLaunch(B), Launch, Shrink);

    B.SetInsertPoint(Launch);
    emitAhead(B, S, B.getInt64(1));
    emitRun(B, 0, ".launch", Retire);

    // With Ordered variables, room in the turn ring may have become free since
    // the ring was full.
    B.SetInsertPoint(Shrink);
    Value *Last = B.CreateSub(load(B, Live), B.getInt64(1));
    B.CreateStore(Last, Live);
    B.CreateCondBr(B.CreateIsNull(Last), Fill, Move);

    B.SetInsertPoint(Move);
    Value *Gap = load(B, Slot);
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

BasicBlock *heddle::emitFifo(const TaskChunk &S) { return Fifo(S).emit(); }
