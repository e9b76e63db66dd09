//===- FortranLoops.cpp - Guarantees of Fortran that Flang drops ----------===//

#include "mark/FortranLoops.h"
#include "ir/Instructions.h"
#include "mark/Descriptors.h"
#include "mark/MarkProtocol.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

namespace {

/// The name of the zeros that replace an absent descriptor.
constexpr char AbsentName[] = "heddle.absent";
/// More than the descriptors of 15 dimensions and their addenda take.
constexpr uint64_t MostBytes = 1024;

void promiseNoExceptions(const Loop &L) {
  for (Instruction &I : instructionsIn(L.blocks()))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Call->setDoesNotThrow();
}

/// Removes the saves and restores of the stack in \p L if it allocates no
/// memory there.
void releaseNothing(const Loop &L) {
  SmallVector<Instruction *> Restores, Saves;
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (isa<AllocaInst>(I))
      return;
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    if (Call->getIntrinsicID() == Intrinsic::stacksave)
      Saves.push_back(Call);
    else if (Call->getIntrinsicID() == Intrinsic::stackrestore)
      Restores.push_back(Call);
  }
  for (Instruction *Restore : Restores) {
    auto *Save = dyn_cast<Instruction>(Restore->getOperand(0));
    if (Save && is_contained(Saves, Save))
      Restore->eraseFromParent();
  }
  for (Instruction *Save : Saves)
    if (Save->use_empty())
      Save->eraseFromParent();
}

void takeMemoryOnce(const Loop &L) {
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  SmallVector<AllocaInst *> InLoop;
  for (Instruction &I : instructionsIn(L.blocks()))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && isa<ConstantInt>(Alloca->getArraySize()))
      InLoop.push_back(Alloca);
  for (AllocaInst *Alloca : InLoop)
    Alloca->moveBefore(Entry, Entry.begin());
  releaseNothing(L);
}

/// True for a function that Flang outlined from an OpenMP region.
bool isOutlined(const Function &F) { return F.getName().contains("..omp_par"); }

bool isMark(const Instruction &I) {
  return calleeName(I).starts_with(MarkFunctionName);
}

/// True if \p V is the address of a dummy argument, perhaps one that an OpenMP
/// region has captured.
bool isDummyArgument(const Value *V) {
  if (isa<Argument>(V))
    return true;
  auto *Captured = dyn_cast<LoadInst>(V);
  return Captured && Captured->getFunction()->getName().contains("..omp_par") &&
         isa<Argument>(Captured->getPointerOperand()->stripInBoundsOffsets()) &&
         Captured->getParent() == &Captured->getFunction()->getEntryBlock();
}

/// Part of a dummy argument, and where the loop reads it.
struct Descriptor {
  Value *Argument;
  uint64_t Offset;
  uint64_t Bytes;
  SmallVector<Use *> Reads;
  bool Changes;
};

class DescriptorCopies {
  const Loop &L;
  AAResults &AA;
  const DataLayout &DL;
  SmallVector<Descriptor> Found;

public:
  DescriptorCopies(const Loop &L, AAResults &AA)
      : L(L), AA(AA), DL(L.getHeader()->getDataLayout()) {
    for (Instruction &I : instructionsIn(L.blocks())) {
      if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
        auto *To = dyn_cast<AllocaInst>(Copy->getDest());
        auto *Size = dyn_cast<ConstantInt>(Copy->getLength());
        if (To && Size && isDescriptor(To->getAllocatedType()))
          note(Copy->getSource(), Size->getZExtValue(),
               Copy->getArgOperandUse(1),
               mayChange(MemoryLocation::getForSource(Copy)));
      } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
        auto *Field = dyn_cast<GetElementPtrInst>(Load->getPointerOperand());
        if (Load->isSimple() && Field &&
            isDescriptor(Field->getSourceElementType()))
          // Flang copies descriptors that may change, such as those of
          // allocatable arrays, before it reads them. This is an assumed-shape
          // array.
          note(Field->getPointerOperand(),
               DL.getTypeAllocSize(Field->getSourceElementType()),
               Load->getOperandUse(0),
               !isDummyArgument(Field->getPointerOperand()) &&
                   mayChange(MemoryLocation::get(Load)));
      }
    }
  }

  /// Copies the descriptors that do not change to memory that can always be
  /// read.
  void make() {
    BasicBlock *Preheader = L.getLoopPreheader();
    for (const Descriptor &D : Found)
      if (Preheader && !D.Changes && D.Bytes <= MostBytes)
        copy(D, *Preheader);
  }

