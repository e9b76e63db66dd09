// tasks(auto) without a probe, with one made on request, with one from the
// cache, with a damaged one, and as the user says.
//
// RUN: rm -rf %t.cache
// RUN: %plain_clang %s %runtime -o %t
// RUN: env XDG_CACHE_HOME=%t.cache %t | FileCheck %s --check-prefix=USUAL
// RUN: not ls %t.cache
// RUN: env XDG_CACHE_HOME=%t.cache HEDDLE_PROBE=1 %t | FileCheck %s --check-prefix=PROBED
// RUN: grep 'heddle-probe 1' %t.cache/heddle/*.probe
// RUN: sed -i 's/^lockstep_tasks: .*/lockstep_tasks: 57/' %t.cache/heddle/*.probe
// RUN: env XDG_CACHE_HOME=%t.cache %t | FileCheck %s --check-prefix=CACHED
// RUN: env XDG_CACHE_HOME=%t.cache HEDDLE_PROBE=1 %t | FileCheck %s --check-prefix=CACHED
// RUN: sed -i 's/^end//' %t.cache/heddle/*.probe
// RUN: env XDG_CACHE_HOME=%t.cache %t | FileCheck %s --check-prefix=USUAL
// RUN: env -u XDG_CACHE_HOME -u HOME %t | FileCheck %s --check-prefix=USUAL
// RUN: env HEDDLE_TASKS=12 %t | FileCheck %s --check-prefix=SET
// RUN: env HEDDLE_TASKS=no XDG_CACHE_HOME=%t.none %t 2>&1 | FileCheck %s --check-prefix=BAD

// USUAL: lockstep 48 fifo 24
// PROBED: lockstep {{[1-9][0-9]*}} fifo {{[1-9][0-9]*}}
// CACHED: lockstep 57 fifo
// SET: lockstep 12 fifo 12
// BAD: heddle: warning: HEDDLE_TASKS='no' ignored: expected a number from 1 to 65536
// BAD: lockstep 48 fifo 24

#include "heddle/heddle.h"

#include <stdio.h>

int main(void) {
  printf("lockstep %u fifo %u\n",
         heddle_default_tasks(HEDDLE_SCHEDULE_LOCKSTEP),
         heddle_default_tasks(HEDDLE_SCHEDULE_FIFO));
}
