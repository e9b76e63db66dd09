//===- VectorLevels.cpp - One function for several targets ----------------===//

#include "vectorsparse/VectorLevels.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Marks the copies; the highest one's has Spoken for a value.
constexpr char LevelAttribute[] = "heddle-vector-level";
constexpr char Spoken[] = "highest";

struct Level {
  StringRef Name;
  /// The target feature by which a function is seen to have it.
  StringRef Feature;
  /// The processor with this level, or empty to leave the function as it is.
  StringRef Processor;
};

/// The levels, indexed by their numbers in runtime/host/vectors.h.
constexpr Level Levels[] = {{"portable", "", ""},
                            {"avx2", "avx2", "x86-64-v3"},
                            {"avx512", "avx512f", "x86-64-v4"}};

/// Whether the function already has the features of a level above the portable
/// one, or must not have them.
bool isSettled(const Function &F, const Level &Target) {
  SmallVector<StringRef, 32> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',');
  return any_of(Features, [&](StringRef Feature) {
    return !Feature.empty() && Feature.drop_front() == Target.Feature;
  });
}

Function *copyFor(Function &F, const Level &Target) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + "." + Target.Name);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setComdat(nullptr);
  Copy->addFnAttr(LevelAttribute);
  // The processor's features are added to those that are named.
  if (!Target.Processor.empty()) {
    Copy->addFnAttr("target-cpu", Target.Processor);
    Copy->removeFnAttr("tune-cpu");
  }
  return Copy;
}

} // namespace

bool heddle::wantsVectorLevels(const Function &F) {
  return F.getParent()->getTargetTriple().getArch() == Triple::x86_64 &&
         !F.hasFnAttribute(LevelAttribute) && !F.isVarArg() &&
         any_of(drop_begin(Levels),
                [&](const Level &Above) { return !isSettled(F, Above); });
}

bool heddle::isSpokenOf(const Function &F) {
  Attribute Copy = F.getFnAttribute(LevelAttribute);
  return !Copy.isValid() || Copy.getValueAsString() == Spoken;
}

void heddle::makeVectorLevels(Function &F) {
  assert(wantsVectorLevels(F) && !F.isDeclaration() && "code to be copied");
  // The copies with the numbers of their levels.
  SmallVector<std::pair<unsigned, Function *>, 3> Copies;
  for (auto [Number, Target] : enumerate(Levels))
    if (!isSettled(F, Target))
      Copies.push_back({Number, copyFor(F, Target)});
  assert(!Copies.empty() && "some level is not settled");
  Copies.back().second->addFnAttr(LevelAttribute, Spoken);
  GlobalValue::LinkageTypes Linkage = F.getLinkage();
  Comdat *Group = F.getComdat();
  DISubprogram *Place = F.getSubprogram();
  F.deleteBody();
  F.setLinkage(Linkage);
  F.setComdat(Group);
  F.setSubprogram(Place);

  LLVMContext &C = F.getContext();
  IRBuilder<> Builder(BasicBlock::Create(C, "", &F));
  if (Place)
    Builder.SetCurrentDebugLocation(
        DILocation::get(C, Place->getLine(), 0, Place));
  Value *Level = Builder.CreateCall(F.getParent()->getOrInsertFunction(
      "heddle_vector_level", Builder.getInt32Ty()));
  SmallVector<Value *, 8> Arguments;
  // Some attributes affect how values are passed: byval above all.
  SmallVector<AttributeSet, 8> Parameters;
  for (Argument &A : F.args()) {
    Arguments.push_back(&A);
    Parameters.push_back(F.getAttributes().getParamAttrs(A.getArgNo()));
  }
  AttributeList Attributes = AttributeList::get(
      C, AttributeSet(), F.getAttributes().getRetAttrs(), Parameters);
  SwitchInst *Choice = nullptr;
  for (auto [Number, Copy] : Copies) {
    auto *Block = BasicBlock::Create(C, "", &F);
    if (!Choice)
      Choice = Builder.CreateSwitch(Level, Block);
    else
      Choice->addCase(Builder.getInt32(Number), Block);
    Builder.SetInsertPoint(Block);
    CallInst *Call = Builder.CreateCall(Copy, Arguments);
    Call->setCallingConv(F.getCallingConv());
    Call->setAttributes(Attributes);
    if (F.getReturnType()->isVoidTy())
      Builder.CreateRetVoid();
    else
      Builder.CreateRet(Call);
  }
}
