//===- AdvisePass.cpp - Name the loops that wait for memory ---------------===//

#include "advise/AdvisePass.h"
#include "advise/Report.h"
#include "check/CheckPass.h"
#include "loop/BoundedOption.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace heddle;

cl::opt<bool>
    heddle::AdviseLoops(freeName("heddle-advise"), cl::init(false),
                        cl::desc("Name loops that would gain by a directive"));

bool heddle::givesAdvice() { return AdviseLoops && !CheckLoops; }

/// Says that advice has been given.
static constexpr char AdvisedMetadata[] = "heddle.advised";

static const Trials *Building = nullptr;

const Trials *Trials::building() { return Building; }

ModulePassManager Trials::build(PassBuilder &PB, OptimizationLevel Level) {
  assert(!Building && "a trial has no trial");
  Building = this;
  ModulePassManager Pipeline = PB.buildPerModuleDefaultPipeline(Level);
  Building = nullptr;
  return Pipeline;
}

namespace {

/// Keeps what the passes say of the copy to itself: they say it again of the
/// module.
struct Silence : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return false; }
};

} // namespace

/// Returns a copy of \p M in \p Context.
static std::unique_ptr<Module> copyInto(LLVMContext &Context, const Module &M) {
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Out(Bitcode);
  WriteBitcodeToFile(M, Out);
  Expected<std::unique_ptr<Module>> Copy = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()),
                      M.getModuleIdentifier()),
      Context);
  if (Copy)
    return std::move(*Copy);
  M.getContext().emitError("-fheddle-advise: " + toString(Copy.takeError()));
  return nullptr;
}

PreservedAnalyses AdvisePass::run(Module &M, ModuleAnalysisManager &AM) {
  // The pass may be in the pipeline twice, see PassPlugin.cpp.
  if (M.getNamedMetadata(AdvisedMetadata))
    return PreservedAnalyses::all();
  M.getOrInsertNamedMetadata(AdvisedMetadata);
  if (!Pipeline) {
    reportOptimizationOff(M);
    return PreservedAnalyses::all();
  }
  LLVMContext Context;
  Context.setDiscardValueNames(M.getContext().shouldDiscardValueNames());
  Context.setDiagnosticHandler(std::make_unique<Silence>());
  if (std::unique_ptr<Module> Copy = copyInto(Context, M)) {
    Pipeline->run(*Copy, AM);
    AM.clear(*Copy, Copy->getName());
    reportAdvice(M, rank(Notes->take()));
  }
  return PreservedAnalyses::all();
}
