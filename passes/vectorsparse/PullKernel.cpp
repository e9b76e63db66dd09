//===- PullKernel.cpp - An inner loop over edges as vector code -----------===//

#include "vectorsparse/PullKernel.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "vectorsparse/PullBody.h"
#include "vectorsparse/ScalarOperations.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;
using namespace heddle;
namespace arith = mlir::arith;
namespace LLVMIR = mlir::LLVM;

namespace {

/// Writes the function around a heddle.pull: from pointers to memrefs.
class KernelBuilder {
  const PullLoop &Loop;
  PullBody &Body;
  mlir::ImplicitLocOpBuilder B;
  mlir::LLVMTypeConverter Types;
  mlir::Type Pointer = LLVMIR::LLVMPointerType::get(B.getContext());
  mlir::Type Element;

public:
  KernelBuilder(mlir::ModuleOp Module, const PullLoop &Loop, PullBody &Body)
      : Loop(Loop), Body(Body),
        B(Module.getLoc(), mlir::OpBuilder::atBlockEnd(Module.getBody())),
        Types(Module.getContext()),
        Element(scalarType(*B.getContext(), Loop.Accumulator->getType())) {}

  /// Returns the invariants in the order of the function's parameters.
  SmallVector<Value *> build(StringRef Name) {
    SmallVector<Value *> Invariants = invariants();
    auto F = LLVMIR::LLVMFuncOp::create(B, Name, functionType(Invariants));
    B.setInsertionPointToStart(F.addEntryBlock(B));
    auto Parameters = F.getArguments();
    mlir::Value Edges = rows(Parameters[0], B.getIntegerType(Loop.LaneBits));
    mlir::Value Lo = cast(Parameters[1], B.getIndexType());
    mlir::Value Hi = cast(Parameters[2], B.getIndexType());
    mlir::Value Weights;
    if (Loop.Weight)
      Weights = rows(Parameters[3],
                     scalarType(*B.getContext(), Loop.Weight->getType()));
    unsigned First = Loop.Weight ? 4 : 3;
    mlir::Value Init = Parameters[First];
    SmallVector<mlir::Value> Captures;
    for (const PullCapture &C : Body.Captures) {
      const auto *Place = find(Invariants, C.Invariant);
      assert(Place != Invariants.end() && "collected from the captures");
      Captures.push_back(
          capture(C, Parameters[First + 1 + (Place - Invariants.begin())]));
    }
    mlir::Value Start = Init;
    if (Body.IgnoresNaN)
      Start = arith::ConstantOp::create(
          B, identityOf(Body.Kind, Element, Body.FastMath));
    auto Pull = PullOp::create(B, Element, Body.Kind, Body.FastMath, Edges, Lo,
                               Hi, Weights, /*frontier=*/{}, Start, Captures);
    Pull.getBody().push_back(Body.Block.release());
    LLVMIR::ReturnOp::create(B, Body.IgnoresNaN
                                    ? better(Pull.getResult(), Init)
                                    : mlir::Value(Pull.getResult()));
    return Invariants;
  }

private:
  SmallVector<Value *> invariants() const {
    SmallSetVector<Value *, 8> Set;
    for (const PullCapture &C : Body.Captures)
      Set.insert(C.Invariant);
    return Set.takeVector();
  }

  LLVMIR::LLVMFunctionType functionType(ArrayRef<Value *> Invariants) {
    SmallVector<mlir::Type> Parameters{Pointer, B.getI64Type(), B.getI64Type()};
    if (Loop.Weight)
      Parameters.push_back(Pointer);
    Parameters.push_back(Element);
    for (Value *V : Invariants)
      Parameters.push_back(V->getType()->isPointerTy()
                               ? Pointer
                               : scalarType(*B.getContext(), V->getType()));
    return LLVMIR::LLVMFunctionType::get(Element, Parameters);
  }

  mlir::Value cast(mlir::Value V, mlir::Type To) {
    return mlir::UnrealizedConversionCastOp::create(B, To, V).getResult(0);
  }

  /// Returns the memref at \p Address. The number of its elements is never
  /// used.
  mlir::Value memref(mlir::Value Address, mlir::MemRefType Type) {
    assert(Type.getRank() > 0 && "an array");
    auto Descriptor =
        mlir::MemRefDescriptor::poison(B, B.getLoc(), Types.convertType(Type));
    Descriptor.setAllocatedPtr(B, B.getLoc(), Address);
    Descriptor.setAlignedPtr(B, B.getLoc(), Address);
    Descriptor.setConstantOffset(B, B.getLoc(), 0);
    int64_t Stride = 1;
    for (int64_t Dimension = Type.getRank() - 1; Dimension >= 0; --Dimension) {
      Descriptor.setConstantStride(B, B.getLoc(), Dimension, Stride);
      Stride *= Type.getDimSize(Dimension);
    }
    return cast(Descriptor, Type);
  }

  mlir::Value rows(mlir::Value Address, mlir::Type Scalar) {
    return memref(
        Address, mlir::MemRefType::get({mlir::ShapedType::kDynamic, Loop.Lanes},
                                       Scalar));
  }

