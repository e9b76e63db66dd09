/*===- tunefile.c - Load, look up, merge, save ----------------------------===*/

#include "tuner/tunefile.h"

#include "heddle/heddle.h"
#include "host/files.h"
#include "host/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char Header[] = "heddle-tune 1";

/*===- The set of choices ------------------------------------------------===*/

struct heddle_saved_choice *
heddle_find_choice(const struct heddle_saved_choices *choices, const char *key,
                   enum heddle_entry entry) {
  for (size_t i = 0; i < choices->count; ++i)
    if (choices->choices[i].entry == entry &&
        !strcmp(choices->choices[i].key, key))
      return &choices->choices[i];
  return NULL;
}

bool heddle_set_choice(struct heddle_saved_choices *choices, const char *key,
                       enum heddle_entry entry, struct heddle_arm arm) {
  struct heddle_saved_choice *known = heddle_find_choice(choices, key, entry);
  if (known) {
    known->arm = arm;
    return true;
  }
  struct heddle_saved_choice *larger =
      realloc(choices->choices, (choices->count + 1) * sizeof *larger);
  if (!larger)
    return false;
  choices->choices = larger;
  char *own_key = strdup(key);
  if (!own_key)
    return false;
  larger[choices->count++] = (struct heddle_saved_choice){own_key, entry, arm};
  return true;
}

void heddle_free_choices(struct heddle_saved_choices *choices) {
  for (size_t i = 0; i < choices->count; ++i)
    free(choices->choices[i].key);
  free(choices->choices);
  *choices = (struct heddle_saved_choices){NULL, 0};
}

/*===- Text --------------------------------------------------------------===*/

/* Undoes the escapes in place. */
static bool unescape(char *text) {
  char *to = text;
  for (; *text; ++text) {
    if (*text != '\\') {
      *to++ = *text;
      continue;
    }
    ++text;
    if (*text == 't')
      *to++ = '\t';
    else if (*text == 'n')
      *to++ = '\n';
    else if (*text == '\\')
      *to++ = '\\';
    else
      return false;
  }
  *to = 0;
  return true;
}

static void print_escaped(FILE *stream, const char *text) {
  for (; *text; ++text) {
    if (*text == '\t')
      fputs("\\t", stream);
    else if (*text == '\n')
      fputs("\\n", stream);
    else if (*text == '\\')
      fputs("\\\\", stream);
    else
      fputc(*text, stream);
  }
}

static bool parse_version(const char *word, uint32_t *version) {
  for (*version = 0; *version < HEDDLE_VERSIONS; ++*version)
    if (!strcmp(word, heddle_schedule_name(*version)))
      return true;
  return false;
}

static bool parse_entry(const char *word, enum heddle_entry *entry) {
  for (int i = 0; i < HEDDLE_ENTRIES; ++i) {
    *entry = (enum heddle_entry)i;
    if (!strcmp(word, heddle_entry_name(*entry)))
      return true;
  }
  return false;
}

static bool parse_tasks(const char *word, uint32_t *tasks) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(word, &end, 10);
  *tasks = (uint32_t)value;
  return *word >= '0' && *word <= '9' && !*end && !errno && value >= 1 &&
         value <= 65536;
}

/* Returns the error in the line, or NULL. */
static const char *parse_line(char *line,
                              struct heddle_saved_choices *choices) {
  char *fields[4];
  for (int i = 0; i < 4; ++i) {
    fields[i] = line;
    line = line ? strchr(line, '\t') : NULL;
    if (line)
      *line++ = 0;
  }
  if (!fields[3] || line)
    return "expected four fields separated by tabs";
  enum heddle_entry entry;
  struct heddle_arm arm;
  if (!*fields[0] || !unescape(fields[0]))
    return "bad loop name";
  if (!parse_entry(fields[1], &entry))
    return "expected 'long' or 'short' in the second field";
  if (!parse_version(fields[2], &arm.version))
    return "expected 'serial', 'lockstep' or 'fifo' in the third field";
  if (!parse_tasks(fields[3], &arm.tasks))
    return "expected a number of tasks from 1 to 65536 in the fourth field";
  if (!heddle_set_choice(choices, fields[0], entry, arm))
    return "out of memory";
  return NULL;
}

