//===- WaysBehind.cpp - How a walk goes on behind what it leaves out ------===//

#include "async/order/WaysBehind.h"
#include "async/analysis/AccessRelations.h"
#include "ir/Instructions.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace heddle;

bool AheadWalk::isIn(const Instruction &I) const { return Inner.contains(&I); }

bool AheadWalk::isAhead(const Instruction &I) const {
  auto *Block = const_cast<BasicBlock *>(I.getParent());
  if (!Ahead.contains(Block))
    return false;
  auto Cut = Cuts.find(Block);
  return Cut == Cuts.end() || I.comesBefore(Cut->second);
}

/// The address that \p I writes to, if it is one.
static Value *destinationOf(const Instruction &I) {
  auto *Fill = dyn_cast<AnyMemIntrinsic>(&I);
  return Fill ? Fill->getRawDest() : accessedAddress(I);
}

namespace {

/// What may change the memory that a walk reads ahead.
class Writers {
  const AheadWalk &W;
  BatchAAResults AA;
  SmallVector<Instruction *> All;

public:
  Writers(const LoopContext &C, const AheadWalk &W) : W(W), AA(C.AA) {
    // What is written in one turn may be read in the next one.
    AA.enableCrossIterationMode();
  }

  /// Adds \p I unless it is known to change nothing that is read ahead.
  void add(Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    const Value *Address = destinationOf(I);
    if (Address ? isNewToWalk(getUnderlyingObject(Address))
                : Call && (isNewOrDelete(*Call) || hasCodeBeside(I) ||
                           calleeName(I) == AsyncMarkerName))
      return;
    if (Intrinsic && !Address && !isMemoryIntrinsic(I))
      return;
    if (I.mayWriteToMemory())
      All.push_back(&I);
  }

  /// True if \p Object is memory that is new where the walk leaves something
  /// out: it reads nothing of it unless by what has been left out.
  bool isNewToWalk(const Value *Object) const {
    if (!isNoAliasCall(Object))
      return false;
    auto &Call = *cast<Instruction>(Object);
    return W.isIn(Call) && !W.isAhead(Call);
  }

  bool empty() const { return All.empty(); }

  bool mayWriteWhatIsReadBy(const Instruction &Read) {
    return any_of(All, [&](Instruction *Write) {
      auto *Load = dyn_cast<LoadInst>(&Read);
      if (!Load)
        return true;
      MemoryLocation Place = MemoryLocation::get(Load);
      // These speak of one turn.
      Place.AATags.Scope = Place.AATags.NoAlias = nullptr;
      return isModSet(AA.getModRefInfo(Write, Place));
    });
  }

  bool mayWriteWhatIsReadAhead() {
    return !empty() && any_of(W.Ahead, [&](BasicBlock *Block) {
      return any_of(*Block, [&](const Instruction &I) {
        return I.mayReadFromMemory() && W.isAhead(I) && mayWriteWhatIsReadBy(I);
      });
    });
  }
};

/// Finds out what Ordered variables decide.
class OrderedValues {
  const LoopContext &C;
  const LoopFacts &Facts;
  const AheadWalk &W;

public:
  OrderedValues(const LoopContext &C, const LoopFacts &Facts,
                const AheadWalk &W)
      : C(C), Facts(Facts), W(W) {}

  /// True if \p Address is computed from an Ordered variable, or lies in memory
  /// that is new.
  bool choose(const Value *Address) const {
    SmallVector<const Value *> Worklist{Address};
    SmallPtrSet<const Value *, 8> Seen;
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !C.L.contains(I) || !Seen.insert(I).second)
        continue;
      if (isOne(*I) || isNoAliasCall(I))
        return true;
      if (!I->mayReadOrWriteMemory())
        append_range(Worklist, I->operand_values());
    }
    return false;
  }

  /// True if \p V depends on Ordered variables alone.
  bool determine(const Value *V) const {
    SmallVector<const Value *> Worklist{V};
    SmallPtrSet<const Value *, 8> Seen;
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !C.L.contains(I) || !Seen.insert(I).second || isOne(*I) ||
          isNoAliasCall(I))
        continue;
      if (I->mayReadOrWriteMemory() || isa<PHINode>(I))
        return false;
      append_range(Worklist, I->operand_values());
    }
    return true;
  }

