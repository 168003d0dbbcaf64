#include "app/panels/playback/role_bar_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/role_rows.h"
#include "app/panels/playback/words.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/role_text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using session::isWait;
using session::RoleDoes;
using session::RoleLane;
using session::RoleLanes;
using window::Look;

namespace {

// By RoleDoes: on a bar, in a tooltip, and as a reason for which tensor cores are idle.
struct DoesWords {
  const text::Text *bar, *note, *idle;
};
const DoesWords& wordsOf(RoleDoes does) {
  static constexpr DoesWords kAll[] = {
      {&words::kBeginBar, &words::kBeginNote, &words::kIdleBegin},
      {&words::kInstructionsBar, &words::kInstructionsNote, &words::kIdleInstructions},
      {&words::kLookBar, &words::kLookNote, &words::kIdleLook},
      {&words::kWorkBar, &words::kWorkNote, &words::kIdleWork},
      {&words::kAskBar, &words::kAskNote, &words::kIdleAsk},
      {&words::kWriteBar, &words::kWriteNote, &words::kIdleWrite},
      {&words::kBoxBar, &words::kBoxNote, &words::kIdleBox},
      {&words::kStoreBoxBar, &words::kStoreNote, &words::kIdleStores},
      {&words::kProductBar, &words::kProductNote, &words::kIdleProducts},
      {&words::kAwaitBox, &words::kAwaitBoxNote, &words::kIdleBox},
      {&words::kAwaitSlot, &words::kAwaitSlotNote, &words::kIdleSlot},
      {&words::kAwaitTurn, &words::kAwaitTurnNote, &words::kIdleTurn},
      {&words::kAwaitProducts, &words::kAwaitProductsNote, &words::kIdleProducts},
      {&words::kAwaitStores, &words::kAwaitStoresNote, &words::kIdleStores},
      {&words::kAwaitBlock, &words::kAwaitBlockNote, &words::kIdleBlock},
      {&words::kAwaitWrites, &words::kAwaitWritesNote, &words::kIdleWrite},
  };
  static_assert(std::size(kAll) == session::kRoleDoes);
  return kAll[std::size_t(does)];
}

std::string shareText(double part, double whole) {
  const double percent = whole > 0 ? 100 * part / whole : 0;
  return percent > 0 && percent < 0.95 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent);
}

// Products that are held up for less are as fast as they can be.
bool isHeldUp(const RoleLanes& lanes) { return lanes.tensorBusy - lanes.tensorNeed > 0.005 * lanes.clocks; }

constexpr double kLeastReason = 0.0005;  // of the life: less isn't told

struct IdleReason {
  double clocks = 0;
  const text::Text* name = nullptr;
};
// The longest reasons for which tensor cores are idle.
std::vector<IdleReason> idleReasons(const RoleLanes& lanes, int most) {
  std::vector<IdleReason> all;
  for (int d = 0; d < session::kRoleDoes; ++d) {
    const double clocks = lanes.exposed[std::size_t(d)];
    if (clocks > lanes.clocks * kLeastReason) all.push_back({clocks, wordsOf(RoleDoes(d)).idle});
  }
  std::ranges::stable_sort(all, std::greater<>(), &IdleReason::clocks);
  if (int(all.size()) > most) all.resize(std::size_t(most));
  return all;
}

std::string groupText(const Look& look, const RoleLanes& lanes, int group) {
  for (const RoleLane& l : lanes.lanes)
    if (l.of == RoleLane::Of::kWarps && l.group == group) return warpsText(look, l.role.warps);
  return look.say(words::kCopyEngine);
}

