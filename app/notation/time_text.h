#pragma once

#include <fmt/format.h>

#include <string>

#include "app/notation/quantity_text.h"

namespace loom::notation {

/// A time in the unit in which it reads best: "5.66 µs", "487.2 µs", "11.76 ms", "19.04 s"; of hours, whole seconds.
inline std::string timeText(double microseconds) {
  constexpr double kLong = 1e10;
  if (microseconds >= kLong) return grouped(microseconds / 1e6) + " s";
  if (microseconds >= 1e6) return fmt::format("{:.2f} s", microseconds / 1e6);
  if (microseconds >= 1000) return fmt::format("{:.2f} ms", microseconds / 1000);
  return fmt::format("{:.{}f} µs", microseconds, microseconds >= 10 ? 1 : 2);
}

/// The same of a time that the model predicts: "≈ 5.66 µs".
inline std::string predictedText(double microseconds) { return "≈ " + timeText(microseconds); }

}  // namespace loom::notation
