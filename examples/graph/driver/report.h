//===- report.h - Tables for people, rows for programs ----------*- C++ -*-===//

#ifndef GRAPH_DRIVER_REPORT_H
#define GRAPH_DRIVER_REPORT_H

#include "measure.h"

#include <string>
#include <vector>

/// Adds the words of the compiler and the runtime, by now, about an algorithm's
/// loops.
void explain(std::vector<Row> &rows);

void printTable(const std::vector<Row> &rows);

/// Writes all rows as a JSON array: the whole file or, on an error, which is
/// thrown as InputError, none of it.
void writeJson(const std::string &file, const std::vector<Row> &rows,
               int threads, const std::string &pages);

#endif
