/*===- vectors.h - The vector code of the host --------------------*- C -*-===
 *
 * Loops over edge vectors are compiled for several instruction sets where the
 * program may meet them; the function that holds one asks here which to run.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_VECTORS_H
#define HEDDLE_RUNTIME_HOST_VECTORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_vectors {
  HEDDLE_VECTORS_PORTABLE = 0, /* what the program was compiled for */
  HEDDLE_VECTORS_AVX2 = 1,     /* all of x86-64-v3 */
  HEDDLE_VECTORS_AVX512 = 2    /* all of x86-64-v4 */
};

/* Returns the best level that this host has and HEDDLE_VECTORS allows, an enum
 * heddle_vectors. Any thread; a few instructions from the second call on. */
uint32_t heddle_vector_level(void);

#ifdef __cplusplus
}
#endif

#endif
