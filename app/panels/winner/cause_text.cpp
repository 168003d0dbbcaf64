#include "app/panels/winner/cause_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/winner/view/causes.h"
#include "app/panels/winner/words.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/figure_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::winner;
using window::Look;

namespace {

std::string moveText(const std::string& before, const std::string& after) {
  return fmt::format("{} → {}", before, after);
}

std::string textOf(const Look& look, const session::Cause& cause) {
  const auto& time = cause.time;
  std::string name = look.say(words::kWithoutWarps);
  if (time.reason) {
    const char* reason = profile::nameOf(*time.reason);
    const auto* doing = std::ranges::find(words::kDoings, std::string_view(reason), &words::Doing::reason);
    name = doing == std::end(words::kDoings) ? reason : look.say(doing->words);
  }
  std::string moves = moveText(timeText(*time.microseconds[0]), timeText(*time.microseconds[1]));
  for (const session::ComparedRow& row : cause.figures) {
    const bool isTraffic = row.kind == session::ComparedFigure::Kind::kTraffic;
    moves += "; " + (isTraffic ? figureLabel(look, row.label) : figureName(look, row.kind, row.label)) + " " +
             moveText(figureValue(row.kind, row.before), figureValue(row.kind, row.after));
  }
  return say(look, words::kCause, name, moves);
}

std::string listed(const Look& look, const std::vector<session::Cause>& causes) {
  std::string text;
  for (const session::Cause& cause : causes)
    text += (text.empty() ? "" : look.say(words::kNextCause)) + textOf(look, cause);
  return text;
}

}  // namespace

std::string becauseText(const Look& look, const ExplainedKernel& before, const ExplainedKernel& after) {
  const session::Causes causes = session::causesOf(before.times, after.times, before.model, after.model);
  if (causes.with.empty()) return "";
  const bool isFaster = *after.times.microseconds < *before.times.microseconds;
  const text::Text& because = isFaster ? words::kFasterBecause : words::kSlowerBecause;
  std::string text = say(look, because, listed(look, causes.with));
  if (!causes.against.empty())
    text += " " + say(look, isFaster ? words::kMoreGoes : words::kLessGoes, listed(look, causes.against));
  return text;
}

}  // namespace loom::panels