  mlir::Value capture(const PullCapture &C, mlir::Value Parameter) {
    auto Type = dyn_cast<mlir::MemRefType>(C.Type);
    if (!Type)
      return Parameter;
    if (C.Offset)
      Parameter = LLVMIR::GEPOp::create(B, Pointer, B.getI8Type(), Parameter,
                                        ArrayRef<LLVMIR::GEPArg>(C.Offset));
    return memref(Parameter, Type);
  }

  /// \p Found, which is a number, if it is beyond \p Init, otherwise \p Init.
  mlir::Value better(mlir::Value Found, mlir::Value Init) {
    auto Predicate = Body.Kind == mlir::vector::CombiningKind::MINNUMF
                         ? arith::CmpFPredicate::OLT
                         : arith::CmpFPredicate::OGT;
    mlir::Value Beyond = arith::CmpFOp::create(B, Predicate, Found, Init);
    return arith::SelectOp::create(B, Beyond, Found, Init);
  }
};

} // namespace

static void loadDialects(mlir::MLIRContext &Context) {
  mlir::DialectRegistry Registry;
  mlir::registerBuiltinDialectTranslation(Registry);
  mlir::registerLLVMDialectTranslation(Registry);
  Context.appendDialectRegistry(Registry);
  Context.loadDialect<arith::ArithDialect, HeddleDialect, LLVMIR::LLVMDialect,
                      mlir::math::MathDialect, mlir::vector::VectorDialect>();
}

/// Copies attributes that affect code generation from \p From: the target and
/// the sanitizers above all.
static void copyTarget(const Function &From, Function &To) {
  for (Attribute A : From.getAttributes().getFnAttrs())
    if (A.isStringAttribute())
      To.addFnAttr(A);
  for (Attribute::AttrKind Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemory, Attribute::SanitizeThread})
    if (From.hasFnAttribute(Kind))
      To.addFnAttr(Kind);
}

static std::string unusedName(const Module &M) {
  std::string Name;
  for (unsigned Number = 0; Name.empty() || M.getNamedValue(Name); ++Number)
    Name = "heddle.pull." + std::to_string(Number);
  return Name;
}

Expected<PullKernel> heddle::lowerPull(Module &M, const PullLoop &Loop,
                                       const PullTarget &Target) {
  assert(Loop.Lanes && Loop.LaneBits && "a layout of edge vectors");
  assert(Loop.Accumulator->getParent() == Loop.Inner->getHeader() &&
         "a variable of the loop");
  assert(Loop.Inner->contains(Loop.Lane) &&
         (!Loop.Weight || Loop.Inner->contains(Loop.Weight)) &&
         "read for each edge");
  mlir::MLIRContext Context(mlir::MLIRContext::Threading::DISABLED);
  loadDialects(Context);
  std::string Problem;
  mlir::ScopedDiagnosticHandler Handler(
      &Context, [&](mlir::Diagnostic &D) { Problem = D.str(); });
  auto Failed = [&](const Twine &What) {
    return createStringError("cannot be turned into vector code: " +
                             (Problem.empty() ? What.str() : Problem));
  };

  Expected<PullBody> Body = mapPullBody(Context, Loop);
  if (!Body)
    return Body.takeError();
  mlir::OwningOpRef<mlir::ModuleOp> Program =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&Context));
  std::string Name = unusedName(M);
  PullKernel Kernel;
  Kernel.Invariants = KernelBuilder(*Program, Loop, *Body).build(Name);

  mlir::PassManager Passes(&Context);
  // Pointers may lead to elements that are not the first of anything.
  addPullToLLVM(Passes, {Target.Scalable, Target.NarrowestGather,
                         /*wholeArrays=*/false});
  if (mlir::failed(Passes.run(*Program)))
    return Failed("lowering failed");
  std::unique_ptr<Module> Translated =
      mlir::translateModuleToLLVMIR(*Program, M.getContext(), Name);
  if (!Translated)
    return Failed("translation failed");
  // The flags are up to the module that this one is linked into.
  if (NamedMDNode *Flags = Translated->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  Translated->setDataLayout(M.getDataLayout());
  Translated->setTargetTriple(M.getTargetTriple());
  Function *New = Translated->getFunction(Name);
  assert(New && "translated by its name");
  copyTarget(*Loop.Lane->getFunction(), *New);
  New->addFnAttr(Attribute::AlwaysInline);
  New->setDoesNotThrow();
  if (Linker::linkModules(M, std::move(Translated)))
    return Failed("linking failed");
  Kernel.Function = M.getFunction(Name);
  assert(Kernel.Function && "nothing else had its name");
  Kernel.Function->setLinkage(GlobalValue::InternalLinkage);
  return Kernel;
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT void
heddleLowerPull(Module &M, const PullLoop &Loop, const TargetTransformInfo &TTI,
                std::optional<Expected<PullKernel>> &Result) {
  Result.emplace(
      lowerPull(M, Loop, PullTarget::of(TTI, M.getContext(), Loop.Lanes)));
}
static_assert(std::is_same_v<decltype(heddleLowerPull), LowerPullFunction>);
