#include "core/model/duration_text.h"

#include <fmt/format.h>

namespace loom::model {

std::string durationText(double microseconds) {
  // From each bound on, rounding would say the next unit's first value, or one digit more than wanted.
  constexpr double kLeast = 0.005, kTwoDigits = 9.995, kMicroseconds = 999.95, kMilliseconds = 999'995,
                   kSeconds = 9'999'995'000;  // µs
  if (microseconds <= 0) return "0 µs";
  if (microseconds < kLeast) return "<0.01 µs";
  if (microseconds < kTwoDigits) return fmt::format("{:.2f} µs", microseconds);
  if (microseconds < kMicroseconds) return fmt::format("{:.1f} µs", microseconds);
  if (microseconds < kMilliseconds) return fmt::format("{:.2f} ms", microseconds / 1e3);
  if (microseconds < kSeconds) return fmt::format("{:.2f} s", microseconds / 1e6);
  return fmt::format("{:.0f} s", microseconds / 1e6);
}

}  // namespace loom::model
