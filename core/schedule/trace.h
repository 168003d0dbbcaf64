// Steps as TVM's trace: what was applied, with every argument filled in and every result named b0, l1, v2 …
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/schedule/instruction.h"
#include "core/script/trace_json.h"

namespace loom::schedule {

// Returns how the calls of a row stand in the JSON, which follows from the types of its parameters. The kind is empty
// for what TVM doesn't trace (work_on).
script::TraceShape traceShape(const Instruction& row);

// The calls that were applied, one after another.
class Trace {
 public:
  // Records a call. `before` is the state that the row was applied to. The outputs are numbered, so that later calls
  // name the very result that they were given. `decision` is a sampling step's.
  void record(const State& before, const Instruction& row, const Arguments& arguments, Handles& outputs,
              const std::optional<Decision>& decision);

  const std::vector<script::TraceCall>& calls() const { return calls_; }
  std::string json() const;    // one line, as TVM writes it
  std::string python() const;  // a line a call

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

// A sampling step's line that names no decision, with this one; nothing for any other line, and for one whose arguments
// don't stand in it one by one.
std::optional<script::StepCall> decided(const script::StepCall& call, const Decision& decision);
// Returns whether the line's call is a sampling step, which decides something and leaves the program as it is.
bool isSampling(const script::StepCall& call);

// Applies the lines to the unscheduled module and keeps their trace. The errors of `apply`, at the line's place.
Result<Trace> traceOf(const ir::Module& module, const std::vector<script::StepCall>& calls,
                      const Environment& environment);

// Returns whether the text is JSON, and so no step lines.
bool isTraceJson(std::string_view text);
// A schedule file's text as step lines: as it is, without the header of a printed trace, or one line per instruction of
// a trace's JSON. "ParseError" with its place for JSON that is no trace. For an instruction that no row has
// ("AttributeError") or whose inputs fit no row ("ParseError"): with `end` the lines before it, and the error there,
// whose line is the instruction's number from 1; else the error.
Result<std::string> stepLines(std::string text, std::string_view file, std::optional<Error>* end = nullptr);

}  // namespace loom::schedule
