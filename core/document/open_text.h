// Texts of Python around a program, as targets and as steps.
#pragma once
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// A text of Python around a program (core/notebook): the function or module with the schedules that the text makes of
// it, as the way from its start to the current state, and the intrinsics that it registers. Errors as
// notebook::readText's.
Result<Target> openText(const std::string& text, const std::string& file, const schedule::Environment& environment);

// Lines of a script, applied at a state: plain step lines, or Python around them. A refusal as History::apply gives it;
// what was passed over in `remarks`. Its steps know the intrinsics that it registers; `registered`, where given, gets
// them for whoever keeps them.
Result<History::Applied> applyScript(History& history, int at, const std::string& text, const std::string& file,
                                     const schedule::Environment& environment, std::vector<Message>& remarks,
                                     std::vector<notebook::RegisteredIntrinsic>* registered = nullptr);

}  // namespace loom::document
