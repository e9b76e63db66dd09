//===- Updates.cpp - Updates whose order does not matter ------------------===//

#include "check/Updates.h"
#include "check/Elements.h"
#include "ir/Clamps.h"
#include "ir/Combining.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

namespace {

heddle_check_operation operationOf(RecurKind Kind) {
  switch (Kind) {
  case RecurKind::Add:
  case RecurKind::FAdd:
    return HEDDLE_CHECK_ADD;
  case RecurKind::Mul:
  case RecurKind::FMul:
    return HEDDLE_CHECK_MULTIPLY;
  case RecurKind::And:
    return HEDDLE_CHECK_AND;
  case RecurKind::Or:
    return HEDDLE_CHECK_OR;
  case RecurKind::Xor:
    return HEDDLE_CHECK_XOR;
  case RecurKind::SMin:
  case RecurKind::UMin:
  case RecurKind::FMinNum:
  case RecurKind::FMinimum:
  case RecurKind::FMinimumNum:
    return HEDDLE_CHECK_MINIMUM;
  case RecurKind::SMax:
  case RecurKind::UMax:
  case RecurKind::FMaxNum:
  case RecurKind::FMaximum:
  case RecurKind::FMaximumNum:
    return HEDDLE_CHECK_MAXIMUM;
  default:
    return HEDDLE_CHECK_PLAIN;
  }
}

/// An odd number, by which the limits of a clamp become one number.
static constexpr uint64_t NumberOfLeast = 0x9e3779b97f4a7c15;

/// The computation between the load and the store of a commutative update.
class UpdateChain {
  StoreInst *Store;
  SmallSetVector<Instruction *, 8> Nodes;
  SmallSetVector<LoadInst *, 2> Loads;
  heddle_check_operation Operation = HEDDLE_CHECK_PLAIN;
  /// Of HEDDLE_CHECK_SET: the same number for each update that is the same.
  ConstantInt *Same = nullptr;

public:
  explicit UpdateChain(StoreInst &Store) : Store(&Store) {}

  bool find() {
    return (follow(Store->getValueOperand()) &&
            Operation != HEDDLE_CHECK_PLAIN) ||
           findClamp();
  }

  /// True if the values in between are used in updates by the same operation
  /// only: this one, and others of \p Chains.
  bool isClosed(ArrayRef<UpdateChain> Chains) const {
    return all_of(Nodes, [&](Instruction *Node) {
      return all_of(Node->users(), [&](User *U) {
        return any_of(Chains, [&](const UpdateChain &Other) {
          return Other.Operation == Operation &&
                 (U == Other.Store ||
                  Other.Nodes.contains(cast<Instruction>(U)));
        });
      });
    });
  }

  StoreInst &store() const { return *Store; }
  heddle_check_operation operation() const { return Operation; }
  ConstantInt *same() const { return Same; }
  ArrayRef<LoadInst *> loads() const { return Loads.getArrayRef(); }

private:
  /// True if the store keeps the value between two limits: others by the same
  /// limits may come in any order.
  bool findClamp() {
    auto *I = dyn_cast<Instruction>(Store->getValueOperand());
    const std::optional<Clamp> Found = I ? clampOf(*I) : std::nullopt;
    if (!Found)
      return false;
    *this = UpdateChain(*Store);
    if (!isOld(Found->Number))
      return false;
    Nodes.insert_range(Found->Nodes);
    Operation = HEDDLE_CHECK_SET;
    const APInt Number = Found->Least.zextOrTrunc(64) * NumberOfLeast +
                         Found->Most.zextOrTrunc(64);
    Same = ConstantInt::get(Store->getContext(), Number);
    return true;
  }

