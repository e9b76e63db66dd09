//===- AccessRelations.cpp - How accesses of a loop relate ----------------===//

#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/ObjectAddress.h"
#include "async/analysis/VariableClasses.h"
#include "ir/Instructions.h"
#include "ir/TypeTags.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

Sources heddle::sourcesOf(SmallVector<const Value *> Worklist, const Loop &L,
                          const FrameValues &Frames) {
  Sources Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second ||
        (isa<PHINode>(I) && I->getParent() == L.getHeader()))
      continue;
    append_range(Worklist, I->operand_values());
    append_range(Worklist, Frames.saved(I));
    append_range(Worklist, Frames.kept(I));
  }
  return Seen;
}

Sources heddle::sourcesOf(const Instruction *I, const Loop &L,
                          const FrameValues &Frames) {
  SmallVector<const Value *> Inputs;
  if (auto *Store = dyn_cast<StoreInst>(I))
    Inputs.push_back(Store->getValueOperand());
  else
    append_range(Inputs, I->operand_values());
  return sourcesOf(std::move(Inputs), L, Frames);
}

bool heddle::flowsInto(const Instruction *Load, const Instruction *Store,
                       const Loop &L, const FrameValues &Frames) {
  return sourcesOf(Store, L, Frames).contains(Load);
}

/// True if \p A and \p B are instructions of one kind, so that equal operands
/// make equal values.
static bool sameOperation(const Instruction *A, const Instruction *B) {
  if (!A || !B || A->getOpcode() != B->getOpcode() ||
      A->getType() != B->getType() ||
      A->getNumOperands() != B->getNumOperands())
    return false;
  // Such as the number of the thread.
  if (isa<CallBase>(A))
    return !isNoAliasCall(A);
  if (!isa<GetElementPtrInst, CastInst, BinaryOperator, LoadInst, FreezeInst>(
          A))
    return false;
  auto *Gep = dyn_cast<GetElementPtrInst>(A);
  return !Gep || Gep->getSourceElementType() ==
                     cast<GetElementPtrInst>(B)->getSourceElementType();
}

using ValuePairs = SmallDenseSet<std::pair<const Value *, const Value *>, 8>;

/// \p Merged are the pairs that merges have led to from the last operation. A
/// merge that leads back to one of them adds nothing, if cycles are told.
static bool sameFrom(const Value *A, const Value *B, const FrameValues &Frames,
                     unsigned Depth, ValuePairs &Merged) {
  A = withoutDetour(Frames.origin(A));
  B = withoutDetour(Frames.origin(B));
  if (A == B)
    return true;
  if (A->getType()->isPointerTy() != B->getType()->isPointerTy())
    return false;
  auto *IA = dyn_cast<Instruction>(A), *IB = dyn_cast<Instruction>(B);
  if (Depth == tunable::ExpressionDepth)
    return true;
  for (auto [Merge, Other] : {std::pair(IB, A), std::pair(IA, B)}) {
    auto IsOther = [&, Other = Other](const Value *Way) {
      return sameFrom(Other, Way, Frames, Depth + 1, Merged);
    };
    if (Merge && isa<PHINode, SelectInst>(Merge)) {
      if (!Merged.insert({Other, Merge}).second && Frames.tellsCycles())
        return false;
      return any_of(drop_begin(Merge->operand_values(), isa<SelectInst>(Merge)),
                    IsOther);
    }
    if (Merge && !Frames.saved(Merge).empty())
      return any_of(Frames.saved(Merge), IsOther);
    // What is loaded from a variable again may be the same as before.
    if (Merge && !Frames.kept(Merge).empty() &&
        Merged.insert({Other, Frames.keptIn(Merge)}).second &&
        any_of(Frames.kept(Merge), IsOther))
      return true;
  }
  return sameOperation(IA, IB) &&
         all_of(zip(IA->operands(), IB->operands()), [&](auto Pair) {
           ValuePairs None;
           return sameFrom(std::get<0>(Pair).get(), std::get<1>(Pair).get(),
                           Frames, Depth + 1, None);
         });
}

/// The objects that \p Address may point into.
static SmallVector<const Value *, 4> objectsOf(const Value *Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/0);
  erase_if(Objects, IsaPred<UndefValue, ConstantPointerNull>);
  return Objects;
}

