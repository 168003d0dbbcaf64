// Tensor intrinsics that a script registers. One is a pair of functions: a description, which computes a small tile
// with loops, and an implementation of the same by hardware instructions. The document of the script keeps them in
// addition to those that are built into the program, which a schedule::Environment has.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// The tensor intrinsics that a script registers, together with those of the environment.
struct OwnIntrinsics {
  std::vector<notebook::RegisteredIntrinsic> registered;  // in the order of registration; at least one
  // Copies of all of `registered` (the last one of a name), and of the environment's intrinsics with other names.
  intrin::Library library;
};

// Checks the intrinsics that a script registers, and returns them. Returns null if there are none. Error "ValueError"
// for one that can't be an intrinsic.
Result<std::shared_ptr<const OwnIntrinsics>> ownIntrinsics(std::vector<notebook::RegisteredIntrinsic> registered,
                                                           const schedule::Environment& environment);

// Return the Python names of an intrinsic's two functions: its name, with underscores for characters that a name can't
// have, then "_desc" and "_impl". Names that differ only in such characters ("a.b", "a_b") give the same.
std::string descriptionName(const notebook::RegisteredIntrinsic& intrinsic);
std::string implementationName(const notebook::RegisteredIntrinsic& intrinsic);

// Returns the intrinsic's description and then its implementation, as private functions in TVMScript.
std::string intrinsicText(const notebook::RegisteredIntrinsic& intrinsic);
// Reads the text that `intrinsicText` returns, of the intrinsic with this name. `file` is named in errors. Error
// "ParseError" for a text that isn't two functions.
Result<notebook::RegisteredIntrinsic> readIntrinsic(const std::string& name, const std::string& text,
                                                    const std::string& file);

}  // namespace loom::document
