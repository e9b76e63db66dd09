//===- Register.cpp - Where the passes enter the pipeline -----------------===//

#include "Register.h"
#include "advise/AdvisePass.h"
#include "advise/Candidates.h"
#include "advise/JudgeLoops.h"
#include "async/AsyncSplit.h"
#include "check/CheckPass.h"
#include "elsewhere/EmitForms.h"
#include "far/FarLower.h"
#include "inline/GuardTargets.h"
#include "inline/InlineCallees.h"
#include "inline/OrderedCallees.h"
#include "link/LinkTime.h"
#include "loop/Tunables.h"
#include "mark/AsyncMark.h"
#include "mark/KeepRolled.h"
#include "nest/NestedCalls.h"
#include "plugin/PluginFiles.h"
#include "pull/PullPass.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;
using namespace heddle;

/// The names of the passes in `opt -passes=`.
static void registerNames(PassBuilder &PB,
                          const std::shared_ptr<Outcomes> &LoopOutcomes) {
  PB.registerPipelineParsingCallback(
      [LoopOutcomes](StringRef Name, ModulePassManager &MPM,
                     ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "heddle-async-mark")
          MPM.addPass(AsyncMarkPass(/*Optimizing=*/true, LoopOutcomes));
        else if (Name == "heddle-check")
          MPM.addPass(CheckPass());
        else if (Name == "heddle-emit-forms")
          MPM.addPass(EmitFormsPass());
        else if (Name == "heddle-guard-targets")
          MPM.addPass(GuardTargetsPass());
        else if (Name == "heddle-nested-calls")
          MPM.addPass(NestedCallsPass(/*MayCallForms=*/true));
        else
          return false;
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, LoopPassManager &LPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "heddle-keep-rolled")
          return false;
        LPM.addPass(KeepRolledPass());
        return true;
      });
  PB.registerPipelineParsingCallback(
      [LoopOutcomes](StringRef Name, FunctionPassManager &FPM,
                     ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "heddle-pull")
          FPM.addPass(PullPass(LoopOutcomes));
        else if (Name == "heddle-async-split")
          FPM.addPass(AsyncSplitPass(LoopOutcomes));
        else if (Name == "heddle-far-lower")
          FPM.addPass(FarLowerPass());
        else
          return false;
        return true;
      });
}

/// The library with the copy of the passes that was loaded before this one, or
/// nothing: its options have the names.
static StringRef firstCopy() {
  cl::Option *Named = cl::getRegisteredOptions().lookup("heddle-requests");
  return Named == &tunable::Requests ? "" : libraryOf(Named);
}

std::string heddle::secondCopyError() {
  StringRef First = firstCopy();
  return First.empty() ? ""
                       : ("two copies of Heddle are loaded, '" + First +
                          "' and '" + pluginFile() + "': load one")
                             .str();
}

namespace {

class SecondCopyPass : public PassInfoMixin<SecondCopyPass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    M.getContext().emitError(secondCopyError());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

/// What comes first in the pipeline, or in that of a trial.
static void registerStart(PassBuilder &PB,
                          const std::shared_ptr<Outcomes> &LoopOutcomes,
                          const std::shared_ptr<Trials> &Notes) {
  PB.registerPipelineStartEPCallback([&PB, LoopOutcomes,
                                      Notes](ModulePassManager &MPM,
                                             OptimizationLevel Level) {
    if (const Trials *Trial = Trials::building()) {
      if (Trial == Notes.get()) {
        MPM.addPass(MarkCandidatesPass());
        MPM.addPass(GuardTargetsPass());
        MPM.addPass(InlineCalleesPass());
      }
      return;
    }
    if (givesAdvice())
      MPM.addPass(AdvisePass(Notes, Level == OptimizationLevel::O0
                                        ? nullptr
                                        : std::make_unique<ModulePassManager>(
                                              Notes->build(PB, Level))));
    if (CheckLoops)
      MPM.addPass(CheckPass());
    MPM.addPass(AsyncMarkPass(Level != OptimizationLevel::O0, LoopOutcomes));
    if (Level == OptimizationLevel::O0)
      return;
    MPM.addPass(GuardTargetsPass());
    MPM.addPass(InlineCalleesPass());
  });
}

static bool isBeforeLink(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::ThinLTOPreLink ||
         Phase == ThinOrFullLTOPhase::FullLTOPreLink;
}

/// What follows for loops that have been left for the link.
static void registerLink(PassBuilder &PB,
                         const std::shared_ptr<Outcomes> &LoopOutcomes) {
  // ThinLTO goes through the pipeline of one file again.
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level,
         ThinOrFullLTOPhase Phase) {
        if (Phase != ThinOrFullLTOPhase::ThinLTOPostLink ||
            Level == OptimizationLevel::O0)
          return;
        ModulePassManager Passes;
        Passes.addPass(GuardTargetsPass());
        Passes.addPass(InlineCalleesPass());
        MPM.addPass(GoOnAtLinkPass(std::move(Passes)));
      });
  // The pipeline of the whole program has no place for AsyncSplit.
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [&PB, LoopOutcomes](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O0)
          return;
        ModulePassManager Passes;
        Passes.addPass(GuardTargetsPass());
        Passes.addPass(InlineCalleesPass());
        Passes.addPass(PB.buildInlinerPipeline(
            Level, ThinOrFullLTOPhase::FullLTOPostLink));
        Passes.addPass(NestedCallsPass());
        Passes.addPass(
            createModuleToFunctionPassAdaptor(AsyncSplitPass(LoopOutcomes)));
        Passes.addPass(AsyncReportPass(LoopOutcomes));
        MPM.addPass(GoOnAtLinkPass(std::move(Passes)));
      });
}

