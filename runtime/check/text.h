/*===- text.h - Findings in words -----------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_TEXT_H
#define HEDDLE_RUNTIME_CHECK_TEXT_H

#include "check/report.h"
#include <stdio.h>

/* What the finding is about, in the words of the program, to be freed. */
char *heddle_place_text(const struct heddle_finding *finding);

void heddle_print_finding(FILE *to, const struct heddle_finding *finding,
                          const char *place);
void heddle_print_conflict_json(FILE *to, const struct heddle_finding *finding,
                                const char *place);

#endif
