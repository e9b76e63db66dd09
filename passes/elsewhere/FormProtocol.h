//===- FormProtocol.h - Nested forms of functions ---------------*- C++ -*-===//
//
// Where a function is only declared, its code cannot become a part of a task.
// The file that defines it gives it, beside its plain form, a nested one, which
// the task calls step by step:
//
//     address = start(frame, varying, arguments ...)
//     while (address) { prefetch address; suspend; address = resume(frame) }
//     result = frame's result
//
// Either file may be compiled without the passes. So the loop refers weakly to
// a constant that describes the form,
//
//     struct { plain; start }  __heddle_nested_<version>_<type>_<name>
//
// and runs interleaved only if it is there, and if the function that the loop
// would call is `plain`, the one that the form was made of: a definition
// elsewhere may have taken the place of that one. The name tells versions of
// this protocol apart, and declarations of one name with different types.
//
// `frame` has form::Bytes and is the task's:
//
//     0   the function `resume`, which start() stores
//     8   the number of the suspension, for resume()
//     16  the result
//     32  what the function keeps over suspensions
//
// No step writes to other memory, each returns, and the address is one that may
// be read. Up to its end, start() reads only what arguments lead to that do not
// vary; so it may run ahead of time, with another frame, for arguments of a
// later iteration. What a result points to has been waited for. No part of this
// is a placeholder: a loop and a form are code and data with this meaning from
// the start, whatever passes run behind.
//
// Bit N of `varying` says that argument N may point to another object in each
// iteration, so that it is worth waiting for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ELSEWHERE_FORMPROTOCOL_H
#define HEDDLE_PASSES_ELSEWHERE_FORMPROTOCOL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class Function;
class LLVMContext;
class Module;
class StructType;
class Type;
} // namespace llvm

namespace heddle {

namespace form {

/// Of this protocol, and of what a form may do.
constexpr uint64_t Version = 3;
/// Of the frame. Those of all tasks are to fit in the first cache.
constexpr uint64_t Bytes = 160, Alignment = 16;
constexpr uint64_t NumberAt = 8, ResultAt = 16, KeptAt = 32;
/// What lies no further from each other is taken to be in one line.
constexpr int64_t NearBytes = 48;
/// Arguments that have a bit of their own.
constexpr unsigned MostArguments = 16;

} // namespace form

/// True if functions of \p M may have nested forms: on 64-bit targets whose
/// linkers know weak references and call functions by their addresses.
bool mayHaveForms(const llvm::Module &M);

/// True if the type and the attributes of \p F allow a nested form.
bool hasTypeOfForm(const llvm::Function &F);

/// True if a value of \p T may be handed over, returned, or kept in the frame.
bool isPlainNumber(const llvm::Type &T);

/// The name of the constant that describes the nested form of \p F.
std::string formName(const llvm::Function &F);

/// The type of that constant.
llvm::StructType *formType(llvm::LLVMContext &Context);

} // namespace heddle

#endif
