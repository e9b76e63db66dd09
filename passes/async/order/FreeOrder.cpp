//===- FreeOrder.cpp - Variables that any order may update ----------------===//

#include "async/order/FreeOrder.h"
#include "async/order/LateUpdates.h"
#include "async/order/OutputObjects.h"
#include "async/order/VariablePhis.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "mark/Marks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <list>

using namespace llvm;
using namespace heddle;

namespace {

/// One variable.
class FreeVariable : VariablePhis {
  const LoopShape &Shape;
  const PostDominatorTree &PDT;
  /// Other variables whose next values are computed from this one, which may be
  /// set to something else before.
  SmallPtrSet<const PHINode *, 2> Followers;
  /// The blocks at whose end an assignment has been written.
  SmallPtrSet<const BasicBlock *, 4> Written;

public:
  FreeVariable(const LoopContext &C, const LoopShape &Shape,
               const PostDominatorTree &PDT, PHINode &Head)
      : VariablePhis(C, Head), Shape(Shape), PDT(PDT) {}

  /// Finds the phis and the assignments. False if the variable cannot be in
  /// memory, or if another order of its updates might be seen by an iteration.
  bool recognise() {
    if (!collect())
      return false;
    for (PHINode *Phi : Phis)
      delayUsers(C, *Phi);
    return findCurrent() && isUsedForUpdates() && isOnlyUsedAtEnd();
  }

  ArrayRef<PHINode *> phis() const { return Phis.getArrayRef(); }

  /// True if the variable is computed from itself, from other variables whose
  /// phis are \p State, and from what all iterations share, or is advanced by
  /// any amount, or points to new memory.
  bool isComputedFrom(const SmallPtrSetImpl<const PHINode *> &State) const {
    return all_of(Assignments, [&](const Assignment &A) {
      return !goesBack(A.New) && isComputedFrom(A.New, State);
    });
  }

  /// True if the number of the iteration, or another variable that is not among
  /// \p State, says which element of the memory that the variable points to an
  /// iteration uses, so that both go together.
  bool isIndexedByOthers(const SmallPtrSetImpl<const PHINode *> &State) const {
    SmallVector<const Value *> Pointers(Phis.begin(), Phis.end());
    while (!Pointers.empty())
      for (const User *U : Pointers.pop_back_val()->users()) {
        auto *Element = dyn_cast<GetElementPtrInst>(U);
        if (!Element || !L.contains(Element))
          continue;
        if (any_of(Element->indices(),
                   [&](const Value *V) { return isOfOthers(V, State); }))
          return true;
        Pointers.push_back(Element);
      }
    return false;
  }

  /// True if the variables that follow this one are among \p State, so that
  /// they change together.
  bool isFollowedBy(const SmallPtrSetImpl<const PHINode *> &State) const {
    return all_of(Followers,
                  [&](const PHINode *Phi) { return State.contains(Phi); });
  }

  AllocaInst *putIntoMemory() {
    // Other variables have split edges since the variable was recognised.
    Phis.clear();
    Assignments.clear();
    Current.clear();
    [[maybe_unused]] const bool IsTheSame = collect() && findCurrent();
    assert(IsTheSame && "the same variable");
    const bool Advances = all_of(
        Assignments, [&](const Assignment &A) { return advances(A.New); });
    AllocaInst *Place = createVariable(*Head.getFunction(), Head.getType(),
                                       Head.getName() + ".free");
    BasicBlock *Preheader = L.getLoopPreheader();
    IRBuilder<>(Preheader->getTerminator())
        .CreateStore(Head.getIncomingValueForBlock(Preheader), Place);
    replaceAtEnd(*Place);
    const bool IsTable = isTable();
    for (PHINode *Phi : Phis)
      replaceUses(*Phi, *Place, IsTable);
    for (const Assignment &A : Assignments)
      assign(A, *Place, Advances);
    for (PHINode *Phi : Phis) {
      C.SE.forgetValue(Phi);
      Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
    }
    for (PHINode *Phi : Phis)
      Phi->eraseFromParent();
    return Place;
  }

private:
  /// True if \p Number is computed from the number of the iteration, or from a
  /// variable that is not among \p State.
  bool isOfOthers(const Value *Number,
                  const SmallPtrSetImpl<const PHINode *> &State) const {
    return findOperand(Number, L, [&](const Instruction &I) {
      if (isa<PHINode>(I) && I.getParent() == L.getHeader())
        return State.contains(cast<PHINode>(&I)) ? OperandWalk::Pass
                                                 : OperandWalk::Found;
      return I.mayReadOrWriteMemory() ? OperandWalk::Pass : OperandWalk::GoOn;
    });
  }

