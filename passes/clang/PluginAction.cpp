//===- PluginAction.cpp - From the front end to the passes ----------------===//
//
// Clang runs this action in addition to its own when the plugin is loaded. It
// adds the passes to the pipeline, so that `-fplugin=` is all that a user
// needs.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ModuleRemarks.h"
#include "Register.h"
#include "advise/AdvisePass.h"
#include "advise/Candidates.h"
#include "check/CheckPass.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace clang;

namespace {

/// Ends a Clang of another version when it loads the plugin, which would call
/// functions and read objects that have changed. At its regular end, Clang
/// would call destructors of both versions.
struct HostCheck {
  HostCheck() {
    const std::string Host = getClangFullVersion();
    if (llvm::StringRef(Host).contains(
            "clang version " CLANG_VERSION_MAJOR_STRING "."))
      return;
    llvm::errs() << "error: HeddlePlugin.so is for Clang "
                 << CLANG_VERSION_MAJOR_STRING << ", and this is " << Host
                 << '\n';
    _exit(1);
  }
} const Check;

/// The folders whose headers nobody annotates.
std::vector<std::string> systemFolders(CompilerInstance &Compiler) {
  std::vector<std::string> Folders;
  const HeaderSearch &Headers =
      Compiler.getPreprocessor().getHeaderSearchInfo();
  for (auto Folder = Headers.system_dir_begin();
       Folder != Headers.system_dir_end(); ++Folder)
    Folders.push_back((Folder->getName() + "/").str());
  return Folders;
}

/// Acts behind the parser, in front of the passes.
class HeddleConsumer : public ASTConsumer {
  CompilerInstance &Compiler;

public:
  explicit HeddleConsumer(CompilerInstance &Compiler) : Compiler(Compiler) {}

  void HandleTranslationUnit(ASTContext &) override {
    heddle::showRemarksInModules(Compiler);
  }
};

class HeddleAction : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 llvm::StringRef) override {
    if (std::string Error = heddle::secondCopyError(); !Error.empty()) {
      DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
      Diagnostics.Report(heddle::diagnostic::textId(
          Diagnostics, heddle::diagnostic::SecondCopy))
          << Error;
      // The two take each other's attributes for written by hand.
      Diagnostics.setSuppressAllDiagnostics(true);
      return std::make_unique<ASTConsumer>();
    }
    CodeGenOptions &Options = Compiler.getCodeGenOpts();
    Options.PassBuilderCallbacks.push_back(heddle::registerAsyncPasses);
    // Findings name variables and fields.
    if (heddle::CheckLoops)
      Options.setDebugInfo(std::max(Options.getDebugInfo(),
                                    llvm::codegenoptions::FullDebugInfo));
    // Reports at compile time and at run time name the line of a loop. As for
    // -Rpass, the lines do not reach the object file.
    if (Options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
      Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
    if (heddle::givesAdvice())
      heddle::SystemFolders = systemFolders(Compiler);
    // Headers tell the compiler more if it is one that listens.
    Preprocessor &PP = Compiler.getPreprocessor();
    PP.setPredefines(PP.getPredefines() + "#define __HEDDLE__ 1\n");
    return std::make_unique<HeddleConsumer>(Compiler);
  }

  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
    bool AllKnown = true;
    for (const std::string &Argument : Arguments) {
      if (Argument == "check") {
        heddle::CheckLoops = true;
        continue;
      }
      if (Argument == "advise") {
        heddle::AdviseLoops = true;
        continue;
      }
      AllKnown = false;
      Diagnostics.Report(heddle::diagnostic::textId(
          Diagnostics, heddle::diagnostic::UnknownPluginArgument))
          << Argument;
    }
    return AllKnown;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<HeddleAction>
    Registration("HeddlePlugin", "compiles the directives of Heddle");

} // namespace
