#include "app/panels/option_time.h"

#include <algorithm>

#include "app/panels/time_text.h"

namespace loom::panels {

std::string optionTimeText(std::optional<double> microseconds) {
  constexpr std::ptrdiff_t kColumns = 9;  // "999.99 ms"
  const std::string time = microseconds ? timeText(*microseconds) : "";
  const auto columns = std::count_if(time.begin(), time.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return std::string(std::size_t(std::max<std::ptrdiff_t>(0, kColumns - columns)), ' ') + time;
}

}  // namespace loom::panels