namespace {

/// Where the function leaves pointers into arrays that it has allocated, before
/// or in a loop.
class Whereabouts {
  const Loop &L;
  const ArrayRef<const Value *> Arrays;
  SmallVector<const Value *> Pointers;
  SmallPtrSet<const Value *, 16> Seen;
  /// The function's own memory in which there is such a pointer, and what
  /// points into it. Nobody else knows it, or the pointer would be known, too.
  SmallPtrSet<const Value *, 4> Holders, IntoHolders;
  bool IsKnownElsewhere = false;

public:
  Whereabouts(ArrayRef<const Value *> Arrays, const Loop &L)
      : L(L), Arrays(Arrays), Pointers(Arrays),
        Seen(Arrays.begin(), Arrays.end()) {
    while (!Pointers.empty() && !IsKnownElsewhere)
      for (const Use &U : Pointers.pop_back_val()->uses())
        if (!isBehind(U))
          follow(U);
  }

  /// True if one of \p Objects , none of which is an array, may be a pointer to
  /// one: it is loaded from where there is such a pointer, perhaps by way of
  /// others.
  bool mayLeadThere(SmallVector<const Value *, 4> Objects) const {
    SmallPtrSet<const Value *, 8> Loads;
    while (!Objects.empty()) {
      const Value *Object = Objects.pop_back_val();
      if (Holders.contains(Object))
        return true;
      if (isa<Argument, GlobalValue>(Object) || isIdentifiedObject(Object))
        continue;
      auto *Load = dyn_cast<LoadInst>(Object);
      if (IsKnownElsewhere || !Load)
        return true;
      if (Loads.insert(Load).second)
        append_range(Objects, objectsOf(Load->getPointerOperand()));
    }
    return false;
  }

private:
  bool isBehind(const Use &U) const {
    auto *By = dyn_cast<Instruction>(U.getUser());
    return By && !L.contains(By) &&
           !isPotentiallyReachable(By->getParent(), L.getHeader());
  }

  void followAll(const Value *Pointer, bool IsIntoHolder) {
    if (!Seen.insert(Pointer).second)
      return;
    Pointers.push_back(Pointer);
    if (IsIntoHolder)
      IntoHolders.insert(Pointer);
  }

  void addHolder(const Value *Holder) {
    IsKnownElsewhere |= !isIdentifiedFunctionLocal(Holder);
    // What one array holds, the next one gets.
    if (is_contained(Arrays, Holder))
      Holders.insert_range(Arrays);
    Holders.insert(Holder);
    followAll(Holder, /*IsIntoHolder=*/true);
  }

  /// True if \p Call may leave the pointer \p U elsewhere, or what it leads to,
  /// if that holds pointers.
  bool mayLeave(const CallBase &Call, const Use &U) const {
    if (isNewOrDelete(Call) || Call.isLifetimeStartOrEnd())
      return false;
    return !Call.isArgOperand(&U) ||
           !Call.doesNotCapture(Call.getArgOperandNo(&U)) ||
           (IntoHolders.contains(U.get()) &&
            !Call.onlyWritesMemory(Call.getArgOperandNo(&U)));
  }

  void follow(const Use &U) {
    const User *By = U.getUser();
    if (isa<PHINode, SelectInst, GEPOperator, FreezeInst>(By))
      followAll(By, IntoHolders.contains(U.get()));
    else if (auto *Store = dyn_cast<StoreInst>(By)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        addHolder(getUnderlyingObject(Store->getPointerOperand(), 0));
    } else if (auto *Call = dyn_cast<CallBase>(By))
      IsKnownElsewhere |= mayLeave(*Call, U);
    else if (isa<PtrToIntOperator>(By))
      // Such as for the number of elements.
      IsKnownElsewhere |= !all_of(By->users(), [](const User *Of) {
        return isa<ICmpInst>(Of) || Operator::getOpcode(Of) == Instruction::Sub;
      });
    else
      IsKnownElsewhere |= !isa<LoadInst, ICmpInst, ReturnInst>(By);
  }
};

} // namespace

/// True if \p V merges pointers into arrays that the function allocates one
/// after the other, such as those of a vector that grows, and \p Other leads to
/// none of them.
static bool leadsToOwnArrays(const Value *V, const Value *Other,
                             const Loop &L) {
  if (!isa<PHINode>(getUnderlyingObject(V, /*MaxLookup=*/0)))
    return false;
  const SmallVector<const Value *, 4> Arrays = objectsOf(V);
  const SmallVector<const Value *, 4> Others = objectsOf(Other);
  if (Arrays.empty() || !all_of(Arrays, isNoAliasCall) ||
      any_of(Others,
             [&](const Value *Object) { return is_contained(Arrays, Object); }))
    return false;
  const Whereabouts Of(Arrays, L);
  return !Of.mayLeadThere(Others);
}

