// Runs a function as it is written, one statement after another.
#pragma once
#include <map>

#include "core/exec/inputs.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

struct WholeResult {
  std::vector<Value> values;
  std::vector<std::uint8_t> written;
};

// The final contents of every parameter, by position; `contents` as at the start. Error "NotExecutable" when the
// function has more than `limit` statements to run, views of buffers, or calls with effects.
Result<std::map<int, WholeResult>> runWhole(const ir::Function& function, const std::map<int, InputValues>& contents,
                                            std::int64_t limit);

}  // namespace loom::exec
