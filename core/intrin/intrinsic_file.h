// The text of one file of intrinsics, taken apart: tables of names and parameters, each with two functions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// One intrinsic of a file. The texts are TVMScript of one function each, with the parameters' values in place; their
// lines stand where they stand in the file.
struct IntrinsicText {
  std::string name;
  std::string description, implementation;
  // Whether a member before it, of the same row, has the same texts with other numbers in them: parsing this one finds
  // nothing that parsing that one doesn't.
  bool isVariant = false;
};

// The contents of a file of intrinsics: the group that executes them, and an entry for each row of its tables.
struct IntrinsicFile {
  ExecutionGroup group = ExecutionGroup::Thread;
  std::vector<IntrinsicText> members;  // in the order of the tables
};

// Reads the text of a file; `file` is its name in errors. Error "ParseError", with the place, where the text isn't as
// assets/intrinsics/README.md says.
Result<IntrinsicFile> readIntrinsicFile(std::string_view text, std::string_view file);

}  // namespace loom::intrin
