//===- ChunkState.cpp - Where a thread is in its chunk --------------------===//

#include "pull/ChunkState.h"
#include "pull/PullNest.h"

using namespace llvm;
using namespace heddle;

ChunkState::ChunkState(const PullNest &Nest, StructType *PieceType)
    : PieceType(PieceType) {
  Function &F = *Nest.RowsHeader->getParent();
  auto Create = [&](Type *Ty, const Twine &Name) {
    return Registers.emplace_back(createVariable(F, Ty, "pull." + Name));
  };
  Type *I64 = Type::getInt64Ty(F.getContext());
  Row = Create(I64, "row");
  LastRow = Create(I64, "last");
  LowEdge = Create(I64, "low");
  HighEdge = Create(I64, "high");
  EdgesOfRows = Create(I64, "edges");
  ContinuedRow = Create(I64, "continued");
  DeferredRow = Create(I64, "deferred");
  SlotsAt = Create(PointerType::getUnqual(F.getContext()), "slots");
  for (PHINode &Phi : Nest.RowsHeader->phis())
    Variables[&Phi] = Create(Phi.getType(), Phi.getName());
  for (Type *Field : PieceType->elements())
    Carried.push_back(Create(Field, "carried"));
  Advance =
      BasicBlock::Create(F.getContext(), "pull.advance", &F, Nest.RowsExit);
}

Value *heddle::toEdge(IRBuilderBase &Builder, Value *V) {
  assert((V->getType()->isPointerTy() ||
          V->getType()->getIntegerBitWidth() <= 64) &&
         "bounds are numbers or pointers");
  return V->getType()->isPointerTy()
             ? Builder.CreatePtrToInt(V, Builder.getInt64Ty())
             : Builder.CreateZExt(V, Builder.getInt64Ty());
}
