#pragma once

#include <optional>
#include <string>

#include "app/session/option_times.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns what an option of a list would do to the time, by the model of both programs as written: "−27 %", "+8 %", "×
/// 2.8", "=". If the state itself is no kernel, returns the option's time, "≈ 9.2 ms"; if the option makes no kernel,
/// "no kernel". The text is for a column in the code font: it always has the same width, and is blank until the time is
/// known.
std::string optionTimeText(const window::Look& look, session::OptionTimes& times, const session::Session& session,
                           const std::string& lines);
/// Returns why the option would be no kernel although the state is one, so that it isn't offered like the others.
/// Returns nothing until that is known.
std::optional<Error> losesKernel(session::OptionTimes& times, const session::Session& session,
                                 const std::string& lines);

}  // namespace loom::panels
