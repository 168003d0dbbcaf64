// Prints a schedule step as TVM's trace prints it in Python: every argument by its name, results named b0, l1, v2, ….
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/script/step_line.h"

namespace loom::script {

// One applied step with all of its arguments.
struct TraceCall {
  std::string primitive;
  // In TVM's order; one without a name is positional (the loops of fuse, reorder and merge).
  std::vector<StepKeyword> arguments;
  std::vector<std::string> outputs;  // the names of the results
  bool listResult = false;           // whether the result is a list; one name then gets a comma: `b1, = sch.…`
  // The value that the step drew at random, if it samples; printed last, as decision=….
  std::optional<StepValue> decision;
  friend bool operator==(const TraceCall&, const TraceCall&) = default;
};

// Returns the line of a step, without a line feed and, if there are no outputs, without `… = `: `l4, l5 =
// sch.split(loop=l1, factors=[None, 16], preserve_unit_iters=True, disable_predication=False)`. Where TVM's own text
// can't be read back (dictionaries without inner quotes, special characters in strings, 3.0 as 3), this line differs
// from it so that it can.
std::string printCall(const TraceCall& call);

}  // namespace loom::script
