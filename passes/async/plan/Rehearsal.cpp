//===- Rehearsal.cpp - Uninterrupted code that is run in advance ----------===//

#include "async/plan/Rehearsal.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/ObjectAddress.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

namespace {

class Finder {
  const LoopContext &C;
  const LoopFacts &Facts;
  const Loop &L;
  const SmallPtrSetImpl<const Instruction *> &Unhidden;
  const Instruction *const Turn;
  /// In front of the turn only.
  std::optional<AheadValues> Ahead;
  Rehearsal Found;
  /// What depends on variables that a task does not have yet, or on what must
  /// not be read yet.
  SmallPtrSet<const Value *, 16> Unknown;
  /// The blocks that were reached before something turned out to be unknown.
  SmallPtrSet<const BasicBlock *, 8> ReachedBefore;

public:
  Finder(const LoopContext &C, const LoopFacts &Facts, Instruction *Before,
         const SmallPtrSetImpl<const Instruction *> &Unhidden,
         const Instruction *Turn)
      : C(C), Facts(Facts), L(C.L), Unhidden(Unhidden), Turn(Turn) {
    Found.Before = Before;
    if (Before == Turn)
      Ahead.emplace(C, Facts);
  }

  std::optional<Rehearsal> find() {
    for (const LoopVariable &V : Facts.Classes.Variables)
      if (V.Class == VariableClass::Ordered || V.Class == VariableClass::Shared)
        Unknown.insert(V.Phi);
    // More may turn out to be unknown, and fewer blocks to be reached.
    for (size_t Before = SIZE_MAX, Known = 0; Before != Known;) {
      Before = Known;
      reach();
      Known = Unknown.size() + (Ahead ? Ahead->size() : 0) + 1;
    }
    unsigned Instructions = 0;
    for (const BasicBlock *Block : Found.Blocks)
      Instructions += Block->size();
    if (Instructions > tunable::RehearsedInstructions)
      return std::nullopt;
    findWaits();
    if (Found.Waits.empty())
      return std::nullopt;
    return std::move(Found);
  }

private:
  /// Goes through the code from the start, up to where it has effects.
  void reach() {
    ReachedBefore = {Found.Blocks.begin(), Found.Blocks.end()};
    Found.Blocks.clear();
    Found.Repeated.clear();
    Found.Guards.clear();
    Found.Blocks.insert(Found.Before->getParent());
    for (unsigned N = 0; N < Found.Blocks.size(); ++N) {
      BasicBlock *Block = Found.Blocks[N];
      if (!passes(*Block))
        continue;
      for (BasicBlock *Next : successors(Block))
        if (goesOnTo(*Next, *Block)) {
          Found.Blocks.insert(Next);
          if (Ahead)
            Ahead->pass(*Block, *Next);
        }
    }
  }

  /// True if the rehearsal goes on from \p From to \p To: not to another
  /// iteration of a loop around its start, nor of one that need not wait.
  bool goesOnTo(const BasicBlock &To, const BasicBlock &From) const {
    if (!L.contains(&To))
      return false;
    const Loop *Inner = C.LI.getLoopFor(&To);
    if (Inner->getHeader() != &To || !Inner->contains(&From))
      return true;
    return !Inner->contains(Found.Before) && Inner->getLoopLatch() &&
           any_of(instructionsIn(Inner->blocks()), [&](const Instruction &I) {
             return isa<LoadInst>(I) && Unhidden.contains(&I) &&
                    !Unknown.contains(accessedAddress(I)) &&
                    C.DT.dominates(I.getParent(), Inner->getLoopLatch());
           });
  }

  /// Repeats the instructions of \p Block. False if one of them ends the
  /// rehearsal.
  bool passes(BasicBlock &Block) {
    auto First = &Block == Found.Before->getParent()
                     ? Found.Before->getIterator()
                     : Block.begin();
    for (Instruction &I : make_range(First, Block.end())) {
      // From there on, the code relies on its being the turn.
      if (&I == Turn && !Ahead)
        return false;
      if (I.isTerminator())
        return goesOnBehind(I);
      if (&I == Facts.D.Marker || I.isLifetimeStartOrEnd() ||
          isa<AssumeInst, NoAliasScopeDeclInst>(I))
        continue;
      if (!isHarmless(I))
        return false;
      if (isUnknown(I)) {
        Unknown.insert(&I);
        continue;
      }
      Found.Repeated.insert(&I);
      if (Ahead)
        Ahead->add(I);
    }
    llvm_unreachable("a block has a terminator");
  }

  bool goesOnBehind(Instruction &End) {
    const bool Goes =
        isa<BranchInst, SwitchInst>(End) &&
        none_of(End.operands(), [&](Value *V) { return Unknown.contains(V); });
    if (Goes)
      Found.Repeated.insert(&End);
    return Goes;
  }

  /// True if the program does not notice that \p I is executed once more.
  static bool isHarmless(const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return !Load->isVolatile() && !isFar(accessedAddress(I)) &&
             !isStrongerThanMonotonic(Load->getOrdering());
    auto *Call = dyn_cast<CallBase>(&I);
    if (I.mayHaveSideEffects() || I.getType()->isTokenTy() ||
        isa<AllocaInst>(I))
      return false;
    return !Call || (!mustNotBeCopied(*Call) && !Call->isConvergent() &&
                     !hasCodeBeside(I) && Call->willReturn());
  }

