/*===- hostcache.c - Name, find, read and write the probe's file ----------===*/

#include "host/hostcache.h"

#include "host/environment.h"
#include "host/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum { NameBytes = 256, TextBytes = 1024, MostTasks = 65536 };

/*===- The name of the host ----------------------------------------------===*/

/* The first "model name" of /proc/cpuinfo; elsewhere the machine's type is all
 * that there is. */
static void processor_name(char *name, size_t size) {
#if defined(__aarch64__)
  snprintf(name, size, "aarch64");
#elif defined(__riscv)
  snprintf(name, size, "riscv");
#else
  snprintf(name, size, "unknown");
#endif
  FILE *stream = fopen("/proc/cpuinfo", "re");
  if (!stream)
    return;
  char line[512];
  while (fgets(line, sizeof line, stream)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !colon)
      continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    break;
  }
  fclose(stream);
}

static long cache_bytes(int which) {
  long bytes = sysconf(which);
  return bytes > 0 ? bytes : 0;
}

void heddle_host_name(char *name, size_t size) {
  char processor[NameBytes / 2];
  processor_name(processor, sizeof processor);
  long caches[3] = {0, 0, 0};
#ifdef _SC_LEVEL1_DCACHE_SIZE
  caches[0] = cache_bytes(_SC_LEVEL1_DCACHE_SIZE);
  caches[1] = cache_bytes(_SC_LEVEL2_CACHE_SIZE);
  caches[2] = cache_bytes(_SC_LEVEL3_CACHE_SIZE);
#endif
  snprintf(name, size, "%s, caches %ld %ld %ld", processor, caches[0],
           caches[1], caches[2]);
}

/*===- The path of the file ----------------------------------------------===*/

/* FNV-1a. */
static uint64_t hash(const char *text) {
  uint64_t value = 0xcbf29ce484222325u;
  for (; *text; ++text)
    value = (value ^ (unsigned char)*text) * 0x100000001b3u;
  return value;
}

HEDDLE_API int heddle_probe_path(char *path, size_t size) {
  /* The XDG specification has relative paths ignored. */
  const char *cache = heddle_environment("XDG_CACHE_HOME"), *below = "";
  if (!cache || *cache != '/') {
    cache = heddle_environment("HOME");
    below = "/.cache";
  }
  if (!cache || *cache != '/') {
    errno = ENOENT;
    return -1;
  }
  char name[NameBytes];
  heddle_host_name(name, sizeof name);
  int length = snprintf(path, size, "%s%s/heddle/%016llx.probe", cache, below,
                        (unsigned long long)hash(name));
  if (length < 0 || (size_t)length >= size) {
    errno = ERANGE;
    return -1;
  }
  return 0;
}

/* Makes all directories above `path`. */
static bool make_directories(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool made = !mkdir(path, 0777) || errno == EEXIST;
    *slash = '/';
    if (!made)
      return false;
  }
  return true;
}

/*===- The format of the file --------------------------------------------===*/

static const char Format[] = "heddle-probe 1\n"
                             "host: %s\n"
                             "latency_4k: %.2f\n"
                             "latency_huge: %.2f\n"
                             "access_4k: %.2f\n"
                             "access_huge: %.2f\n"
                             "requests: %u\n"
                             "lockstep_tasks: %u\n"
                             "fifo_tasks: %u\n"
                             "huge_pages: %u\n"
                             "end\n";

size_t heddle_format_host(char *text, size_t size, const char *name,
                          const struct heddle_host *host) {
  int length =
      snprintf(text, size, Format, name, host->latency_4k, host->latency_huge,
               host->access_4k, host->access_huge, host->requests,
               host->lockstep_tasks, host->fifo_tasks, host->huge_pages);
  return length < 0 || (size_t)length >= size ? 0 : (size_t)length;
}

/* Finds "\n<label>: " and reads the number behind it, up to the line's end. */
static bool read_number(const char *text, const char *label, double least,
                        double most, double *number) {
  char start[64];
  snprintf(start, sizeof start, "\n%s: ", label);
  const char *found = strstr(text, start);
  if (!found)
    return false;
  found += strlen(start);
  char *end;
  *number = strtod(found, &end);
  return end > found && *end == '\n' && *number >= least && *number <= most;
}

static bool read_count(const char *text, const char *label, uint32_t least,
                       uint32_t most, uint32_t *count) {
  double number;
  if (!read_number(text, label, least, most, &number))
    return false;
  *count = (uint32_t)number;
  return (double)*count == number;
}

bool heddle_parse_host(const char *text, const char *name,
                       struct heddle_host *host) {
  char start[NameBytes + 64];
  int length =
      snprintf(start, sizeof start, "heddle-probe 1\nhost: %s\n", name);
  size_t size = strlen(text);
  if (strncmp(text, start, (size_t)length) || size < 5 ||
      strcmp(text + size - 5, "\nend\n"))
    return false;
  const double longest = 1e6; /* ns */
  struct heddle_host read;
  if (!read_number(text, "latency_4k", 0.1, longest, &read.latency_4k) ||
      !read_number(text, "latency_huge", 0.1, longest, &read.latency_huge) ||
      !read_number(text, "access_4k", 0.01, longest, &read.access_4k) ||
      !read_number(text, "access_huge", 0.01, longest, &read.access_huge) ||
      !read_count(text, "requests", 1, MostTasks, &read.requests) ||
      !read_count(text, "lockstep_tasks", 1, MostTasks, &read.lockstep_tasks) ||
      !read_count(text, "fifo_tasks", 1, MostTasks, &read.fifo_tasks) ||
      !read_count(text, "huge_pages", 0, 1, &read.huge_pages))
    return false;
  *host = read;
  return true;
}

bool heddle_load_host(struct heddle_host *host) {
  char path[PATH_MAX], name[NameBytes];
  if (heddle_probe_path(path, sizeof path))
    return false;
  size_t size;
  char *text = heddle_read_file(path, &size);
  if (!text)
    return false;
  heddle_host_name(name, sizeof name);
  bool sound = heddle_parse_host(text, name, host);
  free(text);
  return sound;
}

bool heddle_save_host(const struct heddle_host *host) {
  char path[PATH_MAX], name[NameBytes], text[TextBytes];
  if (heddle_probe_path(path, sizeof path) || !make_directories(path))
    return false;
  heddle_host_name(name, sizeof name);
  size_t size = heddle_format_host(text, sizeof text, name, host);
  return heddle_replace_file(path, text, size);
}
