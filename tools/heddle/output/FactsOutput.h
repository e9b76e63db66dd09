//===- FactsOutput.h - Where facts are shown -------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OUTPUT_FACTSOUTPUT_H
#define HEDDLE_TOOLS_OUTPUT_FACTSOUTPUT_H

#include "Facts.h"
#include "ResultFile.h"

#include <string>

namespace heddle {

/// Standard output, for a person, and the file that --json asks for.
class FactsOutput {
public:
  /// Opens the file, if `jsonPath` is not empty. If it is "-" then nothing is
  /// printed for people. Throws graph::WriteError when it cannot be written.
  explicit FactsOutput(const std::string &jsonPath)
      : forPerson(jsonPath != "-"), json(jsonPath) {}

  /// Throws graph::WriteError when the file could not be written.
  void show(const Facts &facts) {
    if (forPerson)
      facts.print();
    json.write(facts.json().text() + "\n");
    json.commit();
  }

private:
  const bool forPerson;
  ResultFile json;
};

} // namespace heddle

#endif
