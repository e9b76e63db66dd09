//===- report.h - Tables for people, rows for programs ----------*- C++ -*-===//

#ifndef GRAPH_DRIVER_REPORT_H
#define GRAPH_DRIVER_REPORT_H

#include "measure.h"

#include <string>
#include <vector>

/// One line of the table: an algorithm as a whole, or one of its loops.
struct Row {
  std::string graph, algorithm;
  std::string loop;  // "total", or the name of the loop
  std::string where; // file and line of the loop
  int threads = 0;
  std::string pages;
  double without = 0, with = 0; // seconds
  double ratio = 0;
  std::string inFlight;
  std::string compiler; // what it did
};

/// The circumstances that all rows of a run share.
struct Setting {
  int threads;
  std::string pages;
};

/// A row for the algorithm and one for each of its loops, with what the
/// compiler and the runtime have to say about them by now.
std::vector<Row> makeRows(const std::string &graph, const Setting &setting,
                          const Measurement &measurement);

void printTable(const std::vector<Row> &rows);

/// Writes all rows as a JSON array: the whole file or, on an error, which is
/// thrown as InputError, none of it.
void writeJson(const std::string &file, const std::vector<Row> &rows);

#endif
