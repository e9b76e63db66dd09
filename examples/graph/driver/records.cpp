//===- records.cpp - The compiler's records of each loop ------------------===//

#include "records.h"

#include <filesystem>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

namespace {

using namespace llvm::yaml;

/// Returns the text of a scalar, and nothing for other nodes.
std::string textOf(Node *node) {
  llvm::SmallString<128> storage;
  auto *scalar = llvm::dyn_cast_or_null<ScalarNode>(node);
  return scalar ? scalar->getValue(storage).str() : std::string();
}

void parseLocation(MappingNode &location, Remark &remark) {
  for (KeyValueNode &part : location) {
    const std::string key = textOf(part.getKey());
    if (key == "File")
      remark.file = std::filesystem::path(textOf(part.getValue())).filename();
    else if (key == "Line")
      remark.line = std::stoul(textOf(part.getValue()));
  }
}

/// The arguments make up the message, up to those for programs.
void parseArguments(SequenceNode &arguments, Remark &remark) {
  bool inMessage = true;
  for (Node &argument : arguments)
    if (auto *parts = llvm::dyn_cast<MappingNode>(&argument))
      for (KeyValueNode &part : *parts) {
        inMessage &= textOf(part.getKey()) != "Refusal";
        if (inMessage)
          remark.message += textOf(part.getValue());
      }
}

} // namespace

std::vector<Remark> parseRecord(std::string_view yaml) {
  std::vector<Remark> remarks;
  llvm::SourceMgr sources;
  Stream stream(yaml, sources);
  for (Document &document : stream) {
    auto *fields = llvm::dyn_cast_or_null<MappingNode>(document.getRoot());
    if (!fields)
      break;
    Remark remark;
    remark.kind = fields->getRawTag().drop_front();
    std::string pass;
    for (KeyValueNode &field : *fields) {
      const std::string key = textOf(field.getKey());
      if (key == "Pass")
        pass = textOf(field.getValue());
      else if (auto *location =
                   llvm::dyn_cast_or_null<MappingNode>(field.getValue()))
        parseLocation(*location, remark);
      else if (auto *arguments =
                   llvm::dyn_cast_or_null<SequenceNode>(field.getValue()))
        parseArguments(*arguments, remark);
    }
    if (pass == "heddle")
      remarks.push_back(std::move(remark));
  }
  return remarks;
}