bool heddle::areArraysApart(const Value *A, const Value *B, const Loop &L) {
  return leadsToOwnArrays(A, B, L) || leadsToOwnArrays(B, A, L);
}

bool heddle::sameExpression(const Value *A, const Value *B,
                            const FrameValues &Frames) {
  // Pointers that grow with a vector are merges of each other's ways.
  if (A->getType()->isPointerTy() && B->getType()->isPointerTy() &&
      areArraysApart(A, B, Frames.loop()))
    return false;
  ValuePairs None;
  return sameFrom(A, B, Frames, 0, None);
}

bool heddle::sameAddress(Value *A, Value *B, ScalarEvolution &SE,
                         const FrameValues &Frames) {
  return A == B || SE.getSCEV(A) == SE.getSCEV(B) ||
         sameExpression(A, B, Frames);
}

bool heddle::areDifferentFields(const Access &A, const Access &B, const Loop &L,
                                const FrameValues &Frames) {
  const ObjectAddress First(A.Address), Second(B.Address);
  if (Frames.origin(First.base()) != Frames.origin(Second.base()))
    return false;
  // Where the array begins in a larger object does not matter.
  auto IsInBoth = [&](Value *Index, int64_t Scale) {
    return L.isLoopInvariant(Index) &&
           First.variables().lookup(Index) == Scale &&
           Second.variables().lookup(Index) == Scale;
  };
  uint64_t Stride = 0;
  for (const ObjectAddress *Address : {&First, &Second})
    for (auto &[Index, Scale] : Address->variables())
      if (!IsInBoth(Index, Scale))
        Stride = std::gcd(Stride, uint64_t(std::abs(Scale)));
  int64_t Apart = Second.constant() - First.constant();
  if (!Stride)
    return Apart >= int64_t(A.Bytes) || -Apart >= int64_t(B.Bytes);
  Apart %= int64_t(Stride);
  const uint64_t Behind = uint64_t(Apart) + (Apart < 0 ? Stride : 0);
  return Behind >= A.Bytes && Stride - Behind >= B.Bytes;
}

/// The objects that \p Address may point into, by the ways to them.
static SmallVector<UsedObject> objectsAt(const Value *Address) {
  SmallVector<const Value *, 4> Roots;
  getUnderlyingObjects(Address, Roots);
  return map_to_vector(Roots,
                       [](const Value *Root) { return usedObject(Root); });
}

/// True if all iterations of \p L reach \p Object through the same pointers.
static bool isFixed(const UsedObject &Object, const Loop &L) {
  return L.isLoopInvariant(Object.Root) &&
         all_of(Object.Pointers, [](auto Place) { return Place.has_value(); });
}

/// The places that \p A may access in any iteration.
static MemoryLocation anyLike(const Access &A) {
  return MemoryLocation(getUnderlyingObject(A.Address),
                        LocationSize::beforeOrAfterPointer(),
                        A.I->getAAMetadata());
}

/// True if \p A is to a member of a structure: the type of its tag is not that
/// of the object that the tag names.
static bool isMember(const Access &A) {
  const MDNode *Tag = A.I->getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->getNumOperands() > 1 &&
         Tag->getOperand(0) != Tag->getOperand(1);
}

/// True for the tag of characters, which may access everything.
static bool isCharacter(const MDNode &Tag) {
  auto *Type = dyn_cast<MDNode>(Tag.getOperand(1));
  auto *Parent = Type && Type->getNumOperands() > 1
                     ? dyn_cast<MDNode>(Type->getOperand(1))
                     : nullptr;
  return !Parent || Parent->getNumOperands() < 2;
}

/// True if \p Number , a phi of \p L 's header, only ever grows by constants.
static bool isCounter(const PHINode &Number, const Loop &L) {
  SmallVector<const Value *> Worklist{
      Number.getIncomingValueForBlock(L.getLoopLatch())};
  SmallPtrSet<const Value *, 8> Seen{&Number};
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    const ConstantInt *Step = I && I->getOpcode() == Instruction::Add
                                  ? dyn_cast<ConstantInt>(I->getOperand(1))
                                  : nullptr;
    if (Step && !Step->isNegative())
      Worklist.push_back(I->getOperand(0));
    else if (I && L.contains(I) && isa<PHINode>(I))
      append_range(Worklist, I->operand_values());
    else
      return false;
  }
  return true;
}