private:
  bool isOne(const Instruction &I) const {
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      const LoopVariable *V = Facts.Classes.find(Phi);
      return W.Carried.contains(const_cast<PHINode *>(Phi)) ||
             (V && V->Class == VariableClass::Ordered);
    }
    auto *Load = dyn_cast<LoadInst>(&I);
    return Load &&
           W.OrderedPlaces.contains(
               C.SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()))) &&
           C.SE.isLoopInvariant(
               C.SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())),
               &C.L);
  }
};

/// Follows a walk behind what it leaves out.
class Follower {
  const LoopContext &C;
  const LoopFacts &Facts;
  const AheadWalk &W;
  const OrderedValues Ordered;
  Writers LeftOut;
  WaysBehind Ways;
  /// For each block that runs ahead, the blocks that the walk comes to from it
  /// for certain, or its end: the bit behind the blocks.
  DenseMap<const BasicBlock *, BitVector> Certain;
  /// Values that are perhaps not those that they would be in order.
  SmallPtrSet<const Value *, 16> Uncertain;

public:
  Follower(const LoopContext &C, const LoopFacts &Facts, const AheadWalk &W)
      : C(C), Facts(Facts), W(W), Ordered(C, Facts, W), LeftOut(C, W) {}

  WaysBehind run() {
    for (auto &[Block, Use] : W.Cuts)
      if (BasicBlock *Next = blockBehind(*Use))
        Ways.GoesOn[Block] = Next;
    for (Instruction &I : instructionsIn(W.Inner.blocks()))
      if (!W.isAhead(I))
        LeftOut.add(I);
    if (Ways.GoesOn.empty() || !mayEndAnywhere())
      return WaysBehind();
    findCertain();
    while (spread() || skip())
      ;
    findPassed();
    return isSafe() ? std::move(Ways) : WaysBehind();
  }

private:
  BasicBlock *header() const { return W.Inner.getHeader(); }

  /// The block that the walk comes to behind \p Use, whatever happens there.
  /// Null if there is none.
  BasicBlock *blockBehind(Instruction &Use) {
    SmallSetVector<BasicBlock *, 16> Left;
    BasicBlock *Behind = nullptr;
    auto EnterAll = [&](BasicBlock &From) {
      return all_of(successors(&From), [&](BasicBlock *To) {
        if (W.Ahead.contains(To) && !W.Cuts.contains(To)) {
          const bool IsOther = Behind && Behind != To;
          Behind = To;
          return !IsOther;
        }
        if (W.Inner.contains(To))
          Left.insert(To);
        return W.Inner.contains(To) || isNeverTaken(From, *To);
      });
    };
    if (!EnterAll(*Use.getParent()))
      return nullptr;
    for (unsigned Next = 0; Next < Left.size(); ++Next)
      if (!EnterAll(*Left[Next]))
        return nullptr;
    auto ComesThrough = [&](const Instruction &I) { return comesThrough(I); };
    if (!Behind || Behind == header() ||
        !std::all_of(Use.getIterator(), Use.getParent()->end(), ComesThrough) ||
        !all_of(Left, [&](BasicBlock *Block) {
          return all_of(*Block, ComesThrough);
        }))
      return nullptr;
    Left.insert(Use.getParent());
    return findValues(*Behind, Use, Left.getArrayRef()) ? Behind : nullptr;
  }

