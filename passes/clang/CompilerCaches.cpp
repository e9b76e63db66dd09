//===- CompilerCaches.cpp - What compiler caches see of Heddle ------------===//

#include "CompilerCaches.h"
#include "PreprocessedOutput.h"
#include "plugin/PluginFiles.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

/// The beginning of an empty file with the name \p Name.
static SourceLocation beginOfFileNamed(SourceManager &Sources,
                                       llvm::StringRef Name,
                                       SourceLocation IncludedFrom) {
  return Sources.getLocForStartOfFile(Sources.createFileID(
      llvm::MemoryBuffer::getMemBuffer("", Name), SrcMgr::C_User,
      /*LoadedID=*/0, /*LoadedOffset=*/0, IncludedFrom));
}

void heddle::nameLibrariesInOutput(Preprocessor &PP, PragmaHandler &Handler,
                                   SourceLocation Where) {
  PPCallbacks *Printer = PP.getPPCallbacks();
  if (!Printer)
    return;
  SourceManager &Sources = PP.getSourceManager();
  SourceLocation At = Sources.getExpansionLoc(Where);
  uint64_t Hash = 0;
  for (const std::string &Name : {pluginFile().str(), generatorFile()}) {
    auto Contents =
        llvm::MemoryBuffer::getFile(Name, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
    if (!Contents)
      continue;
    Hash = 31 * Hash + llvm::xxh3_64bits((*Contents)->getBuffer());
    SourceLocation Begin = beginOfFileNamed(Sources, Name, At);
    Printer->FileChanged(Begin, PPCallbacks::EnterFile, SrcMgr::C_User,
                         FileID());
    Printer->FileChanged(At, PPCallbacks::ExitFile,
                         Sources.getFileCharacteristic(At),
                         Sources.getFileID(Begin));
  }
  printPragma(PP, Handler, At,
              ("heddle " + LibraryPragma + " " + llvm::utohexstr(Hash)).str());
}
