// Reads Python around a program or around step lines: as a new target, or as steps of an open one.
#pragma once
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// Opens a Python text with a program in it (core/notebook). The target has the function or module, the states that the
// text's schedules lead to, the last of which is the current one, and the tensor intrinsics that the text registers.
// `file` is named in errors. Errors as those of notebook::readText.
Result<Target> openText(const std::string& text, const std::string& file, const schedule::Environment& environment);

// Applies a script at state `at` of a history: plain step lines, for which this is History::apply, or Python around
// step lines, which is interpreted first. Sentences on what was ignored are added to `remarks`. The steps may use the
// tensor intrinsics that the script registers; these are also stored in `registered`, unless that is null. Errors as
// notebook::readSchedule; a refused line is Applied::refusal.
Result<History::Applied> applyScript(History& history, int at, const std::string& text, const std::string& file,
                                     const schedule::Environment& environment, std::vector<Message>& remarks,
                                     std::vector<notebook::RegisteredIntrinsic>* registered = nullptr);

}  // namespace loom::document
