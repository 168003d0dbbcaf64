// Reads the text of a file of tensor intrinsics (assets/intrinsics/README.md) as it is written: tables of names and
// values of parameters, and the functions that they are put into. intrinsic_file.h makes intrinsics of them.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/intrin/intrinsic.h"
#include "core/script/lexer.h"

namespace loom::intrin {

using Values = std::map<std::string, std::string, std::less<>>;  // parameter → text of its value

// The rows of a table INTRINSICS: name → values.
using Table = std::vector<std::pair<std::string, Values>>;

// What an intrinsic of a row is called further, and its further values: a row of each of the tables FORMS that follow
// each other.
struct Form {
  std::vector<std::pair<std::string, Values>> parts;
  // Whether an earlier form has the same values but for numbers in them.
  bool isVariant = false;
};

// A table with the forms that hold for it: at least one, which has no parts where the file has none.
struct FormedTable {
  Table rows;
  std::vector<Form> forms;
};

// A text with its name and its tokens, which refer to it.
struct FileText {
  std::string text, name;
  std::vector<script::Token> tokens;
  // Returns a "ParseError" at the place of a token.
  Failure error(std::size_t token, Message message) const;
};

// Some tokens of a file; none: a function that isn't there.
struct TokenSpan {
  std::size_t begin = 0, end = 0;
};

// A table of a file, whose functions are taken.
struct TemplateName {
  std::string file, row;  // the row is one of the table's, by its name in the file
  std::size_t token = 0;  // where it is named
};

// Tables with the same functions.
struct Section {
  std::vector<FormedTable> tables;
  Values common;  // values of the file for parameters that a row has none of
  TokenSpan description, implementation;
  std::optional<TemplateName> from;  // instead of the two functions
  bool hasRow(std::string_view name) const;
};

// The contents of a file.
struct FileTables {
  std::shared_ptr<const FileText> text;
  ExecutionGroup group = ExecutionGroup::Thread;
  std::vector<Section> sections;
};

// Reads the text of a file; `name` is its name. Error "ParseError", with the place, for a text in another format.
Result<FileTables> readTables(std::string_view text, std::string_view name);

}  // namespace loom::intrin
