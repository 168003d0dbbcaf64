// Applies scripts to a history, the tree of states (programs after some schedule steps) of a document. A script is a
// list of step lines (calls of schedule primitives), or Python code around such lines; it has no program of its own.
#pragma once
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// Applies a script at state `at` of a history. Step lines are applied one after another: each that changes the
// program makes a child of the state before it, and the last state becomes the current one. Python code is interpreted
// first. `file` is named in errors. Sentences on what was ignored are added to `remarks`. The steps may use the tensor
// intrinsics that the script registers; these also replace what is in `registered`, unless the text has step lines
// only. With null for `registered`, they are lost after the call. A text without a step line leads to `at` itself.
// Errors, on which the history stays as it was: "ParseError" for a text that isn't Python; "ValueError" for a
// registered intrinsic that can't be one. A line that is refused is no error: Applied::refusal says why.
Result<History::Applied> applyScript(History& history, int at, const std::string& text, const std::string& file,
                                     const schedule::Environment& environment, std::vector<Message>& remarks,
                                     std::vector<notebook::RegisteredIntrinsic>* registered = nullptr);

// Applies the runs of schedules that a script made at state `at` of a history. A run (notebook::Run) has the step lines
// that the script applied to one schedule object; the run of a copied schedule begins at the state where it was copied.
// The result has the last state of the last run that has lines, which becomes the current one, and the number of states
// that all runs made; where a line was refused, it ends there with the refusal, at the line's place in the script, and
// later runs aren't applied. `environment` must have the intrinsics that the script registered.
History::Applied applyRuns(History& history, int at, const std::vector<notebook::Run>& runs,
                           const schedule::Environment& environment);

}  // namespace loom::document
