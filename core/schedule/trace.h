// The applied steps of a schedule as a trace of TVM: every call with all its arguments, and with its results named b0,
// l1, v2 … by their numbers (b: block, l: loop, v: expression). A sampling step doesn't rewrite the program: it draws
// numbers at random, which are its decision.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/schedule/instruction.h"
#include "core/script/trace_json.h"

namespace loom::schedule {

// Returns how calls of the primitive `row` are written in a trace's JSON, which follows from the types of its
// parameters. The shape's kind is empty for a primitive that TVM doesn't trace (work_on).
script::TraceShape traceShape(const Instruction& row);

// A list of applied calls, in their order.
class Trace {
 public:
  // Records a call of the primitive `row` that was applied to the state `before` without an error. `outputs` are its
  // results: their numbers in the trace are written into them (BlockRef::result and the like), and must be in them when
  // they become arguments of a later call, so this is called before names are bound to them. `decision` is what a
  // sampling step decided, else nothing. Primitives that TVM doesn't trace are left out.
  void record(const State& before, const Instruction& row, const Arguments& arguments, Handles& outputs,
              const std::optional<Decision>& decision);

  const std::vector<script::TraceCall>& calls() const { return calls_; }
  std::string json() const;    // the trace as JSON on one line, as TVM writes it
  std::string python() const;  // the trace as lines of Python, one for each call

 private:
  std::string nameOutput(Handle& handle);
  void getBlock(const State& before, Id block, const std::string& function);
  script::StepValue valueOf(const Value& value) const;
  script::StepValue argument(const State& before, const Parameter& parameter, const Value& value,
                             const Arguments& arguments);

  int results_ = 0;
  std::map<Id, int> gotByName_;  // the last result of get_block that a block's name stood for
  std::vector<script::TraceCall> calls_;
};

// Returns the line of a sampling step whose argument `decision` is missing or None, with this decision as that
// argument. Returns nothing for any other line, and for a call with an argument of the form *list.
std::optional<script::StepCall> decided(const script::StepCall& call, const Decision& decision);
// Returns whether the line's call is a sampling step, which decides something and leaves the program as it is.
bool isSampling(const script::StepCall& call);

// Applies the lines to the unscheduled module and returns their trace. Errors: those of State::create, and those of
// `apply` for the first line that is refused, with the line's place.
Result<Trace> traceOf(const ir::Module& module, const std::vector<script::StepCall>& calls,
                      const Environment& environment);

// Returns whether the text of a schedule file begins as JSON does, with [ or {, in contrast to step lines.
bool isTraceJson(std::string_view text);
// Returns the text of a schedule file as step lines. A text of step lines loses the header of a printed trace, if it
// has one; a trace's JSON becomes one line for each instruction. `file` is named in errors. Errors: "ParseError" with
// its place for JSON that is no trace; "AttributeError" for an instruction of an unknown primitive; "ParseError" for an
// instruction whose inputs don't fit its primitive. With `end`, these two errors of an instruction are stored there,
// with the instruction's number, counted from 1, as the line, and the lines of the instructions before it are returned;
// without such an error `end` is left as it is.
Result<std::string> stepLines(std::string text, std::string_view file, std::optional<Error>* end = nullptr);

}  // namespace loom::schedule
