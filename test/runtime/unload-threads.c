// Libraries with a runtime of their own that are unloaded before the threads
// end that have used it, and that are loaded more often than there are keys of
// threads.
//
// REQUIRES: plugin
// RUN: %plain_clang -DMAIN %s -o %t
// RUN: %heddle_clang -O1 -fPIC -shared %s -o %t.so
// RUN: %t %t.so 1100 | FileCheck %s
// RUN: %heddle_clang -fheddle-check -O1 -fPIC -shared %s -o %t.check.so
// RUN: %t %t.check.so 1100 | FileCheck %s
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
static unsigned links[4096], sums[4096];

void run(void) {
#pragma heddle async
  for (unsigned i = 0; i < 4096; ++i)
    sums[i] = links[links[i]];
}
#endif