  bool isUnknown(const Instruction &I) {
    if (any_of(I.operands(), [&](const Use &Operand) {
          auto *Phi = dyn_cast<PHINode>(&I);
          return Unknown.contains(Operand.get()) &&
                 (!Phi || isReached(Phi->getIncomingBlock(Operand)));
        }))
      return true;
    auto IsRehearsed = [&](const Instruction &Other) {
      return isReached(Other.getParent()) && !Unknown.contains(&Other) &&
             (Other.getParent() != Found.Before->getParent() ||
              !Other.comesBefore(Found.Before));
    };
    return Ahead && !Ahead->canRun(I, IsRehearsed, Found.Guards);
  }

  bool isReached(const BasicBlock *Block) const {
    return Found.Blocks.contains(const_cast<BasicBlock *>(Block)) ||
           ReachedBefore.contains(Block);
  }

  /// True if the rehearsal comes to \p Load with an address.
  bool comesTo(const Instruction &Load) const {
    if (Found.Repeated.contains(&Load))
      return true;
    // It is not read, but may be requested.
    const Value *Address = accessedAddress(Load);
    return Unknown.contains(&Load) && !Unknown.contains(Address) &&
           Found.Blocks.contains(const_cast<BasicBlock *>(Load.getParent()));
  }

  /// Chooses, of the reads that wait, those that come first to their lines.
  void findWaits() {
    SmallSetVector<const Access *, 8> Waits;
    for (const Access &A : Facts.Latency.accesses())
      if (isa<LoadInst>(A.I) && Unhidden.contains(A.I) && comesTo(*A.I))
        Waits.insert(&A);
    for (const Access *A : SmallVector<const Access *>(Waits.getArrayRef())) {
      Waits.remove(A);
      if (!isCovered(*A, Waits.getArrayRef()))
        Waits.insert(A);
    }
    for (const Access *A : Waits)
      Found.Waits.push_back({A, A->Address, nullptr, false, linesOf(*A)});
    for (const Instruction *I : Unhidden)
      if (const Access *A = Facts.Latency.find(I);
          Found.Repeated.contains(I) ||
          any_of(Waits, [&](const Access *W) { return bytesTo(*W, *A); }))
        Found.Hidden.insert(I);
  }

  /// The bytes from \p From to \p To, in an object that it may lead to.
  std::optional<int64_t> bytesTo(const Access &From, const Access &To) const {
    const ObjectAddress Begin(From.Address), End(To.Address);
    auto IsMergedInto = [](const Value *One, const Value *Merge) {
      auto *Phi = dyn_cast<PHINode>(Merge);
      return Phi && is_contained(Phi->incoming_values(), One);
    };
    const int64_t Bytes = End.constant() - Begin.constant();
    if (!Begin.variables().empty() || !End.variables().empty() ||
        std::abs(Bytes) >= int64_t(lineBytes(C.TTI)) ||
        !(Begin.base() == End.base() ||
          IsMergedInto(Begin.base(), End.base()) ||
          IsMergedInto(End.base(), Begin.base())))
      return std::nullopt;
    return Bytes;
  }

  /// The object that \p A leads to may begin in one line and end in another.
  SmallVector<int64_t, 2> linesOf(const Access &A) const {
    int64_t First = 0, Last = 0;
    for (const Access &Other : Facts.Latency.accesses())
      if (const std::optional<int64_t> Bytes = bytesTo(A, Other)) {
        First = std::min(First, *Bytes);
        Last = std::max(Last, *Bytes);
      }
    return First == Last ? SmallVector<int64_t, 2>{0}
                         : SmallVector<int64_t, 2>{First, Last};
  }

  /// True if \p Waits has one in each turn of the loops around \p A , behind
  /// the start: they would not end without.
  bool waitsInEachTurn(const Access &A, ArrayRef<const Access *> Waits) const {
    for (const Loop *Inner = C.LI.getLoopFor(A.I->getParent());
         Inner != &L && !Inner->contains(Found.Before);
         Inner = Inner->getParentLoop())
      if (none_of(Waits, [&](const Access *W) {
            return Inner->contains(W->I) &&
                   C.DT.dominates(W->I->getParent(), Inner->getLoopLatch());
          }))
        return false;
    return true;
  }

  /// True if \p Waits bring in the line of \p A.
  bool isCovered(const Access &A, ArrayRef<const Access *> Waits) const {
    if (!waitsInEachTurn(A, Waits))
      return false;
    const ObjectAddress To(A.Address);
    auto IsBrought = [&](Value *Base, const Instruction *At) {
      return any_of(Waits, [&](const Access *W) {
        const std::optional<Distance> Bytes =
            C.DT.dominates(W->I, At)
                ? distance(ObjectAddress(W->Address), To.withBase(Base), At, C)
                : std::nullopt;
        const int64_t Line = lineBytes(C.TTI);
        return Bytes && Bytes->Least > -Line && Bytes->Most < Line;
      });
    };
    if (IsBrought(To.base(), A.I))
      return true;
    auto *Phi = dyn_cast<PHINode>(To.base());
    return Phi && To.variables().empty() &&
           Found.Blocks.contains(Phi->getParent()) &&
           all_of(Phi->blocks(), [&](const BasicBlock *From) {
             return !Found.Blocks.contains(const_cast<BasicBlock *>(From)) ||
                    IsBrought(Phi->getIncomingValueForBlock(From),
                              From->getTerminator());
           });
  }
};

} // namespace

std::optional<Rehearsal>
heddle::planRehearsal(const LoopContext &C, const LoopFacts &Facts,
                      Instruction *Before,
                      const SmallPtrSetImpl<const Instruction *> &Unhidden,
                      const Instruction *Turn) {
  assert(C.L.contains(Before) && "code of an iteration");
  return Finder(C, Facts, Before, Unhidden, Turn).find();
}
