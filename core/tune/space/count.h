#pragma once

#include <algorithm>
#include <string>

namespace loom::tune {

/// An exact number of schedules. Results that count schedules fail with `CountOverflow` beyond `kMaxCount`.
using Count = unsigned __int128;

inline constexpr Count kMaxCount = ~Count{0};  ///< 3.4·10³⁸

/// Returns the decimal digits of a count: "130579888".
inline std::string digitsOf(Count count) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(count % 10));
    count /= 10;
  } while (count != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

/// Adds `more` to `sum` and returns true. Returns false, and leaves `sum` as it is, if the result exceeds `kMaxCount`.
inline bool add(Count& sum, Count more) {
  if (more > kMaxCount - sum) return false;
  sum += more;
  return true;
}

}  // namespace loom::tune
