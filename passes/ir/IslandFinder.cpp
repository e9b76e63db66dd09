//===- IslandFinder.cpp - Follows the pointers of an iteration ------------===//

#include "ir/IslandFinder.h"
#include "ir/Instructions.h"
#include "ir/OwnMemory.h"
#include "ir/TypeTags.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include <numeric>

using namespace llvm;
using namespace heddle;

/// The search is given up where it would take longer.
static constexpr unsigned MostIslandRounds = 64, MostIslandInstructions = 20000;

/// Zero if it is not known.
static uint64_t allocatedBytes(const AllocaInst &Variable) {
  const std::optional<TypeSize> Bytes =
      Variable.getAllocationSize(Variable.getDataLayout());
  return Bytes && !Bytes->isScalable() ? Bytes->getFixedValue() : 0;
}

IslandFinder::IslandFinder(const Loop &L,
                           ArrayRef<const AllocaInst *> Variables)
    : L(L), Variables(Variables.begin(), Variables.end()) {}

/// True if the iteration may allocate memory, or link variables of its own.
bool IslandFinder::mayHaveIslands() const {
  auto IsVariable = [&](const Value *Address) {
    auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
    return Variable && Variables.contains(Variable);
  };
  return any_of(instructionsIn(L.blocks()), [&](const Instruction &I) {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->getValueOperand()->getType()->isPointerTy() &&
             (IsVariable(Store->getPointerOperand()) ||
              IsVariable(Store->getValueOperand()));
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      return false;
    const Function *Callee = definedCallee(*Call);
    return isAllocation(*Call) || (Callee && allocates(*Callee));
  });
}

bool IslandFinder::run() {
  if (!mayHaveIslands())
    return false;
  for (const AllocaInst *Variable : Variables)
    Places.objectOf(Variable, allocatedBytes(*Variable));
  for (const BasicBlock *Block : L.blocks())
    Instructions += Block->size();
  for (unsigned Round = 0; Round < MostIslandRounds; ++Round) {
    Changed = false;
    for (const Instruction &I : instructionsIn(L.blocks()))
      visit(I);
    for (unsigned N = 0; N < Callees.size(); ++N)
      for (const Instruction &I : instructions(*Callees[N]))
        visit(I);
    if (Instructions > MostIslandInstructions)
      return false;
    if (Places.takeChanged() | Changed)
      continue;
    if (!std::exchange(IsWaiting, false))
      return true;
  }
  return false;
}

bool IslandFinder::isInside(const Instruction &I) const {
  return L.contains(&I) || Callees.contains(I.getFunction());
}

PlaceSet IslandFinder::placesOf(const Value *V) const {
  PlaceSet Set;
  if (isa<ConstantData, BasicBlock, MetadataAsValue>(V))
    return Set;
  auto *I = dyn_cast<Instruction>(V);
  auto *Parameter = dyn_cast<Argument>(V);
  auto *Variable = dyn_cast<AllocaInst>(V);
  if (Variable && (Variables.contains(Variable) ||
                   Callees.contains(Variable->getFunction()))) {
    if (const unsigned Object = Places.find(Variable))
      Set.insert({Object, 0});
    return Set;
  }
  const bool IsFollowed =
      (I && !Variable && isInside(*I)) ||
      (Parameter && Callees.contains(Parameter->getParent()));
  if (!IsFollowed)
    return outsidePlaces();
  auto Found = Points.find(V);
  return Found == Points.end() ? Set : Found->second;
}

void IslandFinder::add(const Value *To, const PlaceSet &What) {
  if (!What.empty())
    Changed |= Places.add(Points[To], What);
}

