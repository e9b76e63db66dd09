/*===- report.c - The report at the end of the process ----------------------===
 *
 * One row for each loop and each kind of entry that was seen. Cycles are those
 * of the time stamp counter (nanoseconds where there is none). Every suspended
 * iteration is resumed before its chunk ends, so resumptions are suspensions.
 *
 *===----------------------------------------------------------------------===*/

#include "tuner/report.h"

#include "heddle/heddle.h"
#include "host/messages.h"
#include "host/options.h"
#include "host/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row {
  uint32_t version;
  uint32_t tasks;
  bool settled;
  uint64_t iterations;
  uint64_t launches; /* iterations that ran interleaved */
  uint64_t suspensions;
  uint64_t drains; /* chunks of interleaved iterations that ended */
  double cycles[HEDDLE_VERSIONS]; /* per iteration; negative if not tried */
};

static uint64_t load(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

enum heddle_entry heddle_main_entry(const struct heddle_record *record) {
  return load(&record->tuners[HEDDLE_LONG_ENTRY].stretch) ? HEDDLE_LONG_ENTRY
                                                          : HEDDLE_SHORT_ENTRY;
}

/* False if the loop was never entered this way. */
static bool make_row(const struct heddle_record *record,
                     enum heddle_entry entry, struct row *row) {
  const struct heddle_tuner *tuner = &record->tuners[entry];
  uint32_t choice = __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED);
  *row = (struct row){.version = heddle_decoded_version(choice),
                      .tasks = heddle_tasks_of(record, choice),
                      .settled = heddle_tuner_decision(tuner) != 0};
  uint64_t chunks = 0;
  for (int version = 0; version < HEDDLE_VERSIONS; ++version) {
    const struct heddle_counters *counters = &record->counters[entry][version];
    uint64_t iterations = load(&counters->iterations);
    chunks += load(&counters->chunks);
    row->iterations += iterations;
    row->cycles[version] =
        iterations ? (double)load(&counters->ticks) / (double)iterations : -1;
    if (version == HEDDLE_SERIAL)
      continue;
    row->launches += iterations;
    row->suspensions += load(&counters->suspensions);
    row->drains += load(&counters->chunks);
  }
  return chunks != 0;
}

/*===- Table -------------------------------------------------------------===*/

static int loop_width(const struct heddle_record *record) {
  return snprintf(NULL, 0, "%s:%u %s", record->file, record->line,
                  record->function);
}

static void print_row(FILE *stream, const struct heddle_record *record,
                      enum heddle_entry entry, const struct row *row,
                      int width) {
  char version[32];
  snprintf(version, sizeof version, "%s%s", heddle_schedule_name(row->version),
           row->settled ? "" : "?");
  int used =
      fprintf(stream, "%s:%u %s", record->file, record->line, record->function);
  fprintf(stream,
          "%*s  %-5s  %-9s %5u %12" PRIu64 " %12" PRIu64 " %12" PRIu64
          " %12" PRIu64 " %9" PRIu64,
          width > used ? width - used : 0, "", heddle_entry_name(entry),
          version, row->tasks, row->iterations, row->launches, row->suspensions,
          row->suspensions, row->drains);
  for (int i = 0; i < HEDDLE_VERSIONS; ++i)
    if (row->cycles[i] < 0)
      fprintf(stream, " %9s", "-");
    else
      fprintf(stream, " %9.1f", row->cycles[i]);
  fputc('\n', stream);
}

