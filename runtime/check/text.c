/*===- text.c - Findings in words -----------------------------------------===*/

#include "check/text.h"

#include "host/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_text(enum heddle_finding_kind kind) {
  switch (kind) {
  case HEDDLE_FINDING_READS:
    return "reads what another iteration wrote";
  case HEDDLE_FINDING_TORN:
    return "update torn between lines";
  case HEDDLE_FINDING_SEQUENTIAL:
    return "sequential variable";
  case HEDDLE_FINDING_ORDER:
    return "order-dependent output";
  }
  return "";
}

/* Prints the place of `site` that `address` is at. */
static void print_place(FILE *to, const struct heddle_check_site *site,
                        const void *address, const void *base) {
  int64_t rest =
      (int64_t)((uintptr_t)address - (uintptr_t)base) - (int64_t)site->offset;
  int next = 0;
  for (const char *at = site->place; *at; ++at) {
    if (*at != '#') {
      fputc(*at, to);
      continue;
    }
    int64_t stride =
        next < HEDDLE_CHECK_INDEXES && base ? (int64_t)site->strides[next] : 0;
    ++next;
    if (!stride) {
      fputs("...", to);
      continue;
    }
    int64_t index = rest / stride;
    index -= index * stride > rest; /* as if rounded down */
    rest -= index * stride;
    fprintf(to, "%" PRId64, index);
  }
}

char *heddle_place_text(const struct heddle_finding *finding) {
  const struct heddle_check_site *second = heddle_site(finding->sites[1]);
  const struct heddle_check_site *first = heddle_site(finding->sites[0]);
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    return NULL;
  if (*second->place)
    print_place(to, second, finding->address, finding->base);
  else if (*first->place)
    print_place(to, first, NULL, NULL);
  else
    fprintf(to, "memory at %p", finding->address);
  fclose(to);
  return text;
}

static bool is_deciding(const struct heddle_check_site *site) {
  return site->partner_line && site->partner_line != site->line;
}

/* What the user can do about it. */
static void print_cure(FILE *to, const struct heddle_finding *finding) {
  const struct heddle_check_site *site = heddle_site(finding->sites[1]);
  const char *variable = site->variable;
  switch (finding->kind) {
  case HEDDLE_FINDING_READS:
    fputs("write to memory that no other iteration reads in this loop, or make "
          "both accesses atomic if any order will do",
          to);
    return;
  case HEDDLE_FINDING_TORN:
    fputs("make it one commutative update (such as += or a maximum) or an "
          "atomic one, or put it under a lock",
          to);
    if (is_deciding(site))
      fprintf(to,
              "; at least move line %u next to line %u, with nothing between "
              "them that waits for memory",
              site->partner_line, site->line);
    return;
  case HEDDLE_FINDING_SEQUENTIAL:
    if (*variable)
      fprintf(to,
              "name it in sequential(%s) if each iteration needs what the one "
              "before has left, in shared(%s) if any order will do, or make it "
              "a reduction",
              variable, variable);
    else
      fputs("update it in the loop itself, as a reduction or a variable that "
            "a clause sequential(...) names",
            to);
    return;
  case HEDDLE_FINDING_ORDER:
    if (*variable)
      fprintf(to,
              "give each iteration its own: declare it inside of the loop, or "
              "name it in private(%s); or make the update a commutative one",
              variable);
    else
      fputs("let each iteration write places of its own, or make the update a "
            "commutative one",
            to);
    return;
  }
}

/* "wrote it"; "updates it". */
static const char *verb(const struct heddle_finding *finding, int which) {
  bool updates = heddle_site(finding->sites[which])->operation;
  if (finding->writes[which])
    return which     ? updates ? "updates it" : "writes it"
           : updates ? "updated it"
                     : "wrote it";
  return which ? "reads it" : "read it";
}

static void print_line(FILE *to, const char *file, uint32_t line,
                       uint32_t column) {
  if (line)
    fprintf(to, "%s:%u:%u: ", file, line, column);
  else if (*file)
    fprintf(to, "%s: ", file);
}

