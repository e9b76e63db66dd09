//===- Report.cpp - Results for a person ---------------------------------===//

#include "Report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>

namespace heddle::bench {

namespace {

constexpr const char *LinePrefix = "{:<14}{:>6}{:>6}{:>8}{:>12}";

const Row *find(const std::vector<Row> &rows, Version version) {
  for (const Row &row : rows)
    if (row.version == version)
      return &row;
  return nullptr;
}

const Row *fastestByHand(const std::vector<Row> &rows) {
  const Row *fastest = nullptr;
  for (const Row &row : rows)
    if (isHandWritten(row.version) && (!fastest || row.speed > fastest->speed))
      fastest = &row;
  return fastest;
}

} // namespace

std::string formatBytes(uint64_t bytes) {
  const char *suffixes[] = {"", "K", "M", "G", "T"};
  size_t suffix = 0;
  for (; bytes >= 1024 && bytes % 1024 == 0 && suffix + 1 < std::size(suffixes);
       ++suffix)
    bytes /= 1024;
  return fmt::format("{}{}", bytes, suffixes[suffix]);
}

void Report::printHeader() const {
  fmt::print("Speed relative to the serial version (1.00). '*' marks the best "
             "hand-written version;\n'-' stands where interleaving by hand "
             "does not apply: sequential accesses.\n\n");
  fmt::print(fmt::runtime(LinePrefix), "kernel", "bytes", "pages", "threads",
             "serial");
  for (Version version : AllVersions)
    if (version != Version::Serial)
      fmt::print("{:>12}", nameOf(version));
  fmt::print("\n{:>46}\n", "ns/op");
}

void Report::add(const std::vector<Row> &rows) {
  const Row *serial = find(rows, Version::Serial);
  const Row *best = fastestByHand(rows);
  fmt::print(fmt::runtime(LinePrefix), serial->kernel,
             formatBytes(serial->bytes), nameOf(serial->pages), serial->threads,
             fmt::format("{:.2f}", serial->nanosecondsPerOperation));
  for (Version version : AllVersions) {
    if (version == Version::Serial)
      continue;
    const Row *row = find(rows, version);
    if (!row)
      fmt::print("{:>12}", "- ");
    else
      fmt::print("{:>11.2f}{}", row->speed, row == best ? "*" : " ");
  }
  fmt::print("\n");
  std::fflush(stdout);

  const double heddle = find(rows, Version::Heddle)->speed;
  const std::string where =
      fmt::format("{}, {}, {} pages, {} thread{}", serial->kernel,
                  formatBytes(serial->bytes), nameOf(serial->pages),
                  serial->threads, serial->threads == 1 ? "" : "s");
  overSerial.push_back({heddle, where});
  if (best) {
    overBestByHand.push_back({heddle / best->speed, where});
    byKernel[serial->kernel].push_back(overBestByHand.back());
  }
  if (const Row *coroutines = find(rows, Version::Coroutines))
    overCoroutines.push_back({heddle / coroutines->speed, where});
}

double Report::geometricMean(const std::vector<Ratio> &ratios) {
  double logarithms = 0;
  for (const Ratio &ratio : ratios)
    logarithms += std::log(ratio.value);
  return std::exp(logarithms / static_cast<double>(ratios.size()));
}

void Report::printRatios(const char *what, const std::vector<Ratio> &ratios) {
  if (ratios.empty())
    return;
  const Ratio worst = std::ranges::min(ratios, {}, &Ratio::value);
  fmt::print("heddle against {:<27} geometric mean {:.2f}, worst {:.2f} ({})\n",
             what, geometricMean(ratios), worst.value, worst.where);
}

void Report::printSummary() const {
  fmt::print("\n");
  printRatios("serial:", overSerial);
  printRatios("C++20 coroutines:", overCoroutines);
  printRatios("the best by hand:", overBestByHand);
  std::vector<Ratio> ofKernels;
  for (const auto &[kernel, ratios] : byKernel)
    ofKernels.push_back({geometricMean(ratios), kernel});
  printRatios("the same, kernel by kernel:", ofKernels);
}

} // namespace heddle::bench
