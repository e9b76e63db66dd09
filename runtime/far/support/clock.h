/*===- clock.h - The time -------------------------------------------------===
 *
 * In a file of its own, so that a test can have another clock.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_SUPPORT_CLOCK_H
#define HEDDLE_RUNTIME_FAR_SUPPORT_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since a fixed moment. Never decreases. */
double heddle_far_seconds(void);

#ifdef __cplusplus
}
#endif

#endif
