// Libraries with a runtime of their own that are unloaded before the threads
// end that have used it, and that are loaded more often than there are free
// keys of threads.
//
// REQUIRES: plugin
// RUN: %plain_clang -DMAIN %s -o %t
// RUN: %heddle_clang -O1 -fPIC -shared %s -o %t.so
// RUN: %t %t.so 20 | FileCheck %s
// RUN: %heddle_clang -fheddle-check -O1 -fPIC -shared %s -o %t.check.so
// RUN: %t %t.check.so 20 | FileCheck %s
// RUN: head -c 1M /dev/zero > %t.table
// RUN: %heddle_clang -O1 -fPIC -shared -DTABLE='"%t.table"' %s %far_runtime -o %t.far.so
// RUN: env HEDDLE_FAR_CACHE=1M %t %t.far.so 1 | FileCheck %s
// CHECK: unloaded, ended, a key is left

#ifdef MAIN
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static void (*run)(void);

static void *run_in_thread(void *unused) {
  run();
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void *load(const char *name) {
  void *library = dlopen(name, RTLD_NOW);
  run = library ? (void (*)(void))dlsym(library, "run") : NULL;
  if (!run) {
    puts(dlerror());
    exit(1);
  }
  return library;
}

static void leave_few_keys(void) {
  enum { Few = 4 };
  pthread_key_t keys[Few];
  unsigned made = 0;
  while (pthread_key_create(&keys[made % Few], NULL) == 0)
    ++made;
  for (unsigned i = 0; i < Few; ++i)
    pthread_key_delete(keys[i]);
}

int main(int argc, char **argv) {
  pthread_t thread;
  void *library = load(argv[argc - 2]);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, run_in_thread, NULL);
  pthread_barrier_wait(&barrier);
  dlclose(library);
  if (!dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD))
    printf("unloaded, ");
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  printf("ended, ");
  leave_few_keys();
  for (int times = atoi(argv[2]); times > 0; --times) {
    library = load(argv[1]);
    run();
    dlclose(library);
  }
  pthread_key_t key;
  if (pthread_key_create(&key, NULL) == 0)
    printf("a key is left\n");
  return 0;
}
#else
#include <stdlib.h>

enum { Count = 4096, Size = 1 << 18 };
unsigned sums[Count];

#ifdef TABLE
#include "heddle/far.h"

void run(void) {
  heddle_far unsigned *table =
      (heddle_far unsigned *)heddle_far_open(TABLE, HEDDLE_FAR_READ, 0);
  if (!table)
    exit(1);
#pragma heddle async
  for (unsigned i = 0; i < Count; ++i)
    sums[i] = table[i * 7919 % Size];
  heddle_far_close(table);
}
#else
static unsigned numbers[Count];
unsigned *links = numbers;

void run(void) {
#pragma heddle async
  for (unsigned i = 0; i < Count; ++i)
    sums[i] = links[links[i]];
}
#endif
#endif
