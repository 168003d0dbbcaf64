// Errors as values: a function that can fail returns a Result. The terminal, the window and the JSON output render an
// error in the user's language.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/ir/id.h"
#include "core/ir/message.h"

namespace loom {

// What forbids the requested operation: the program's meaning, the hardware, a limit of TVM, wrong input, or the
// environment (files, drivers, tools).
enum class Forbids { Program, Hardware, Tvm, Input, Environment };

// A place in a text that the user gave. Lines and columns count from 1, columns in bytes; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text;  // the line itself, to be shown with a mark under `column`; "" if it isn't known
};

// Why an operation failed.
struct Error {
  std::string
      code;  // TVM's error class ("WrongFactorError", "ValueError") or ours ("ParseError", "NoDevice", "Timeout")
  Message message;  // one sentence with the numbers that break the rule
  Forbids forbids = Forbids::Program;
  std::string primitive;                       // the schedule primitive that failed, "split"; "" if it is none
  std::string parameter;                       // its parameter that is wrong, "factors"; "" if it is none
  std::vector<ir::Id> subjects;                // the loops, blocks and buffers that the error is about
  std::map<std::string, std::string> numbers;  // name → value: {"product": "96", "extent": "100"}
  // What would help; empty if nothing is known. If `primitive` isn't empty: step lines (calls of primitives,
  // `sch.split(…)`), one for each line of the text and the same in all languages, that were tried and do what was
  // wanted in place of the refused step. Else a text to show: a sentence, or a step line whose arguments may be left
  // open ("…").
  Message remedy;
  Place place;  // where in a text the error is; a file of "" and line 0 if it has no place
};

// A value, or the error for which there is none.
template <class T>
using Result = tl::expected<T, Error>;
// An error on its way into a Result.
using Failure = tl::unexpected<Error>;

// Makes an error from its code, its message and what forbids the operation; the other members stay empty.
inline Failure fail(std::string code, Message message, Forbids forbids = Forbids::Program) {
  Error e;
  e.code = std::move(code);
  e.message = std::move(message);
  e.forbids = forbids;
  return Failure(std::move(e));
}

}  // namespace loom
