//===- Lockstep.cpp - Phase queues with compaction and refill -------------===//
//
// Every task is in one queue, and in each round every task advances by one
// segment:
//
//   round:  for each queue, the latest suspension point first:
//             count = length; length = 0
//             for j in 0..count:  load context j; run the segment;
//                                 append to the queue it ends in, or retire
//           while places are free and iterations are left: run segment 0
//   until all queues are empty
//
// A task that ends in the queue that it came from is written at or before the
// slot that it was read from, so compaction is in place.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "ir/Registers.h"

using namespace llvm;
using namespace heddle;

namespace {

class Lockstep : ScheduleEmitter {
  TurnRing Ring;
  struct Queue {
    AllocaInst *Length, *Count, *Position;
    SmallVector<AllocaInst *> Fields;
  };
  SmallVector<Queue> Queues;

public:
  explicit Lockstep(const TaskChunk &S) : ScheduleEmitter(S), Ring(S) {
    assert(!S.Cuts.inStep() && "groups need no queues");
    for (unsigned I = 0; I < S.Cuts.suspensions(); ++I) {
      Queue Q;
      if (!isTurn(I)) {
        Q.Length = State.createRegister(I64, "queue.length");
        Q.Count = State.createRegister(I64, "queue.count");
        Q.Position = State.createRegister(I64, "queue.position");
        for (AllocaInst *Variable : S.Cuts.context(I).Saved)
          // One slot more, for an append that turns out not to count.
          Q.Fields.push_back(State.createArray(Variable->getAllocatedType(),
                                               State.MaxTasks + 1,
                                               Variable->getName() + ".queue"));
      }
      Queues.push_back(std::move(Q));
    }
  }

  BasicBlock *emit() {
    auto *Enter = block("lockstep");
    auto *Round = block("lockstep.round");
    auto *Refill = block("lockstep.refill");
    auto *Check = block("lockstep.check");
    IRBuilder<> B(Enter);
    for (unsigned I = 0; I < Queues.size(); ++I)
      if (!isTurn(I))
        B.CreateStore(B.getInt64(0), Queues[I].Length);
    Ring.emitReset(B);
    B.CreateBr(Refill);

    // The latest suspension point first, so that a task meets only one segment
    // in a round.
    BasicBlock *Next = Refill;
    for (unsigned I = 0; I < Queues.size(); ++I)
      if (!isTurn(I))
        Next = emitQueue(I, Next);
    B.SetInsertPoint(Round);
    B.CreateBr(Next);

    // A launched iteration may have nothing to wait for but its turn, too.
    emitRefill(Refill, Ring.exists() ? Ring.emitDrain(Check) : Check);
    B.SetInsertPoint(Check);
    Value *GoesOn = B.CreateIsNotNull(emitInFlight(B));
    // Launches may have waited for an iteration that has had its turn now.
    if (State.Unsure)
      GoesOn = B.CreateOr(GoesOn, emitCanLaunch(B, S));
    B.CreateCondBr(GoesOn, Round, S.Done);
    return Enter;
  }

private:
  Value *emitInFlight(IRBuilder<> &B) {
    Value *Sum = B.getInt64(0);
    for (unsigned I = 0; I < Queues.size(); ++I)
      if (!isTurn(I))
        Sum = B.CreateAdd(Sum, load(B, Queues[I].Length));
    return Sum;
  }

  /// Puts the current task into queue \p I.
  void emitAppend(IRBuilder<> &B, unsigned I) {
    if (isTurn(I)) {
      Ring.emitWait(B);
      return;
    }
    Queue &Q = Queues[I];
    Value *At = load(B, Q.Length);
    saveContext(B, S.Cuts.context(I), Q.Fields, At);
    B.CreateStore(B.CreateAdd(At, B.getInt64(1)), Q.Length);
  }

  /// Puts the current task into queue \p I if \p Wanted: writes its context
  /// behind the queue's end in any case and moves the end only if \p Wanted.
  void emitAppendIf(IRBuilder<> &B, unsigned I, Value *Wanted) {
    assert(!isTurn(I) && "tasks enter the ring for good");
    Queue &Q = Queues[I];
    Value *At = load(B, Q.Length);
    saveContext(B, S.Cuts.context(I), Q.Fields, At);
    B.CreateStore(B.CreateAdd(At, B.CreateZExt(Wanted, I64)), Q.Length);
  }

