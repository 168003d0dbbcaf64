// Reads the text of a file of tensor intrinsics: tables of names and parameters, each with two functions in TVMScript.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// One intrinsic of a file. `description` and `implementation` are TVMScript of one function each, with the values of
// the row's parameters filled in. Each begins with as many empty lines as make its line numbers those of the file.
struct IntrinsicText {
  std::string name;
  std::string description, implementation;
  // Whether an earlier member of the same row has the same texts but for numbers in them, so that parsing this one
  // finds no errors that parsing the earlier one doesn't.
  bool isVariant = false;
};

// The contents of a file of intrinsics.
struct IntrinsicFile {
  ExecutionGroup group = ExecutionGroup::Thread;  // the threads that execute each of the intrinsics together
  std::vector<IntrinsicText> members;             // one for each form of each row, in the order of the tables
};

// Reads the text of a file; `file` is its name in errors. Error "ParseError", with the place, for a text that isn't in
// the format of assets/intrinsics/README.md.
Result<IntrinsicFile> readIntrinsicFile(std::string_view text, std::string_view file);

}  // namespace loom::intrin
