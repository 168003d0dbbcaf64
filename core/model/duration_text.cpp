#include "core/model/duration_text.h"

#include <fmt/format.h>

namespace loom::model {

std::string durationText(double microseconds) {
  // From each bound on, rounding would say the next unit's first value, or one digit more than wanted.
  constexpr double kLeast = 0.005, kTwoDecimals = 9.995, kOneDecimal = 999.95, kTenths = 99.95, kWhole = 999.5;
  if (microseconds <= 0) return "0 µs";
  const double nanoseconds = 1000 * microseconds;
  if (nanoseconds < kLeast) return "<0.01 ns";
  if (nanoseconds < kWhole)
    return fmt::format("{:.{}f} ns", nanoseconds, nanoseconds < kTwoDecimals ? 2 : nanoseconds < kTenths ? 1 : 0);
  double amount = microseconds;
  for (const char* unit : {"µs", "ms", "s"}) {
    if (amount < kOneDecimal) return fmt::format("{:.{}f} {}", amount, amount < kTwoDecimals ? 2 : 1, unit);
    amount /= 1000;
  }
  return fmt::format("{:.0f} s", microseconds / 1e6);
}

}  // namespace loom::model
