/*===- probe.h - Measuring the host's memory ------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_PROBE_H
#define HEDDLE_RUNTIME_HOST_PROBE_H

#include "heddle/heddle.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measures `host` with buffers of `bytes`, a power of two. False with errno set
 * if memory is short. */
bool heddle_measure_host(struct heddle_host *host, size_t bytes);

/* Fills in the tasks of each schedule from the times measured. */
void heddle_derive_tasks(struct heddle_host *host);

#ifdef __cplusplus
}
#endif

#endif
