// Makes tensor intrinsics of the tables of a file: tables, each with two functions in TVMScript, its own or those of
// another file's table. A row of a table has a name and the values of parameters that stand in the functions. A table
// may also have forms: each makes an intrinsic of every row, with a suffix of the name and further values.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/intrin/file_tables.h"
#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// The two functions of a table, and the file's own values for parameters that a row has no value for.
struct TableFunctions {
  std::shared_ptr<const FileText> file;   // in which the two functions stand; never null
  TokenSpan description, implementation;  // where they stand in `file`
  Values common;
};

// One intrinsic of a file: a row of a table in one of its forms. Its two functions are made when they are asked for, as
// a library has thousands, of which a program needs few.
struct IntrinsicText {
  std::string name;
  std::shared_ptr<const TableFunctions> functions;  // never null
  std::shared_ptr<const Values> row;                // never null
  std::shared_ptr<const Form> form;                 // never null
  // Whether the row's first form has the same texts but for numbers in them, so that parsing this one finds no errors
  // that parsing the first one doesn't.
  bool isVariant = false;

  // Error "ParseError", placed at the description, if values of the row and the form name each other in a circle.
  Result<void> check() const;
  // Return TVMScript of one function each, with the values of the parameters filled in. The text begins with an import
  // of T and as many empty lines as make its line numbers those of `functions->file`, if the function begins at line 2
  // or later. Values that name each other in a circle aren't filled in.
  std::string description() const { return textOf(functions->description); }
  std::string implementation() const { return textOf(functions->implementation); }

 private:
  std::string textOf(TokenSpan function) const;
};

// The contents of a file of intrinsics.
struct IntrinsicFile {
  ExecutionGroup group = ExecutionGroup::Thread;  // the threads that execute each of the intrinsics together
  // By row, in the order of the tables: one for each form, or one if there are no forms.
  std::vector<IntrinsicText> members;
};

// Returns what `readTables` made of a file by its name, such as "mma_sync.py"; null if there is no such file.
using TablesOf = std::function<const Result<FileTables>*(const std::string& file)>;

// Makes the intrinsics of a file from its tables; `others` has the files whose functions it may take, and needn't have
// this one. Error "ParseError", with the place, where it takes functions of a file or a table that isn't there, of a
// file that can't be read, or of itself.
Result<IntrinsicFile> readIntrinsicFile(
    const FileTables& tables, const TablesOf& others = [](const std::string&) { return nullptr; });

}  // namespace loom::intrin