static void print_site_line(FILE *to, const struct heddle_check_site *site) {
  print_line(to, site->file, site->line, site->column);
}

static void print_access(FILE *to, const struct heddle_finding *finding,
                         int which) {
  uint32_t number = finding->sites[which];
  const struct heddle_check_site *site = heddle_site(number);
  const struct heddle_check_site *call = heddle_call_of_site(number);
  fputs("  ", to);
  print_site_line(to, site);
  fprintf(to, "iteration %" PRIu64 " %s, in %s", finding->iterations[which],
          verb(finding, which), site->function);
  if (call)
    fprintf(to, ", called at %s:%u:%u", call->file, call->line, call->column);
  fputc('\n', to);
}

void heddle_print_finding(FILE *to, const struct heddle_finding *finding,
                          const char *place) {
  const struct heddle_check_site *second = heddle_site(finding->sites[1]);
  print_site_line(to, heddle_site_is_foreign(finding->sites[1])
                          ? heddle_call_of_site(finding->sites[1])
                          : second);
  fprintf(to, "heddle: conflict between iterations: %s: '%s'\n",
          kind_text(finding->kind), place);
  print_access(to, finding, 0);
  print_access(to, finding, 1);
  if (second->partner_line && finding->kind == HEDDLE_FINDING_TORN) {
    fputs("  ", to);
    print_line(to, second->file, second->partner_line, 1);
    fprintf(to, "what iteration %" PRIu64 " writes here depends on it\n",
            finding->iterations[1]);
  }
  fputs("  ", to);
  print_line(to, finding->loop->file, finding->loop->line,
             finding->loop->column);
  fprintf(to, "the loop, in %s\n  cure: ", finding->loop->function);
  print_cure(to, finding);
  fputc('\n', to);
}

static void print_string(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(to, "\\%c", c);
    else if (c < 0x20)
      fprintf(to, "\\u%04x", c);
    else
      fputc(c, to);
  }
  fputc('"', to);
}

static void print_json_place(FILE *to, const char *file, const char *function,
                             uint32_t line, uint32_t column) {
  fputs("\"file\": ", to);
  print_string(to, file);
  fprintf(to, ", \"line\": %u, \"column\": %u, \"function\": ", line, column);
  print_string(to, function);
}

void heddle_print_conflict_json(FILE *to, const struct heddle_finding *finding,
                                const char *place) {
  static const char *const names[] = {"first", "second"};
  fputs("    {\"kind\": ", to);
  print_string(to, kind_text(finding->kind));
  fputs(", \"place\": ", to);
  print_string(to, place);
  for (int which = 0; which < 2; ++which) {
    const struct heddle_check_site *site = heddle_site(finding->sites[which]);
    fprintf(to, ",\n     \"%s\": {\"iteration\": %" PRIu64 ", \"access\": ",
            names[which], finding->iterations[which]);
    print_string(to, !finding->writes[which] ? "read"
                     : site->operation       ? "update"
                                             : "write");
    fputs(", ", to);
    print_json_place(to, site->file, site->function, site->line, site->column);
    const struct heddle_check_site *call =
        heddle_call_of_site(finding->sites[which]);
    if (call) {
      fputs(", \"call\": {", to);
      print_json_place(to, call->file, call->function, call->line,
                       call->column);
      fputc('}', to);
    }
    fputc('}', to);
  }
  fputs(",\n     \"loop\": {", to);
  print_json_place(to, finding->loop->file, finding->loop->function,
                   finding->loop->line, finding->loop->column);
  fprintf(to, "},\n     \"count\": %" PRIu64 ", \"cure\": ", finding->count);
  char *cure = NULL;
  size_t size;
  FILE *words = open_memstream(&cure, &size);
  if (words) {
    print_cure(words, finding);
    fclose(words);
  }
  print_string(to, cure ? cure : "");
  free(cure);
  fputs(", ", to);
  heddle_print_run(to, "HEDDLE_CHECK");
  fputc('}', to);
}
