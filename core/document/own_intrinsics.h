// Tensor intrinsics that a text registers and its document keeps, beside those that the program knows.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

struct OwnIntrinsics {
  std::vector<notebook::RegisteredIntrinsic> registered;  // in the order in which they were; at least one
  intrin::Library library;                                // those and, under other names, the environment's
};

// Null for no intrinsics. "ValueError" for those that can't be any.
Result<std::shared_ptr<const OwnIntrinsics>> ownIntrinsics(std::vector<notebook::RegisteredIntrinsic> registered,
                                                           const schedule::Environment& environment);

// What the two functions of an intrinsic are called in Python: its name, with underscores for what no name has, then
// "_desc" and "_impl".
std::string descriptionName(const notebook::RegisteredIntrinsic& intrinsic);
std::string implementationName(const notebook::RegisteredIntrinsic& intrinsic);

// The two functions in TVMScript, the description first, each private.
std::string intrinsicText(const notebook::RegisteredIntrinsic& intrinsic);
// The inverse. "ParseError" for a text that isn't two functions.
Result<notebook::RegisteredIntrinsic> readIntrinsic(const std::string& name, const std::string& text,
                                                    const std::string& file);

}  // namespace loom::document
