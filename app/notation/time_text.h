#pragma once

#include <string>

#include "app/notation/quantity_text.h"
#include "core/model/duration_text.h"

namespace loom::notation {

/// Returns the text of a time, given in µs, as model::durationText writes it, with the digits of thousands in groups.
inline std::string timeText(double microseconds) { return withGroups(model::durationText(microseconds)); }

/// Returns the text of a predicted time, in µs: "≈ 5.66 µs".
inline std::string predictedText(double microseconds) { return "≈ " + timeText(microseconds); }

}  // namespace loom::notation
