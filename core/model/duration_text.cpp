#include "core/model/duration_text.h"

#include <fmt/format.h>

namespace loom::model {

std::string durationText(double microseconds) {
  constexpr double kMillisecond = 1e3, kSecond = 1e6;  // µs
  constexpr double kRoundedMillisecond = 999.95,
                   kRoundedSecond = 999'950;  // µs: from here on one digit says the next unit
  if (microseconds < kRoundedMillisecond) return fmt::format("{:.1f} µs", microseconds);
  if (microseconds < kRoundedSecond) return fmt::format("{:.1f} ms", microseconds / kMillisecond);
  return fmt::format("{:.1f} s", microseconds / kSecond);
}

}  // namespace loom::model
