#include "app/panels/memory/figures.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/memory/labels.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/memory/words.h"
#include "app/panels/performance/words.h"
#include "app/panels/playback/view/playback.h"
#include "app/panels/playback/words.h"
#include "app/session/shown_model.h"
#include "app/text/counts.h"
#include "app/text/terms.h"
#include "app/ui/figure_rows.h"
#include "app/ui/look.h"
#include "app/ui/number_field.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/pipe_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::memory;
using window::Look;
using window::Tone;

namespace {

void heading(const Look& look, const std::string& text) {
  ImGui::Dummy({0, look.px(4)});
  drawHeading(look, text);
}

const session::MemoryBudget* budgetOf(const session::MemoryView* view, model::Limiter resource) {
  if (view == nullptr) return nullptr;
  const auto at = std::find_if(view->budgets.begin(), view->budgets.end(),
                               [&](const session::MemoryBudget& b) { return b.resource == resource; });
  return at == view->budgets.end() ? nullptr : &*at;
}

// What the blocks of a cluster bring each other.
void drawCluster(const Look& look, const session::MemoryView& v) {
  heading(look, look.say(words::kClusterHead));
  drawSecond(look, say(look, words::kClusterShared, v.cluster, bytesText(v.sharedBytes),
                       bytesText(v.sharedBytes * double(v.cluster))));
  setItemTip(look, look.say(text::terms::kGpc.meaning));
  for (const session::MemoryTraffic& t : v.traffic) {
    if (t.byOthers <= 0 && t.fromOthers <= 0) continue;
    const session::MemoryLevel level = t.byOthers > 0 ? t.to : t.from;
    const auto held = std::ranges::find_if(
        v.buffers, [&](const session::MemoryBuffer& b) { return b.level == level && b.column == t.column; });
    const std::string name = held == v.buffers.end() ? "" : held->name;
    if (t.fromOthers > 0) {
      drawSecond(look, say(look, words::kClusterReads, name, bytesText(t.perBlock), bytesText(t.fromOthers)));
      continue;
    }
    drawSecond(look, say(look, words::kClusterBrings, name, bytesText(t.perBlock + t.byOthers), bytesText(t.byOthers)));
    setItemTip(look, say(look, words::kOthersBringHint, numberText(t.byOthers)));
  }
}

// What each link and unit would take alone: bytes, rate and time, as Advice has the times.
void drawFloors(const Look& look, const session::MemoryView& v, const session::MemoryView* other) {
  double most = 0, longest = 0;  // with and without what a cold L2 would need, which the predicted time doesn't
  for (const auto& f : v.floors) {
    most = std::max(most, f.microseconds);
    if (!f.isCold()) longest = std::max(longest, f.microseconds);
  }
  if (most <= 0) return;
  heading(look, look.say(words::kFloors));
  std::vector<FigureRow> rows;
  std::string l2 = look.say(text::counts::kDistinctOfBlock);
  bool predicted = false;
  for (const session::MemoryTimeBound& f : v.floors) {
    std::string time =
        f.isCold() ? say(look, text::performance::kColdMemory, timeText(f.microseconds)) : timeText(f.microseconds);
    for (const session::MemoryTimeBound& was : other ? other->floors : decltype(v.floors){})
      if (was.roof == f.roof && was.pipe == f.pipe) time = withPreviousValue(look, time, timeText(was.microseconds));
    std::string hover = f.how.empty() ? "" : provenanceText(look, f.how) + "\n";
    if (f.microseconds > 1.01 * f.atRate) hover += say(look, words::kAtRate, timeText(f.atRate)) + "\n";
    hover += f.device.source + (f.device.other.empty() ? "" : "\n" + f.device.other);
    if (f.rate <= 0) hover = provenanceText(look, f.how);
    // The rate is the device's as far as multiprocessors have blocks.
    const double whole = f.device.value;
    const std::string share = whole > 0 && f.rate < 0.995 * whole ? fmt::format(" × {:.2f}", f.rate / whole) : "";
    if (f.rate > 0 && f.microseconds > 1.05 * f.atRate)
      time = say(look, words::kTimesAtRate, time, fmt::format("{:.3g}", f.microseconds / f.atRate));
    rows.push_back(
        {f.roof == "shared" ? figureLabel(look, f.pipe.empty() ? f.roof : f.pipe) : figureLabel(look, f.roof),
         f.rate <= 0 ? time
         : f.bytes > 0
             ? fmt::format("{} · {:.3g} TB/s {}{} · {}", bytesText(f.bytes), whole / 1000, rateWord(look, f.device),
                           share, time)
             : fmt::format("{} TFLOP/s {}{} · {}", magnitudeText(whole), rateWord(look, f.device), share, time),
         float(f.microseconds / most), f.microseconds == longest ? Tone::kWarning : Tone::kTextSecond,
         std::move(hover)});
    predicted |= !f.pipe.empty();
    if (f.once <= 0) continue;
    l2 = look.say(text::counts::kSectors);
    constexpr double kApart = 0.005;
    if (std::abs(f.bytes - f.once) > kApart * f.once)
      l2 += say(look, v.readsBoxes() ? words::kOnceBesideBoxes : words::kOnceABlock, bytesText(f.once));
  }
  drawFigureRows(look, rows);
  std::string counts =
      say(look, words::kLeastCounts, look.say(text::counts::kDistinct), l2, look.say(text::counts::kWavefronts));
  if (v.idle > 0) counts += say(look, words::kRatesOfSome, v.multiprocessors - v.idle, v.multiprocessors);
  if (predicted)
    counts +=
        "\n" + say(look, words::kFloorTimes, fmt::format("{:.3g}", model::CalibratedConstants{}.clocksPerWavefront),
                   fmt::format("{:.3g}", model::CalibratedConstants{}.clocksPerSharedRequest));
  drawSecond(look, counts);
}

}  // namespace

