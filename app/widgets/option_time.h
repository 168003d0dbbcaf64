#pragma once

#include <optional>
#include <string>

#include "app/session/option_times.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// What an option of a list would do to the time, by the model of both programs as written: "−27 %", "+8 %", "× 2.8",
/// "=". Where the state itself is no kernel, the option's time, "≈ 9.2 ms". For a column in the face of code: always of
/// one width, blank while it isn't known. Of what makes no kernel, "no kernel".
std::string optionTimeText(const window::Look& look, session::OptionTimes& times, const session::Session& session,
                           const std::string& lines);
/// Why the option would be no kernel where the state is one: it isn't offered like the others. None until that is
/// known.
std::optional<Error> losesKernel(session::OptionTimes& times, const session::Session& session,
                                 const std::string& lines);

}  // namespace loom::panels
