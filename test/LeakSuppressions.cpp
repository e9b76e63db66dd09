//===- LeakSuppressions.cpp - Leaks of other libraries --------------------===//
//
// The tests change the number of threads, and the OpenMP runtime never frees
// some of what it keeps for each team.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__lsan_default_suppressions();

const char *__lsan_default_suppressions() { return "leak:libomp.so"; }
