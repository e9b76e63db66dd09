/*===- clock.c - The time -------------------------------------------------===*/

#include "far/support/clock.h"

#include "host/clock.h"

double heddle_far_seconds(void) {
  return 1e-9 * (double)heddle_clock_nanoseconds();
}
