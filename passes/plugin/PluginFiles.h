//===- PluginFiles.h - The libraries that the passes lie in -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_PLUGIN_PLUGINFILES_H
#define HEDDLE_PASSES_PLUGIN_PLUGINFILES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace heddle {

/// The library that has \p Address, or nothing.
llvm::StringRef libraryOf(const void *Address);

/// The library that contains this code.
llvm::StringRef pluginFile();

/// HeddleVectorSparse.so beside it, which may be missing.
std::string generatorFile();

} // namespace heddle

#endif
