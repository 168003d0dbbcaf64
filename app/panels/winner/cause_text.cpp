#include "app/panels/winner/cause_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

// Writes how a time or count of one kernel is another of the second one.
using Moves = std::function<std::string(const std::string& before, const std::string& after)>;

std::string textOf(const Look& look, const session::Cause& cause, const Moves& moveText) {
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

std::string listed(const Look& look, const std::vector<session::Cause>& causes, const Moves& moveText) {
  std::string text;
  for (const session::Cause& cause : causes)
    text += (text.empty() ? "" : look.say(words::kNextCause)) + textOf(look, cause, moveText);
  return text;
}

}  // namespace

std::string becauseText(const Look& look, const ExplainedKernel& before, const ExplainedKernel& after, bool stands) {
  const session::Causes causes = session::causesOf(before.times, after.times, before.model, after.model);
  if (causes.with.empty()) return "";
  const bool isFaster = *after.times.microseconds < *before.times.microseconds;
  const text::Text& because = isFaster ? words::kFasterBecause : words::kSlowerBecause;
  const Moves moveText = [&](const std::string& then, const std::string& now) {
    return stands ? say(look, words::kInsteadOf, now, then) : fmt::format("{} → {}", then, now);
  };
  std::string text = say(look, because, listed(look, causes.with, moveText));
  if (!causes.against.empty())
    text += " " + say(look, isFaster ? words::kMoreGoes : words::kLessGoes, listed(look, causes.against, moveText));
  return text;
}

}  // namespace loom::panels
