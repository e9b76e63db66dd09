/*===- rows.h - JSON files that the processes of a run share ----------------===
 *
 * A run may have several processes, at the same time or one after the other,
 * and a process several copies of the runtime. Each adds its rows to one file;
 * a new run replaces what earlier ones have left. A run is all that a command
 * does which was started with the variable that names the file.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_ROWS_H
#define HEDDLE_RUNTIME_HOST_ROWS_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_rows {
  const char *variable; /* as in the environment */
  const char *path;
  /* What the file begins and ends with: "[" and "]\n". The rows between are
   * separated by commas, and white space does not matter. */
  const char *begin, *end;
  void (*print)(FILE *stream); /* a file with the rows of this process alone */
};

/* Adds the rows of this process; says so if that is not possible. */
void heddle_add_rows(const struct heddle_rows *rows);

/* Prints the members that each row has: the number of its process, and the name
 * of its run. */
void heddle_print_run(FILE *stream, const char *variable);

#ifdef __cplusplus
}
#endif

#endif
