/*===- clock.h - The time -------------------------------------------------===
 *
 * Apart from what asks for it, so that a test may have its own.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_SUPPORT_CLOCK_H
#define HEDDLE_RUNTIME_FAR_SUPPORT_CLOCK_H

/* Seconds since some moment, never fewer than before. */
double heddle_far_seconds(void);

#endif
