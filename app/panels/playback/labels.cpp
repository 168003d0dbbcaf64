#include "app/panels/playback/labels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/words.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/pipe_text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using model::TimelineAction;
using model::Track;
using session::PlaybackBar;
using window::Look;

namespace {

const text::Text& wordOf(TimelineAction::Kind kind) {
  switch (kind) {
    case TimelineAction::Kind::Start: return words::kStart;
    case TimelineAction::Kind::Copy: return words::kCopyAction;
    case TimelineAction::Kind::Load: return words::kLoadAction;
    case TimelineAction::Kind::Multiply: return words::kMultiplyAction;
    case TimelineAction::Kind::Store: return words::kStoreAction;
    case TimelineAction::Kind::Barrier: break;
  }
  return words::kBarrier;
}

}  // namespace

std::string budgetText(const Look& look, const model::Timeline& t) {
  const model::Budget b = model::budgetOf(t, t.step);
  const model::TrackClocks added = session::addedClocks(b);
  auto inFull = [&](double clocks) { return clocksIn(b, clocks); };
  std::vector<int> order(model::kTracks);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int l, int r) { return added[std::size_t(l)] > added[std::size_t(r)]; });
  std::string parts, hidden;
  for (int i : order) {
    const char* name = look.say(lookOf(t, Track(i)).longName);
    if (added[std::size_t(i)] > 0) {
      parts += (parts.empty() ? "" : " + ") + say(look, words::kPart, name, inFull(added[std::size_t(i)]));
    } else if (Track(i) == Track::Arithmetic && b.busy[std::size_t(i)] > 0) {
      hidden = say(look, words::kHidden, name);
    }
  }
  return (t.step >= 0 ? say(look, words::kStepBudget, t.items[std::size_t(t.step)].var->name, inFull(b.clocks), parts)
                      : say(look, words::kWholeBudget, inFull(b.clocks), parts)) +
         hidden;
}

std::string totalText(const Look& look, const model::Timeline& t, bool byRoles) {
  const std::string how = look.say(t.asCompiled ? words::kCompiled : words::kWritten),
                    beside = t.resident > 1 ? say(look, words::kShared, t.resident) : look.say(words::kShared1),
                    time = timeText(t.microseconds);
  // Roles run at the clock that the device keeps up, and say how many clocks of it themselves.
  if (byRoles) return say(look, words::kTotalOfRoles, time, how, beside);
  return say(look, words::kTotal, clocksText(t.clocks), fmt::format("{:.3g}", t.rounds), time, how, beside);
}

std::string momentText(const Look& look, const model::Timeline& t, const model::TimelinePosition& m,
                       std::span<const session::TouchedTile> tiles) {
  std::string text;
  for (const auto& l : m.loops) {
    if (l.runs) continue;
    text += (text.empty() ? "" : ", ") + fmt::format("{} = {}", l.var->name, l.value);
  }
  if (!text.empty()) text += " · ";
  if (m.barrier) {
    text += look.say(words::kAtBarrier);
  } else if (m.blocks.empty()) {
    text += look.say(words::kAtWait);
  } else {
    std::string names;
    for (const TimelineAction& a : t.actions)
      if (a.block && m.isRunning(a.block) && names.find(a.name) == std::string::npos)
        names += (names.empty() ? "" : ", ") + a.name + " " + look.say(wordOf(a.kind));
    text += names;
    for (const session::TouchedTile& tile : tiles)
      text += " · " + say(look, words::kTile, look.say(tile.write ? words::kWrites : words::kReads), tile.buffer,
                          tile.row, tile.row + tile.rows, tile.column, tile.column + tile.columns);
  }
  return text;
}

void drawBarHint(const Look& look, const model::Timeline& t, const PlaybackBar& bar,
                 const model::TimelinePhase& phase) {
  const auto l = lookOf(t, bar.track);
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(look.px(420));
  if (bar.wait) {
    ImGui::TextUnformatted(say(look, words::kWaits, look.say(l.longName), clocksText(bar.to - bar.from)).c_str());
  } else {
    const TimelineAction& a = t.actions[std::size_t(bar.action)];
    const std::string does = look.say(wordOf(a.kind));
    ImGui::TextUnformatted((a.kind == TimelineAction::Kind::Barrier ? does : named(look, a.name, does)).c_str());
    const std::string clocks = say(look, words::kBarClocks, clocksText(bar.to - bar.from), look.say(l.longName));
    drawSecond(look, clocks + (t.resident > 1
                                   ? " · " + say(look, words::kOwnClocks, clocksText((bar.to - bar.from) / t.stretch))
                                   : ""));
    if (bar.before) drawSecond(look, look.say(words::kStartedBefore));
    if (bar.track == Track::Issue) drawSecond(look, look.say(words::kIssuePiece));
    if (bar.passes > 1) drawSecond(look, say(look, words::kPassesOf, numberText(bar.passes)));
    if (bar.track == Track::Arithmetic && converts(t)) drawSecond(look, look.say(words::kWithConversions));
    const model::PipeUsage& d = a.demand;
    drawSecond(look, std::string(look.say(t.asCompiled ? words::kCompiled : words::kWritten)) + " · " +
                         say(look, words::kCounts, clocksText(d.instructions), clocksText(d.lines),
                             clocksText(d.wavefronts), clocksText(d.fma), clocksText(d.tensor)));
    if (a.globalBytes + a.sharedBytes + a.flops > 0)
      drawSecond(look,
                 say(look, words::kBytes, bytesText(a.globalBytes), bytesText(a.sharedBytes), flopsText(a.flops)));
  }
  if (!bar.wait && phase.exposed[std::size_t(bar.track)] <= 0)
    drawSecond(look, say(look, words::kHiddenBehind, look.say(lookOf(t, phase.busiest).longName)));
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace loom::panels::playback
