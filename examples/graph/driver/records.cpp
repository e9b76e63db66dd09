//===- records.cpp - The compiler's records of each loop ------------------===//

#include "records.h"

#include <filesystem>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

using namespace llvm::yaml;

/// Returns the text of a scalar, and nothing for other nodes.
static std::string textOf(Node *node) {
  llvm::SmallString<128> storage;
  auto *scalar = llvm::dyn_cast_or_null<ScalarNode>(node);
  return scalar ? scalar->getValue(storage).str() : std::string();
}

/// Calls visit(key, value) for each field of a mapping.
template <typename Visit> static void forEachField(Node *mapping, Visit visit) {
  if (auto *fields = llvm::dyn_cast_or_null<MappingNode>(mapping))
    for (KeyValueNode &field : *fields)
      visit(textOf(field.getKey()), field.getValue());
}

static Remark parseRemark(Node *root) {
  Remark remark;
  remark.kind = root->getRawTag().ltrim('!');
  forEachField(root, [&](const std::string &key, Node *value) {
    if (key == "Pass")
      remark.pass = textOf(value);
    if (key == "DebugLoc")
      forEachField(value, [&](const std::string &part, Node *text) {
        if (part == "File")
          remark.file = std::filesystem::path(textOf(text)).filename();
        if (part == "Line")
          remark.line = std::stoul(textOf(text));
      });
    bool inMessage = true;
    if (auto *arguments = llvm::dyn_cast_or_null<SequenceNode>(value))
      for (Node &argument : *arguments)
        forEachField(&argument, [&](const std::string &name, Node *text) {
          // From here on, arguments are for programs.
          inMessage &= name != "Refusal";
          if (inMessage)
            remark.message += textOf(text);
        });
  });
  return remark;
}

std::vector<Remark> parseRecord(std::string_view yaml) {
  std::vector<Remark> remarks;
  llvm::SourceMgr sources;
  Stream stream(yaml, sources);
  for (Document &document : stream) {
    Remark remark;
    if (Node *root = document.getRoot())
      remark = parseRemark(root);
    if (remark.pass == "heddle")
      remarks.push_back(std::move(remark));
  }
  return remarks;
}
