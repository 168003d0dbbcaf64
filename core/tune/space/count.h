#pragma once

#include <algorithm>
#include <string>

namespace loom::tune {

/// A number of schedules, exactly. Up to 3.4·10³⁸; what would be more is not counted, and said so.
using Count = unsigned __int128;

inline constexpr Count kMaxCount = ~Count{0};

/// Returns the digits: "130579888".
inline std::string digitsOf(Count count) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(count % 10));
    count /= 10;
  } while (count != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

/// Returns false, and leaves `sum` as it is, if the sum of both is more than `kMaxCount`.
inline bool add(Count& sum, Count more) {
  if (more > kMaxCount - sum) return false;
  sum += more;
  return true;
}

}  // namespace loom::tune