/// True if \p A is to the element of an array with the next number that
/// iterations of \p L count, and which is neither a structure nor a character.
/// If others accessed the same memory in another way, the order would matter.
static bool isElement(const Access &A, const Loop &L) {
  const MDNode *Tag = A.I->getMetadata(LLVMContext::MD_tbaa);
  auto *Address = dyn_cast<GetElementPtrInst>(A.Address);
  auto *Number = Address && Address->getNumIndices() == 1
                     ? dyn_cast<PHINode>(Address->getOperand(1))
                     : nullptr;
  return Number && Number->getParent() == L.getHeader() && L.getLoopLatch() &&
         isCounter(*Number, L) &&
         L.isLoopInvariant(Address->getPointerOperand()) &&
         Address->getSourceElementType() == A.I->getAccessType() && Tag &&
         Tag->getNumOperands() > 1 && !isMember(A) && !isCharacter(*Tag);
}

/// True if the language's types say that \p A and \p B never access the same
/// memory. Unlike what is known of their addresses, this holds for any two
/// iterations. A member of a structure is no element of an array beside it.
static bool haveOtherTypes(const Access &A, const Access &B, const Loop &L,
                           AAResults &AA) {
  SimpleAAQueryInfo Query(AA);
  TypeBasedAAResult Types(/*UsingTypeSanitizer=*/false);
  return (isMember(A) && isElement(B, L)) || (isMember(B) && isElement(A, L)) ||
         Types.alias(anyLike(A), anyLike(B), Query, A.I) ==
             AliasResult::NoAlias;
}

bool heddle::mayBeSameField(const Access &A, const Access &B, const Loop &L,
                            const FrameValues &Frames, AAResults &AA) {
  if (areDifferentFields(A, B, L, Frames) || haveOtherTypes(A, B, L, AA) ||
      areArraysApart(A.Address, B.Address, L))
    return false;
  const bool MayAlias = !AA.isNoAlias(anyLike(A), anyLike(B));
  return any_of(objectsAt(A.Address), [&](const UsedObject &First) {
    return any_of(objectsAt(B.Address), [&](const UsedObject &Second) {
      return First.isSame(Second, Frames) ||
             (MayAlias && !(isFixed(First, L) && isFixed(Second, L)));
    });
  });
}

const StoreInst *heddle::commutativeUpdateOf(const LoadInst &Load) {
  auto *Update =
      Load.hasOneUse() ? dyn_cast<Instruction>(*Load.user_begin()) : nullptr;
  if (!Update || !Update->hasOneUse() || !isCommutativeUpdate(Update, &Load))
    return nullptr;
  auto *Store = dyn_cast<StoreInst>(*Update->user_begin());
  return Store && Store->getValueOperand() == Update &&
                 Store->getPointerOperand() == Load.getPointerOperand()
             ? Store
             : nullptr;
}

bool heddle::isCommutativeUpdate(const StoreInst &Store) {
  auto *Value = dyn_cast<Instruction>(Store.getValueOperand());
  return Value && any_of(Value->operand_values(), [&](const llvm::Value *V) {
           auto *Load = dyn_cast<LoadInst>(V);
           return Load && commutativeUpdateOf(*Load) == &Store;
         });
}

bool heddle::isLocal(Value *Address, const TaskLocals &Locals,
                     const FrameValues &Frames) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  SmallPtrSet<const Value *, 8> Seen;
  while (!Objects.empty()) {
    const Value *Object = Objects.pop_back_val();
    if (!Seen.insert(Object).second || Frames.isOwn(Object) ||
        isa<UndefValue, ConstantPointerNull>(Object))
      continue;
    ArrayRef<const Value *> Saved = Frames.saved(Object);
    for (const Value *Way : Saved)
      getUnderlyingObjects(Way, Objects);
    auto *Alloca = dyn_cast<AllocaInst>(Object);
    if (Saved.empty() && !(Alloca && Locals.contains(Alloca)))
      return false;
  }
  return true;
}

