#include "app/panels/space/guess.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/notation/time_text.h"
#include "app/panels/space/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::space;
using session::ConfiguredSchedule;
using session::ConfiguredTimes;
using window::Look;

namespace {

std::vector<const ConfiguredSchedule*> allowed(const ConfiguredTimes& times, const session::SpaceView& view) {
  std::vector<const ConfiguredSchedule*> all;
  for (const ConfiguredSchedule& one : times.schedules) {
    bool isAllowed = one.values.size() == view.rows.size();
    for (std::size_t d = 0; isAllowed && d < view.rows.size(); ++d) {
      const auto& values = view.rows[d].values;
      const auto value = std::ranges::find(values, one.values[d], &session::SpaceValue::value);
      isAllowed = value != values.end() && value->isAllowed;
    }
    if (isAllowed) all.push_back(&one);
  }
  return all;
}

std::string predictedText(const Look& look, const std::vector<const ConfiguredSchedule*>& all) {
  double low = 1e300, high = 0;
  for (const ConfiguredSchedule* one : all) {
    if (!one->predicted) continue;
    low = std::min(low, *one->predicted), high = std::max(high, *one->predicted);
  }
  if (high == 0) return "";
  if (low == high) return say(look, words::kPredictedOne, notation::predictedText(low));
  return say(look, words::kPredictedRange, notation::predictedText(low), notation::timeText(high));
}

// What came of a guess. A time of this machine isn't compared with recorded ones.
std::string outcomeText(const Look& look, const session::Session& session, const ConfiguredTimes& times,
                        const ConfiguredSchedule& one, int node) {
  const std::string predicted = one.predicted ? notation::predictedText(*one.predicted) : "–";
  std::string text;
  if (one.measured) {
    const std::size_t faster = times.fasterThan(*one.measured);
    text = say(look, words::kGuessed, one.name, notation::timeText(*one.measured), predicted,
               std::size_t(100 * *times.best() / *one.measured + 0.5), faster, times.measured());
    if (faster == 0) text += fmt::format(" {}", look.say(words::kGuessRight));
  }
  const document::KnownTime* known = session.results().timed(node);
  if (known != nullptr && known->measured() && known->result->origin == gpu::ResultOrigin::Measured) {
    if (!text.empty()) text += "\n";
    text += say(look, words::kGuessedHere, one.name, notation::timeText(known->measured()->timing.median), predicted);
  }
  return text.empty() ? say(look, words::kGuessUnknown, one.name) : text;
}

}  // namespace

void Guess::draw(PanelContext& context, const session::SpaceModel& model, const session::ChapterTimes& chapter) {
  if (chapter.chapter() == nullptr || !chapter.chapter()->guess) return;
  const Look& look = context.look;
  session::Session& session = *context.session;
  const std::string of = fmt::format("{} {}", session.opened(), chapter.chapter()->id);
  if (of_ != of) {
    of_ = of;
    made_.clear();
  }
  if (chapter.problem()) return drawSecond(look, look.tell(chapter.problem()->message));
  const ConfiguredTimes* times = chapter.times();
  if (times == nullptr) return drawSecond(look, look.say(words::kMakingTimes));
  drawHeading(look, look.say(words::kGuess));
  const auto left = allowed(*times, model.view());
  std::string said = left.size() == 1 ? "" : say(look, words::kPinUntilOne, left.size()) + " ";
  drawSecond(look, said + predictedText(look, left));
  if (left.size() == 1) {
    const bool clicked = window::smallButton(window::windowName(look.say(words::kReveal), "reveal").c_str());
    drawWrappedTip(look, look.say(words::kRevealTip));
    if (clicked) {
      session.navigation().select(0);
      const int node =
          session.edits()
              .apply(left.front()->lines, {message("The configuration that is left: {}", left.front()->name), {}})
              .node;
      std::erase_if(made_, [&](const Made& made) { return made.values == left.front()->values; });
      made_.push_back({left.front()->values, node});
      session.results().measure({node});
    }
  }
  for (const Made& made : made_) {
    if (const ConfiguredSchedule* one = times->find(made.values)) {
      drawSecond(look, outcomeText(look, session, *times, *one, made.node));
    }
  }
}

}  // namespace loom::panels
