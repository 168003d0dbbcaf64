// Reads Python that schedules a TensorIR program (a script, a notebook, a page of documentation) into the program and
// the schedule steps that it applies. The text runs in an interpreter of our own, which knows only TVM's names, ends
// with an error after a bounded number of operations, and reaches neither files nor the network.
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

// The steps applied to one schedule, `tir.Schedule(…)`, in the order in which the script called them. Each is a plain
// step line such as `i, j = sch.split(k, [None, 16])`: arguments that the script computed stand in it as numbers and
// strings, and a name that functions of the script use for different things is made unique. The place of a line
// (StepCall) is that of the statement that made the call.
struct Run {
  int from = -1;          // the index of the run that this schedule was copied from with sch.copy(); -1: not a copy
  std::size_t after = 0;  // of a copy: the number of lines that run `from` had when it was copied
  std::vector<script::StepCall> lines;
};

// A tensor intrinsic that the text registers.
struct RegisteredIntrinsic {
  std::string name;
  ir::Function description, implementation;
};

// What was read from a script.
struct Read {
  // The module that the text schedules (the last one if it schedules several) or, if it schedules none, the last one
  // that it defines.
  std::optional<ir::Module> module;
  std::vector<Run> runs;  // the schedules of that module, in the order in which they were made; empty if there is none
  std::vector<RegisteredIntrinsic> intrinsics;
  std::vector<Message> remarks;  // sentences on lines that were skipped because they make no step
  // The error that ended the reading; nothing if the text was read to its end. Either a primitive refused its arguments
  // (its line, at the error's place, is the last one of its run), or the script is wrong: "ParseError" with its place
  // and a message that begins with the name of Python's error ("NameError: …"). The other members hold what was read
  // before the error.
  std::optional<Error> refusal;
};

// Reads a whole text: functions and modules in TVMScript among other Python, a notebook's cells (also its .ipynb), or a
// page with prose and printed output between. `file` names the text in errors. If the text makes no schedule itself,
// `sch` stands for a schedule of its last module. Error "ParseError" for a text that holds no program or isn't Python;
// if an error ended the reading before there was a program, that error. `environment` has the tensor intrinsics that
// the script may use besides those that it registers.
Result<Read> readText(std::string_view text, std::string_view file, const schedule::Environment& environment);

// Reads steps that continue an existing schedule: `sch` stands for the schedule in `state`, and the names of its
// blocks, loops and numbers are defined. The first run of the result continues it, and is there even without lines: its
// first line is to be applied to `state`. Copies, and schedules that the text makes, are further runs. `module` isn't
// set unless the text schedules a module of its own. Error "ParseError" for a text that isn't Python or has no code;
// `refusal` holds later errors.
Result<Read> readSchedule(std::string_view text, std::string_view file, const schedule::State& state,
                          const schedule::Environment& environment);

// Returns the TVMScript text of one function under `name` and with `private=True`, without the headers of a file, so
// that several such texts can stand in one file.
std::string functionText(const ir::Function& function, const std::string& name);

// Returns the environment's intrinsics with `intrinsics` added, which replace those of the same name. Error
// "ValueError" for a pair of functions that can't be an intrinsic.
Result<intrin::Library> libraryWith(const schedule::Environment& environment,
                                    const std::vector<RegisteredIntrinsic>& intrinsics);

// Returns whether the text seems to hold a function or a module in TVMScript: whether "prim_func" or "ir_module" stands
// behind an "@" on the same line. `readText` may still fail.
bool holdsProgram(std::string_view text);

}  // namespace loom::notebook
