/*===- clock.h - The time source of the runtime -----------------------------===
 *
 * Chunks of a loop last tens of microseconds, so a time stamp has to cost
 * nanoseconds: the constant-rate time stamp counter on x86, the monotonic
 * clock in nanoseconds elsewhere. A time stamp is never zero.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_CLOCK_H
#define HEDDLE_RUNTIME_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

static inline uint64_t heddle_clock_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t heddle_clock_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __rdtsc();
#else
  return heddle_clock_nanoseconds();
#endif
}

/* Ticks in a microsecond. Exact once the process has run for a millisecond
 * after heddle_clock_start; a typical rate before that. Any thread. */
uint64_t heddle_clock_ticks_per_microsecond(void);

/* Sets the origin of the calibration. Call once, before other threads ask. */
void heddle_clock_start(void);

#endif