void heddle::registerAsyncPasses(PassBuilder &PB) {
  if (StringRef First = firstCopy(); !First.empty()) {
    if (sys::path::parent_path(First) != sys::path::parent_path(pluginFile()))
      PB.registerPipelineStartEPCallback(
          [](ModulePassManager &MPM, OptimizationLevel) {
            MPM.addPass(SecondCopyPass());
          });
    return;
  }
  auto LoopOutcomes = std::make_shared<Outcomes>();
  auto Notes = std::make_shared<Trials>();
  registerStart(PB, LoopOutcomes, Notes);
  registerLink(PB, LoopOutcomes);
  PB.registerCGSCCOptimizerLateEPCallback(
      [](CGSCCPassManager &CGPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          CGPM.addPass(OrderedCalleesPass());
      });
  PB.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &LPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          LPM.addPass(KeepRolledPass());
      });
  PB.registerVectorizerStartEPCallback(
      [LoopOutcomes, Notes](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O0)
          return;
        if (const Trials *Trial = Trials::building()) {
          if (Trial == Notes.get())
            FPM.addPass(JudgeLoopsPass(Notes));
          return;
        }
        FPM.addPass(PullPass(LoopOutcomes));
        FPM.addPass(AsyncSplitPass(LoopOutcomes));
        FPM.addPass(FarLowerPass());
      });
  // Before the first function has its far accesses lowered. ThinLTO vectorises
  // when it links, where the plugin is not loaded.
  PB.registerOptimizerEarlyEPCallback([LoopOutcomes](ModulePassManager &MPM,
                                                     OptimizationLevel Level,
                                                     ThinOrFullLTOPhase Phase) {
    if (Level == OptimizationLevel::O0)
      return;
    if (isBeforeLink(Phase) && !Trials::building())
      MPM.addPass(LeaveForLinkPass(LoopOutcomes));
    else
      MPM.addPass(GoOnAtLinkPass(ModulePassManager()));
    const bool IsOneFile = Phase == ThinOrFullLTOPhase::None;
    if (IsOneFile && !Trials::building())
      MPM.addPass(EmitFormsPass());
    MPM.addPass(NestedCallsPass(/*MayCallForms=*/IsOneFile && !CheckLoops));
    if (Phase == ThinOrFullLTOPhase::ThinLTOPreLink) {
      MPM.addPass(createModuleToFunctionPassAdaptor(PullPass(LoopOutcomes)));
      MPM.addPass(
          createModuleToFunctionPassAdaptor(AsyncSplitPass(LoopOutcomes)));
    }
  });
  PB.registerOptimizerLastEPCallback([LoopOutcomes](ModulePassManager &MPM,
                                                    OptimizationLevel,
                                                    ThinOrFullLTOPhase Phase) {
    if (Trials::building())
      return;
    MPM.addPass(createModuleToFunctionPassAdaptor(FarLowerPass()));
    MPM.addPass(AsyncReportPass(LoopOutcomes));
    if (isBeforeLink(Phase))
      MPM.addPass(DefineMarkerPass());
  });
  registerNames(PB, LoopOutcomes);
}
