// Tensor intrinsics that a text registers and its document keeps, beside those that the program knows.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// The tensor intrinsics that a script registers, together with those of the environment.
struct OwnIntrinsics {
  std::vector<notebook::RegisteredIntrinsic> registered;  // in the order in which they were; at least one
  intrin::Library library;                                // those and, under other names, the environment's
};

// Checks the intrinsics that a script registers. Returns null if there are none. Error "ValueError" for one that can't
// be an intrinsic.
Result<std::shared_ptr<const OwnIntrinsics>> ownIntrinsics(std::vector<notebook::RegisteredIntrinsic> registered,
                                                           const schedule::Environment& environment);

// Return the Python names of an intrinsic's two functions: its name, with underscores for characters that a name can't
// have, then "_desc" and "_impl".
std::string descriptionName(const notebook::RegisteredIntrinsic& intrinsic);
std::string implementationName(const notebook::RegisteredIntrinsic& intrinsic);

// Returns the two functions in TVMScript, the description first, each private.
std::string intrinsicText(const notebook::RegisteredIntrinsic& intrinsic);
// Reads what `intrinsicText` returns. Error "ParseError" for a text that isn't two functions.
Result<notebook::RegisteredIntrinsic> readIntrinsic(const std::string& name, const std::string& text,
                                                    const std::string& file);

}  // namespace loom::document
