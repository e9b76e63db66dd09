//===- Copies.cpp - Copies of small structures ----------------------------===//

#include "check/Copies.h"
#include "check/Order.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// Bytes of a structure that is small.
static constexpr uint64_t MostCopiedBytes = 64;

static bool isCopiedPlace(const Value *Address, const Loop &L) {
  return !isa<AllocaInst>(getUnderlyingObject(Address)) &&
         Address->getType()->getPointerAddressSpace() == 0 &&
         !isFixedInLoop(Address, L);
}

/// The bytes of the words that \p Copy is to consist of; 0 if it stays.
static uint64_t wordOf(const MemCpyInst &Copy, const Loop &L) {
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Length || Copy.isVolatile() || Length->isZero() ||
      Length->getValue().ugt(MostCopiedBytes) ||
      !isCopiedPlace(Copy.getRawDest(), L) ||
      !isCopiedPlace(Copy.getRawSource(), L))
    return 0;
  const uint64_t Alignment =
      std::min(Copy.getDestAlign().valueOrOne().value(),
               Copy.getSourceAlign().valueOrOne().value());
  for (uint64_t Word : {8, 4})
    if (Alignment >= Word && Length->getZExtValue() % Word == 0)
      return Word;
  return 0;
}

/// All words are loaded first: accesses to one structure are recorded together.
static void expandCopy(MemCpyInst &Copy, uint64_t Word) {
  IRBuilder<> B(&Copy);
  const uint64_t Bytes = cast<ConstantInt>(Copy.getLength())->getZExtValue();
  IntegerType *T = B.getIntNTy(unsigned(8 * Word));
  auto At = [&](Value *Address, uint64_t Offset) {
    return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset)
                  : Address;
  };
  SmallVector<Value *> Words;
  for (uint64_t Offset = 0; Offset < Bytes; Offset += Word)
    Words.push_back(
        B.CreateAlignedLoad(T, At(Copy.getRawSource(), Offset), Align(Word)));
  for (uint64_t Offset = 0; Offset < Bytes; Offset += Word)
    B.CreateAlignedStore(Words[Offset / Word], At(Copy.getRawDest(), Offset),
                         Align(Word));
  Copy.eraseFromParent();
}

void heddle::expandCopies(Loop &L) {
  SmallVector<std::pair<MemCpyInst *, uint64_t>> Copies;
  for (Instruction &I : instructionsIn(L.blocks()))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      if (const uint64_t Word = wordOf(*Copy, L))
        Copies.push_back({Copy, Word});
  for (auto [Copy, Word] : Copies)
    expandCopy(*Copy, Word);
}