std::string noteOf(const Look& look, const RoleLanes& lanes, const RoleLane::Bar& b) {
  if (b.idle) {
    if (b.from >= lanes.moments.drain - 1e-6 && b.does == RoleDoes::kWrite && !b.block)
      return look.say(words::kDrainNote);
    return say(look, b.late ? words::kIdleLateNote : words::kIdleNote, groupText(look, lanes, b.group),
               look.say(*wordsOf(b.does).bar));
  }
  if (!b.own) return look.say(words::kOthersNote);
  switch (b.does) {
    case RoleDoes::kBox:
      return say(look, words::kBoxNote, groupText(look, lanes, b.group), roleTimeText(lanes, b.to - b.asked));
    case RoleDoes::kProduct:
      return b.slot < 0 ? say(look, words::kProductNote, groupText(look, lanes, b.group))
                        : say(look, words::kProductOfSlotNote, groupText(look, lanes, b.group), b.slot);
    case RoleDoes::kAwaitSlot:
    case RoleDoes::kAwaitTurn:
    case RoleDoes::kAwaitBlock: return say(look, *wordsOf(b.does).note, groupText(look, lanes, b.by));
    case RoleDoes::kAwaitBox:
      return look.say(words::kAwaitBoxNote) +
             (b.by < 0 ? std::string() : say(look, words::kKeptBoxNote, groupText(look, lanes, b.by)));
    case RoleDoes::kAwaitWrites:
      return b.by < 0 ? std::string(look.say(words::kAwaitWritesOfBlocksNote))
                      : say(look, words::kAwaitWritesNote, groupText(look, lanes, b.by));
    default: return look.say(*wordsOf(b.does).note);
  }
}

}  // namespace

const text::Text* awaitedOf(RoleDoes does) {
  switch (does) {
    case RoleDoes::kAwaitSlot: return &words::kAwaitedSlot;
    case RoleDoes::kAwaitTurn: return &words::kAwaitedTurn;
    case RoleDoes::kAwaitStores: return &words::kAwaitedStores;
    case RoleDoes::kAwaitBlock: return &words::kAwaitedBlock;
    case RoleDoes::kAwaitWrites: return &words::kAwaitedWrites;
    default: return nullptr;
  }
}

std::string laneText(const Look& look, const RoleLane& lane) {
  switch (lane.of) {
    case RoleLane::Of::kCopyEngine: return look.say(words::kCopyEngine);
    case RoleLane::Of::kTensorCores: return look.say(words::kTensorLong);
    case RoleLane::Of::kWarps: break;
  }
  return warpsText(look, lane.role.warps);
}

std::string laneHint(const Look& look, const RoleLane& lane) {
  return lane.of == RoleLane::Of::kWarps ? roleText(look, lane.role) : laneText(look, lane);
}

std::string figuresText(const Look& look, const RoleLanes& lanes, const RoleLane& lane) {
  const auto share = [&](double clocks) { return shareText(clocks, lanes.clocks); };
  if (lane.of == RoleLane::Of::kTensorCores && isHeldUp(lanes))
    return say(look, words::kBusyHeldUp, share(lane.busy), share(lanes.tensorBusy - lanes.tensorNeed));
  if (lane.of != RoleLane::Of::kWarps) return say(look, words::kBusyShare, share(lane.busy));
  if (!lane.role.multiplies) return say(look, words::kLoadFigures, share(lane.clocksOf(RoleDoes::kAwaitSlot)));
  const std::string boxes = share(lane.clocksOf(RoleDoes::kAwaitBox));
  if (const double turns = lane.clocksOf(RoleDoes::kAwaitTurn); turns > 0)
    return say(look, words::kTurnFigures, boxes, share(turns));
  const std::string writes = share(lane.clocksOf(RoleDoes::kWork) + lane.clocksOf(RoleDoes::kWrite));
  if (const double behind = lane.clocksOf(RoleDoes::kAwaitWrites); behind > 0)
    return say(look, words::kWriteFigures, boxes, share(behind), writes);
  return say(look, words::kMultiplyFigures, boxes, writes);
}

std::string barText(const Look& look, const RoleLane::Bar& bar) {
  const std::string what = look.say(*wordsOf(bar.does).bar);
  if (bar.idle) return say(look, words::kIdleBar, what);
  const bool numbered = bar.step >= 0 && bar.does != RoleDoes::kAwaitSlot;
  if (!numbered) return what;
  const std::string step = stepText("", bar.step);
  return bar.does == RoleDoes::kProduct || bar.does == RoleDoes::kBox ? step : what + " " + step;
}

