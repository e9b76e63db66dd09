//===- CompileCommands.cpp - compile_commands.json -----------------------===//

#include "CompileCommands.h"

#include "heddle/graph/Error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace heddle::advise {

namespace {

/// Reads as much of JSON as the file has: an array of objects whose members are
/// strings and arrays of strings. Others are skipped.
class Reader {
  std::string_view text;
  std::size_t at = 0;
  const std::string &name;

public:
  Reader(std::string_view text, const std::string &name)
      : text(text), name(name) {}

  std::vector<CompileCommand> commands() {
    std::vector<CompileCommand> commands;
    list('[', ']', [&] { commands.push_back(command()); });
    if (peek() != '\0')
      fail("the end of the file");
    return commands;
  }

private:
  [[noreturn]] void fail(const std::string &expected) const {
    const auto line =
        1 + std::count(text.begin(), text.begin() + std::min(at, text.size()),
                       '\n');
    throw graph::Error(fmt::format("{}:{}: expected {}", name, line, expected));
  }

  /// The next character that is no white space; 0 at the end.
  char peek() {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    return at < text.size() ? text[at] : '\0';
  }

  void expect(char character) {
    if (peek() != character)
      fail(fmt::format("'{}'", character));
    ++at;
  }

  template <typename Item> void list(char open, char close, Item item) {
    expect(open);
    if (peek() != close) {
      item();
      while (peek() == ',') {
        ++at;
        item();
      }
    }
    expect(close);
  }

  unsigned hexadecimal() {
    unsigned code = 0;
    for (int digit = 0; digit < 4; ++digit, ++at) {
      const char character = at < text.size() ? text[at] : '\0';
      if (!std::isxdigit(static_cast<unsigned char>(character)))
        fail("four hexadecimal digits");
      code = code * 16 + static_cast<unsigned>(
                             std::isdigit(static_cast<unsigned char>(character))
                                 ? character - '0'
                                 : std::tolower(character) - 'a' + 10);
    }
    return code;
  }

  /// Appends a character in UTF-8.
  static void append(std::string &value, unsigned code) {
    if (code < 0x80) {
      value += static_cast<char>(code);
      return;
    }
    if (code < 0x800)
      value += static_cast<char>(0xC0 | code >> 6);
    else {
      value += static_cast<char>(0xE0 | code >> 12);
      value += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    }
    value += static_cast<char>(0x80 | (code & 0x3F));
  }

  std::string string() {
    expect('"');
    std::string value;
    while (at < text.size() && text[at] != '"') {
      if (text[at] != '\\') {
        value += text[at++];
        continue;
      }
      const char escaped = at + 1 < text.size() ? text[at + 1] : '\0';
      at += 2;
      constexpr std::string_view names = "bfnrt", meanings = "\b\f\n\r\t";
      if (escaped == 'u')
        append(value, hexadecimal());
      else if (const std::size_t which = names.find(escaped);
               which != std::string_view::npos)
        value += meanings[which];
      else
        value += escaped;
    }
    if (at >= text.size())
      fail("'\"'");
    ++at;
    return value;
  }

  /// Skips a value of any kind.
  void skip() {
    switch (peek()) {
    case '"':
      string();
      return;
    case '[':
      list('[', ']', [&] { skip(); });
      return;
    case '{':
      list('{', '}', [&] {
        string();
        expect(':');
        skip();
      });
      return;
    default:
      const std::size_t end =
          std::min(text.find_first_of(",]}", at), text.size());
      if (end == at)
        fail("a value");
      at = end;
    }
  }

  CompileCommand command() {
    CompileCommand command;
    list('{', '}', [&] {
      const std::string key = string();
      expect(':');
      if (key == "directory")
        command.directory = string();
      else if (key == "file")
        command.file = string();
      else if (key == "command" && command.arguments.empty())
        command.arguments = splitCommand(string());
      else if (key == "arguments") {
        command.arguments.clear();
        list('[', ']', [&] { command.arguments.push_back(string()); });
      } else
        skip();
    });
    if (command.file.empty() || command.arguments.empty())
      fail("members 'file' and 'command' or 'arguments'");
    return command;
  }
};

} // namespace

std::string CompileCommand::path() const {
  return (std::filesystem::absolute(directory) / file)
      .lexically_normal()
      .string();
}

std::vector<CompileCommand> parseCompileCommands(std::string_view text,
                                                 const std::string &name) {
  return Reader(text, name).commands();
}

std::vector<std::string> splitCommand(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char character = command[i];
    if (character == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      inWord = true;
    } else if (character == quote) {
      quote = '\0';
    } else if (!quote && (character == '"' || character == '\'')) {
      quote = character;
      inWord = true;
    } else if (!quote && (character == ' ' || character == '\t')) {
      if (inWord)
        words.push_back(std::exchange(word, {}));
      inWord = false;
    } else {
      word += character;
      inWord = true;
    }
  }
  if (inWord)
    words.push_back(word);
  return words;
}

std::vector<std::string> withoutOutputs(std::vector<std::string> arguments) {
  constexpr std::string_view withValue[] = {"-o", "-MF", "-MT", "-MQ", "-MJ"};
  constexpr std::string_view alone[] = {"-c",  "-S",         "-E",   "-M",
                                        "-MM", "-MD",        "-MMD", "-MP",
                                        "-MG", "-save-temps"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (std::ranges::find(withValue, argument) != std::end(withValue)) {
      ++i;
      continue;
    }
    const bool writes =
        std::ranges::find(alone, argument) != std::end(alone) ||
        std::ranges::any_of(withValue, [&](std::string_view option) {
          return argument.starts_with(option) && !argument.starts_with("-objc");
        });
    if (!writes)
      kept.push_back(std::move(arguments[i]));
  }
  return kept;
}

} // namespace heddle::advise
