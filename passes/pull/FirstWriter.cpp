//===- FirstWriter.cpp - A value that the first edge sets -----------------===//

#include "pull/FirstWriter.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

namespace {

class FirstWriterReader {
  const PHINode &Phi;
  const Loop &L;
  const DominatorTree &DT;
  const Value *Latest;
  SmallPtrSet<const Value *, 8> Chain;
  std::optional<FirstWriter> Test;
  SmallPtrSet<const CmpInst *, 4> Tests;
  /// The variable itself where it is a truth value, in one bit.
  SmallPtrSet<const Value *, 2> Truths;

public:
  FirstWriterReader(const PHINode &Phi, const Loop &L, const DominatorTree &DT)
      : Phi(Phi), L(L), DT(DT),
        Latest(Phi.getIncomingValueForBlock(L.getLoopLatch())) {}

  std::optional<FirstWriter> read() {
    collectTests();
    Chain.insert(&Phi);
    if (!Test || !follow(*Latest) || !usedByChainOnly())
      return std::nullopt;
    return Test;
  }

private:
  /// Collects the comparisons of the variable with one constant, which must all
  /// be equal.
  void collectTests() {
    // A truth value is its own test.
    if (Phi.getType()->isIntegerTy(1))
      Truths.insert(&Phi);
    for (const User *U : Phi.users())
      if (auto *Trunc = dyn_cast<TruncInst>(U))
        if (Trunc->getType()->isIntegerTy(1) && Trunc->hasNoUnsignedWrap())
          Truths.insert(Trunc);
    if (!Truths.empty())
      Test = FirstWriter{CmpInst::ICMP_EQ, ConstantInt::get(Phi.getType(), 0)};
    for (const User *U : Phi.users()) {
      auto *Compare = dyn_cast<CmpInst>(U);
      if (!Compare || Compare->getOperand(0) != &Phi)
        continue;
      auto *With = dyn_cast<Constant>(Compare->getOperand(1));
      if (!With || !isa<ICmpInst>(Compare))
        continue;
      if (!Test)
        Test = FirstWriter{Compare->getPredicate(), With};
      if (Test->Predicate == Compare->getPredicate() && Test->With == With)
        Tests.insert(Compare);
    }
  }

  /// Whether \p Condition holds only where the test does.
  bool implies(const Value &Condition) const {
    const Value *A, *B;
    if (auto *Compare = dyn_cast<CmpInst>(&Condition))
      return Tests.contains(Compare);
    return match(&Condition, m_LogicalAnd(m_Value(A), m_Value(B))) &&
           (implies(*A) || implies(*B));
  }

  /// The successor of \p Branch that follows only where the test holds, or
  /// null.
  const BasicBlock *whereTestHolds(const BranchInst &Branch) const {
    if (!Branch.isConditional() ||
        Branch.getSuccessor(0) == Branch.getSuccessor(1))
      return nullptr;
    if (Truths.contains(Branch.getCondition()))
      return Branch.getSuccessor(1);
    return implies(*Branch.getCondition()) ? Branch.getSuccessor(0) : nullptr;
  }

  /// Whether \p Block runs only where the test holds.
  bool runsUnderTest(const BasicBlock &Block) const {
    for (const BasicBlock *Above : L.blocks())
      if (auto *Branch = dyn_cast<BranchInst>(Above->getTerminator()))
        if (const BasicBlock *Below = whereTestHolds(*Branch))
          if (DT.dominates(BasicBlockEdge(Above, Below), &Block))
            return true;
    return false;
  }

  /// Whether \p V, which comes from \p Block to \p Merge, is the value of a
  /// truth variable that has been found true there.
  bool isKnownTruth(const Value &V, const BasicBlock &Block,
                    const PHINode &Merge) const {
    auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
    return match(&V, m_One()) && Branch && Branch->isConditional() &&
           Truths.contains(Branch->getCondition()) &&
           Branch->getSuccessor(0) == Merge.getParent() &&
           Branch->getSuccessor(1) != Merge.getParent();
  }

  bool isOther(const Value &V) const { return !dependsOnVariable(&V, Phi, L); }

  /// Whether \p V is the variable, or the value that is written to it under the
  /// test.
  bool follow(const Value &V) {
    if (&V == &Phi)
      return true;
    if (auto *Select = dyn_cast<SelectInst>(&V); Select && L.contains(Select)) {
      Chain.insert(Select);
      const Value &Then = *Select->getTrueValue();
      const Value &Else = *Select->getFalseValue();
      if (implies(*Select->getCondition()))
        return isOther(Then) && follow(Else);
      return runsUnderTest(*Select->getParent()) &&
             (isOther(Then) ? follow(Else) : isOther(Else) && follow(Then));
    }
    auto *Merge = dyn_cast<PHINode>(&V);
    if (!Merge || !L.contains(Merge) || Merge->getParent() == L.getHeader())
      return false;
    Chain.insert(Merge);
    for (auto [Block, Incoming] :
         zip(Merge->blocks(), Merge->incoming_values()))
      if (!follow(*Incoming) && !isKnownTruth(*Incoming, *Block, *Merge) &&
          (!isOther(*Incoming) || !runsUnderTest(*Block)))
        return false;
    return true;
  }

  /// Whether only its chain and tests use the variable. The caller checks that
  /// nothing but the variable depends on the tests.
  bool usedByChainOnly() const {
    SmallVector<const Value *, 8> Values(Chain.begin(), Chain.end());
    for (const Value *Truth : Truths)
      if (Truth != &Phi)
        Values.push_back(Truth);
    for (const Value *V : Values)
      for (const User *U : V->users()) {
        auto *I = cast<Instruction>(U);
        auto *Compare = dyn_cast<CmpInst>(I);
        bool IsTest = Compare ? Tests.contains(Compare)
                              : Truths.contains(I) ||
                                    (isa<BranchInst>(I) && Truths.contains(V));
        if (!L.contains(I) ? V != Latest : !Chain.contains(I) && !IsTest)
          return false;
      }
    return true;
  }
};

} // namespace

std::optional<FirstWriter>
heddle::recognizeFirstWriter(const PHINode &Phi, const Loop &L,
                             const DominatorTree &DT) {
  assert(Phi.getParent() == L.getHeader() && L.getLoopLatch() &&
         "a variable of the loop");
  if (!Phi.getType()->isIntegerTy())
    return std::nullopt;
  return FirstWriterReader(Phi, L, DT).read();
}