  /// Clones a segment whose tasks continue at \p Next when it ends.
  BasicBlock *emitSegment(unsigned Segment, const Twine &Suffix,
                          BasicBlock *Next) {
    return S.Cuts.clone(
        Segment, Suffix,
        {[&](IRBuilder<> &B, unsigned Suspension) {
           emitAppend(B, Suspension);
           B.CreateBr(Next);
         },
         [&](IRBuilder<> &B) { B.CreateBr(Next); },
         [&](IRBuilder<> &B, Value *Condition, std::optional<unsigned> IfTrue,
             std::optional<unsigned> IfFalse) {
           // At most one append to a queue that is being read: a second one
           // would overwrite the slot of the next task.
           if (IfTrue == IfFalse)
             emitAppend(B, *IfTrue);
           else {
             if (IfTrue)
               emitAppendIf(B, *IfTrue, Condition);
             if (IfFalse)
               emitAppendIf(B, *IfFalse, B.CreateNot(Condition));
           }
           B.CreateBr(Next);
         }});
  }

  /// Runs the tasks of queue \p I through its segment once, then continues at
  /// \p After.
  BasicBlock *emitQueue(unsigned I, BasicBlock *After) {
    Queue &Q = Queues[I];
    std::string Name = ("queue." + Twine(I)).str();
    auto *Head = block(Name);
    auto *Begin = block(Name + ".begin");
    auto *Task = block(Name + ".task");
    auto *Next = block(Name + ".next");
    IRBuilder<> B(Head);
    Value *Count = load(B, Q.Length);
    B.CreateCondBr(B.CreateIsNull(Count), After, Begin);

    B.SetInsertPoint(Begin);
    B.CreateStore(Count, Q.Count);
    B.CreateStore(B.getInt64(0), Q.Length);
    B.CreateStore(B.getInt64(0), Q.Position);
    B.CreateStore(B.CreateAdd(load(B, S.Suspensions), Count), S.Suspensions);
    B.CreateBr(Task);

    B.SetInsertPoint(Task);
    loadContext(B, S.Cuts.context(I), Q.Fields, load(B, Q.Position));
    B.CreateBr(emitSegment(I + 1, ".lockstep", Next));

    B.SetInsertPoint(Next);
    Value *Position = B.CreateAdd(load(B, Q.Position), B.getInt64(1));
    B.CreateStore(Position, Q.Position);
    B.CreateCondBr(B.CreateICmpULT(Position, load(B, Q.Count)), Task, After);
    return Head;
  }

  /// Launches iterations into the free slots.
  void emitRefill(BasicBlock *Refill, BasicBlock *After) {
    auto *Try = block("refill.try");
    auto *Launch = block("refill.launch");
    auto *Next = block("refill.next");
    AllocaInst *Free = State.createRegister(I64, "refill.free");
    IRBuilder<> B(Refill);
    B.CreateStore(B.CreateSub(load(B, State.Tasks), emitInFlight(B)), Free);
    B.CreateBr(Try);

    B.SetInsertPoint(Try);
    Value *Can =
        B.CreateAnd(B.CreateIsNotNull(load(B, Free)), emitCanLaunch(B, S));
    B.CreateCondBr(B.CreateAnd(Can, Ring.emitHasRoom(B)), Launch, After);

    B.SetInsertPoint(Launch);
    emitAhead(B, S, B.getInt64(1));
    B.CreateBr(emitSegment(0, ".launch", Next));
    B.SetInsertPoint(Next);
    B.CreateStore(B.CreateSub(load(B, Free), B.getInt64(1)), Free);
    B.CreateBr(Try);
  }
};

} // namespace

BasicBlock *heddle::emitLockstep(const TaskChunk &S) {
  return S.Cuts.inStep() ? emitGroups(S) : Lockstep(S).emit();
}
