// Reads the text of a file of tensor intrinsics (assets/intrinsics/README.md) as it is written; intrinsic_file.h makes
// intrinsics of what is read. A file has two functions in TVMScript, `desc` and `impl`, which name parameters, and
// before them a table INTRINSICS: each row has the name of an intrinsic and the values of its parameters. A table FORMS
// may precede it: each of its rows, a form, then makes an intrinsic of every row of INTRINSICS, with a name and values
// of its own. Instead of functions, TEMPLATE may name another file's table, whose functions are then used. A file may
// have several such sections one after the other.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/intrin/intrinsic.h"
#include "core/script/lexer.h"

namespace loom::intrin {

using Values = std::map<std::string, std::string, std::less<>>;  // parameter → text of its value

// The rows of a table INTRINSICS, in the order of the file: name → values.
using Table = std::vector<std::pair<std::string, Values>>;

// A form: what it adds to the name of each intrinsic and to its values. If several tables FORMS follow each other, each
// combination of their rows is a form.
struct Form {
  // For each of these tables, the row's key, which replaces the first `*` of the name or else is appended to it, and
  // the row's values, which replace those of the intrinsic. Empty: the intrinsic as INTRINSICS has it.
  std::vector<std::pair<std::string, Values>> parts;
  // Whether an earlier form has the same parameters, with values that are equal or both positive whole numbers.
  bool isVariant = false;
};

// A table INTRINSICS with its forms: at least one; a single one without parts if the file has no FORMS for the table.
struct FormedTable {
  Table rows;
  std::vector<Form> forms;
};

// The text of a file, its name, and its tokens, which are views into `text`; so it must not be copied or moved once it
// has tokens.
struct FileText {
  std::string text, name;
  std::vector<script::Token> tokens;
  // Returns a "ParseError" at the place of the token with this index.
  Failure error(std::size_t token, Message message) const;
};

// The tokens of a function, by their indices in FileText::tokens, `end` not included; 0 and 0: there is no function.
struct TokenSpan {
  std::size_t begin = 0, end = 0;
};

// TEMPLATE = file, row: uses the functions of the section in the file of this name (FileText::name) that has a row with
// this name. Nothing is opened here.
struct TemplateName {
  std::string file, row;
  std::size_t token = 0;  // index of the token at which TEMPLATE's value begins
};

// The tables that share two functions.
struct Section {
  std::vector<FormedTable> tables;
  Values common;                          // the file's own values, for parameters that a row has no value for
  TokenSpan description, implementation;  // `desc` and `impl`; none if `from` is given
  std::optional<TemplateName> from;       // where the two functions are taken from; nothing: they are this section's
  // Returns whether one of the tables has a row with this name, without regard to forms.
  bool hasRow(std::string_view name) const;
};

// The contents of a file. The tokens of `sections` are those of `text`.
struct FileTables {
  std::shared_ptr<const FileText> text;
  ExecutionGroup group = ExecutionGroup::Thread;  // EXECUTION: the threads that execute an implementation together
  std::vector<Section> sections;
};

// Reads the text of a file; `name` is its name. Error "ParseError", with the place, for a text in another format.
Result<FileTables> readTables(std::string_view text, std::string_view name);

}  // namespace loom::intrin
