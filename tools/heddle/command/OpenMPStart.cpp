//===- OpenMPStart.cpp - What dead processes left to OpenMP --------------===//

#include "command/OpenMPStart.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

void heddle::removeStaleRegistration() {
  // __kmp_register_library_startup() in openmp/runtime/src/kmp_runtime.cpp: in
  // shared memory, or where there is none, in /tmp.
  const std::string name =
      fmt::format("/__KMP_REGISTERED_LIB_{}_{}", getpid(), getuid());
  shm_unlink(name.c_str());
  unlink(("/tmp" + name).c_str());
}