  bool isComputedFrom(const Value *New,
                      const SmallPtrSetImpl<const PHINode *> &State) const {
    auto IsState = [&](const Value *V) {
      auto *Phi = dyn_cast<PHINode>(V);
      return Phi && State.contains(Phi);
    };
    SmallPtrSet<const Value *, 16> Seen;
    SmallVector<const Value *> Worklist{New};
    while (!Worklist.empty()) {
      const Value *V = Worklist.pop_back_val();
      if (!Seen.insert(V).second || IsState(V) || L.isLoopInvariant(V) ||
          isNoAliasCall(V))
        continue;
      auto *I = cast<Instruction>(V);
      if (auto *Gep = dyn_cast<GetElementPtrInst>(I)) {
        Worklist.push_back(Gep->getPointerOperand());
        // How much of new memory is in use goes with other variables.
        if (isNoAliasCall(getUnderlyingObject(Gep)) &&
            any_of(Gep->indices(),
                   [&](const Value *V) { return isOfOthers(V, State); }))
          return false;
        continue;
      }
      if (is_contained({Instruction::Add, Instruction::Sub}, I->getOpcode()) &&
          any_of(I->operand_values(), IsState))
        continue;
      if (I->getParent() == L.getHeader() && isa<PHINode>(I))
        return false;
      if (!isa<BinaryOperator, CastInst, SelectInst, PHINode, FreezeInst,
               CmpInst, IntrinsicInst>(I) ||
          I->mayReadOrWriteMemory())
        return false;
      append_range(Worklist, I->operand_values());
    }
    return true;
  }

  /// The instructions of the loop that use \p Phi; the use by another phi is at
  /// the end of its block.
  SmallVector<Instruction *> usersOf(const PHINode &Phi) const {
    SmallVector<Instruction *> Users;
    for (const Use &U : Phi.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (!L.contains(User) || isPhi(User))
        continue;
      if (auto *Other = dyn_cast<PHINode>(User))
        User = Other->getIncomingBlock(U)->getTerminator();
      Users.push_back(User);
    }
    return Users;
  }

  /// True if an iteration uses the value only to choose places, to decide and
  /// to compute the next one; or in one place, so that nothing comes between
  /// two uses: it may note where a row of its output begins and ends. Where the
  /// variable may be set back, its value is good for nothing after that.
  bool isUsedForUpdates() {
    unsigned Read = 0;
    bool IsRepeated = false, IsKept = false;
    for (const PHINode *Phi : Phis) {
      const auto Users = usersOf(*Phi);
      Read += !Users.empty();
      IsRepeated |= any_of(Users, [&](const Instruction *User) {
        return C.LI.getLoopFor(User->getParent()) != &L;
      });
      IsKept |= isKept(*Phi);
    }
    if ((IsKept && (Read > 1 || IsRepeated)) || (!isTable() && readsBack()) ||
        appendsTwice())
      return false;
    const bool IsReserved = all_of(Assignments, [&](const Assignment &A) {
      return advances(A.New) && C.LI.getLoopFor(A.From) == &L;
    });
    return IsReserved ||
           none_of(Phis, [&](PHINode *Phi) { return isUsedBehind(*Phi); });
  }

