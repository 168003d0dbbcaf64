#pragma once

#include <optional>
#include <string>

#include "app/session/option_times.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns how an option of a list, the step lines `lines` (calls of schedule primitives), would change the time that
/// the model predicts for the program as written: "−27 %", "+8 %", "× 2.8" (2.8 times the current time), "=" (less than
/// 0.5 % of difference). If no time is predicted for the current program, for instance because it is no kernel, returns
/// the option's predicted time, "≈ 9.2 ms"; if the option makes no kernel, "no kernel". The text is for a column in the
/// code font: it is padded on the left to 10 columns, and 10 blanks until the time is known, and if `lines` is empty.
/// `times` computes the times in the background and keeps them, so the function is called in each frame.
std::string optionTimeText(const window::Look& look, session::OptionTimes& times, const session::Session& session,
                           const std::string& lines);
/// Returns why the program after the step lines `lines` couldn't be lowered to a kernel, if the current program can;
/// such an option is drawn in grey. Returns nothing otherwise, until that is known, and if `lines` is empty.
std::optional<Error> losesKernel(session::OptionTimes& times, const session::Session& session,
                                 const std::string& lines);

}  // namespace loom::panels
