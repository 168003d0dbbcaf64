// What a text of Python makes of a program: read as Python would run it, but by an interpreter of our own that knows
// TVM's names only, takes bounded steps, and touches nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/ir/stmt.h"
#include "core/schedule/environment.h"
#include "core/schedule/state.h"
#include "core/script/step_line.h"

namespace loom::notebook {

// The lines of one schedule, `tir.Schedule(…)`, in the order in which they were called. Lines are plain step lines:
// arguments that the script computed stand in them as numbers and texts, and names that several of its functions use
// for different things are told apart. The place of each is the statement of the script that called it.
struct Run {
  int from = -1;          // index of the run that it is a copy of, sch.copy(); -1: it starts at the module
  std::size_t after = 0;  // how many lines of that run come before it
  std::vector<script::StepCall> lines;
};

// A tensor intrinsic that the text registers.
struct RegisteredIntrinsic {
  std::string name;
  ir::Function description, implementation;
};

// What was read from a script.
struct Read {
  std::optional<ir::Module> module;  // that is scheduled; of a text that schedules nothing, the last one it defines
  std::vector<Run> runs;             // schedules of that module; none where nothing is scheduled
  std::vector<RegisteredIntrinsic> intrinsics;
  std::vector<Message> remarks;  // what was passed over, a sentence each
  // What ended the reading: a primitive's refusal (its line is the last one of its run), or a "ParseError" of the
  // script at its place, whose message begins with the name that Python gives it ("NameError: …"). What came before is
  // there.
  std::optional<Error> refusal;
};

// Reads a whole text: functions and modules in TVMScript among other Python, a notebook's cells (also its .ipynb), or a
// page with prose and printed output between. If it makes no schedule itself, `sch` is one of its last module. Error
// "ParseError" for a text that holds no program or isn't Python.
Result<Read> readText(std::string_view text, std::string_view file, const schedule::Environment& environment);

// Reads a schedule of a program that is there: `sch` stands for it as it is in `state`, names included. The result has
// one run, whose first line is applied to `state`; `module` isn't set.
Result<Read> readSchedule(std::string_view text, std::string_view file, const schedule::State& state,
                          const schedule::Environment& environment);

// Returns the text of one function in TVMScript, private and under this name, as it stands among other functions of a
// file.
std::string functionText(const ir::Function& function, const std::string& name);

// Returns the environment's intrinsics with these in place of those of the same name. Error "ValueError" for one that
// can't be an intrinsic.
Result<intrin::Library> libraryWith(const schedule::Environment& environment,
                                    const std::vector<RegisteredIntrinsic>& intrinsics);

// Returns whether the text holds a function or a module in TVMScript: it can be opened by itself.
bool holdsProgram(std::string_view text);

}  // namespace loom::notebook
