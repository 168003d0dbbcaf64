// Runs the lines of a schedule from a state on, keeping every state in which the text of the module differs from the
// one before.
#pragma once
#include "core/schedule/instruction.h"
#include "core/script/printer.h"
#include "core/script/step_line.h"

namespace loom::schedule {

// A step that was replayed.
struct ReplayedStep {
  int step = 0;  // from 1, counting the lines that changed the text
  int line = 0;  // in the schedule's text
  std::string source;
  State state;
  script::Script script;
  double milliseconds = 0;  // of the line's primitives
};

// The result of replaying a schedule.
struct Replay {
  std::vector<ReplayedStep> steps;
  State last;                    // after the last line that was applied
  std::optional<Error> refusal;  // of the line at its place; nothing after it was tried
};

// Applies all lines of a schedule. Ids made by line n of `calls` (from 0) carry the step uid n + 1.
Replay replay(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment,
              script::Dialect dialect = script::Dialect::Tir);

// The end of a replay without the states on the way.
struct ReplayEnd {
  State last;                    // after the last line that was applied
  std::optional<Error> refusal;  // of the line at its place; nothing after it was tried
};

// Replays without keeping the states on the way, whose texts take a third of the time: for trying many schedules.
ReplayEnd replayToEnd(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment);

// Returns whether the error is Python's way of saying that the line itself is no schedule (an unknown name or
// primitive), not that a primitive refuses.
bool isUnreadable(const Error& error);

}  // namespace loom::schedule
