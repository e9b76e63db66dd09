//===- Quote.cpp - Foreign bytes in messages -----------------------------===//

#include "Quote.h"

namespace heddle::graph {

std::string quoted(std::string_view text) {
  constexpr std::size_t mostBytes = 32;
  constexpr const char *digits = "0123456789abcdef";
  std::string result = "'";
  for (const char byte : text.substr(0, mostBytes)) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 && code < 0x7f)
      result += byte;
    else
      result += {'\\', 'x', digits[code >> 4], digits[code & 15]};
  }
  return result + (text.size() > mostBytes ? "...'" : "'");
}

} // namespace heddle::graph
