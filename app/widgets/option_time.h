#pragma once

#include <optional>
#include <string>

#include "app/session/option_times.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns how an option of a list, the step lines `lines`, would change the time that the model predicts for the
/// program as written: "−27 %", "+8 %", "× 2.8", "=". If the state itself is no kernel, returns the option's time, "≈
/// 9.2 ms"; if the option makes no kernel, "no kernel". The text is for a column in the code font: it always has the
/// same width, and is blank until the time is known.
std::string optionTimeText(const window::Look& look, session::OptionTimes& times, const session::Session& session,
                           const std::string& lines);
/// Returns why the program after the step lines `lines` couldn't be lowered to a kernel, if the current program can;
/// such an option is drawn in grey. Returns nothing otherwise, and until that is known.
std::optional<Error> losesKernel(session::OptionTimes& times, const session::Session& session,
                                 const std::string& lines);

}  // namespace loom::panels
