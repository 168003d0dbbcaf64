// Reads the text of a file of tensor intrinsics: tables, each with two functions in TVMScript. A row of a table has a
// name and the values of parameters that stand in the functions. A table may also have forms: each makes an intrinsic
// of every row, with a suffix of the name and further values.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// One intrinsic of a file. `description` and `implementation` are TVMScript of one function each, with the values of
// the parameters filled in. Each begins with an import of T and as many empty lines as make its line numbers those of
// the file, if the function begins at line 2 or later.
struct IntrinsicText {
  std::string name;
  std::string description, implementation;
  // Whether the row's first form has the same texts but for numbers in them, so that parsing this one finds no errors
  // that parsing the first one doesn't.
  bool isVariant = false;
};

// The contents of a file of intrinsics.
struct IntrinsicFile {
  ExecutionGroup group = ExecutionGroup::Thread;  // the threads that execute each of the intrinsics together
  // By row, in the order of the tables: one for each form, or one if there are no forms.
  std::vector<IntrinsicText> members;
};

// Reads the text of a file; `file` is its name in errors. Error "ParseError", with the place, for a text that isn't in
// the format of assets/intrinsics/README.md.
Result<IntrinsicFile> readIntrinsicFile(std::string_view text, std::string_view file);

}  // namespace loom::intrin
