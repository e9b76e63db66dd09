/*===- vectors.c - The vector code of the host ----------------------------===*/

#include "host/vectors.h"
#include "host/options.h"
#include <stdatomic.h>

static uint32_t level_of_host(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("x86-64-v4"))
    return HEDDLE_VECTORS_AVX512;
  if (__builtin_cpu_supports("x86-64-v3"))
    return HEDDLE_VECTORS_AVX2;
#endif
  return HEDDLE_VECTORS_PORTABLE;
}

uint32_t heddle_vector_level(void) {
  /* The level plus one, once it is known. */
  static atomic_uint known;
  uint32_t level = atomic_load_explicit(&known, memory_order_relaxed);
  if (level == 0) {
    uint32_t host = level_of_host();
    uint32_t allowed = (uint32_t)heddle_process_options()->vectors;
    level = (host < allowed ? host : allowed) + 1;
    atomic_store_explicit(&known, level, memory_order_relaxed);
  }
  return level - 1;
}