  /// True if the variable is where a table begins, of which iterations choose
  /// elements by what they have read: it is set only, to new memory when the
  /// table grows.
  bool isTable() const {
    return any_of(Assignments,
                  [](const Assignment &A) { return isNoAliasCall(A.New); }) &&
           none_of(Assignments, [&](const Assignment &A) {
             const PHINode *Former = formerOf(A.New);
             return Former && isPhi(Former);
           });
  }

  /// True if an iteration may advance the variable in two places, one after the
  /// other, as for the items of a row and its end: the row is to be in one
  /// piece.
  bool appendsTwice() const {
    return any_of(Assignments, [&](const Assignment &First) {
      if (!advances(First.New))
        return false;
      const auto Behind = blocksBehind({First}, nullptr);
      return any_of(Assignments, [&](const Assignment &Other) {
        return Other.New != First.New && advances(Other.New) &&
               Behind.contains(Other.From);
      });
    });
  }

  /// True if the loop reads what iterations have put into the places that the
  /// variable chooses, as from a stack; unless the variable is set back behind
  /// that, as when a full buffer is emptied.
  bool readsBack() const {
    SmallVector<const Value *, 4> Places;
    for (const PHINode *Phi : Phis)
      anyUse(*Phi, [&](const Instruction &I, const Use &U) {
        const Value *Place = isa<LoadInst>(I) ? nullptr : accessedAddress(I);
        if (Place && U.get() == Place)
          Places.push_back(Place);
        return false;
      });
    const OutputObjects Output(L, Places);
    return any_of(instructionsIn(L.blocks()), [&](const Instruction &I) {
      return Output.areReadBy(I) && !isAssignedBehind(I);
    });
  }

  /// True if \p Found is true of a use of \p Phi 's value or of what is
  /// computed from it, by other variables also in the next iteration if
  /// \p InNext is true.
  bool anyUse(const PHINode &Phi,
              function_ref<bool(const Instruction &, const Use &)> Found,
              bool InNext = true) const {
    SmallPtrSet<const Value *, 16> Seen;
    SmallVector<const Value *> Worklist{&Phi};
    while (!Worklist.empty())
      for (const Use &U : Worklist.pop_back_val()->uses()) {
        auto *I = cast<Instruction>(U.getUser());
        if (!L.contains(I) || isPhi(I))
          continue;
        if (Found(*I, U))
          return true;
        const bool IsNext = isa<PHINode>(I) && I->getParent() == L.getHeader();
        if (Seen.insert(I).second && !I->mayReadOrWriteMemory() &&
            !isa<CmpInst>(I) && (InNext || !IsNext))
          Worklist.push_back(I);
      }
    return false;
  }

  /// True if what is computed from \p Phi is stored, or handed to a callee
  /// after which the variable keeps its value.
  bool isKept(const PHINode &Phi) const {
    return anyUse(Phi, [&](const Instruction &I, const Use &U) {
      const bool IsPlace = U.get() == accessedAddress(I) ||
                           isa<AnyMemTransferInst>(I) ||
                           (isa<AnyMemSetInst>(I) && U.getOperandNo() != 1);
      // The size of new memory is not kept.
      const bool IsSize = isNoAliasCall(&I) && !U->getType()->isPointerTy();
      return I.mayReadOrWriteMemory() && !isa<LoadInst>(I) && !IsSize &&
             !IsPlace && !isAssignedBehind(I);
    });
  }

  /// The blocks of the iteration that may be reached behind \p Some, not
  /// through \p Avoiding.
  SmallSetVector<const BasicBlock *, 16>
  blocksBehind(ArrayRef<Assignment> Some, const BasicBlock *Avoiding) const {
    SmallSetVector<const BasicBlock *, 16> Reached;
    auto Reach = [&](const BasicBlock *Block) {
      if (L.contains(Block) && Block != L.getHeader() && Block != Avoiding)
        Reached.insert(Block);
    };
    for (const Assignment &A : Some)
      Reach(A.Into->getParent());
    for (unsigned Next = 0; Next < Reached.size(); ++Next)
      for (const BasicBlock *To : successors(Reached[Next]))
        Reach(To);
    return Reached;
  }

