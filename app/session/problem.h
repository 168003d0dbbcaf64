#pragma once

#include <string>

#include "core/ir/result.h"

namespace loom::session {

/// Something that the user should know of.
struct Problem {
  enum class Kind { kRefused, kUnreadable, kNotAKernel, kWrong, kFailed, kRemark };
  Kind kind = Kind::kRefused;
  int node = 0;
  Error error;       ///< with the remedy, a step line, where there is one
  std::string line;  ///< what was refused
};

}  // namespace loom::session
