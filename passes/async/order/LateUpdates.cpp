//===- LateUpdates.cpp - Ordered variables used as late as possible -------===//

#include "async/order/LateUpdates.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

namespace {

class Sinker {
  const Loop &L;
  const DominatorTree &DT;
  const LoopInfo &LI;
  SmallPtrSet<Instruction *, 16> Done;

public:
  explicit Sinker(const LoopContext &C) : L(C.L), DT(C.DT), LI(C.LI) {}

  /// Moves the users of \p I down, after their own users.
  void sinkUsersOf(Instruction &I) {
    SmallVector<Instruction *> Users;
    for (User *U : I.users())
      Users.push_back(cast<Instruction>(U));
    for (Instruction *User : Users)
      if (isMovable(*User) && Done.insert(User).second) {
        sinkUsersOf(*User);
        sink(*User);
      }
  }

private:
  bool isMovable(const Instruction &I) const {
    return L.contains(&I) && !I.mayReadOrWriteMemory() &&
           !I.mayHaveSideEffects() && !I.isTerminator() && !isa<PHINode>(I);
  }

  void sink(Instruction &I) {
    BasicBlock *Block = nullptr;
    for (User *U : I.users()) {
      auto *User = cast<Instruction>(U);
      // The use by a phi is on an edge.
      if (isa<PHINode>(User) || !L.contains(User))
        return;
      Block = Block ? DT.findNearestCommonDominator(Block, User->getParent())
                    : User->getParent();
    }
    if (!Block || LI.getLoopFor(Block) != LI.getLoopFor(I.getParent()))
      return;
    Instruction *At = Block->getTerminator();
    for (User *U : I.users()) {
      auto *User = cast<Instruction>(U);
      if (User->getParent() == Block && User->comesBefore(At))
        At = User;
    }
    if (I.getNextNode() == At)
      return;
    I.moveBefore(At->getIterator());
    assert(
        all_of(I.uses(), [&](const Use &U) { return DT.dominates(&I, U); }) &&
        "moved behind a use");
  }
};

} // namespace

void heddle::delayUsers(const LoopContext &C, Instruction &I) {
  Sinker(C).sinkUsersOf(I);
}

void heddle::delayUpdates(const LoopContext &C,
                          const VariableClasses &Classes) {
  Sinker S(C);
  for (const LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Ordered)
      S.sinkUsersOf(*V.Phi);
}