private:
  /// The argument that \p Address is in, or null; where it is there.
  Value *argumentOf(Value *Address, APInt &Offset) const {
    Value *Base = Address->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    return isDummyArgument(Base) && !Offset.isNegative() ? Base : nullptr;
  }

  APInt noOffset(const Value *Address) const {
    return APInt(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  }

  /// Notes that the descriptor at \p Start, which has \p Bytes and perhaps
  /// \p Changes, is read through the operand \p Read.
  void note(Value *Start, uint64_t Bytes, Use &Read, bool Changes) {
    APInt Offset = noOffset(Start);
    Value *Argument = argumentOf(Start, Offset);
    if (!Argument)
      return;
    auto *D = find_if(Found, [&](const Descriptor &Known) {
      return Known.Argument == Argument && Offset == Known.Offset;
    });
    if (D == Found.end()) {
      Found.push_back({Argument, Offset.getZExtValue(), 0, {}, false});
      D = &Found.back();
    }
    D->Bytes = std::max(D->Bytes, Bytes);
    D->Reads.push_back(&Read);
    D->Changes |= Changes;
  }

  bool mayChange(const MemoryLocation &Place) const {
    for (Instruction &I : instructionsIn(L.blocks())) {
      if (I.mayWriteToMemory() && !isMark(I) &&
          isModSet(AA.getModRefInfo(&I, Place)))
        return true;
    }
    return false;
  }

  void copy(const Descriptor &D, BasicBlock &Preheader) {
    assert(!D.Changes && D.Bytes <= MostBytes && "as large as what is absent");
    Function &F = *Preheader.getParent();
    IRBuilder<> Entry(&*F.getEntryBlock().begin());
    Type *Bytes = Entry.getInt8Ty();
    AllocaInst *Copy = Entry.CreateAlloca(ArrayType::get(Bytes, D.Bytes));
    Copy->setAlignment(Align(8));

    IRBuilder<> Before(Preheader.getTerminator());
    Value *From = Before.CreateConstGEP1_64(Bytes, D.Argument, D.Offset);
    From = Before.CreateSelect(Before.CreateIsNotNull(D.Argument), From,
                               absent(*F.getParent()));
    Before.CreateMemCpy(Copy, Align(8), From, Align(1), D.Bytes);

    for (Use *Read : D.Reads) {
      APInt Offset = noOffset(Read->get());
      argumentOf(Read->get(), Offset);
      assert(Offset.uge(D.Offset) && "reads the descriptor");
      IRBuilder<> At(cast<Instruction>(Read->getUser()));
      Read->set(At.CreateConstInBoundsGEP1_64(
          Bytes, Copy, Offset.getZExtValue() - D.Offset));
    }
  }

  static GlobalVariable *absent(Module &M) {
    if (GlobalVariable *Known = M.getNamedGlobal(AbsentName))
      return Known;
    Type *T = ArrayType::get(Type::getInt8Ty(M.getContext()), MostBytes);
    return new GlobalVariable(M, T, true, GlobalValue::PrivateLinkage,
                              Constant::getNullValue(T), AbsentName);
  }
};

/// Finds arrays that OpenMP made private to the thread, by which Flang means
/// memory of the heap, and that the loop writes to.
class ThreadArrays {
  const Loop &L;
  const DataLayout &DL;

public:
  explicit ThreadArrays(const Loop &L)
      : L(L), DL(L.getHeader()->getDataLayout()) {}

