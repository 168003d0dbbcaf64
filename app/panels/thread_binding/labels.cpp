#include "app/panels/thread_binding/labels.h"

#include "app/panels/thread_binding/words.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::binding;

std::string scopeText(const window::Look& look, const session::BindingChoice& choice, model::Scope scope) {
  switch (scope) {
    case model::Scope::Lane: return say(look, words::kScopeLane, choice.thread % layout::kLanes);
    case model::Scope::Warp: return say(look, words::kScopeWarp, choice.thread / layout::kLanes);
    case model::Scope::Block: return say(look, words::kScopeBlock, choice.block);
    case model::Scope::Grid: break;
  }
  return look.say(words::kScopeGrid);
}

std::vector<std::string> touchLines(const window::Look& look, const session::TouchView& view, bool fragments) {
  constexpr std::size_t kMostLoops = 4;
  std::vector<std::string> lines;
  if (view.unknown) return {say(look, words::kUnknown, provenanceText(look, view.unknown->message))};
  const model::Touches& counts = view.counts;
  const std::string many =
      say(look, fragments ? words::kFragments : words::kElements, countText(double(counts.distinct)));
  lines.push_back(view.even()
                      ? say(look, words::kTouchedEven, many, countText(view.times()))
                      : say(look, words::kTouchedUneven, many, counts.least, counts.most, figureText(view.times())));
  if (view.together() > 1.005) lines.push_back(say(look, words::kTouchedTogether, figureText(view.together())));
  if (counts.again() <= 0) lines.emplace_back(look.say(words::kTouchedOnce));
  for (std::size_t i = 0; i < view.levels.size() && i < kMostLoops; ++i) {
    const session::TouchView::Level& level = view.levels[i];
    lines.push_back(level.between
                        ? say(look, words::kAgainAfter, level.loop, countText(level.again), bytesText(*level.between))
                        : say(look, words::kAgainBy, level.loop, countText(level.again)));
  }
  if (counts.upperBound) lines.emplace_back(look.say(words::kTouchesAtMost));
  return lines;
}

}  // namespace loom::panels