void IslandFinder::visit(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Alloca:
    // That of a callee.
    if (!L.contains(&I) && !Places.find(&I)) {
      Places.objectOf(&I, allocatedBytes(cast<AllocaInst>(I)));
      Changed = true;
    }
    break;
  case Instruction::PHI:
    return visitPhi(I);
  case Instruction::GetElementPtr:
    return visitAddress(cast<GEPOperator>(I));
  case Instruction::Load:
    return visitLoad(I, I.getOperand(0));
  case Instruction::Store:
    return visitStore(I, I.getOperand(1), I.getOperand(0));
  case Instruction::AtomicRMW:
    return visitUpdate(cast<AtomicRMWInst>(I));
  case Instruction::AtomicCmpXchg:
    visitLoad(I, I.getOperand(0));
    visitStore(I, I.getOperand(0), I.getOperand(2));
    break;
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    return visitCall(cast<CallBase>(I));
  case Instruction::Sub:
    return visitDifference(I);
  case Instruction::Ret:
    if (I.getNumOperands() && !L.contains(&I))
      Changed |=
          Places.add(Returned[I.getFunction()], placesOf(I.getOperand(0)));
    break;
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Unreachable:
  case Instruction::Fence:
    break;
  default:
    visitOther(I);
  }
}

/// What is computed leads where its operands lead to.
void IslandFinder::visitOther(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::BitCast:
  case Instruction::Freeze:
    return add(&I, placesOf(I.getOperand(0)));
  case Instruction::Select:
    add(&I, placesOf(I.getOperand(1)));
    return add(&I, placesOf(I.getOperand(2)));
  default:
    break;
  }
  const bool IsKnown =
      I.isBinaryOp() || I.isUnaryOp() || I.isCast() ||
      isa<ExtractValueInst, InsertValueInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst>(I);
  PlaceSet Somewhere;
  for (const Value *Operand : I.operand_values()) {
    const PlaceSet Of = placesOf(Operand);
    if (!IsKnown)
      Places.escape(Of);
    Places.addSomewhere(Somewhere, Of);
  }
  if (isa<ExtractValueInst, InsertValueInst>(I))
    for (const Value *Operand : I.operand_values())
      add(&I, placesOf(Operand));
  else
    add(&I, Somewhere);
  if (!IsKnown)
    add(&I, outsidePlaces());
}

void IslandFinder::visitPhi(const Instruction &I) {
  auto &Phi = cast<PHINode>(I);
  if (Phi.getParent() != L.getHeader()) {
    for (const Value *Way : Phi.incoming_values())
      add(&Phi, placesOf(Way));
    return;
  }
  // What the next iteration gets is not this one's own.
  for (const Value *Way : Phi.incoming_values())
    Places.escape(placesOf(Way));
  add(&Phi, outsidePlaces());
}

/// True if \p Difference is only compared, or divided by the size of elements
/// and compared: nothing is found by it.
static bool isOnlyCounted(const Instruction &Difference) {
  return all_of(Difference.users(), [](const User *U) {
    return isa<ICmpInst>(U) || (isa<PossiblyExactOperator>(U) &&
                                isOnlyCounted(*cast<Instruction>(U)));
  });
}

/// A difference of addresses in one object is a size. Which objects these are
/// is known only in the end.
void IslandFinder::visitDifference(const Instruction &I) {
  PlaceSet Both = placesOf(I.getOperand(0));
  const PlaceSet Second = placesOf(I.getOperand(1));
  const bool AreKnown = !Both.empty() && !Second.empty();
  Both.insert(Second);
  const bool IsInOne =
      all_of(Both, [&](Place P) { return P.Object == Both[0].Object; });
  const bool IsSize =
      Both.empty() || (Places.isOwn(Both) && (IsInOne || isOnlyCounted(I)));
  if (!IsSize || !(IsWaiting || AreKnown))
    visitOther(I);
}

/// What \p Number is known to be a multiple of; zero if it is zero.
uint64_t IslandFinder::multipleOf(const Value *Number) const {
  auto *I = dyn_cast<Instruction>(Number);
  if (I && I->getOpcode() == Instruction::Sub) {
    // The distance of two elements.
    const PlaceSet First = placesOf(I->getOperand(0)),
                   Second = placesOf(I->getOperand(1));
    if (IsWaiting && (First.empty() || Second.empty()))
      return 0;
    uint64_t Multiple = 0;
    bool IsKnown = false;
    for (Place P : First)
      for (Place Q : Second) {
        IsKnown = true;
        Multiple = std::gcd(Multiple,
                            P.Object == Q.Object ? Places.distance(P, Q) : 1);
      }
    if (IsKnown && Places.isOwn(First) && Places.isOwn(Second))
      return Multiple;
  }
  const unsigned Zeros =
      computeKnownBits(Number, L.getHeader()->getDataLayout())
          .countMinTrailingZeros();
  return uint64_t(1) << std::min(Zeros, 16u);
}

