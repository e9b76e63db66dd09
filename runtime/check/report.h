/*===- report.h - What -fheddle-check has found -----------------------------===
 *
 * Findings of one kind between the same two sites are one. With
 * HEDDLE_CHECK=report, the default, each is printed on standard error when it
 * is first found, and their number at the end; `abort` stops the program at the
 * first; `json:FILE` writes them to a file at the end.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_REPORT_H
#define HEDDLE_RUNTIME_CHECK_REPORT_H

#include "check/check.h"
#include <stdbool.h>
#include <stdint.h>

enum heddle_finding_kind {
  HEDDLE_FINDING_READS,
  HEDDLE_FINDING_TORN,
  HEDDLE_FINDING_SEQUENTIAL,
  HEDDLE_FINDING_ORDER
};

/* Index 0 is the access that came first, 1 the one that is in conflict with
 * it. */
struct heddle_finding {
  enum heddle_finding_kind kind;
  uint32_t sites[2];
  uint64_t iterations[2]; /* count from 0 */
  bool writes[2];
  const struct heddle_check_loop *loop;
  const void *address, *base; /* `base` is that of the second access */
  uint64_t count;             /* how often it was found */
};

/* Returns where the number of such findings is kept, for further ones. Any
 * thread. */
uint64_t *heddle_report_conflict(const struct heddle_finding *finding);

/* The number of a site, from 1, in a callee that the loop has called in the
 * place with the number `call`; 0 where it has not. Any thread. */
uint32_t heddle_site_number(struct heddle_check_site *site, uint32_t call);
/* Only while a finding is put into words. The second is null if there is no
 * call. */
const struct heddle_check_site *heddle_site(uint32_t number);
const struct heddle_check_site *heddle_call_of_site(uint32_t number);
/* True if it is in a header of the system, which users do not look into. */
bool heddle_site_is_foreign(uint32_t number);
/* True if the accesses are in one function. */
bool heddle_is_same_function(uint32_t number, uint32_t other);
/* Whether a site has one of the flags of heddle_check_flags. */
bool heddle_site_has(uint32_t number, uint32_t flag);

#endif
