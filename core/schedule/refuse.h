// How primitives and analyses say no.
#pragma once
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::schedule {

// Returns a refusal that names the loops, blocks and buffers concerned. `code` is TVM's error class.
inline Failure refuse(std::string code, Message message, std::vector<ir::Id> subjects = {},
                      Forbids forbids = Forbids::Program) {
  Failure failure = fail(std::move(code), std::move(message), forbids);
  failure.value().subjects = std::move(subjects);
  return failure;
}

}  // namespace loom::schedule