void heddle_print_table(FILE *stream, const struct heddle_record *first) {
  int width = 4;
  for (const struct heddle_record *r = first; r; r = r->next)
    if (loop_width(r) > width)
      width = loop_width(r);
  fprintf(stream, "heddle: loops of process %ld\n", (long)getpid());
  fprintf(stream, "%*s  %-5s  %-9s %5s %12s %12s %12s %12s %9s %s\n", width, "",
          "", "", "", "", "", "", "", "", " ---- cycles per iteration ---");
  fprintf(stream, "%-*s  %-5s  %-9s %5s %12s %12s %12s %12s %9s %9s %9s %9s\n",
          width, "loop", "entry", "version", "tasks", "iterations", "launches",
          "suspensions", "resumptions", "drains", "serial", "lockstep", "fifo");
  bool empty = true, undecided = false;
  for (const struct heddle_record *r = first; r; r = r->next)
    for (int entry = 0; entry < HEDDLE_ENTRIES; ++entry) {
      struct row row;
      if (!make_row(r, (enum heddle_entry)entry, &row))
        continue;
      print_row(stream, r, (enum heddle_entry)entry, &row, width);
      empty = false;
      undecided |= !row.settled;
    }
  if (empty)
    fprintf(stream, "no transformed loop has run\n");
  if (undecided)
    fprintf(stream, "?: the loop ended before versions could be told apart\n");
}

/*===- JSON --------------------------------------------------------------===*/

static void print_json_string(FILE *stream, const char *text) {
  fputc('"', stream);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(stream, "\\%c", c);
    else if (c < 0x20)
      fprintf(stream, "\\u%04x", c);
    else
      fputc(c, stream);
  }
  fputc('"', stream);
}

static void print_json_row(FILE *stream, const struct heddle_record *record,
                           enum heddle_entry entry, const struct row *row) {
  fputs("  {\"file\": ", stream);
  print_json_string(stream, record->file);
  fprintf(stream, ", \"line\": %u, \"function\": ", record->line);
  print_json_string(stream, record->function);
  fprintf(stream,
          ", \"entry\": \"%s\", \"version\": \"%s\", \"settled\": %s, "
          "\"tasks\": %u, \"iterations\": %" PRIu64 ", \"launches\": %" PRIu64
          ", \"suspensions\": %" PRIu64 ", \"resumptions\": %" PRIu64
          ", \"drains\": %" PRIu64 ", ",
          heddle_entry_name(entry), heddle_schedule_name(row->version),
          row->settled ? "true" : "false", row->tasks, row->iterations,
          row->launches, row->suspensions, row->suspensions, row->drains);
  heddle_print_run(stream, "HEDDLE_STATS");
  fputs(", \"cycles_per_iteration\": {", stream);
  const char *separator = "";
  for (unsigned i = 0; i < HEDDLE_VERSIONS; ++i)
    if (row->cycles[i] >= 0) {
      fprintf(stream, "%s\"%s\": %.2f", separator, heddle_schedule_name(i),
              row->cycles[i]);
      separator = ", ";
    }
  fputs("}}", stream);
}

static const char Begin[] = "[", End[] = "]\n";

void heddle_print_json(FILE *stream, const struct heddle_record *first) {
  fputs(Begin, stream);
  const char *separator = "\n";
  for (const struct heddle_record *r = first; r; r = r->next)
    for (int entry = 0; entry < HEDDLE_ENTRIES; ++entry) {
      struct row row;
      if (!make_row(r, (enum heddle_entry)entry, &row))
        continue;
      fputs(separator, stream);
      print_json_row(stream, r, (enum heddle_entry)entry, &row);
      separator = ",\n";
    }
  fprintf(stream, "\n%s", End);
}

/*===- Where it goes -----------------------------------------------------===*/

static void print_own_json(FILE *stream) {
  heddle_print_json(stream, heddle_first_record());
}

static void print_to_stderr(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream)
    heddle_print_table(stream, heddle_first_record());
  if (!stream || fclose(stream))
    heddle_warn("HEDDLE_STATS: out of memory");
  else
    heddle_say(text, size);
  free(text);
}

void heddle_report(void) {
  const char *path = heddle_process_options()->stats_file;
  const struct heddle_rows rows = {.variable = "HEDDLE_STATS",
                                   .path = path,
                                   .begin = Begin,
                                   .end = End,
                                   .print = print_own_json};
  if (path)
    heddle_add_rows(&rows);
  else
    print_to_stderr();
}