  /// True if \p I is the greater or the lesser of the value and a constant, in
  /// a spelling of an optimizer.
  bool followLimit(Instruction &I) {
    const std::optional<Clamp> Found = clampOf(I);
    if (!Found || Found->HasLeast == Found->HasMost)
      return false;
    Nodes.insert_range(Found->Nodes);
    return follow(Found->Number) &&
           setOperation(Found->HasLeast ? HEDDLE_CHECK_MAXIMUM
                                        : HEDDLE_CHECK_MINIMUM);
  }

  bool setOperation(heddle_check_operation New) {
    if (New == HEDDLE_CHECK_PLAIN ||
        (Operation != HEDDLE_CHECK_PLAIN && Operation != New))
      return false;
    Operation = New;
    return true;
  }

  /// True if \p V is the value in memory or an update of it.
  bool follow(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Nodes.contains(I))
      return I;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (!isSameAddress(Load->getPointerOperand(), Store->getPointerOperand()))
        return false;
      Loads.insert(Load);
      return Nodes.insert(I);
    }
    if (isa<CastInst, FreezeInst>(I)) {
      const UpdateChain Before(*this);
      if (Nodes.insert(I) && follow(I->getOperand(0)))
        return true;
      *this = Before;
      return followLimit(*I);
    }
    // A conversion to a narrower type and back may be two shifts.
    Value *Inner;
    const APInt *Left, *Right;
    if (match(I, m_Shr(m_Shl(m_Value(Inner), m_APInt(Left)), m_APInt(Right))) &&
        *Left == *Right)
      return Nodes.insert(I) &&
             Nodes.insert(cast<Instruction>(I->getOperand(0))) && follow(Inner);
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Nodes.insert(I) && all_of(Phi->incoming_values(),
                                       [&](Value *In) { return follow(In); });
    const UpdateChain Before(*this);
    auto *Select = dyn_cast<SelectInst>(I);
    if (Select ? followSelect(*Select) : followOperation(*I))
      return true;
    *this = Before;
    return followLimit(*I);
  }

  bool followOperation(Instruction &I) {
    const heddle_check_operation Found = operationOf(recurrenceKind(I));
    if (Found == HEDDLE_CHECK_PLAIN)
      return false;
    const std::optional<unsigned> Fixed = fixedOperand(I);
    for (unsigned Operand = 0; Operand < I.getNumOperands(); ++Operand) {
      if (Fixed && Operand != *Fixed)
        continue;
      UpdateChain Before(*this);
      Nodes.insert(&I);
      if (follow(I.getOperand(Operand)) && setOperation(Found))
        return true;
      Nodes = Before.Nodes;
      Loads = Before.Loads;
      Operation = Before.Operation;
    }
    return false;
  }

  /// True if \p V is the value in memory.
  bool isOld(Value *V) { return isa<LoadInst>(V) && follow(V); }

  /// True if \p Select is the greater of an old value and a comparison, which
  /// is one only where the old value is zero and the comparison holds.
  bool isGreaterFlag(SelectInst &Select) {
    Value *Flag, *Old = Select.getFalseValue();
    Value *ZeroTest;
    CmpPredicate Equal;
    auto IsZero = m_CombineAnd(m_ICmp(Equal, m_Specific(Old), m_Zero()),
                               m_Value(ZeroTest));
    if (!match(Select.getTrueValue(), m_ZExt(m_Value(Flag))) ||
        !Flag->getType()->isIntegerTy(1) ||
        !match(Select.getCondition(),
               m_c_LogicalAnd(IsZero, m_Specific(Flag))) ||
        Equal != CmpInst::ICMP_EQ)
      return false;
    Nodes.insert(cast<Instruction>(ZeroTest));
    Nodes.insert(cast<Instruction>(Select.getCondition()));
    return true;
  }

  /// The operation with a mask of all bits or none that \p Select comes to: it
  /// sets all bits of the old value, or clears them, or leaves them.
  static std::optional<heddle_check_operation>
  operationOfMask(const SelectInst &Select) {
    for (const Value *Side : {Select.getTrueValue(), Select.getFalseValue()})
      if (auto *Mask = dyn_cast<ConstantInt>(Side);
          Mask && (Mask->isZero() || Mask->isMinusOne()))
        return Mask->isZero() ? HEDDLE_CHECK_AND : HEDDLE_CHECK_OR;
    return std::nullopt;
  }

  bool followSelect(SelectInst &Select) {
    Nodes.insert(&Select);
    Value *True = Select.getTrueValue(), *False = Select.getFalseValue();
    if (isGreaterFlag(Select))
      return isOld(False) && setOperation(HEDDLE_CHECK_MAXIMUM);
    if (const auto OfMask = operationOfMask(Select))
      return (isOld(True) || isOld(False)) && setOperation(*OfMask);
    auto *Compare = dyn_cast<CmpInst>(Select.getCondition());
    if (!Compare || !Compare->isRelational())
      return follow(True) && follow(False);
    // The greater or the lesser of two.
    Value *Left = Compare->getOperand(0), *Right = Compare->getOperand(1);
    const bool InOrder = isSameNumber(Left, True) && isSameNumber(Right, False);
    if (!InOrder && !(isSameNumber(Left, False) && isSameNumber(Right, True)))
      return follow(True) && follow(False);
    if (!isOld(True) && !isOld(False))
      return false;
    Nodes.insert(Compare);
    for (Value *Side : {Left, Right})
      if (auto *Cast = dyn_cast<CastInst>(Side))
        Nodes.insert(Cast);
    return setOperation(isGreater(*Compare, InOrder) ? HEDDLE_CHECK_MAXIMUM
                                                     : HEDDLE_CHECK_MINIMUM);
  }