  /// True if code that is left out comes behind \p I for certain.
  static bool comesThrough(const Instruction &I) {
    if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I))
      return !Copy->isVolatile();
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple();
    auto *Call = dyn_cast<CallBase>(&I);
    return !I.mayHaveSideEffects() || (Call && isNewOrDelete(*Call)) ||
           (isa<IntrinsicInst>(I) &&
            cast<IntrinsicInst>(I).isAssumeLikeIntrinsic());
  }

  /// True if \p From leads to \p To , which ends the program, only where a
  /// container of the length that Ordered variables say does not fit in memory.
  /// Other ways to end the program may be what ends the walk.
  bool isNeverTaken(BasicBlock &From, BasicBlock &To) const {
    if (!Facts.Shape.Ends.contains(&To))
      return false;
    Instruction *End = From.getTerminator();
    if (auto *Invoke = dyn_cast<InvokeInst>(End))
      return isNewOrDelete(*Invoke) && Invoke->getUnwindDest() == &To &&
             all_of(Invoke->args(),
                    [&](const Value *V) { return Ordered.determine(V); });
    auto *Branch = dyn_cast<BranchInst>(End);
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<CmpInst>(Branch->getCondition())
                        : nullptr;
    return Compare && any_of(Compare->operand_values(), isMoreThanMemory) &&
           Ordered.determine(Compare) && any_of(To, [](const Instruction &I) {
             return calleeName(I).contains("__throw_length_error");
           });
  }

  static bool isMoreThanMemory(const Value *Bytes) {
    constexpr uint64_t Least = uint64_t(1) << 48;
    auto *Number = dyn_cast<ConstantInt>(Bytes);
    return Number && Number->getValue().abs().uge(Least);
  }

  /// Finds the values of \p Behind 's phis on a way through \p Blocks, as far
  /// as they are known at \p At. False if some are not.
  bool findValues(BasicBlock &Behind, Instruction &At,
                  ArrayRef<BasicBlock *> Blocks) {
    bool All = true;
    for (PHINode &Phi : Behind.phis()) {
      if (W.Carried.contains(&Phi))
        continue;
      Value *Common = nullptr;
      bool IsKnown = true;
      for (BasicBlock *From : Blocks) {
        if (!is_contained(Phi.blocks(), From))
          continue;
        Value *V = Phi.getIncomingValueForBlock(From);
        auto *I = dyn_cast<Instruction>(V);
        IsKnown &= (!Common || Common == V) &&
                   (!I || !W.isIn(*I) ||
                    (W.isAhead(*I) && C.DT.dominates(I, &At) &&
                     !W.Carried.contains(dyn_cast<PHINode>(I))));
        Common = V;
      }
      if (IsKnown && Common)
        Ways.Values[{&Phi, At.getParent()}] = Common;
      else
        All = false;
    }
    return All;
  }

  unsigned end() const { return W.Ahead.size(); }

  unsigned indexOf(const BasicBlock *Block) const {
    return llvm::find(W.Ahead, Block) - W.Ahead.begin();
  }

  /// The blocks that the walk may come to ahead from \p Block; null for its
  /// end.
  SmallVector<BasicBlock *, 4> nextOf(BasicBlock *Block) const {
    if (W.Cuts.contains(Block))
      return {Ways.GoesOn.lookup(Block)};
    SmallVector<BasicBlock *, 4> Next;
    for (BasicBlock *To : successors(Block))
      Next.push_back(W.Ahead.contains(To) ? To : nullptr);
    return Next;
  }

  /// True if the walk may come to its end ahead from all blocks.
  bool mayEndAnywhere() const {
    SmallPtrSet<BasicBlock *, 16> Ending{nullptr};
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : W.Ahead)
        Changed |=
            any_of(nextOf(Block),
                   [&](BasicBlock *To) { return Ending.contains(To); }) &&
            Ending.insert(Block).second;
    }
    return Ending.size() == W.Ahead.size() + 1;
  }

  void findCertain() {
    const BitVector Everything(end() + 1, true);
    for (BasicBlock *Block : W.Ahead)
      Certain[Block] = Everything;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : W.Ahead) {
        BitVector Common = Everything;
        for (BasicBlock *To : nextOf(Block))
          if (To)
            Common &= Certain[To];
          else
            Common &= BitVector(end() + 1).set(end());
        Common.set(indexOf(Block));
        Changed |= Common != Certain[Block];
        Certain[Block] = Common;
      }
    }
  }

  /// Where all ways from \p Block meet; null if the walk may end before, or
  /// turn back.
  BasicBlock *meeting(const BasicBlock *Block) {
    BasicBlock *Next = nullptr;
    for (unsigned Index : Certain[Block].set_bits()) {
      if (Index == end() || W.Ahead[Index] == Block)
        continue;
      // The farther ones are certain from the nearer ones too.
      if (!Next || Certain[W.Ahead[Index]].count() > Certain[Next].count())
        Next = W.Ahead[Index];
    }
    return Next == header() ? nullptr : Next;
  }

  bool isUncertain(const Value *V) const { return Uncertain.contains(V); }

  bool isUncertain(const Instruction &I) {
    auto *Phi = dyn_cast<PHINode>(&I);
    if (!Phi)
      return any_of(I.operand_values(),
                    [&](const Value *V) { return isUncertain(V); }) ||
             (I.mayReadFromMemory() && !LeftOut.empty() &&
              LeftOut.mayWriteWhatIsReadBy(I));
    auto *Block = const_cast<BasicBlock *>(I.getParent());
    auto IsUnknown = [&](BasicBlock *From) {
      const Value *V = Ways.Values.lookup({const_cast<PHINode *>(Phi), From});
      return !V || isUncertain(V);
    };
    return any_of(W.Ahead, [&](BasicBlock *From) {
      auto Skip = Ways.Skips.find(From);
      if (Skip != Ways.Skips.end() && Skip->second == Block && IsUnknown(From))
        return true;
      if (W.Cuts.contains(From))
        return Ways.GoesOn.lookup(From) == Block && IsUnknown(From);
      return is_contained(successors(From), Block) &&
             isUncertain(Phi->getIncomingValueForBlock(From));
    });
  }

  /// Adds uncertain values; false if there are no more.
  bool spread() {
    bool Any = false;
    for (BasicBlock *Block : W.Ahead)
      for (const Instruction &I : *Block)
        if (W.isAhead(I) && !I.isTerminator() && !isUncertain(&I) &&
            !(isa<PHINode>(I) &&
              W.Carried.contains(cast<PHINode>(const_cast<Instruction *>(&I)))))
          Any |= isUncertain(I) && Uncertain.insert(&I).second;
    return Any;
  }

  /// Adds branches that depend on uncertain values; false if there are no more.
  bool skip() {
    bool Any = false;
    for (BasicBlock *Block : W.Ahead) {
      Instruction &End = *Block->getTerminator();
      if (W.Cuts.contains(Block) || Ways.Skips.contains(Block) ||
          none_of(End.operand_values(),
                  [&](const Value *V) { return isUncertain(V); }))
        continue;
      BasicBlock *Next = meeting(Block);
      Ways.Skips[Block] = Next;
      if (Next)
        findValues(*Next, End, blocksBetween(*Block, *Next).getArrayRef());
      Any = true;
    }
    return Any;
  }

  /// The blocks on ways from \p From to \p To, with \p From.
  SmallSetVector<BasicBlock *, 16> blocksBetween(BasicBlock &From,
                                                 const BasicBlock &To) const {
    SmallSetVector<BasicBlock *, 16> Between;
    Between.insert(&From);
    for (unsigned Next = 0; Next < Between.size(); ++Next)
      for (BasicBlock *Block : successors(Between[Next]))
        if (Block != &To && W.Inner.contains(Block))
          Between.insert(Block);
    return Between;
  }

  void findPassed() {
    SmallVector<BasicBlock *> Worklist;
    for (auto &[From, To] : Ways.GoesOn)
      Worklist.push_back(To);
    while (!Worklist.empty()) {
      BasicBlock *Block = Worklist.pop_back_val();
      if (!Block || !Ways.Passed.insert(Block).second)
        continue;
      auto Skip = Ways.Skips.find(Block);
      if (Skip != Ways.Skips.end())
        Worklist.push_back(Skip->second);
      else
        append_range(Worklist, nextOf(Block));
    }
  }

  /// True if nothing fails that depends on uncertain values.
  bool isSafe() const {
    return all_of(Ways.Passed, [&](BasicBlock *Block) {
      return all_of(*Block, [&](const Instruction &I) {
        return isa<PHINode>(I) || I.isTerminator() || !W.isAhead(I) ||
               none_of(I.operand_values(),
                       [&](const Value *V) { return isUncertain(V); }) ||
               isSafeToSpeculativelyExecute(&I);
      });
    });
  }
};

} // namespace

bool heddle::isUndisturbed(const LoopContext &C, const LoopFacts &Facts,
                           const AheadWalk &W) {
  const OrderedValues Ordered(C, Facts, W);
  const FrameValues Frames(C);
  // Where it is another one in each iteration, it is the iteration's own.
  auto IsKnown = [&](const Instruction &I) {
    Value *Address = destinationOf(I);
    auto *Store = dyn_cast<StoreInst>(&I);
    return Address &&
           (Ordered.choose(Address) || isLocal(Address, Facts.Locals, Frames) ||
            (Store &&
             distinctPerIteration(Address,
                                  Store->getDataLayout().getTypeStoreSize(
                                      Store->getValueOperand()->getType()),
                                  C.L, C.SE)));
  };
  Writers Others(C, W);
  for (Instruction &I : instructionsIn(C.L.blocks()))
    if (!IsKnown(I))
      Others.add(I);
  return !Others.mayWriteWhatIsReadAhead();
}

WaysBehind heddle::findWaysBehind(const LoopContext &C, const LoopFacts &Facts,
                                  const AheadWalk &W) {
  return Follower(C, Facts, W).run();
}
