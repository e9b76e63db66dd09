/*===- tunefile.h - Choices kept from one run to the next -------------------===
 *
 * HEDDLE_TUNE=FILE names a text file with one choice a line:
 *
 *   heddle-tune 1
 *   <file:line:function> TAB <long|short> TAB <version> TAB <tasks>
 *
 * where "\t", "\n" and "\\" stand for those characters in a name, and lines
 * that start with '#' are comments. Choices for loops that did not run are
 * kept. A file that cannot be read or understood is reported and never
 * overwritten.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_TUNEFILE_H
#define HEDDLE_RUNTIME_TUNER_TUNEFILE_H

#include "tuner/registry.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_saved_choice {
  char *key;
  enum heddle_entry entry;
  struct heddle_arm arm;
};

struct heddle_saved_choices {
  struct heddle_saved_choice *choices;
  size_t count;
};

/* Reads the text of a tune file, which is changed in the process. Returns 0, or
 * the number of the first bad line, with a description of the error in
 * `*problem`. */
unsigned heddle_parse_choices(char *text, size_t size,
                              struct heddle_saved_choices *choices,
                              const char **problem);

/* The text of a tune file, to be freed by the caller; NULL if out of memory. */
char *heddle_format_choices(const struct heddle_saved_choices *choices,
                            size_t *size);

/* Adds or replaces a choice. False if out of memory. */
bool heddle_set_choice(struct heddle_saved_choices *choices, const char *key,
                       enum heddle_entry entry, struct heddle_arm arm);

struct heddle_saved_choice *
heddle_find_choice(const struct heddle_saved_choices *choices, const char *key,
                   enum heddle_entry entry);

void heddle_free_choices(struct heddle_saved_choices *choices);

/* Loads the process's tune file; warns if that fails, unless the file does not
 * exist yet. Call once, before the others. */
void heddle_tunefile_load(const char *path);

/* The choice loaded for a loop, if there is one. */
bool heddle_tunefile_find(const char *key, enum heddle_entry entry,
                          struct heddle_arm *arm);

/* Saves the choices of all records, if the file was loaded by this process. */
void heddle_tunefile_save(void);

/* Leaves saving to the process that loaded the file. */
void heddle_tunefile_disown(void);

#ifdef __cplusplus
}
#endif

#endif
