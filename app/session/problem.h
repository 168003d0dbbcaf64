#pragma once

#include <string>

#include "core/ir/result.h"

namespace loom::session {

/// An entry of the panel Problems: something that is wrong with a step (a line that calls a schedule primitive), with a
/// state (the program after some steps) or with a file.
struct Problem {
  /// kRefused: a step line was refused. kUnreadable: a text of step lines can't be parsed. kNotAKernel: lowering
  /// refuses the state. kWrong: the state computes another result, or its step breaks the program. kFailed: the kernel
  /// could not be compiled or run, or a background job ended by a mistake in Tileloom. kRemark: a note on an annotation
  /// of the program that its kernel doesn't follow, or on a file (a document, stored results, …) of which something is
  /// ignored or that can't be used.
  enum class Kind { kRefused, kUnreadable, kNotAKernel, kWrong, kFailed, kRemark };
  Kind kind = Kind::kRefused;
  /// Index in the history of the state that the entry is about; for kRefused and kUnreadable, of the state that the
  /// line or text was to be applied to.
  int node = 0;
  Error error;       ///< the message; its `remedy` has step lines or advice in words, if there is one
  std::string line;  ///< kRefused: the line that was refused; kUnreadable: the text; else empty
};

}  // namespace loom::session