std::string magnitudeText(double value) {
  return value >= 100 || value == std::floor(value) ? countText(value) : fmt::format("{:.3g}", value);
}

void drawMemoryFigures(PanelContext& context, const session::ShownModel& shown, AdviceList& advice,
                       const session::MemoryView* other) {
  const Look& look = context.look;
  const session::StateModel& model = *shown.model();
  const session::MemoryView& v = session::memoryOf(model);
  const bool stays = advice.previews(context);  // what there was is drawn, whatever the preview gives
  if (!v.kernel && !stays) return;
  if (!v.deviceProblem.empty()) drawSecond(look, say(look, words::kNoDevice, look.tell(v.deviceProblem)));
  if (!v.budgets.empty()) {
    heading(look, say(look, words::kBudgets, v.device));
    // Registers are known once the state is compiled; before that nothing can be called the limit.
    const bool known = std::all_of(v.budgets.begin(), v.budgets.end(), [](const auto& b) { return b.fits >= 0; });
    // Nor is it one where the grid has fewer blocks than fit, or none for some multiprocessors.
    const bool reached = known && v.blocksRun >= v.blocksFit && v.idle == 0;
    std::vector<FigureRow> rows;
    for (const session::MemoryBudget& b : v.budgets) {
      using model::Limiter;
      const bool shared = b.resource == Limiter::Shared;
      const text::Text& name = shared                             ? words::kShared
                               : b.resource == Limiter::Registers ? words::kRegisters
                               : b.resource == Limiter::Threads   ? words::kThreads
                                                                  : words::kSlots;
      auto amount = [&](double value) { return shared ? bytesText(value) : magnitudeText(value); };
      const auto* was = budgetOf(other, b.resource);
      std::string taken = withPreviousValue(look, amount(b.taken), was ? amount(was->taken) : "");
      constexpr double kWarp = 32;
      if (const double lanes = std::ceil(b.taken / kWarp) * kWarp; b.resource == Limiter::Threads && lanes != b.taken)
        taken = say(look, words::kInWholeWarps, taken, lanes);
      const std::string fits =
          b.fits < 0 ? std::string(look.say(words::kUnknownFit))
                     : withPreviousValue(look,
                                         say(look,
                                             !known || !b.limits ? words::kFits
                                             : reached           ? words::kLimit
                                                                 : words::kLeastRoom,
                                             b.fits),
                                         was && was->fits >= 0 && was->fits != b.fits ? countText(was->fits) : "");
      rows.push_back({look.say(name),
                      b.fits < 0 ? fits : say(look, words::kOfBudget, taken, amount(b.available)) + " · " + fits,
                      b.available > 0 && b.fits >= 0 ? float(b.taken / b.available) : 0,
                      reached && b.limits ? Tone::kWarning
                      : shared            ? Tone::kShared
                                          : Tone::kTextSecond,
                      look.say(text::performance::kHowOccupancy)});
    }
    const session::MemoryBarriers& barriers = v.barriers;
    std::string executed;
    if (barriers.used > 0 && !barriers.step.empty())
      executed = " · " + say(look, words::kBarriersStep, magnitudeText(barriers.perStep), barriers.step);
    else if (barriers.used > 0)
      executed = " · " + say(look, words::kBarriersBlock, magnitudeText(barriers.perBlock));
    if (barriers.ofCluster > 0)
      executed += " · " + say(look, barriers.used > 0 ? words::kBarriersCluster : words::kBarriersClusterInstead,
                              magnitudeText(barriers.ofCluster));
    if (v.kernel)
      rows.push_back({look.say(words::kBarriers),
                      say(look, words::kOfBudget, barriers.used, session::MemoryBarriers::kAvailable) + executed,
                      float(barriers.used) / float(session::MemoryBarriers::kAvailable), Tone::kTextSecond,
                      say(look, barriers.sometimes ? words::kBarriersHintSome : words::kBarriersHint, barriers.written,
                          magnitudeText(barriers.perBlock)) +
                          (barriers.ofCluster > 0 ? look.say(words::kBarriersClusterHint) : "")});
    drawFigureRows(look, rows);
    const session::MemoryBudget& shared = v.budgets.front();
    if (shared.reserved > 0)
      drawSecond(look,
                 say(look, words::kReserved, bytesText(shared.taken - shared.reserved), bytesText(shared.reserved)));
    drawSecond(look, say(look, words::kRuns, v.blocksFit, magnitudeText(v.blocksRun), v.idle, v.multiprocessors));
  }
  for (const session::MemorySharing& s : v.sharing)
    drawSecond(look, say(look, text::performance::kShareBytes, fmt::format("{}", fmt::join(s.buffers, ", ")),
                         bytesText(s.bytes)));
  if (v.cluster > 1) drawCluster(look, v);
  if (!v.mbarriers.empty()) heading(look, look.say(words::kMbarriers));
  for (const session::MemoryMbarrier& b : v.mbarriers) {
    drawSecond(look, mbarrierText(look, b));
    setItemTip(look, look.say(words::kMbarriersHint));
  }
  const bool advised = !shown.isFinal() || std::any_of(model.advice.begin(), model.advice.end(),
                                                       [](const auto& a) { return a.code != "busiest"; });
  if (advised || stays) heading(look, look.say(words::kAdvice));
  if (advice.draw(context, shown) || !v.kernel) return;
  if (model.timeline() && *model.timeline() && (*model.timeline())->step >= 0) {
    const model::Timeline& t = **model.timeline();
    const model::Budget b = model::budgetOf(t, t.step);
    const model::TrackClocks added = session::addedClocks(b);
    heading(look, say(look, words::kStepBudget, t.items[std::size_t(t.step)].var->name, clocksIn(b, b.clocks)));
    std::vector<FigureRow> rows;
    for (int i = 0; i < model::kTracks; ++i) {
      const auto track = lookOf(t, model::Track(i));
      const double busy = b.busy[std::size_t(i)];
      rows.push_back({look.say(track.name), busyText(look, b, added, std::size_t(i)),
                      b.clocks > 0 ? float(busy / b.clocks) : 0, track.tone, look.say(words::kAddsHint)});
    }
    drawFigureRows(look, rows);
  }
  if (!v.reuse.empty()) heading(look, look.say(words::kReuse));
  for (const session::MemoryReuse& r : v.reuse) {
    std::string was;
    for (const session::MemoryReuse& o : other ? other->reuse : decltype(v.reuse){})
      if (o.buffer == r.buffer) was = magnitudeText(o.times) + "×";
    const std::string text = r.buffer + " " + withPreviousValue(look, magnitudeText(r.times) + "×", was);
    ImGui::PushFont(nullptr, window::kSecondarySize);
    if (&r != v.reuse.data()) flowOn(context.look, ImGui::CalcTextSize(text.c_str()).x);
    ImGui::PopFont();
    drawSecond(look, text);
    setItemTip(look, provenanceText(look, r.how));
  }
  drawFloors(look, v, other);
}

}  // namespace loom::panels