  /// True if \p I has no effect but a value.
  static bool onlyComputes(const Instruction &I) {
    return isa<GetElementPtrInst, BinaryOperator, CastInst, SelectInst, PHINode,
               FreezeInst>(I);
  }

  /// True if the value of \p Phi is used where the variable may have been
  /// assigned since, for other than to compute the next values of other
  /// variables, which are noted.
  bool isUsedBehind(const PHINode &Phi) {
    const auto Behind = blocksBehind(Assignments, Phi.getParent());
    return anyUse(
        Phi,
        [&](const Instruction &I, const Use &) {
          if (auto *Next = dyn_cast<PHINode>(&I);
              Next && Next->getParent() == L.getHeader()) {
            Followers.insert(Next);
            return false;
          }
          return Behind.contains(I.getParent()) && !onlyComputes(I);
        },
        /*InNext=*/false);
  }

  /// True if the variable is set to something else on each way on from \p I
  /// before it is used again.
  bool isAssignedBehind(const Instruction &I) const {
    SmallSetVector<const BasicBlock *, 16> Reached;
    Reached.insert(I.getParent());
    for (unsigned Next = 0; Next < Reached.size(); ++Next)
      for (const BasicBlock *To : successors(Reached[Next])) {
        const bool IsAssigned = any_of(Assignments, [&](const Assignment &A) {
          return A.From == Reached[Next] && A.Into->getParent() == To &&
                 !advances(A.New);
        });
        if (IsAssigned || isa<UnreachableInst>(To->getTerminator()))
          continue;
        if (To == L.getHeader() || !L.contains(To) || holds(*To))
          return false;
        Reached.insert(To);
      }
    return true;
  }

  /// True if the code behind the loop uses the final value only.
  bool isOnlyUsedAtEnd() const {
    const Value *Next = Head.getIncomingValueForBlock(Shape.Latch);
    SmallPtrSet<const Value *, 8> Values(Phis.begin(), Phis.end());
    for (const Assignment &A : Assignments)
      if (isa<Instruction>(A.New))
        Values.insert(A.New);
    return all_of(Values, [&](const Value *V) {
      return all_of(V->users(), [&](const User *U) {
        auto *I = cast<Instruction>(U);
        return L.contains(I) ||
               (V == Next && isa<PHINode>(I) && I->getParent() == Shape.Exit);
      });
    });
  }

  void replaceAtEnd(AllocaInst &Place) {
    const Value *Next = Head.getIncomingValueForBlock(Shape.Latch);
    IRBuilder<> B(Shape.Exit, Shape.Exit->getFirstInsertionPt());
    for (PHINode &Phi : make_early_inc_range(Shape.Exit->phis()))
      if (Phi.getIncomingValueForBlock(Shape.Latch) == Next) {
        Phi.replaceAllUsesWith(load(B, &Place));
        Phi.eraseFromParent();
      }
  }

  /// Reads the variable where \p Phi is first used.
  void replaceUses(PHINode &Phi, AllocaInst &Place, bool IsTable) {
    const auto Users = usersOf(Phi);
    if (Users.empty())
      return;
    BasicBlock *Block = Users.front()->getParent();
    for (Instruction *User : Users)
      Block = C.DT.findNearestCommonDominator(Block, User->getParent());
    const Loop *Around = C.LI.getLoopFor(Block);
    while (any_of(Users,
                  [&](Instruction *User) { return !Around->contains(User); })) {
      Block = C.DT.getNode(Around->getHeader())->getIDom()->getBlock();
      Around = C.LI.getLoopFor(Block);
    }
    if (Current.lookup(Block) != &Phi)
      Block = Phi.getParent();
    Instruction *At = Block->getTerminator();
    for (Instruction *User : Users)
      if (User->getParent() == Block && User->comesBefore(At))
        At = User;
    IRBuilder<> B(At);
    LoadInst *Read = B.CreateLoad(Phi.getType(), &Place, Phi.getName());
    mark(*Read, IsTable ? "table" : "");
    Phi.replaceUsesWithIf(Read, [&](Use &U) { return !isPhi(U.getUser()); });
  }

