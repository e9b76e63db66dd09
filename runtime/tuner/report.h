/*===- report.h - HEDDLE_STATS: counts of the loops -----------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_REPORT_H
#define HEDDLE_RUNTIME_TUNER_REPORT_H

#include "tuner/registry.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the report where HEDDLE_STATS wants it. */
void heddle_report(void);

/* Print the two forms of the report, for all records from `first`. */
void heddle_print_table(FILE *stream, const struct heddle_record *first);
void heddle_print_json(FILE *stream, const struct heddle_record *first);

/* Returns the entries whose tuner represents the loop as a whole: the long
 * ones, if there have been any. */
enum heddle_entry heddle_main_entry(const struct heddle_record *record);

#ifdef __cplusplus
}
#endif

#endif
