//===- Groups.cpp - Lockstep of tasks that are in step --------------------===//
//
// If all tasks pass the same suspension points, no queue has to be compacted or
// refilled:
//
//   group:  for j in 0..tasks:  launch an iteration; save context j
//   phase:  for j in 0..count:  load context j; run the segment;
//                               save context j
//           to the phase of the suspension point that all have come to,
//           or to the next group
//
// Values that are equal in all tasks are kept once and hoisted out of the loops
// over the tasks, like any invariant.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "ir/Registers.h"

using namespace llvm;
using namespace heddle;

namespace {

class Groups : ScheduleEmitter {
  AllocaInst *Count, *Position, *WaitsAt;
  SmallVector<BasicBlock *> Phases;
  /// The storage of each saved variable between phases: an array, or a register
  /// if all tasks agree.
  MapVector<AllocaInst *, AllocaInst *> Fields;

public:
  explicit Groups(const TaskChunk &S) : ScheduleEmitter(S) {
    assert(S.Cuts.inStep() && !S.Cuts.turnSuspension() && "tasks part");
    Count = State.createRegister(I64, "group.count");
    Position = State.createRegister(I64, "group.position");
    WaitsAt =
        State.createRegister(Type::getInt32Ty(F.getContext()), "group.waits");
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I) {
      Phases.push_back(block("phase." + Twine(I)));
      for (AllocaInst *Variable : S.Cuts.context(I).Saved) {
        AllocaInst *&Field = Fields[Variable];
        Type *T = Variable->getAllocatedType();
        if (!Field)
          Field = S.Cuts.isUniform(Variable)
                      ? State.createRegister(T, Variable->getName() + ".group")
                      : State.createArray(T, State.MaxTasks,
                                          Variable->getName() + ".tasks");
      }
    }
  }

  BasicBlock *emit() {
    auto *Enter = block("group");
    auto *Begin = block("group.begin");
    auto *Launch = block("group.launch");
    auto *Next = block("group.next");
    auto *Full = block("group.full");
    IRBuilder<> B(Enter);
    B.CreateCondBr(emitCanLaunch(B, S), Begin, S.Done);
    B.SetInsertPoint(Begin);
    B.CreateStore(B.getInt64(0), Position);
    Value *Left =
        B.CreateSub(load(B, State.Limit), load(B, State.NextIteration));
    B.CreateStore(
        B.CreateBinaryIntrinsic(Intrinsic::umin, Left, load(B, State.Tasks)),
        Count);
    emitAhead(B, S, load(B, Count));
    B.CreateBr(Launch);
    B.SetInsertPoint(Launch);
    B.CreateBr(emitSegment(0, ".launch", Next));
    B.SetInsertPoint(Next);
    Value *More = B.CreateICmpULT(emitAdvance(B), load(B, Count));
    if (State.More)
      More = B.CreateAnd(More, load(B, State.More));
    B.CreateCondBr(More, Launch, Full);
    B.SetInsertPoint(Full);
    B.CreateStore(load(B, Position), Count);
    emitDispatch(B, 0, Enter);
    for (unsigned I = 0; I < Phases.size(); ++I)
      emitPhase(I, Enter);
    return Enter;
  }

private:
  Value *emitAdvance(IRBuilder<> &B) {
    Value *Next = B.CreateAdd(load(B, Position), B.getInt64(1));
    B.CreateStore(Next, Position);
    return Next;
  }

  /// Returns the address at which \p Variable of the current task is stored.
  Value *place(IRBuilder<> &B, AllocaInst *Variable) {
    AllocaInst *Field = Fields.lookup(Variable);
    if (S.Cuts.isUniform(Variable))
      return Field;
    return B.CreateInBoundsGEP(Variable->getAllocatedType(), Field,
                               load(B, Position));
  }

  /// Clones a segment that is over at \p Next, with WaitsAt stored.
  BasicBlock *emitSegment(unsigned Segment, const Twine &Suffix,
                          BasicBlock *Next) {
    return S.Cuts.clone(
        Segment, Suffix,
        {[&](IRBuilder<> &B, unsigned Suspension) {
           for (AllocaInst *Variable : S.Cuts.context(Suspension).Saved)
             if (!S.Cuts.isKept(Segment, Variable))
               B.CreateStore(load(B, Variable), place(B, Variable));
           B.CreateStore(B.getInt32(Suspension), WaitsAt);
           B.CreateBr(Next);
         },
         [&](IRBuilder<> &B) {
           B.CreateStore(B.getInt32(Phases.size()), WaitsAt);
           B.CreateBr(Next);
         }});
  }

  /// Goes where the tasks wait after \p Segment, or to \p Group.
  void emitDispatch(IRBuilder<> &B, unsigned Segment, BasicBlock *Group) {
    SwitchInst *Switch = B.CreateSwitch(load(B, WaitsAt), Group);
    for (unsigned I = 0; I < Phases.size(); ++I)
      if (S.Cuts.reaches(Segment, I))
        Switch->addCase(B.getInt32(I), Phases[I]);
  }

  /// Takes all tasks that wait at suspension point \p I to the end of their
  /// next segment.
  void emitPhase(unsigned I, BasicBlock *Group) {
    auto *Task = block("phase.task");
    auto *Next = block("phase.next");
    auto *End = block("phase.end");
    IRBuilder<> B(Phases[I]);
    B.CreateStore(B.CreateAdd(load(B, S.Suspensions), load(B, Count)),
                  S.Suspensions);
    B.CreateStore(B.getInt64(0), Position);
    // In the next phase the tasks read the values that they write in this one.
    ArrayRef<AllocaInst *> Saved = S.Cuts.context(I).Saved;
    MapVector<AllocaInst *, Value *> Common;
    for (AllocaInst *Variable : Saved)
      if (S.Cuts.isUniform(Variable))
        Common[Variable] =
            B.CreateLoad(Variable->getAllocatedType(), place(B, Variable));
    B.CreateBr(Task);

    B.SetInsertPoint(Task);
    for (AllocaInst *Variable : Saved) {
      Value *Now = Common.lookup(Variable);
      if (!Now)
        Now = B.CreateLoad(Variable->getAllocatedType(), place(B, Variable));
      B.CreateStore(Now, Variable);
    }
    B.CreateBr(emitSegment(I + 1, ".phase", Next));

    B.SetInsertPoint(Next);
    B.CreateCondBr(B.CreateICmpULT(emitAdvance(B), load(B, Count)), Task, End);
    B.SetInsertPoint(End);
    emitDispatch(B, I + 1, Group);
  }
};

} // namespace

BasicBlock *heddle::emitGroups(const TaskChunk &S) { return Groups(S).emit(); }
