/*===- thread.c - Resources released when a thread ends -------------------===*/

#include "far/support/thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static __thread void (*own[HeddleFarBelongings])(void);
static pthread_key_t own_key;

static void leave_all(void *joined) {
  (void)joined;
  for (unsigned i = 0; i < HeddleFarBelongings; ++i)
    if (own[i])
      own[i]();
}

static bool has_key;

static void create_key(void) {
  has_key = pthread_key_create(&own_key, leave_all) == 0;
}

/* The code may be unloaded before its threads end. */
__attribute__((destructor)) static void delete_key(void) {
  if (has_key)
    pthread_key_delete(own_key);
}

void heddle_far_at_thread_end(enum heddle_far_belonging belonging,
                              void (*leave)(void)) {
  assert(belonging < HeddleFarBelongings && leave);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_key);
  own[belonging] = leave;
  pthread_setspecific(own_key, own);
}
