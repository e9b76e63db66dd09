//===- Register.cpp - Where the passes enter the pipeline -----------------===//

#include "async/Register.h"
#include "async/AsyncMark.h"
#include "async/AsyncSplit.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

void heddle::registerAsyncPasses(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(AsyncMarkPass(Level != OptimizationLevel::O0));
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          FPM.addPass(AsyncSplitPass());
      });
  // ThinLTO vectorises when it links, where the plugin is not loaded.
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM,
                                         OptimizationLevel Level,
                                         ThinOrFullLTOPhase Phase) {
    if (Phase == ThinOrFullLTOPhase::ThinLTOPreLink &&
        Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(AsyncSplitPass()));
  });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "heddle-async-mark")
          return false;
        MPM.addPass(AsyncMarkPass(/*Optimizing=*/true));
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "heddle-async-split")
          return false;
        FPM.addPass(AsyncSplitPass());
        return true;
      });
}