public:
  /// True if \p Compare holds where its left side (if \p Left, else its right
  /// side) is the greater one.
  static bool isGreater(const CmpInst &Compare, bool Left) {
    CmpInst::Predicate P = Compare.getPredicate();
    bool Greater = CmpInst::isFPPredicate(P)
                       ? (P == CmpInst::FCMP_OGT || P == CmpInst::FCMP_OGE ||
                          P == CmpInst::FCMP_UGT || P == CmpInst::FCMP_UGE)
                       : ICmpInst::isGT(P) || ICmpInst::isGE(P);
    return Greater == Left;
  }
};

/// The comparisons of a loaded value, and the branches that they decide.
class Decisions {
  SmallVector<CmpInst *, 2> Compares;
  SmallSetVector<Instruction *, 4> Branches;
  bool HasOtherUses = false;

public:
  explicit Decisions(LoadInst &Load) {
    SmallVector<Instruction *> Worklist{&Load};
    SmallPtrSet<Instruction *, 8> Seen;
    while (!Worklist.empty())
      for (User *U : Worklist.pop_back_val()->users()) {
        auto *I = cast<Instruction>(U);
        if (!Seen.insert(I).second)
          continue;
        if (auto *Compare = dyn_cast<CmpInst>(I))
          Compares.push_back(Compare);
        if (I->isTerminator() && !isa<InvokeInst, ReturnInst>(I))
          Branches.insert(I);
        else if (isLogic(*I))
          Worklist.push_back(I);
        else
          HasOtherUses = true;
      }
  }

  bool hasOtherUses() const { return HasOtherUses; }
  ArrayRef<CmpInst *> compares() const { return Compares; }

  /// The edge of a decision that \p I can only be reached by.
  std::optional<BasicBlockEdge> edgeTo(const Instruction &I,
                                       const DominatorTree &DT) const {
    for (Instruction *Branch : Branches)
      for (BasicBlock *To : successors(Branch)) {
        BasicBlockEdge Edge(Branch->getParent(), To);
        if (Edge.isSingleEdge() && DT.dominates(Edge, I.getParent()))
          return Edge;
      }
    return std::nullopt;
  }

private:
  static bool isLogic(const Instruction &I) {
    return isa<CastInst, FreezeInst, CmpInst>(I) ||
           (I.getType()->isIntegerTy() &&
            (isa<SelectInst>(I) || I.getOpcode() == Instruction::And ||
             I.getOpcode() == Instruction::Or ||
             I.getOpcode() == Instruction::Xor)) ||
           (isa<PHINode>(I) && I.getType()->isIntegerTy(1));
  }
};

