//===- ProgramSuite.cpp - Small everyday programs -------------------------===//
//
// Every program has a process of its own. Its forms compete on the same data;
// all have one thread.
//
//===----------------------------------------------------------------------===//

#include "ProgramSuite.h"

#include "../../command/Error.h"
#include "../../command/Interrupt.h"
#include "../../command/SecondsOf.h"
#include "../../output/ResultFile.h"
#include "../Chosen.h"
#include "../Level.h"
#include "../Progress.h"
#include "../measure/Contest.h"
#include "../measure/Isolate.h"
#include "Program.h"

#include "heddle/heddle.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

#define PROGRAM(NAME)                                                          \
  namespace plain {                                                            \
  Program NAME();                                                              \
  }                                                                            \
  namespace directive {                                                        \
  Program NAME();                                                              \
  }
#include "Programs.def"
#undef PROGRAM

std::vector<ProgramPair> allPrograms() {
  std::vector<ProgramPair> programs = {
#define PROGRAM(NAME) {nullptr, nullptr, plain::NAME, directive::NAME},
#include "Programs.def"
#undef PROGRAM
  };
  for (ProgramPair &program : programs) {
    program.name = program.plain().name;
    program.description = program.plain().description;
  }
  return programs;
}

namespace {

enum Form { Plain, Directive, ByHand, FormCount };
constexpr std::array<const char *, FormCount> FormNames = {"plain", "directive",
                                                           "by hand"};

/// What the process of a program answers.
struct Result {
  Standing standings[FormCount];
  /// The speed of the directive's first run, while the tuner looks for the
  /// best version, relative to the plain form's median.
  double first;
  std::uint64_t checksum;
};

/// Geometric means over programs.
class Means {
public:
  void add(const Result &result) {
    const double directive = result.standings[Directive].speed;
    const double byHand = result.standings[ByHand].speed;
    const std::array<double, 4> ratios = {directive, byHand, directive / byHand,
                                          result.first};
    for (std::size_t i = 0; i < ratios.size(); ++i)
      logarithms[i] += std::log(ratios[i]);
    ++count;
  }
  void print() const {
    fmt::print("\n{:<16}{:>10}", "geometric mean", "");
    for (const double logarithm : logarithms)
      fmt::print("{:>15.2f}", std::exp(logarithm / count));
    fmt::print("\n");
  }

private:
  std::array<double, 4> logarithms = {};
  int count = 0;
};

Result measureProgram(const ProgramPair &pair, const ProgramOptions &options,
                      const Progress &progress) {
  omp_set_num_threads(1);
  const Program plain = pair.plain(), directive = pair.directive();
  progress.show("building the data");
  const std::shared_ptr<void> data = plain.build({options.scale});
  std::uint64_t expected = 0;
  const auto timeForm = [&](Form form) {
    const Program &program = form == Directive ? directive : plain;
    program.reset(data.get());
    std::uint64_t checksum = 0;
    const double seconds = secondsOf([&] {
      checksum = form == ByHand ? program.runByHand(data.get())
                                : program.run(data.get());
    });
    checksum = scramble(checksum) + program.digest(data.get());
    if (form == Plain && expected == 0)
      expected = checksum;
    if (checksum != expected)
      throw Error(fmt::format("the form '{}' computes checksum {:016x}, but "
                              "the plain one computes {:016x}",
                              FormNames[form], checksum, expected));
    return seconds;
  };
  // These runs do not count: caches and page tables settle.
  double first = 0;
  std::vector<Rival> rivals;
  for (const Form form : {Plain, Directive, ByHand}) {
    progress.show(fmt::format("warming up {}", FormNames[form]));
    const double seconds = timeForm(form);
    if (form == Directive)
      first = seconds;
    rivals.push_back([&timeForm, form] { return timeForm(form); });
  }
  const std::vector<Standing> standings =
      compete(rivals, options.repetitions,
              [&](const std::string &activity) { progress.show(activity); });
  Result result = {};
  std::ranges::copy(standings, result.standings);
  result.first = standings[Plain].seconds / first;
  result.checksum = expected;
  return result;
}

void addRows(std::vector<JsonObject> &rows, const ProgramPair &program,
             const Result &result) {
  for (const Form form : {Plain, Directive, ByHand}) {
    JsonObject row;
    row.add("program", program.name)
        .add("form", FormNames[form])
        .add("milliseconds", result.standings[form].seconds * 1e3)
        .add("speed", result.standings[form].speed);
    if (form == Directive)
      row.add("first_speed", result.first);
    row.add("checksum", fmt::format("{:016x}", result.checksum));
    rows.push_back(row);
  }
}

void printHeader() {
  fmt::print("Speed relative to the plain form, whose time is in "
             "milliseconds. 'first' is the first run with the directive,\n"
             "while the tuner looks for the best version.\n\n"
             "{:<16}{:>10}{:>15}{:>15}{:>15}{:>15}\n",
             "program", "plain", "directive", "by hand", "dir./hand", "first");
}

} // namespace

void runPrograms(const ProgramOptions &options) {
  ResultFile json(options.jsonPath);
  catchInterrupts();
  // So that tasks(auto) has the value of a probed host.
  if (!options.quick) {
    heddle_host host;
    heddle_probe(&host, 0);
  }
  const std::vector<ProgramPair> programs =
      chosenOf(allPrograms(), options.only);
  std::vector<JsonObject> rows;
  Means means;
  printLevel();
  printHeader();
  Progress progress(programs.size());
  for (const ProgramPair &program : programs) {
    progress.begin(program.name);
    Result result;
    try {
      result = runInChildFor(
          [&] { return measureProgram(program, options, progress); });
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", program.name, error.what()));
    }
    progress.clear();
    const double directive = result.standings[Directive].speed;
    const double byHand = result.standings[ByHand].speed;
    fmt::print("{:<16}{:>10.2f}{:>15.2f}{:>15.2f}{:>15.2f}{:>15.2f}\n",
               program.name, result.standings[Plain].seconds * 1e3, directive,
               byHand, directive / byHand, result.first);
    std::fflush(stdout);
    means.add(result);
    addRows(rows, program, result);
  }
  means.print();
  json.write(arrayWithLevel(std::move(rows)));
  json.commit();
}

} // namespace heddle::bench
