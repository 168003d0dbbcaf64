#pragma once

#include <string>

#include "core/ir/result.h"

namespace loom::session {

/// An entry of the panel Problems: something that is wrong with a step line, a state or a stored result.
struct Problem {
  /// kRefused: a step line was refused. kUnreadable: a text can't be parsed. kNotAKernel: lowering refuses the
  /// state. kWrong: the state computes another result, or its step breaks the program. kFailed: the kernel could not be
  /// compiled or run, or a background job ended by a mistake in Tileloom. kRemark: a note on what has no effect.
  enum class Kind { kRefused, kUnreadable, kNotAKernel, kWrong, kFailed, kRemark };
  Kind kind = Kind::kRefused;
  int node = 0;      ///< index in the history of the state that the entry is about
  Error error;       ///< the message; its `remedy` has step lines or advice in words, if there is one
  std::string line;  ///< the line that was refused; else empty
};

}  // namespace loom::session