class UpdateFinder {
  const DominatorTree &DT;
  DenseMap<Instruction *, AccessRole> Roles;
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;

public:
  UpdateFinder(Function &F, const DominatorTree &DT) : DT(DT) {
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Load->isAtomic())
        Loads.push_back(Load);
      else if (auto *Store = dyn_cast<StoreInst>(&I);
               Store && !Store->isAtomic())
        Stores.push_back(Store);
  }

  DenseMap<Instruction *, AccessRole> run() {
    addChains();
    for (LoadInst *Load : Loads)
      if (!Roles.contains(Load))
        addDecisions(*Load);
    return std::move(Roles);
  }

private:
  void addChains() {
    SmallVector<UpdateChain, 4> Chains;
    for (StoreInst *Store : Stores)
      if (UpdateChain Chain(*Store); Chain.find())
        Chains.push_back(Chain);
    // One that is none may have been what another one relies on.
    for (size_t Before = Chains.size() + 1; Chains.size() < Before;) {
      const SmallVector<UpdateChain, 4> All = Chains;
      Before = All.size();
      erase_if(Chains,
               [&](const UpdateChain &Chain) { return !Chain.isClosed(All); });
    }
    for (const UpdateChain &Chain : Chains) {
      Roles[&Chain.store()] = {.Operation = Chain.operation(),
                               .Value = Chain.same()};
      for (LoadInst *Load : Chain.loads())
        Roles[Load] = {.Operation = Chain.operation(), .IsSilent = true};
    }
  }

  void addDecisions(LoadInst &Load) {
    const Decisions Tests(Load);
    for (StoreInst *Store : Stores) {
      if (Roles.contains(Store) || !DT.dominates(&Load, Store))
        continue;
      const bool IsSame =
          isSameAddress(Load.getPointerOperand(), Store->getPointerOperand());
      if (!IsSame &&
          !isSameElement(Load.getPointerOperand(), Store->getPointerOperand()))
        continue;
      std::optional<BasicBlockEdge> Edge = Tests.edgeTo(*Store, DT);
      if (IsSame && Edge && !Tests.hasOtherUses() &&
          addGuard(Load, *Store, Tests, *Edge))
        return;
      if (Edge || (IsSame && flowsInto(Load, *Store)))
        Roles[&Load].Partner = Store;
    }
  }

  /// \p V as it is on \p Edge: a comparison that has led there is true.
  static Value *valueOn(const BasicBlockEdge &Edge, Value *V) {
    auto *Extended = dyn_cast<ZExtInst>(V);
    auto *Branch = dyn_cast<BranchInst>(Edge.getStart()->getTerminator());
    if (!Extended || !Extended->getSrcTy()->isIntegerTy(1) || !Branch ||
        !Branch->isConditional() || Branch->getSuccessor(0) != Edge.getEnd())
      return V;
    SmallVector<Value *> Conditions{Branch->getCondition()};
    while (!Conditions.empty()) {
      Value *Condition = Conditions.pop_back_val(), *Left, *Right;
      if (Condition == Extended->getOperand(0))
        return ConstantInt::get(V->getType(), 1);
      if (match(Condition, m_LogicalAnd(m_Value(Left), m_Value(Right))))
        Conditions.append({Left, Right});
    }
    return V;
  }

  /// True if \p New is the next number above (or below) \p Limit: `old < x + 1`
  /// is also written `old <= x`.
  static bool isNext(const Value *New, Value *Limit, bool Above) {
    const Value *Before = Limit;
    if (auto *Cast = dyn_cast<CastInst>(Limit))
      Before = Cast->getOperand(0);
    while (auto *Cast = dyn_cast<CastInst>(New))
      New = Cast->getOperand(0);
    auto IsNextTo = [&](const Value *V) {
      return Above ? match(New, m_AddLike(m_Specific(V), m_One()))
                   : match(New, m_Add(m_Specific(V), m_AllOnes()));
    };
    return IsNextTo(Limit) || IsNextTo(Before);
  }

  /// Makes \p Store an update that \p Load decides on, if it is one.
  bool addGuard(LoadInst &Load, StoreInst &Store, const Decisions &Tests,
                const BasicBlockEdge &Edge) {
    AccessRole Role;
    Value *New = valueOn(Edge, Store.getValueOperand());
    auto *Branch = cast<Instruction>(Edge.getStart()->getTerminator());
    const bool OnTrue = Branch->getSuccessor(0) == Edge.getEnd();
    for (CmpInst *Compare : Tests.compares())
      for (unsigned Side : {0u, 1u}) {
        if (!Compare->isRelational())
          continue;
        const bool IsGreater =
            UpdateChain::isGreater(*Compare, Side == 0) == OnTrue;
        Value *Limit = Compare->getOperand(Side);
        const bool WhenEqual =
            CmpInst::isTrueWhenEqual(Compare->getPredicate()) == OnTrue;
        if (isSameNumber(Limit, New) ||
            (WhenEqual && isNext(New, Limit, IsGreater)))
          Role.Operation =
              IsGreater ? HEDDLE_CHECK_MAXIMUM : HEDDLE_CHECK_MINIMUM;
      }
    if (Role.Operation == HEDDLE_CHECK_PLAIN) {
      if (!isAvailable(New, Load, DT))
        return false;
      Role.Operation = HEDDLE_CHECK_SET;
      Role.Value = New;
    }
    Roles[&Store] = Role;
    Role.Partner = &Store;
    Roles[&Load] = Role;
    addDependents(Store, Edge);
    return true;
  }

  /// The other stores into the element are the winner's.
  void addDependents(StoreInst &Winner, const BasicBlockEdge &Edge) {
    for (StoreInst *Store : Stores)
      if (Store != &Winner && !Roles.contains(Store) &&
          DT.dominates(Edge, Store->getParent()) &&
          isSameElement(Store->getPointerOperand(), Winner.getPointerOperand()))
        Roles[Store] = {.Operation = HEDDLE_CHECK_DEPENDENT, .Value = &Winner};
  }

  static bool flowsInto(const LoadInst &Load, const StoreInst &Store) {
    SmallVector<const Value *> Worklist{Store.getValueOperand()};
    SmallPtrSet<const Value *, 16> Seen;
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !Seen.insert(I).second)
        continue;
      if (I == &Load)
        return true;
      append_range(Worklist, I->operand_values());
    }
    return false;
  }
};

} // namespace

bool heddle::isAvailable(const Value *V, const Instruction &Before,
                         const DominatorTree &DT) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || DT.dominates(I, &Before) ||
         ((isa<CastInst, CmpInst>(I) ||
           (isa<BinaryOperator>(I) && !I->isIntDivRem())) &&
          all_of(I->operands(), [&](const Use &Operand) {
            return isAvailable(Operand, Before, DT);
          }));
}

Value *heddle::makeAvailable(Value *V, Instruction &Before,
                             const DominatorTree &DT) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &Before))
    return V;
  Instruction *Copy = I->clone();
  Copy->dropPoisonGeneratingFlags();
  for (Use &Operand : Copy->operands())
    Operand.set(makeAvailable(Operand, Before, DT));
  Copy->insertBefore(Before.getIterator());
  return Copy;
}

DenseMap<Instruction *, AccessRole>
heddle::findUpdates(Function &F, const DominatorTree &DT) {
  return UpdateFinder(F, DT).run();
}
