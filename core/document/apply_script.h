// Applies scripts, which are step lines or Python around step lines, to a history. A script that has a program of its
// own is open_text.h.
#pragma once
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// Applies a script at state `at` of a history: plain step lines, for which this is History::apply, or Python around
// step lines, which is interpreted first. Sentences on what was ignored are added to `remarks`. The steps may use the
// tensor intrinsics that the script registers; these are also stored in `registered`, unless that is null. Errors as
// notebook::readSchedule; a refused line is Applied::refusal.
Result<History::Applied> applyScript(History& history, int at, const std::string& text, const std::string& file,
                                     const schedule::Environment& environment, std::vector<Message>& remarks,
                                     std::vector<notebook::RegisteredIntrinsic>* registered = nullptr);

// Applies the runs of schedules that a script made (notebook::Run) at state `at` of a history, each copy of a schedule
// from where it was copied. The result has the last state, which becomes the current one, and the number of states
// made; where a line was refused, it ends there with the refusal, at the line's place in the script.
History::Applied applyRuns(History& history, int at, const std::vector<notebook::Run>& runs,
                           const schedule::Environment& environment);

}  // namespace loom::document