unsigned heddle_parse_choices(char *text, size_t size,
                              struct heddle_saved_choices *choices,
                              const char **problem) {
  unsigned number = 0;
  char *end = text + size;
  while (text < end || number == 0) {
    ++number;
    char *newline = memchr(text, '\n', (size_t)(end - text));
    if (newline)
      *newline = 0;
    size_t length = newline ? (size_t)(newline - text) : (size_t)(end - text);
    if (number == 1 && strcmp(text, Header))
      *problem = "expected 'heddle-tune 1'";
    else if (strlen(text) != length)
      *problem = "unexpected NUL character";
    else if (!newline)
      *problem = "the line is cut off";
    else if (number > 1 && *text && *text != '#')
      *problem = parse_line(text, choices);
    else
      *problem = NULL;
    if (*problem) {
      heddle_free_choices(choices);
      return number;
    }
    text = newline ? newline + 1 : end;
  }
  return 0;
}

char *heddle_format_choices(const struct heddle_saved_choices *choices,
                            size_t *size) {
  char *text = NULL;
  FILE *stream = open_memstream(&text, size);
  if (!stream)
    return NULL;
  fprintf(stream, "%s\n# loop\tentry\tversion\ttasks\n", Header);
  for (size_t i = 0; i < choices->count; ++i) {
    const struct heddle_saved_choice *choice = &choices->choices[i];
    print_escaped(stream, choice->key);
    fprintf(stream, "\t%s\t%s\t%u\n", heddle_entry_name(choice->entry),
            heddle_schedule_name(choice->arm.version), choice->arm.tasks);
  }
  if (fclose(stream)) {
    free(text);
    return NULL;
  }
  return text;
}

/*===- The file of the process -------------------------------------------===*/

static const char *file; /* NULL if choices are not saved */
static struct heddle_saved_choices loaded;

/* Reads the contents of the file; NULL with the error for one that cannot be
 * read. A missing or empty one has no choices. */
static bool read_choices(const char *path, char *text, size_t size, int error,
                         struct heddle_saved_choices *choices) {
  if (error == ENOENT || (text && size == 0))
    return true;
  if (!text) {
    heddle_warn("HEDDLE_TUNE: cannot read %s: %s", path,
                error == EINVAL ? "it is no regular file" : strerror(error));
    return false;
  }
  const char *problem;
  unsigned line = heddle_parse_choices(text, size, choices, &problem);
  if (line)
    heddle_warn("HEDDLE_TUNE: %s:%u: %s; the file is neither used nor "
                "changed (remove it to start afresh)",
                path, line, problem);
  return !line;
}

void heddle_tunefile_load(const char *path) {
  size_t size = 0;
  char *text = heddle_read_file(path, &size);
  if (read_choices(path, text, size, text ? 0 : errno, &loaded))
    file = path;
  free(text);
}

bool heddle_tunefile_find(const char *key, enum heddle_entry entry,
                          struct heddle_arm *arm) {
  const struct heddle_saved_choice *choice =
      heddle_find_choice(&loaded, key, entry);
  if (choice)
    *arm = choice->arm;
  return choice != NULL;
}

static bool add_record(struct heddle_saved_choices *choices,
                       const struct heddle_record *record) {
  for (int entry = 0; entry < HEDDLE_ENTRIES; ++entry) {
    uint32_t choice = heddle_tuner_decision(&record->tuners[entry]);
    struct heddle_arm arm = {heddle_decoded_version(choice),
                             heddle_decoded_tasks(choice)};
    if (choice &&
        !heddle_set_choice(choices, record->key, (enum heddle_entry)entry, arm))
      return false;
  }
  return true;
}

/* Another process, or another copy of the runtime in this one, may have saved
 * since the file was loaded: its choices stay. */
static char *add_choices(char *contents, size_t *size, int error,
                         void *context) {
  const char *path = context;
  struct heddle_saved_choices choices = {NULL, 0};
  if (!read_choices(path, contents, *size, error, &choices))
    return NULL;
  bool complete = true;
  for (struct heddle_record *r = heddle_first_record(); r; r = r->next)
    complete &= add_record(&choices, r);
  char *text = complete ? heddle_format_choices(&choices, size) : NULL;
  if (!text)
    heddle_warn("HEDDLE_TUNE: cannot write %s: out of memory", path);
  heddle_free_choices(&choices);
  return text;
}

void heddle_tunefile_save(void) {
  if (file && !heddle_update_file(file, add_choices, (void *)file))
    heddle_warn("HEDDLE_TUNE: cannot write %s: %s", file, strerror(errno));
}

void heddle_tunefile_disown(void) { file = NULL; }
