// Reads the text of a file of tensor intrinsics: tables, each with two functions in TVMScript, its own or those of
// another file's table. A row of a table has a name and the values of parameters that stand in the functions. A table
// may also have forms: each makes an intrinsic of every row, with a suffix of the name and further values.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// One intrinsic of a file. `description` and `implementation` are TVMScript of one function each, with the values of
// the parameters filled in. Each begins with an import of T and as many empty lines as make its line numbers those of
// `file`, if the function begins at line 2 or later.
struct IntrinsicText {
  std::string name;
  std::string description, implementation;
  std::string file;  // in which the two functions stand
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

// Returns the text of a file by its name, such as "mma_sync.py"; nothing if there is none.
using TextOf = std::function<std::optional<std::string_view>(const std::string& file)>;

// Reads the text of a file; `file` is its name, and `others` has the files whose functions it may take. Error
// "ParseError", with the place, for a text that isn't in the format of assets/intrinsics/README.md, and where it takes
// functions of a file or a table that isn't there, or of itself.
Result<IntrinsicFile> readIntrinsicFile(
    std::string_view text, std::string_view file,
    const TextOf& others = [](const std::string&) { return std::nullopt; });

}  // namespace loom::intrin
