// A transformed loop in a shared object that is unloaded before the report is
// written: with the program's copy of the runtime, and with one of its own.
//
// RUN: %plain_clang -DLIBRARY -I%source_root/runtime -fPIC -shared %s -o %t.shared.so
// RUN: %plain_clang -rdynamic %s %runtime -o %t.shared
// RUN: env HEDDLE_STATS=1 %t.shared %t.shared.so 2>&1 | FileCheck %s --check-prefixes=CHECK,SHARED
//
// RUN: %plain_clang -DLIBRARY -I%source_root/runtime -fPIC -shared %s %runtime -o %t.own.so
// RUN: %plain_clang %s -o %t.own
// RUN: env HEDDLE_STATS=1 %t.own %t.own.so 2>&1 | FileCheck %s --check-prefixes=CHECK,OWN

// SHARED: unloaded
// CHECK: library.c:5 loop {{.*}} 3000 2000
// OWN: unloaded
// SHARED-NOT: library.c

#ifdef LIBRARY
#include "tuner/site.h"

static heddle_site site = {.file = "library.c",
                           .function = "loop",
                           .line = 5,
                           .versions = 1u << HEDDLE_SERIAL | 1u << HEDDLE_FIFO,
                           .default_version = HEDDLE_FIFO,
                           .fixed_tasks = 8,
                           .max_tasks = 8};

void run(void) {
  // Three chunks, the last as of a plan for the serial version.
  for (unsigned chunk = 0; chunk < 3; ++chunk) {
    heddle_plan plan;
    heddle_site_begin(&site, 1000, &plan);
    plan.version = chunk < 2 ? HEDDLE_FIFO : HEDDLE_SERIAL;
    heddle_site_end(&site, &plan, 1000, 1000, 0);
  }
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) {
    puts(argc == 2 ? dlerror() : "usage: unload LIBRARY");
    return 1;
  }
  void (*run)(void) = (void (*)(void))dlsym(library, "run");
  run();
  dlclose(library);
  fputs("unloaded\n", stderr);
  return 0;
}
#endif
