/*===- rows.c - JSON files that the processes of a run share --------------===*/

#include "host/rows.h"

#include "host/environment.h"
#include "host/files.h"
#include "host/messages.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*===- Runs --------------------------------------------------------------===*/

/* The process that loaded the program; its forks have the same. */
static long loader;

__attribute__((constructor)) static void note_loader(void) {
  loader = getpid();
}

/* A file of a process in /proc; NULL if it may not be read. */
static char *read_of_process(long process, const char *name, size_t *size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/%s", process, name);
  return heddle_read_file(path, size);
}

/* Reads the parent of a process and the time of its start, which together with
 * its number no other process has. */
static bool read_process(long process, long *parent,
                         unsigned long long *start) {
  size_t size;
  char *text = read_of_process(process, "stat", &size);
  const char *rest = text ? strrchr(text, ')') : NULL; /* behind the name */
  const bool is_read =
      rest && sscanf(rest,
                     ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
                     "%*d %*d %*d %*d %*d %*d %llu",
                     parent, start) == 2;
  free(text);
  return is_read;
}

/* Whether a process was started with the variable as it is here. */
static bool has_variable(long process, const char *variable,
                         const char *value) {
  size_t size = 0;
  char *text = read_of_process(process, "environ", &size);
  const size_t length = strlen(variable);
  bool is_found = false;
  for (const char *each = text; each && each < text + size && !is_found;
       each += strlen(each) + 1)
    is_found = !strncmp(each, variable, length) && each[length] == '=' &&
               !strcmp(each + length + 1, value);
  free(text);
  return is_found;
}

/* Names the process that began this run. A shell may have replaced itself by
 * it: that changes neither its number nor its start. */
static void name_run(const char *variable, char *name, size_t room) {
  const char *value = heddle_environment(variable);
  long process = getpid(), parent = 0;
  unsigned long long start = 0;
  bool is_read = read_process(process, &parent, &start);
  while (value && is_read && parent > 0 &&
         has_variable(parent, variable, value)) {
    process = parent;
    is_read = read_process(process, &parent, &start);
  }
  snprintf(name, room, "\"run\": \"%ld-%llu/", process, start);
}

/* The number that the last process has got, 0 if that is not known. Numbers are
 * given out in order. */
static long latest_process(void) {
  size_t size;
  char *text = heddle_read_file("/proc/loadavg", &size);
  const char *last = text ? strrchr(text, ' ') : NULL;
  const long process = last ? strtol(last, NULL, 10) : 0;
  free(text);
  return process;
}

void heddle_print_run(FILE *stream, const char *variable) {
  char run[64];
  name_run(variable, run, sizeof run);
  fprintf(stream, "\"process\": %ld, %s%ld\"", (long)getpid(), run,
          latest_process());
}

/* Whether the last rows were written when this program had been started. */
static bool is_of_our_time(const char *contents) {
  static const char member[] = "\"run\": \"";
  const char *last = NULL;
  for (const char *at = contents; (at = strstr(at, member)); last = at++)
    ;
  const char *latest = last ? strchr(last, '/') : NULL;
  return latest && loader <= strtol(latest + 1, NULL, 10);
}

/*===- Adding rows -------------------------------------------------------===*/

/* The length of the text without the end of the file, and without the white
 * space before that. */
static size_t length_of_rows(const char *text, size_t size, const char *end) {
  size_t length = size - strlen(end);
  while (length > 0 && strchr(" \n", text[length - 1]))
    --length;
  return length;
}

/* Joins the contents of two files: `*size` is the size of the newer one, and
 * then of the result. NULL if the older one is something else, or memory is
 * short. */
static char *join(const struct heddle_rows *rows, const char *older,
                  size_t older_size, const char *newer, size_t *size) {
  const size_t begin = strlen(rows->begin), end = strlen(rows->end);
  if (older_size < begin + end || memcmp(older, rows->begin, begin) ||
      memcmp(older + older_size - end, rows->end, end))
    return NULL;
  const size_t older_rows = length_of_rows(older, older_size, rows->end);
  const size_t newer_rows = length_of_rows(newer, *size, rows->end);
  const bool has_older = older_rows > begin, has_newer = newer_rows > begin;
  char *text = malloc(older_size + *size + 1);
  if (!text)
    return NULL;
  char *at = text;
  if (has_older)
    at = mempcpy(at, older, has_newer ? older_rows : older_size);
  if (has_older && has_newer)
    *at++ = ',';
  if (has_newer || !has_older)
    at = mempcpy(at, newer + (has_older ? begin : 0),
                 *size - (has_older ? begin : 0));
  *size = (size_t)(at - text);
  return text;
}

/* Whether the file is of this run, or of one that wrote while this program was
 * running. */
static bool is_kept(const struct heddle_rows *rows, const char *contents) {
  char run[64];
  name_run(rows->variable, run, sizeof run);
  return strstr(contents, run) || is_of_our_time(contents);
}

static char *print(const struct heddle_rows *rows, size_t *size) {
  char *text = NULL;
  FILE *stream = open_memstream(&text, size);
  if (!stream)
    return NULL;
  rows->print(stream);
  const bool is_whole = !ferror(stream);
  if (fclose(stream) == 0 && is_whole)
    return text;
  free(text);
  return NULL;
}

static char *add(char *contents, size_t *size, int error, void *context) {
  const struct heddle_rows *rows = context;
  const size_t older_size = *size;
  if (error && error != ENOENT && error != EINVAL) {
    heddle_warn("%s: cannot read %s: %s", rows->variable, rows->path,
                strerror(error));
    return NULL;
  }
  char *text = print(rows, size);
  if (!text) {
    heddle_warn("%s: out of memory", rows->variable);
  } else if (older_size > 0) {
    size_t joined_size = *size;
    char *joined = join(rows, contents, older_size, text, &joined_size);
    if (!joined) {
      heddle_warn("%s: %s is not changed: it is no earlier report (remove it "
                  "to start afresh)",
                  rows->variable, rows->path);
      free(text);
      return NULL;
    }
    const bool keeps = is_kept(rows, contents);
    free(keeps ? text : joined);
    text = keeps ? joined : text;
    *size = keeps ? joined_size : *size;
  }
  return text;
}

void heddle_add_rows(const struct heddle_rows *rows) {
  if (!heddle_update_file(rows->path, add, (void *)rows))
    heddle_warn("%s: cannot write %s: %s", rows->variable, rows->path,
                strerror(errno));
}
