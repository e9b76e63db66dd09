//===- report.cpp - Tables for people, rows for programs ------------------===//

#include "report.h"
#include "records.h"

#include "graphlib/files/OutputFile.h"
#include "output/Json.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <heddle/heddle.h>
#include <map>

namespace {

/// Returns the loop that `line` belongs to: the last one of the file whose time
/// begins above it; null if there is none.
Row *loopAt(std::vector<Row> &rows, const std::string &file, unsigned line) {
  Row *loop = nullptr;
  for (Row &row : rows)
    if (row.file == file && row.line <= line)
      loop = &row;
  return loop;
}

/// Adds the changes that were made to a loop or, if there are none, the reason.
void addRemarks(std::vector<Row> &rows, Row &loop) {
  static const std::vector<Remark> record = parseRecord(builtInRecord());
  std::map<std::string, std::string> said; // by remarks of each kind
  unsigned first = UINT_MAX;               // the loop, before what is in it
  for (const Remark &remark : record) {
    if (loopAt(rows, remark.file, remark.line) != &loop)
      continue;
    first = std::min(first, remark.line);
    std::string &text = said[remark.kind];
    if (text.find(remark.message) == std::string::npos)
      text += (text.empty() ? "" : "; ") + remark.message;
  }
  loop.where = loop.file;
  if (first != UINT_MAX)
    loop.where += fmt::format(":{}", first);
  loop.compiler = "left as it stands";
  for (const char *kind : {"Missed", "Passed"})
    if (said.contains(kind))
      loop.compiler = said[kind];
}

/// Adds the version that is in use of a loop that has run.
void addChoice(const heddle_loop *choice, void *rows) {
  Row *loop =
      loopAt(*static_cast<std::vector<Row> *>(rows),
             std::filesystem::path(choice->file).filename(), choice->line);
  const std::string schedule = heddle_schedule_name(choice->schedule);
  if (loop)
    loop->inFlight = schedule == "serial"
                         ? "1 (serial)"
                         : fmt::format("{} ({}{})", choice->tasks, schedule,
                                       choice->settled ? "" : "?");
}

} // namespace

void explain(std::vector<Row> &rows) {
  for (Row &row : rows)
    if (!row.file.empty()) {
      row.inFlight = "1";
      addRemarks(rows, row);
    }
  heddle_for_each_loop(addChoice, &rows);
}

void printTable(const std::vector<Row> &rows) {
  static constexpr char Layout[] = "{:<34} {:>12} {:>12} {:>6}  {:<14} {}\n";
  fmt::print("\n");
  fmt::print(Layout, "Loop", "without (ms)", "with (ms)", "ratio", "in flight",
             "what the compiler did");
  for (const Row &row : rows)
    fmt::print(Layout,
               row.file.empty() ? row.algorithm
                                : fmt::format("  {} ({})", row.loop, row.where),
               fmt::format("{:.3f}", row.without * 1e3),
               fmt::format("{:.3f}", row.with * 1e3),
               fmt::format("{:.2f}", row.ratio), row.inFlight, row.compiler);
  std::fflush(stdout);
}

void writeJson(const std::string &file, const std::vector<Row> &rows,
               int threads, const std::string &pages) {
  std::vector<heddle::JsonObject> objects;
  for (const Row &row : rows)
    objects.push_back(heddle::JsonObject()
                          .add("graph", row.graph)
                          .add("algorithm", row.algorithm)
                          .add("loop", row.loop)
                          .add("threads", threads)
                          .add("pages", pages)
                          .add("seconds_without", row.without)
                          .add("seconds_with", row.with)
                          .add("ratio", row.ratio)
                          .add("in_flight", row.inFlight)
                          .add("compiler", row.compiler));
  heddle::graph::OutputFile output(file, {.compress = false});
  output.write(arrayOf(objects));
  output.commit();
}