  /// Writes the variable on the way to where its next value is handed on. What
  /// only advances is written as soon as that is certain, and nothing reads the
  /// old value any more.
  void assign(const Assignment &A, AllocaInst &Place, bool Advances) {
    Instruction *At = A.From->getTerminator();
    if (!isOnlyWay(A))
      At =
          SplitEdge(A.From, A.Into->getParent(), &C.DT, &C.LI)->getTerminator();
    else if (!Written.insert(A.From).second)
      return;
    else if (Advances)
      At = advanceEarly(*cast<Instruction>(A.New), *A.From);
    mark(*IRBuilder<>(At).CreateStore(A.New, &Place), isStep(A) ? "step" : "");
  }

  /// True if the new value may be a place in what the iteration has moved its
  /// output to, from which it goes on to behind the new element.
  bool isStep(const Assignment &A) const {
    return A.Into != &Head && isa<GetElementPtrInst>(A.New) &&
           !L.isLoopInvariant(A.New) && !advances(A.New);
  }

  /// True if the same value is assigned on all ways on in the loop.
  bool isOnlyWay(const Assignment &A) const {
    return A.From == Shape.Latch ||
           all_of(successors(A.From), [&](const BasicBlock *To) {
             return any_of(Assignments, [&](const Assignment &Other) {
               return Other.From == A.From && Other.New == A.New &&
                      Other.Into->getParent() == To;
             });
           });
  }

  /// Moves \p New, which is handed on at the end of \p From, to where the old
  /// value is read, if it follows for certain. Returns the place behind it.
  Instruction *advanceEarly(Instruction &New, const BasicBlock &From) {
    for (Value *Operand : New.operand_values()) {
      auto *Read = dyn_cast<LoadInst>(Operand);
      if (!Read || !Read->hasMetadata(FreeMetadata) ||
          !PDT.dominates(&From, Read->getParent()) ||
          C.LI.getLoopFor(Read->getParent()) != C.LI.getLoopFor(&From))
        continue;
      const bool IsKnown = all_of(New.operand_values(), [&](Value *Other) {
        return Other == Read || C.DT.dominates(Other, Read);
      });
      if (IsKnown) {
        New.moveAfter(Read);
        return New.getNextNode();
      }
    }
    return New.getParent() == &From && !New.isTerminator()
               ? New.getNextNode()
               : const_cast<Instruction *>(From.getTerminator());
  }

  static void mark(Instruction &I, StringRef Kind) {
    LLVMContext &Context = I.getContext();
    SmallVector<Metadata *, 1> Operands;
    if (!Kind.empty())
      Operands.push_back(MDString::get(Context, Kind));
    I.setMetadata(FreeMetadata, MDNode::get(Context, Operands));
  }
};

} // namespace

SmallVector<AllocaInst *, 2> heddle::freeOrder(const LoopContext &C,
                                               const LoopShape &Shape,
                                               const VariableClasses &Classes) {
  const PostDominatorTree PDT(*C.L.getHeader()->getParent());
  std::list<FreeVariable> Free;
  for (const LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Ordered)
      if (!Free.emplace_back(C, Shape, PDT, *V.Phi).recognise())
        Free.pop_back();
  // One may be computed from another.
  for (bool Changed = true; Changed;) {
    SmallPtrSet<const PHINode *, 16> State;
    for (const FreeVariable &V : Free)
      State.insert_range(V.phis());
    Changed = Free.remove_if([&](const FreeVariable &V) {
      return !V.isComputedFrom(State) || !V.isFollowedBy(State) ||
             V.isIndexedByOthers(State);
    }) > 0;
  }
  SmallVector<AllocaInst *, 2> Places;
  for (FreeVariable &V : Free)
    Places.push_back(V.putIntoMemory());
  if (!Places.empty())
    C.SE.forgetLoop(&C.L);
  return Places;
}