std::vector<std::string> barTexts(const Look& look, const RoleLanes& lanes, const RoleLane::Bar& bar) {
  std::vector<std::string> all;
  if (!bar.idle && isWait(bar.does) && bar.by >= 0 && bar.by != bar.group) {
    const std::string whom = groupText(look, lanes, bar.by);
    all.push_back(bar.does == RoleDoes::kAwaitBox ? say(look, words::kAwaitKeptBox, stepText("", bar.step), whom)
                                                  : named(look, barText(look, bar), whom));
  }
  all.push_back(barText(look, bar));
  if (bar.idle) {
    all.emplace_back(look.say(words::kIdleShort));
  } else if (bar.does == RoleDoes::kAwaitBox && bar.step >= 0) {
    all.push_back(stepText("", bar.step));
  } else if (const text::Text* awaited = awaitedOf(bar.does)) {
    all.emplace_back(look.say(*awaited));
  }
  return all;
}

std::string barHint(const Look& look, const RoleLanes& lanes, const RoleLane& lane, const RoleLane::Bar& b) {
  const bool numbered = !b.idle && (b.does == RoleDoes::kProduct || b.does == RoleDoes::kBox);
  const std::string what =
      numbered ? std::string(look.say(*wordsOf(b.does).bar)) + " " + barText(look, b) : barText(look, b);
  return laneHint(look, lane) + "\n" + what + "\n" +
         say(look, words::kBarTime, clocksText(b.to - b.from), roleTimeText(lanes, b.to - b.from),
             roleTimeText(lanes, b.from), roleTimeText(lanes, b.to)) +
         "\n" + noteOf(look, lanes, b);
}

std::string rolesText(const Look& look, const RoleLanes& lanes, int most, RolesDetail detail) {
  const bool power = lanes.powerBound && detail != RolesDetail::kNone;
  std::string text =
      say(look, power ? words::kRolesBudgetByPower : words::kRolesBudget, clocksText(lanes.clocks),
          roleTimeText(lanes, lanes.clocks), numberText(lanes.megahertz), shareText(lanes.tensorBusy, lanes.clocks));
  if (isHeldUp(lanes) && detail == RolesDetail::kAll)
    text += say(look, words::kAtFullRate, shareText(lanes.tensorNeed, lanes.clocks));
  std::string reasons;
  for (const IdleReason& r : idleReasons(lanes, most))
    reasons += (reasons.empty() ? "" : ", ") + say(look, *r.name, shareText(r.clocks, lanes.clocks));
  // The parts add up to the whole.
  const double idle = lanes.clocks - lanes.tensorBusy, rest = leftOut(lanes, most) * idle;
  if (reasons.empty())
    return idle > kLeastReason * lanes.clocks ? text + say(look, words::kRolesIdleOnly, shareText(idle, lanes.clocks))
                                              : text;
  if (rest > kLeastReason * lanes.clocks)
    reasons += ", " + (detail == RolesDetail::kNone ? "…" : say(look, words::kIdleRest, shareText(rest, lanes.clocks)));
  return text + say(look, words::kRolesIdle, shareText(idle, lanes.clocks), reasons);
}

double leftOut(const RoleLanes& lanes, int most) {
  const double idle = lanes.clocks - lanes.tensorBusy;
  double rest = idle;
  for (const IdleReason& r : idleReasons(lanes, most)) rest -= r.clocks;
  return idle > 0 ? std::clamp(rest / idle, 0.0, 1.0) : 0;
}

std::string rolesNote(const Look& look, const RoleLanes& lanes) {
  std::string text;
  if (isHeldUp(lanes)) text += std::string(look.say(words::kHeldUpNote)) + "\n";
  if (lanes.powerBound) text += std::string(look.say(words::kPowerNote)) + "\n";
  return text;
}

std::string rolesNowText(const Look& look, const RoleLanes& lanes, double clocks) {
  std::string text = roleTimeText(lanes, clocks);
  for (const RoleLane& lane : lanes.lanes)
    for (const RoleLane::Bar& b : lane.bars) {
      if (clocks < b.from || clocks >= b.to || b.row > 0) continue;
      text += " · " + named(look, laneText(look, lane), barText(look, b));
      break;
    }
  return text;
}

std::string roleTimeText(const RoleLanes& lanes, double clocks) { return timeText(lanes.nanoseconds(clocks) / 1000); }

}  // namespace loom::panels::playback