bool heddle::distinctPerIteration(Value *Address, uint64_t Bytes, const Loop &L,
                                  ScalarEvolution &SE) {
  const APInt *Step;
  return match(SE.getSCEV(Address),
               m_scev_AffineAddRec(m_SCEV(), m_scev_APInt(Step),
                                   m_SpecificLoop(&L))) &&
         Step->abs().uge(Bytes);
}

bool heddle::hasCodeBeside(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return isOfRecursion(I) ||
         (Call && (Call->getAttributes().hasFnAttr(PlainAttribute) ||
                   calleeName(*Call) == AsyncMarkerName));
}

bool heddle::isOfRecursion(const Instruction &I) {
  return I.hasMetadata(OverflowMetadata);
}

/// True if \p I accesses a member of a container of the standard library.
static bool isOfContainer(const Instruction &I) {
  return any_of(
      ArrayRef<StringRef>{"_ZTSNSt12_Vector_base", "_ZTSNSt11_Deque_base",
                          "_ZTSNSt7__cxx1112basic_string", "_ZTSSt10_Hashtable",
                          "_ZTSNSt3__16vector", "_ZTSNSt3__15deque",
                          "_ZTSNSt3__112basic_string"},
      [&](StringRef Prefix) { return taggedObject(I).starts_with(Prefix); });
}

/// True if \p Pointer is used for addresses of accesses only.
static bool isOnlyFollowed(const Instruction &Pointer) {
  SmallVector<const Instruction *> Worklist{&Pointer};
  SmallPtrSet<const Instruction *, 8> Seen;
  while (!Worklist.empty())
    for (const Use &U : Worklist.pop_back_val()->uses()) {
      auto *By = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst, PHINode, SelectInst>(By)) {
        if (Seen.insert(By).second)
          Worklist.push_back(By);
      } else if (U.get() != getLoadStorePointerOperand(By) ||
                 (isa<StoreInst>(By) && U.getOperandNo() == 0)) {
        return false;
      }
    }
  return true;
}

bool heddle::mayBeAccount(const Instruction &I) {
  assert(accessedAddress(I) && "a load or a store");
  if (isOfContainer(I))
    return false;
  if (!getLoadStoreType(&I)->isPointerTy())
    return true;
  return isa<GlobalVariable>(getUnderlyingObject(accessedAddress(I))) &&
         !(isa<LoadInst>(I) && isOnlyFollowed(I));
}

bool heddle::isRecursion(const Loop &L) {
  return any_of(instructionsIn(L.blocks()), isOfRecursion);
}

bool heddle::writtenElsewhere(const Access &A, const Loop &L, AAResults &AA,
                              const TaskLocals &Locals,
                              const FrameValues &Frames) {
  const MemoryLocation Object = anyLike(A);
  for (Instruction &I : instructionsIn(L.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    // Allocators keep no accounts in elements that belong to iterations.
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd() || hasCodeBeside(I) ||
        (Call && (isNewOrDelete(*Call) || Frames.isOwnCall(*Call))))
      continue;
    auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
    Value *Address = Copy ? Copy->getRawDest() : accessedAddress(I);
    if (Address && ((isa<StoreInst>(I) && Address == A.Address) ||
                    isLocal(Address, Locals, Frames)))
      continue;
    if (isModSet(AA.getModRefInfo(&I, Object)))
      return true;
  }
  return false;
}

SmallVector<Instruction *> heddle::accessesOf(const Value *Address,
                                              const Loop &L, AAResults &AA) {
  const Value *Object = getUnderlyingObject(Address);
  MemoryLocation Whole = MemoryLocation::getBeforeOrAfter(Object);
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd() ||
        hasCodeBeside(I))
      continue;
    std::optional<MemoryLocation> Place = MemoryLocation::getOrNone(&I);
    if (Place ? getUnderlyingObject(Place->Ptr) == Object
              : isModOrRefSet(AA.getModRefInfo(&I, Whole)))
      Accesses.push_back(&I);
  }
  return Accesses;
}

bool heddle::acquires(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isAcquireOrStronger(Load->getOrdering());
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isAcquireOrStronger(Update->getOrdering());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && isAcquireOrStronger(Exchange->getMergedOrdering());
}

bool heddle::releases(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isReleaseOrStronger(Store->getOrdering());
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isReleaseOrStronger(Update->getOrdering());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && isReleaseOrStronger(Exchange->getMergedOrdering());
}
