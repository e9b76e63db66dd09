/*===- hostcache.h - The probe's result on disk -----------------------------===
 *
 * One small text file a host, named after a hash of the processor's name and
 * cache sizes, which it repeats inside. A file of another version or host, or
 * one that is damaged, counts as absent and is replaced by the next probe.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_HOSTCACHE_H
#define HEDDLE_RUNTIME_HOST_HOSTCACHE_H

#include "heddle/heddle.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The processor's name and the sizes of its caches, on one line. */
void heddle_host_name(char *name, size_t size);

/* Whether `text` holds a sound probe of the host `name`. */
bool heddle_parse_host(const char *text, const char *name,
                       struct heddle_host *host);

/* The contents of the file. Returns their length, or 0 if `size` is too small.
 */
size_t heddle_format_host(char *text, size_t size, const char *name,
                          const struct heddle_host *host);

/* Reads this host's file. */
bool heddle_load_host(struct heddle_host *host);

/* Writes this host's file, making its directory. False with errno set. */
bool heddle_save_host(const struct heddle_host *host);

#ifdef __cplusplus
}
#endif

#endif
