/*===- probe.h - Measuring the host's memory ------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_PROBE_H
#define HEDDLE_RUNTIME_HOST_PROBE_H

#include "heddle/heddle.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tasks of tasks(auto) on a host that was never probed, and in a program
 * that is linked without the runtime. */
#define HEDDLE_LOCKSTEP_TASKS 48
#define HEDDLE_FIFO_TASKS 24

/* The number of tasks with which loops over far memory start, before they
 * adapt. */
#define HEDDLE_FAR_TASKS 64

/* Measures `host` with buffers of `bytes`, a power of two. False with errno set
 * if memory is short. */
bool heddle_measure_host(struct heddle_host *host, size_t bytes);

/* Fills in the tasks of each schedule from the times measured. */
void heddle_derive_tasks(struct heddle_host *host);

#ifdef __cplusplus
}
#endif

#endif
