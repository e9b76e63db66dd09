//===- FarBackend.cpp - Which back end a module gets ----------------------===//

#include "far/FarBackend.h"
#include "far/LibraryBackend.h"

using namespace heddle;

const FarBackend &heddle::farBackendFor(const llvm::Module &M) {
  (void)M;
  static const LibraryBackend Library;
  return Library;
}
