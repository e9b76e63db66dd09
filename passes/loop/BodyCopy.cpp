//===- BodyCopy.cpp - A function's body, to return to ---------------------===//

#include "loop/BodyCopy.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

BodyCopy::BodyCopy(Function &F)
    : F(F), Holder(Function::Create(F.getFunctionType(), F.getLinkage(),
                                    F.getAddressSpace())) {
  for (auto [Argument, Copy] : zip_equal(F.args(), Holder->args()))
    Copies[&Argument] = &Copy;
  SmallVector<BasicBlock *> Blocks;
  for (BasicBlock &Block : F) {
    Blocks.push_back(CloneBasicBlock(&Block, Copies, "", Holder.get(),
                                     /*CodeInfo=*/nullptr,
                                     /*MapAtoms=*/false));
    Copies[&Block] = Blocks.back();
    // Tables of labels refer to it, too.
    if (BlockAddress *Address = BlockAddress::lookup(&Block))
      Copies[Address] = Address;
  }
  remapInstructionsInBlocks(Blocks, Copies);
}

void BodyCopy::restore() {
  assert(Holder && "there is no copy");
  // Values keep their names where no other has them.
  const Function::iterator EndOfCopy = std::prev(Holder->end());
  Holder->splice(Holder->end(), &F);
  F.splice(F.end(), Holder.get(), Holder->begin(), std::next(EndOfCopy));
  for (auto [Argument, Copy] : zip_equal(F.args(), Holder->args()))
    Copy.replaceAllUsesWith(&Argument);
  for (BasicBlock &Block : *Holder)
    if (BlockAddress *Address = BlockAddress::lookup(&Block))
      Address->replaceAllUsesWith(BlockAddress::get(restored(&Block)));
}

void BodyCopy::discard() {
  Copies.clear();
  Holder.reset();
}
