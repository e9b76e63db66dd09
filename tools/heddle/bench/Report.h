//===- Report.h - Results for a person -------------------------*- C++ -*-===//
//
// The table on the terminal, a line a kernel, size, page size and number of
// threads, printed as the measurements come in, and the summary below it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_REPORT_H
#define HEDDLE_TOOLS_BENCH_REPORT_H

#include "measure/Row.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::bench {

/// "30M": bytes with the largest suffix that leaves a whole number.
std::string formatBytes(uint64_t bytes);

class Report {
public:
  void printHeader() const;

  /// Prints one line for `rows`, the versions of one measurement.
  void add(const std::vector<Row> &rows);

  void printSummary() const;

private:
  /// A ratio, higher is better, and where it was seen.
  struct Ratio {
    double value;
    std::string where;
  };
  static double geometricMean(const std::vector<Ratio> &ratios);
  static void printRatios(const char *what, const std::vector<Ratio> &ratios);

  std::vector<Ratio> overSerial, overCoroutines, overBestByHand;
  std::map<std::string, std::vector<Ratio>> byKernel;
};

} // namespace heddle::bench

#endif
