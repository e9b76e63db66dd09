//===- FormProtocol.cpp - Nested forms of functions -----------------------===//

#include "elsewhere/FormProtocol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace heddle;

bool heddle::mayHaveForms(const Module &M) {
  const Triple &Target = M.getTargetTriple();
  return Target.isOSBinFormatELF() &&
         (Target.getArch() == Triple::x86_64 ||
          Target.getArch() == Triple::aarch64) &&
         M.getDataLayout().getPointerSizeInBits() == 64;
}

bool heddle::isPlainNumber(const Type &T) {
  if (T.isIntegerTy())
    return is_contained({1U, 8U, 16U, 32U, 64U, 128U}, T.getIntegerBitWidth());
  return T.isFloatTy() || T.isDoubleTy() ||
         (T.isPointerTy() && !T.getPointerAddressSpace());
}

/// True for numbers, and structures of some, that are returned in registers.
static bool isPlainResult(const Type &T, const DataLayout &DL) {
  auto *Structure = dyn_cast<StructType>(&T);
  if (!Structure)
    return isPlainNumber(T);
  return !Structure->isOpaque() &&
         all_of(Structure->elements(),
                [](const Type *Element) { return isPlainNumber(*Element); });
}

/// Attributes that say more than how a number is extended.
static bool hasPlace(const AttributeSet &Attributes) {
  return any_of(
      ArrayRef{Attribute::ByVal, Attribute::ByRef, Attribute::StructRet,
               Attribute::InAlloca, Attribute::Preallocated, Attribute::InReg,
               Attribute::Nest, Attribute::SwiftSelf, Attribute::SwiftError,
               Attribute::SwiftAsync},
      [&](Attribute::AttrKind Kind) { return Attributes.hasAttribute(Kind); });
}

/// True if callers of \p F set up a state of the processor, as for matrices.
static bool needsState(const Function &F) {
  return any_of(F.getAttributes().getFnAttrs(), [](const Attribute &A) {
    return A.isStringAttribute() && A.getKindAsString().starts_with("aarch64_");
  });
}

bool heddle::hasTypeOfForm(const Function &F) {
  const DataLayout &DL = F.getDataLayout();
  const Type &Result = *F.getReturnType();
  return F.getCallingConv() == CallingConv::C && !F.isVarArg() &&
         F.arg_size() <= form::MostArguments && !F.isIntrinsic() &&
         !needsState(F) &&
         // No name that is taken as it is.
         !F.getName().starts_with("\1") && isPlainResult(Result, DL) &&
         DL.getTypeAllocSize(const_cast<Type *>(&Result)) <=
             form::KeptAt - form::ResultAt &&
         !hasPlace(F.getAttributes().getRetAttrs()) &&
         all_of(F.args(), [&](const Argument &A) {
           return isPlainNumber(*A.getType()) &&
                  !hasPlace(F.getAttributes().getParamAttrs(A.getArgNo()));
         });
}

/// Names of structures are those of one file.
static void print(const Type &T, raw_ostream &OS) {
  auto *Structure = dyn_cast<StructType>(&T);
  if (!Structure)
    return T.print(OS);
  OS << (Structure->isPacked() ? '<' : '{');
  for (const Type *Element : Structure->elements()) {
    print(*Element, OS);
    OS << ',';
  }
  OS << '}';
}

static void print(const Type &T, const AttributeSet &Attributes,
                  raw_ostream &OS) {
  print(T, OS);
  OS << (Attributes.hasAttribute(Attribute::ZExt)   ? 'z'
         : Attributes.hasAttribute(Attribute::SExt) ? 's'
                                                    : '-');
}

std::string heddle::formName(const Function &F) {
  assert(hasTypeOfForm(F) && "has no nested form");
  std::string Text;
  raw_string_ostream OS(Text);
  const AttributeList Attributes = F.getAttributes();
  print(*F.getReturnType(), Attributes.getRetAttrs(), OS);
  for (const Argument &A : F.args())
    print(*A.getType(), Attributes.getParamAttrs(A.getArgNo()), OS);
  return ("__heddle_nested_" + Twine(form::Version) + "_" +
          utohexstr(xxh3_64bits(Text), /*LowerCase=*/true, /*Width=*/16) + "_" +
          F.getName())
      .str();
}

StructType *heddle::formType(LLVMContext &Context) {
  auto *Pointer = PointerType::get(Context, 0);
  return StructType::get(Pointer, Pointer);
}