  const Instruction *findWrite() const {
    if (!isOutlined(*L.getHeader()->getParent()))
      return nullptr;
    for (Instruction &I : instructionsIn(L.blocks())) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->getType()->isPointerTy() &&
          holdsThreads(Load->getPointerOperand()))
        if (const Instruction *Write = writeThrough(*Load))
          return Write;
      // A copy that is not only read is passed to other code.
      if (auto *Copy = dyn_cast<MemCpyInst>(&I);
          Copy && holdsThreads(Copy->getSource()) &&
          originOf(Copy->getDest()) == Copy->getDest())
        return Copy;
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || isa<IntrinsicInst>(I) || isMark(I))
        continue;
      for (Value *Handed : Call->args())
        if (Handed->getType()->isPointerTy() && holdsThreads(Handed))
          return Call;
    }
    return nullptr;
  }

private:
  Value *originOf(Value *Address) const {
    return heddle::originOf(Address, DL).Base;
  }

  /// True if at \p Address there is the address of an array of the thread's
  /// own, in a variable of the thread that has held it since before the loop.
  bool holdsThreads(Value *Address) const {
    auto *Holder = dyn_cast<AllocaInst>(originOf(Address));
    if (!Holder || !Holder->getAllocatedType()->isStructTy())
      return false;
    bool Own = false;
    SmallVector<const User *> Users(Holder->users());
    SmallPtrSet<const User *, 16> Seen;
    while (!Users.empty()) {
      auto *I = cast<Instruction>(Users.pop_back_val());
      if (!Seen.insert(I).second)
        continue;
      auto *Copy = dyn_cast<MemCpyInst>(I);
      if (isa<GetElementPtrInst, CastInst, PHINode>(I)) {
        append_range(Users, I->users());
        continue;
      }
      if (isa<LoadInst, CmpInst>(I) || I->isLifetimeStartOrEnd() || isMark(*I))
        continue;
      if (Copy && isa<AllocaInst>(Copy->getDest()) && Copy->getDest() != Holder)
        continue;
      if (L.contains(I))
        return false;
      auto *Store = dyn_cast<StoreInst>(I);
      Own |= !Store || !isFromAround(arrayOf(Store->getValueOperand()));
    }
    return Own;
  }

  /// True if \p Array is known to be captured by the region.
  static bool isFromAround(const Value *Array) {
    return Array && (isa<LoadInst, GlobalValue>(Array) ||
                     isDummyArgument(Array->stripInBoundsOffsets()));
  }

  /// The address in the descriptor that \p V is, or null.
  static const Value *arrayOf(const Value *V) {
    while (auto *Insert = dyn_cast<InsertValueInst>(V)) {
      if (Insert->getNumIndices() == 1 && Insert->getIndices()[0] == 0)
        return Insert->getInsertedValueOperand();
      V = Insert->getAggregateOperand();
    }
    return nullptr;
  }

  const Instruction *writeThrough(const Instruction &Array) const {
    assert(Array.getType()->isPointerTy() && "where an array lies");
    SmallVector<const Instruction *> Worklist{&Array};
    SmallPtrSet<const Instruction *, 16> Seen;
    while (!Worklist.empty()) {
      const Instruction *Address = Worklist.pop_back_val();
      if (!Seen.insert(Address).second)
        continue;
      for (const User *U : Address->users()) {
        auto *I = cast<Instruction>(U);
        if (!L.contains(I) || isa<LoadInst, CmpInst>(I) || isMark(*I))
          continue;
        if (!isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I))
          return I;
        Worklist.push_back(I);
      }
    }
    return nullptr;
  }
};

} // namespace

const Instruction *heddle::writesArrayOfThread(const Loop &L) {
  return ThreadArrays(L).findWrite();
}

void heddle::addFortranPromises(const Loop &L, AAResults &AA) {
  promiseNoExceptions(L);
  takeMemoryOnce(L);
  DescriptorCopies(L, AA).make();
}
