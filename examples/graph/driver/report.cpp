//===- report.cpp - Tables for people, rows for programs ------------------===//

#include "report.h"
#include "records.h"

#include "graphlib/files/OutputFile.h"
#include "output/Json.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace {

/// Whether a remark or choice at `line` belongs to `loop`: no other loop of the
/// file begins between them.
bool belongsTo(const Timing &loop, const std::vector<Timing> &loops,
               const std::string &file, unsigned line) {
  if (file != loop.file || line < loop.line)
    return false;
  return std::none_of(loops.begin(), loops.end(), [&](const Timing &other) {
    return other.file == file && other.line > loop.line && other.line <= line;
  });
}

/// The remarks about a loop: what was done or, if nothing was, why not.
std::string whatTheCompilerDid(const std::vector<Remark> &remarks) {
  for (const char *kind : {"Passed", "Missed"}) {
    std::vector<std::string> messages;
    for (const Remark &remark : remarks)
      if (remark.kind == kind && std::find(messages.begin(), messages.end(),
                                           remark.message) == messages.end())
        messages.push_back(remark.message);
    if (!messages.empty())
      return fmt::format("{}", fmt::join(messages, "; "));
  }
  return "left as it stands";
}

std::string describe(const LoopChoice &choice) {
  if (choice.schedule == "serial")
    return "1 (serial)";
  return fmt::format("{} ({}{})", choice.tasks, choice.schedule,
                     choice.settled ? "" : "?");
}

} // namespace

std::vector<Row> makeRows(const std::string &graph, const Setting &setting,
                          const Measurement &measurement) {
  static const std::vector<Remark> record = parseRecord(builtInRecord());
  const std::vector<LoopChoice> choices = currentChoices();

  Row total;
  total.graph = graph;
  total.algorithm = measurement.algorithm;
  total.loop = "total";
  total.threads = setting.threads;
  total.pages = setting.pages;
  total.without = measurement.total.seconds[Plain];
  total.with = measurement.total.seconds[Annotated];
  total.ratio = measurement.total.ratio;

  std::vector<Row> rows = {total};
  for (const Timing &loop : measurement.loops) {
    Row row = total;
    row.loop = loop.name;
    row.without = loop.seconds[Plain];
    row.with = loop.seconds[Annotated];
    row.ratio = loop.ratio;

    std::vector<Remark> remarks;
    std::copy_if(record.begin(), record.end(), std::back_inserter(remarks),
                 [&](const Remark &remark) {
                   return belongsTo(loop, measurement.loops, remark.file,
                                    remark.line);
                 });
    row.compiler = whatTheCompilerDid(remarks);
    row.where = loop.file;
    auto first = std::min_element(
        remarks.begin(), remarks.end(),
        [](const Remark &a, const Remark &b) { return a.line < b.line; });
    if (first != remarks.end()) // the loop itself, before what is in it
      row.where += fmt::format(":{}", first->line);

    row.inFlight = "1";
    for (const LoopChoice &choice : choices)
      if (belongsTo(loop, measurement.loops, choice.file, choice.line))
        row.inFlight = describe(choice);
    rows.push_back(std::move(row));
  }
  return rows;
}

void printTable(const std::vector<Row> &rows) {
  static constexpr char Layout[] = "{:<34} {:>12} {:>12} {:>6}  {:<14} {}\n";
  fmt::print("\n");
  fmt::print(Layout, "Loop", "without (ms)", "with (ms)", "ratio", "in flight",
             "what the compiler did");
  for (const Row &row : rows) {
    bool isTotal = row.loop == "total";
    fmt::print(Layout,
               isTotal ? row.algorithm
                       : fmt::format("  {} ({})", row.loop, row.where),
               fmt::format("{:.3f}", row.without * 1e3),
               fmt::format("{:.3f}", row.with * 1e3),
               fmt::format("{:.2f}", row.ratio), row.inFlight, row.compiler);
  }
  std::fflush(stdout);
}

void writeJson(const std::string &file, const std::vector<Row> &rows) {
  std::vector<heddle::JsonObject> objects;
  for (const Row &row : rows)
    objects.push_back(heddle::JsonObject()
                          .add("graph", row.graph)
                          .add("algorithm", row.algorithm)
                          .add("loop", row.loop)
                          .add("threads", row.threads)
                          .add("pages", row.pages)
                          .add("seconds_without", row.without)
                          .add("seconds_with", row.with)
                          .add("ratio", row.ratio)
                          .add("in_flight", row.inFlight)
                          .add("compiler", row.compiler));
  heddle::graph::OutputFile output(file, {.compress = false});
  output.write(arrayOf(objects));
  output.commit();
}
