// Errors are values. Text is rendered at the edge (terminal, window, JSON), in the user's language.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/ir/id.h"
#include "core/ir/message.h"

namespace loom {

// Who forbids what was asked.
enum class Forbids { Program, Hardware, Tvm, Input, Environment };

// A place in a text the user gave. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text;  // the line itself, for the caret
};

// Why something could not be done, as a value. Words in the user's language are made of it at the edge.
struct Error {
  std::string
      code;  // TVM's error class ("WrongFactorError", "ValueError") or ours ("ParseError", "NoDevice", "Timeout")
  Message message;  // one sentence with the numbers that break the rule
  Forbids forbids = Forbids::Program;
  std::string primitive;                       // "split", or ""
  std::string parameter;                       // "factors", or ""
  std::vector<ir::Id> subjects;                // loops, blocks, buffers concerned
  std::map<std::string, std::string> numbers;  // name → value: {"product": "96", "extent": "100"}
  // Of what a primitive refused: step lines that do it after all. Else what would help, as a step line or in words. ""
  // where nothing is known.
  Message remedy;
  Place place;
};

template <class T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

inline Failure fail(std::string code, Message message, Forbids forbids = Forbids::Program) {
  Error e;
  e.code = std::move(code);
  e.message = std::move(message);
  e.forbids = forbids;
  return Failure(std::move(e));
}

}  // namespace loom
