//===- Segments.h - A task cut at its suspension points ---------*- C++ -*-===//
//
// Segment 0 runs from the launch to the first suspension, segment i+1 from the
// i-th resume block to the next. The context of a suspension holds the values
// that are live into the resume block, except those that are cheaper to
// recompute (CoroAMU III-B: the context holds no value that all tasks share and
// none that follows from the iteration number).
//
// Values that are live across a suspension are moved into allocas ("variables")
// so that the clones of the segments need no repair of SSA form until
// everything is promoted to registers again.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_SEGMENTS_H
#define HEDDLE_PASSES_ASYNC_REWRITE_SEGMENTS_H

#include "async/rewrite/DebugValues.h"
#include "async/rewrite/SchedulerState.h"
#include "async/rewrite/TaskBody.h"
#include "async/rewrite/Uniformity.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace heddle {

/// The context of a task at one suspension point.
struct Context {
  /// Variables that are stored at the suspension and loaded at the resumption.
  llvm::SmallVector<llvm::AllocaInst *> Saved;
  /// Instructions (detached) that compute further variables from the saved
  /// ones, in order; each with the variable that it defines.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::AllocaInst *>>
      Recomputed;
};

class Segments {
public:
  /// \p Before is the preheader of the loop.
  Segments(TaskBody &Body, SchedulerState &State,
           const llvm::BasicBlock *Before);
  ~Segments();

  unsigned count() const { return Body.Resumes.size() + 1; }
  unsigned suspensions() const { return Body.Resumes.size(); }
  std::optional<unsigned> turnSuspension() const { return Body.TurnResume; }
  const Context &context(unsigned Suspension) const {
    return Contexts[Suspension];
  }
  /// True if tasks that are launched together wait together and retire
  /// together.
  bool inStep() const { return Alike.inStep() && !Body.TurnResume; }
  /// True if tasks that are in step agree on the value of \p Variable.
  bool isUniform(const llvm::AllocaInst *Variable) const {
    return UniformVariables.contains(Variable);
  }
  /// The context's size in bytes, the largest of all suspensions.
  unsigned contextBytes() const;
  unsigned contextBytes(unsigned Suspension) const;
  /// True if segment \p Segment can end in suspension \p Suspension.
  bool reaches(unsigned Segment, unsigned Suspension) const;

  /// True if \p Variable is saved where \p Segment begins and no other where
  /// it ends.
  bool isKept(unsigned Segment, const llvm::AllocaInst *Variable) const;

  /// The code that a schedule emits where a segment ends. Each is called with a
  /// builder at the end of an empty block, which it must terminate.
  struct EndEmitters {
    llvm::function_ref<void(llvm::IRBuilder<> &, unsigned Suspension)> Suspend;
    llvm::function_ref<void(llvm::IRBuilder<> &)> Retire;
    /// The segment ends on both sides of a branch whose condition is as good as
    /// random; each side is a suspension, or a retirement without other code.
    /// Null if the schedule has no use for this.
    llvm::function_ref<void(llvm::IRBuilder<> &, llvm::Value *Condition,
                            std::optional<unsigned> IfTrue,
                            std::optional<unsigned> IfFalse)>
        Either = nullptr;
  };
  /// Clones segment \p Segment and returns its first block. The saved variables
  /// must have been stored when control reaches it.
  llvm::BasicBlock *clone(unsigned Segment, const llvm::Twine &Suffix,
                          EndEmitters Emit);

  /// Sets the block at which to continue when a task has left the loop early.
  void leaveTo(llvm::BasicBlock *Block) { LeftAt = Block; }

  const EarlyRequests &earlyRequests() const { return Body.Early; }

  /// Deletes the body that the segments were cloned from.
  void eraseBody();

private:
  TaskBody &Body;
  SchedulerState &State;
  DebugValues Debug;
  Uniformity Alike;
  llvm::SmallVector<Context> Contexts;
  llvm::DenseMap<llvm::Instruction *, llvm::AllocaInst *> Variables;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 8> UniformVariables;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> ResumeIndex;
  llvm::BasicBlock *LeftAt = nullptr;

  /// Makes phis agree with the edges of \p Clones, copies of \p Region 's
  /// blocks to which \p Map leads.
  void repairPhis(llvm::ArrayRef<llvm::BasicBlock *> Region,
                  llvm::ArrayRef<llvm::BasicBlock *> Clones,
                  llvm::ValueToValueMapTy &Map) const;
  /// Recomputes in front of \p At, at the resumption of a task, the live values
  /// that \p C does not hold.
  void recompute(const Context &C, llvm::Instruction *At) const;
  /// Ends each exit of the blocks \p Clones. \p Map maps the blocks of a
  /// segment to them.
  void emitEnds(llvm::SmallVectorImpl<llvm::BasicBlock *> &Clones,
                llvm::ValueToValueMapTy &Map, const EndEmitters &Emit);
  /// Makes loads of variables in \p Block the values that are known there.
  void forwardStores(llvm::BasicBlock *Block) const;
  /// Removes the dead stores of \p Block, the last block of a segment: before a
  /// suspension those to variables that it does not save, before a retirement
  /// all, since values that the retirement reads never become variables.
  void removeDeadStores(
      llvm::BasicBlock *Block, const llvm::BasicBlock *Retire,
      const llvm::DenseMap<const llvm::BasicBlock *, unsigned> &Suspensions);
  /// A load in front of \p At of \p InBody, if segment \p Segment begins with
  /// its value known; or null.
  llvm::Value *loadKnown(llvm::Instruction *InBody, unsigned Segment,
                         llvm::Instruction *At) const;
  /// Makes the debug records of \p Clone, in segment \p Segment, speak of
  /// values that are there.
  void repairDebugRecords(llvm::BasicBlock *Clone, unsigned Segment) const;
  /// True if \p Address is that of a value which lives across suspensions.
  bool isVariable(const llvm::Value *Address) const;
  /// The variable that \p I loads or stores; null if it does neither.
  llvm::Value *accessedVariable(llvm::Instruction &I) const;
  void computeContexts();
  void demote(const llvm::SetVector<llvm::Instruction *> &Values);
  llvm::SmallVector<llvm::BasicBlock *> region(unsigned Segment) const;
};

} // namespace heddle

#endif
