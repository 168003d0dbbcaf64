#include "app/widgets/option_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/notation/columns.h"
#include "app/notation/quantity_text.h"
#include "app/panels/loop_nest/words.h"
#include "app/ui/look.h"
#include "app/ui/time_text.h"

namespace loom::panels {

namespace {

// Of a time against the one before it.
std::string ratioText(double ratio) {
  constexpr double kSame = 0.005;  // less isn't to be told from none with whole percents
  if (std::abs(ratio - 1) < kSame) return "=";
  if (ratio < 1) return fmt::format("−{:.0f} %", 100 * (1 - ratio));
  if (ratio < 2) return fmt::format("+{:.0f} %", 100 * (ratio - 1));
  return "× " + notation::significantText(ratio, 2, 1);
}

}  // namespace

std::optional<Error> losesKernel(session::OptionTimes& times, const session::Session& session,
                                 const std::string& lines) {
  times.of(session, "");
  times.of(session, lines);
  return lines.empty() || times.noKernel("") ? std::nullopt : times.noKernel(lines);
}

std::string optionTimeText(const window::Look& look, session::OptionTimes& times, const session::Session& session,
                           const std::string& lines) {
  constexpr int kColumns = 10;  // "≈ 999.9 ms"
  // Against the state as the same model has it: its recorded time, or its machine code's, would tell something else.
  const std::optional<double> now = times.of(session, ""),
                              then = lines.empty() ? std::nullopt : times.of(session, lines);
  const bool none = !lines.empty() && !then && times.noKernel(lines);
  const std::string text = none              ? look.say(text::loop_nest::kOptionNoKernel)
                           : !then           ? ""
                           : now && *now > 0 ? ratioText(*then / *now)
                                             : predictedText(*then);
  return std::string(std::size_t(std::max(0, kColumns - notation::columnsOf(text))), ' ') + text;
}

}  // namespace loom::panels
