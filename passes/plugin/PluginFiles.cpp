//===- PluginFiles.cpp - The libraries that the passes lie in -------------===//

#include "plugin/PluginFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace llvm;

StringRef heddle::libraryOf(const void *Address) {
  Dl_info Info;
  return dladdr(Address, &Info) && Info.dli_fname ? Info.dli_fname : "";
}

StringRef heddle::pluginFile() {
  static const char Anchor = 0;
  return libraryOf(&Anchor);
}

std::string heddle::generatorFile() {
  SmallString<128> Path = sys::path::parent_path(pluginFile());
  sys::path::append(Path, "HeddleVectorSparse.so");
  return Path.str().str();
}
