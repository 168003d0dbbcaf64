// Applies the lines of a schedule to a state, and keeps each state in which the text of the module differs from the
// state before.
#pragma once
#include "core/schedule/instruction.h"
#include "core/script/printer.h"
#include "core/script/step_line.h"

namespace loom::schedule {

// A step that was replayed.
struct ReplayedStep {
  int step = 0;             // the step's number from 1, counting the lines that changed the module's text
  int line = 0;             // the number of the line in the schedule's text, from 1
  std::string source;       // the line
  State state;              // the state after the line
  script::Script script;    // the module's text in that state
  double milliseconds = 0;  // how long the line's primitives took
};

// The result of replaying a schedule.
struct Replay {
  std::vector<ReplayedStep> steps;
  State last;                    // the state after the last line that was applied
  std::optional<Error> refusal;  // the error of the first line that was refused, which ended the replay; else nothing
};

// Applies all lines of a schedule. Module texts are printed in `dialect`: TVM 0.22's (Tir) or current TVM's (STir). Ids
// made by line n of `calls` (from 0) carry the step uid s + n + 1, where s is the largest uid of a step in the ids of
// `initial`; 0 for an unscheduled program. Lines may use names that `initial` has. `environment` has the tensor
// intrinsics.
Replay replay(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment,
              script::Dialect dialect = script::Dialect::Tir);

// The end of a replay without the states on the way.
struct ReplayEnd {
  State last;                    // the state after the last line that was applied
  std::optional<Error> refusal;  // the error of the first line that was refused, which ended the replay; else nothing
};

// Applies all lines of a schedule without keeping or printing the states on the way, which saves a third of the time
// where many schedules are tried.
ReplayEnd replayToEnd(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment);

// Returns the sentence that says which line of a schedule was refused, and why: "sch.bind(i, "threadIdx.x") is refused:
// …". `lines` is the schedule's text that `refusal` is about. Where the error doesn't say which of its lines it is, the
// sentence names the primitive, and if it has none, only says why.
Message refusalWords(const Error& refusal, const std::string& lines);

// Returns whether an error of a line means that the line isn't a valid step (it can't be parsed, or has an unknown name
// or primitive), and not that a primitive refuses it.
bool isUnreadable(const Error& error);

}  // namespace loom::schedule
