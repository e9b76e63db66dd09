//===- RowPiece.cpp - The result of a part of a row -----------------------===//

#include "pull/RowPiece.h"
#include "pull/PullNest.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

StructType *heddle::pieceTypeOf(const PullNest &Nest) {
  assert(!Nest.Accumulators.empty() && "a row combines something");
  LLVMContext &C = Nest.RowsHeader->getContext();
  SmallVector<Type *, 2> Values;
  for (const Accumulator &A : Nest.Accumulators)
    if (!A.Total)
      Values.push_back(A.Ty);
  if (Nest.Accumulators[0].First)
    Values.push_back(Type::getInt1Ty(C));
  if (Values.empty())
    Values.push_back(Type::getInt8Ty(C));
  return StructType::get(C, Values);
}

Constant *heddle::createIdentityPiece(const PullNest &Nest,
                                      StructType *PieceType) {
  assert(PieceType == pieceTypeOf(Nest) && "the piece of another nest");
  SmallVector<Constant *, 2> Values;
  for (const Accumulator &A : Nest.Accumulators)
    if (!A.Total && !A.First)
      Values.push_back(cast<Constant>(identityOf(A.How, A.Ty)));
  if (Values.empty())
    return Constant::getNullValue(PieceType);
  return ConstantStruct::get(PieceType, Values);
}

Function *heddle::createCombinePieces(const PullNest &Nest,
                                      StructType *PieceType) {
  assert(PieceType == pieceTypeOf(Nest) && "the piece of another nest");
  LLVMContext &C = PieceType->getContext();
  auto *Ptr = PointerType::getUnqual(C);
  auto *Function =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false),
                       GlobalValue::InternalLinkage, "heddle.pull.combine",
                       Nest.RowsHeader->getModule());
  Function->setDoesNotThrow();
  IRBuilder<> Body(BasicBlock::Create(C, "", Function));
  auto FieldOf = [&](unsigned Argument, unsigned Field) {
    return Body.CreateStructGEP(PieceType, Function->getArg(Argument), Field);
  };
  unsigned Field = 0;
  for (const Accumulator &A : Nest.Accumulators) {
    if (A.Total)
      continue;
    Type *Ty = A.Ty;
    Value *Earlier = Body.CreateLoad(Ty, FieldOf(0, Field));
    Value *Later = Body.CreateLoad(Ty, FieldOf(1, Field));
    Value *Both;
    if (A.First) {
      Value *Written =
          Body.CreateLoad(Type::getInt1Ty(C), FieldOf(1, Field + 1));
      Value *MayWrite =
          Body.CreateICmp(A.First->Predicate, Earlier, A.First->With);
      Both =
          Body.CreateSelect(Body.CreateAnd(MayWrite, Written), Later, Earlier);
    } else {
      Both = combineValues(Body, A.How, Earlier, Later);
    }
    Body.CreateStore(Both, FieldOf(0, Field));
    ++Field;
  }
  assert(Field <= PieceType->getNumElements() && "a field for each");
  Body.CreateRetVoid();
  return Function;
}
