/*===- clock.c - How fast the time stamp counter runs ---------------------===*/

#include "host/clock.h"

static uint64_t origin_ticks;
static uint64_t origin_nanoseconds;
static uint64_t calibrated; /* ticks per microsecond, 0 while unknown */

void heddle_clock_start(void) {
  origin_ticks = heddle_clock_ticks();
  origin_nanoseconds = heddle_clock_nanoseconds();
}

uint64_t heddle_clock_ticks_per_microsecond(void) {
#if defined(__x86_64__) || defined(__i386__)
  uint64_t rate = __atomic_load_n(&calibrated, __ATOMIC_RELAXED);
  if (rate)
    return rate;
  uint64_t nanoseconds = heddle_clock_nanoseconds() - origin_nanoseconds;
  if (nanoseconds < 1000000)
    return 2500;
  uint64_t ticks = heddle_clock_ticks() - origin_ticks;
  rate = (uint64_t)((double)ticks * 1000.0 / (double)nanoseconds);
  if (rate < 100)
    rate = 100;
  __atomic_store_n(&calibrated, rate, __ATOMIC_RELAXED);
  return rate;
#else
  (void)origin_ticks;
  (void)calibrated;
  return 1000;
#endif
}
