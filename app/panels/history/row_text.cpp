#include "app/panels/history/row_text.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/history/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_hover.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

using window::Tone;

std::string titleText(const window::Look& look, const session::Session& session, const document::HistoryRow& row) {
  return look.tell(session.navigation().history().folds()[std::size_t(row.fold)].title);
}

void drawTitleHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row) {
  constexpr int kMost = 12;
  ImGui::PushFont(look.fonts.text, window::kSecondarySize);
  drawWrapped(titleText(look, session, row), look.px(420));
  ImGui::PopFont();
  const document::History& history = session.navigation().history();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  int at = row.first;
  for (int i = 0; i < std::min(row.steps, kMost); ++i, at = history.firstChild(at)) {
    const document::Line* step = history.node(at).step();
    drawSecond(look, fmt::format("{:2} {}", history.node(at).number, step ? abbreviatedStep(step->source) : ""));
  }
  ImGui::PopFont();
  if (row.steps > kMost) drawSecond(look, say(look, text::history::kMoreSteps, row.steps - kMost));
}

std::string predictedBase(const window::Look& look, const session::Session& session, int node) {
  const document::History& history = session.navigation().history();
  int before = history.node(node).parent;
  while (before >= 0 && session.results().measured(before) == nullptr) before = history.node(before).parent;
  const auto predicted = before < 0 ? std::nullopt : session.models().modelledTime(before);
  if (!predicted) return "";
  return say(look, text::history::kPredictedBase, history.node(before).number, predictedText(*predicted),
             timeText(session.results().measured(before)->timing.median));
}

std::string foldedText(const window::Look& look, const document::History& history, const document::HistoryRow& row,
                       const std::vector<double>& times) {
  int fastest = -1;
  for (int at : history.statesFrom(row.first)) {
    auto time = [&](int node) { return std::size_t(node) < times.size() ? times[std::size_t(node)] : -1; };
    if (time(at) > 0 && (fastest < 0 || time(at) < time(fastest))) fastest = at;
  }
  std::string text = fmt::format(fmt::runtime(look.say(text::history::kFolded)), row.states);
  if (fastest >= 0) {
    text += fmt::format(fmt::runtime(look.say(text::history::kFastest)), history.node(fastest).number,
                        timeText(times[std::size_t(fastest)]));
  }
  return text;
}

void drawRowHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row,
                  const std::string& number, const std::string& remark) {
  if (!ImGui::BeginTooltip()) return;
  if (row.fold >= 0) drawTitleHover(look, session, row);
  drawStateHover(look, session, row.node);
  if (!number.empty()) ImGui::TextColored(look.colour(Tone::kTextSecond), "%s", number.c_str());
  if (!remark.empty()) ImGui::TextColored(look.colour(Tone::kWarning), "%s", remark.c_str());
  ImGui::EndTooltip();
}

}  // namespace loom::panels
