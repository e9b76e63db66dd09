//===- Hooks.cpp - Calls into the checking runtime ------------------------===//

#include "check/Hooks.h"
#include "check/Accessors.h"
#include "check/check.h"
#include "loop/RuntimeStruct.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;

namespace {

constexpr RuntimeStruct CheckSiteFields{
    {HEDDLE_FIELD(heddle_check_site, file),
     HEDDLE_FIELD(heddle_check_site, function),
     HEDDLE_FIELD(heddle_check_site, place),
     HEDDLE_FIELD(heddle_check_site, variable),
     HEDDLE_FIELD(heddle_check_site, strides),
     HEDDLE_FIELD(heddle_check_site, offset),
     HEDDLE_FIELD(heddle_check_site, line),
     HEDDLE_FIELD(heddle_check_site, column),
     HEDDLE_FIELD(heddle_check_site, partner_line),
     HEDDLE_FIELD(heddle_check_site, bytes),
     HEDDLE_FIELD(heddle_check_site, operation),
     HEDDLE_FIELD(heddle_check_site, flags),
     HEDDLE_FIELD(heddle_check_site, instance)},
    sizeof(heddle_check_site)};
static_assert(CheckSiteFields.isWhole());

constexpr RuntimeStruct CheckLoopFields{
    {HEDDLE_FIELD(heddle_check_loop, file),
     HEDDLE_FIELD(heddle_check_loop, function),
     HEDDLE_FIELD(heddle_check_loop, line),
     HEDDLE_FIELD(heddle_check_loop, column)},
    sizeof(heddle_check_loop)};
static_assert(CheckLoopFields.isWhole());

std::string functionName(const Function &F) {
  // OpenMP's part of a function is called after the whole.
  auto [Whole, Part] = F.getName().split(".omp_outlined");
  if (Whole != F.getName())
    return StringRef(demangle(Whole)).split('(').first.str();
  if (const DISubprogram *Program = F.getSubprogram())
    if (!Program->getName().empty())
      return Program->getName().str();
  return demangle(F.getName());
}

/// Clang takes away what a path has in common with the working directory.
std::string fileName(const DebugLoc &Where, const Function &F) {
  if (!Where)
    return F.getParent()->getSourceFileName();
  auto *Scope = cast<DIScope>(Where.getScope());
  const DISubprogram *Program = F.getSubprogram();
  StringRef Working =
      Program && Program->getUnit() ? Program->getUnit()->getDirectory() : "";
  SmallString<128> Name = Scope->getFilename();
  if (Scope->getDirectory() != Working)
    sys::path::make_absolute(Scope->getDirectory(), Name);
  return Name.str().str();
}

/// Lets the code around records of single accesses stay as quick as it is: they
/// change nothing that the program sees, and keep no address to use it.
void describe(Function &Hook) {
  StringRef Name = Hook.getName();
  const StringRef Access = Name.rtrim("_48");
  if (Access != "heddle_check_read" && Access != "heddle_check_write" &&
      Access != "heddle_check_update")
    return;
  LLVMContext &C = Hook.getContext();
  Hook.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  for (unsigned Place : {1u, 2u}) {
    Hook.addParamAttr(Place, Attribute::ReadOnly);
    Hook.addParamAttr(Place,
                      Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  }
}

} // namespace

CallInst *Hooks::call(StringRef Name, ArrayRef<Value *> Arguments,
                      Instruction *Before, Type *Result) {
  IRBuilder<> Builder(Before);
  Builder.SetCurrentDebugLocation(Before->getDebugLoc());
  SmallVector<Type *> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  FunctionCallee Hook = M.getOrInsertFunction(
      Name,
      FunctionType::get(Result ? Result : Builder.getVoidTy(), Types, false));
  auto *F = cast<Function>(Hook.getCallee());
  F->setDoesNotThrow();
  describe(*F);
  if (!Before->getDebugLoc())
    if (DISubprogram *Program = Before->getFunction()->getSubprogram())
      Builder.SetCurrentDebugLocation(
          DILocation::get(M.getContext(), 0, 0, Program));
  return Builder.CreateCall(Hook, Arguments);
}

CallInst *Hooks::callForBytes(StringRef Name, uint64_t Bytes,
                              ArrayRef<Value *> Arguments,
                              Instruction *Before) {
  const bool IsCommon = Bytes == 4 || Bytes == 8;
  return call(IsCommon ? (Name + "_" + Twine(Bytes)).str() : Name.str(),
              Arguments, Before);
}

GlobalVariable *Hooks::depth() {
  auto *Depth = cast<GlobalVariable>(M.getOrInsertGlobal(
      "heddle_check_depth", Type::getInt32Ty(M.getContext())));
  Depth->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return Depth;
}

void Hooks::callIfNested(CallInst &Call, unsigned Loops) {
  IRBuilder<> Builder(&Call);
  Value *IsNested =
      Builder.CreateICmpUGE(Builder.CreateLoad(Builder.getInt32Ty(), depth()),
                            Builder.getInt32(Loops));
  Instruction *Then = SplitBlockAndInsertIfThen(
      IsNested, Call.getIterator(), /*Unreachable=*/false,
      MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  Call.moveBefore(Then->getIterator());
}

Constant *Hooks::string(StringRef Text) {
  Constant *&Known = Strings[Text];
  if (!Known) {
    Constant *Data = ConstantDataArray::getString(M.getContext(), Text);
    auto *G = new GlobalVariable(M, Data->getType(), true,
                                 GlobalValue::PrivateLinkage, Data,
                                 "heddle.check.text");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Known = G;
  }
  return Known;
}

Constant *Hooks::constant(StructType *Type, ArrayRef<Constant *> Fields,
                          bool IsConstant) {
  return new GlobalVariable(M, Type, IsConstant, GlobalValue::PrivateLinkage,
                            ConstantStruct::get(Type, Fields),
                            IsConstant ? "heddle.check.loop"
                                       : "heddle.check.site");
}

Constant *Hooks::site(const Instruction &I, const PlaceName &Place,
                      const SiteFacts &Facts) {
  LLVMContext &C = M.getContext();
  auto *I32 = Type::getInt32Ty(C);
  auto Number = [&](uint64_t N) { return ConstantInt::get(I32, N); };
  const DebugLoc Where = placeInSource(I);
  uint64_t Strides[HEDDLE_CHECK_INDEXES] = {};
  for (size_t At = 0; At < Place.Strides.size() && At < HEDDLE_CHECK_INDEXES;
       ++At)
    Strides[At] = Place.Strides[At];
  return constant(
      CheckSiteFields.type(C),
      {string(fileName(Where, *I.getFunction())),
       string(functionName(*I.getFunction())), string(Place.Text),
       string(Place.Variable), ConstantDataArray::get(C, Strides),
       ConstantInt::get(Type::getInt64Ty(C), uint64_t(Place.Offset)),
       Number(Where ? Where.getLine() : 0), Number(Where ? Where.getCol() : 0),
       Number(Facts.PartnerLine), Number(Facts.Bytes), Number(Facts.Operation),
       Number(Facts.Flags), ConstantInt::get(Type::getInt64Ty(C), 0)},
      /*IsConstant=*/false);
}

Constant *Hooks::loop(const Function &F, const DebugLoc &Where) {
  LLVMContext &C = M.getContext();
  auto Number = [&](uint64_t N) {
    return ConstantInt::get(Type::getInt32Ty(C), N);
  };
  return constant(CheckLoopFields.type(C),
                  {string(fileName(Where, F)), string(functionName(F)),
                   Number(Where ? Where.getLine() : 0),
                   Number(Where ? Where.getCol() : 0)},
                  /*IsConstant=*/true);
}
