#pragma once

#include <string>

#include "app/notation/quantity_text.h"
#include "core/model/duration_text.h"

namespace loom::notation {

/// Returns the text of a time, given in µs and not negative, in the unit in which it reads best: "187 ns", "5.66 µs",
/// "11.8 ms", "146.1 s". The digits of numbers from 10 000 on are in groups of three.
inline std::string timeText(double microseconds) { return withGroups(model::durationText(microseconds)); }

/// Returns the text of a predicted time, given in µs, as `timeText` writes it after a sign: "≈ 5.66 µs".
inline std::string predictedText(double microseconds) { return "≈ " + timeText(microseconds); }

}  // namespace loom::notation
