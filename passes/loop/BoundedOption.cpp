//===- BoundedOption.cpp - Options with a range of values -----------------===//

#include "loop/BoundedOption.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;
using namespace heddle;

StringRef heddle::freeName(StringRef Name) {
  return cl::getRegisteredOptions().contains(Name) ? "" : Name;
}

bool OptionRange::contains(uint64_t Value) const {
  return Least <= Value && Value <= Most &&
         (!IsPowerOfTwo || isPowerOf2_64(Value));
}

std::string OptionRange::error(StringRef Value) const {
  return ("expected a " + Twine(IsPowerOfTwo ? "power of two" : "number") +
          " from " + Twine(Least) + " to " + Twine(Most) + ", not '" + Value +
          "'")
      .str();
}

bool RangeParser::parse(cl::Option &O, StringRef, StringRef Text,
                        unsigned &Value) const {
  uint64_t Number;
  if (Text.getAsInteger(0, Number) || !Accepted.contains(Number))
    return O.error(Accepted.error(Text));
  Value = unsigned(Number);
  return false;
}

BoundedOption::BoundedOption(StringRef Name, unsigned Value,
                             OptionRange Accepted, StringRef Description)
    : opt(freeName(Name), cl::Hidden, cl::init(Value), cl::desc(Description)) {
  assert(Accepted.contains(Value) && "the default is accepted");
  assert(Accepted.Most <= UINT_MAX && "options are of this type");
  getParser().Accepted = Accepted;
}
