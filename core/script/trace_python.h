// A step as TVM's trace prints it in Python: every argument spelled out by name, results named b0, l1, v2 ….
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/script/step_line.h"

namespace loom::script {

// One applied step with its arguments complete.
struct TraceCall {
  std::string primitive;
  std::vector<StepKeyword>
      arguments;  // in TVM's order; without a name: positional (the loops of fuse, reorder and merge)
  std::vector<std::string> outputs;
  bool listResult = false;            // one result that is a list prints with a comma: `b1, = sch.get_child_blocks(b0)`
  std::optional<StepValue> decision;  // of a sampling step; printed last, as decision=…
  friend bool operator==(const TraceCall&, const TraceCall&) = default;
};

// Returns `l4, l5 = sch.split(loop=l1, factors=[None, 16], preserve_unit_iters=True, disable_predication=False)`. Where
// TVM's own text can't be read back (dictionaries without inner quotes, special characters in strings, 3.0 as 3), this
// one can.
std::string printCall(const TraceCall& call);

}  // namespace loom::script