void IslandFinder::visitAddress(const GEPOperator &Address) {
  const DataLayout &Layout = cast<Instruction>(Address).getDataLayout();
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(Layout.getIndexTypeSizeInBits(Address.getType()), 0);
  PlaceSet Moved;
  const PlaceSet Base = placesOf(Address.getPointerOperand());
  if (Address.getType()->isVectorTy() ||
      !Address.collectOffset(Layout, Constant.getBitWidth(), Variable,
                             Constant)) {
    Places.addSomewhere(Moved, Base);
  } else {
    SmallVector<uint64_t, 2> Scales;
    for (auto &[Index, Scale] : Variable) {
      if (auto *Choice = dyn_cast<SelectInst>(Index);
          Choice && Variable.size() == 1 &&
          isa<ConstantInt>(Choice->getTrueValue()) &&
          isa<ConstantInt>(Choice->getFalseValue())) {
        // The left or the right link of a node.
        const auto Behind = [&](const Value *Chosen) {
          const int64_t Number = cast<ConstantInt>(Chosen)->getSExtValue();
          return Constant.getSExtValue() + Number * Scale.getSExtValue();
        };
        Places.addMoved(Moved, Base, Behind(Choice->getTrueValue()), {});
        Places.addMoved(Moved, Base, Behind(Choice->getFalseValue()), {});
        return add(&Address, Moved);
      }
      Scales.push_back(Scale.abs().getZExtValue() * multipleOf(Index));
    }
    Places.addMoved(Moved, Base, Constant.getSExtValue(), Scales,
                    Address.hasNoUnsignedWrap());
  }
  // A number that has been computed from addresses may be one itself.
  for (const Value *Index : drop_begin(Address.operands()))
    if (const PlaceSet Of = placesOf(Index); Places.hasOwn(Of))
      Places.addSomewhere(Moved, Of);
  add(&Address, Moved);
}

static ContentKind kindOf(const Instruction &I) {
  StringRef Type = taggedMember(I);
  if (is_contained({"bool", "short", "int", "long", "long long", "__int128",
                    "float", "double", "long double", "_Float16"},
                   Type) ||
      Type.starts_with("_ZTS"))
    return ContentKind::Number;
  return Type == "any pointer" || Type == "vtable pointer" ||
                 (Type.consume_front("p") && !Type.empty() &&
                  isDigit(Type.front()))
             ? ContentKind::Pointer
             : ContentKind::Any;
}

static uint64_t accessedBytes(Type *T, const Instruction &I) {
  const TypeSize Bytes = I.getDataLayout().getTypeStoreSize(T);
  return Bytes.isScalable() ? AnyBytes : Bytes.getFixedValue();
}

void IslandFinder::visitLoad(const Instruction &I, const Value *Address) {
  PlaceSet Held;
  Places.load(Held, placesOf(Address), accessedBytes(I.getAccessType(), I),
              kindOf(I));
  add(&I, Held);
}

void IslandFinder::visitStore(const Instruction &I, const Value *Address,
                              const Value *What) {
  const PlaceSet At = placesOf(Address);
  // To somewhere that nothing is known of.
  if (At.empty() && !IsWaiting && !isa<Constant>(Address))
    Places.escape(placesOf(What));
  Places.store(At, accessedBytes(What->getType(), I), placesOf(What),
               kindOf(I));
}

/// An address that is added to leads on to somewhere in its object.
void IslandFinder::visitUpdate(const AtomicRMWInst &I) {
  visitLoad(I, I.getPointerOperand());
  if (I.getOperation() == AtomicRMWInst::Xchg)
    return visitStore(I, I.getPointerOperand(), I.getValOperand());
  PlaceSet Result;
  Places.addSomewhere(Result, placesOf(&I));
  Places.addSomewhere(Result, placesOf(I.getValOperand()));
  Places.store(placesOf(I.getPointerOperand()), accessedBytes(I.getType(), I),
               Result, kindOf(I));
}
