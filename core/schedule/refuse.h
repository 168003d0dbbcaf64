// The errors with which primitives and analyses refuse a step.
#pragma once
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::schedule {

// Returns an error with the ids of the loops, blocks and buffers concerned as its `subjects`. `code` is the name of
// TVM's error class, and `forbids` says what forbids the step: the program, the hardware, TVM, the input or the
// environment.
inline Failure refuse(std::string code, Message message, std::vector<ir::Id> subjects = {},
                      Forbids forbids = Forbids::Program) {
  Failure failure = fail(std::move(code), std::move(message), forbids);
  failure.value().subjects = std::move(subjects);
  return failure;
}

}  // namespace loom::schedule
