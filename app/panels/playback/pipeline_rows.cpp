#include "app/panels/playback/pipeline_rows.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using session::BufferRing;
using session::CopyGroup;
using session::PipelineView;
using session::Playback;
using session::PlaybackBar;
using session::PlaybackWindow;
using session::SlotSpan;
using window::Look;
using window::Tone;

namespace {

const model::TimelinePhase& phaseOf(const Playback& p, int item) {
  const model::Timeline& t = p.timeline();
  return t.phases[std::size_t(t.items[std::size_t(item)].index)];
}

// The ring and the slot of a row below that of the copies; null: none.
std::pair<const BufferRing*, int> slotAt(const PipelineView& view, int row) {
  row -= view.groups.empty() ? 0 : 1;
  for (const BufferRing& r : view.rings) {
    if (row >= 0 && row < r.slots) return {&r, row};
    row -= r.slots;
  }
  return {nullptr, -1};
}

using Span = std::pair<double, double>;

// When products are done, in the order of time.
std::vector<Span> productsOf(const std::vector<PlaybackBar>& bars) {
  std::vector<Span> all;
  for (const PlaybackBar& b : bars)
    if (!b.wait && b.track == model::Track::Arithmetic) all.emplace_back(b.from, b.to);
  std::ranges::sort(all);
  return all;
}

// What of a span none of `products`, which are in the order of time, is done beside.
std::vector<Span> without(const std::vector<Span>& products, Span span) {
  std::vector<Span> all;
  for (const auto& [from, to] : products) {
    if (to <= span.first || from >= span.second) continue;
    if (from > span.first) all.emplace_back(span.first, from);
    span.first = to;
  }
  if (span.first < span.second) all.push_back(span);
  return all;
}

// The waits for global memory of a window: while they last nothing hides the copies. And of the phases that copies
// make longer, the copies that no products are done beside.
std::vector<Span> exposedIn(const Playback& p, const PlaybackWindow& w) {
  std::vector<Span> all;
  for (const auto& phase : w.phases) {
    const auto& bars = p.bars(phase.item);
    const model::TimelinePhase& of = phaseOf(p, phase.item);
    const bool longer = of.uncovered() > 0 && !of.copies.empty();
    const std::vector<Span> products = productsOf(bars);
    for (const PlaybackBar& b : bars) {
      if (b.track != model::Track::Copy || !(b.wait || longer)) continue;
      for (const auto& [from, to] : without(b.wait ? std::vector<Span>{} : products, {b.from, b.to}))
        all.emplace_back(phase.from + from, phase.from + to);
    }
  }
  return all;
}

// Clocks of a window that copies take and nothing hides.
double exposedClocks(const Playback& p, const PlaybackWindow& w) {
  double sum = 0;
  for (const auto& phase : w.phases) {
    const model::TimelinePhase& of = phaseOf(p, phase.item);
    sum += of.waits[int(model::Track::Copy)] + (of.copies.empty() ? 0 : of.uncovered());
  }
  return sum;
}

// Draws the rows, one after the other.
class Rows {
 public:
  Rows(const Look& look, const Playback& p, const PlaybackWindow& w, const PipelineRows& rows, double now)
      : look_(look), p_(p), w_(w), rows_(rows), now_(now), y_(rows.from.y) {}

  void draw() {
    if (!p_.pipeline().groups.empty()) drawCopies();
    for (const BufferRing& ring : p_.pipeline().rings)
      for (int slot = 0; slot < ring.slots; ++slot) {
        drawSlotRow(look_, rows_, y_, time(), ring, slot);
        next();
      }
  }

 private:
  float x(double clocks) const { return xOf(rows_, time(), clocks); }
  ShownTime time() const { return {w_.from, w_.clocks, now_}; }
  void next() {
    y_ += rows_.row;
    drawRowEnd(look_, rows_, y_);
  }

  // Groups that are not awaited yet together share the row's height; what isn't hidden has a dashed frame.
  void drawCopies() {
    const PipelineView& view = p_.pipeline();
    ImDrawList* list = ImGui::GetWindowDrawList();
    drawRowName(look_, rows_, y_, "→", Tone::kGlobal, look_.say(words::kNotAwaited));
    const float top = y_ + look_.px(2), each = (rows_.row - look_.px(3)) / float(std::max(1, view.lanes));
    for (const CopyGroup& g : view.groups) {
      const double from = g.from - w_.from, to = g.to - w_.from;
      if (to <= 0 || from >= w_.clocks) continue;
      const ImVec2 a{x(from), top + each * float(g.lane)};
      const ImVec2 b{std::max(a.x + 1, x(to) - look_.px(1)), a.y + each - look_.px(view.lanes > 1 ? 1.0F : 2.0F)};
      list->AddRectFilled(a, b, look_.paint(Tone::kGlobal, time().isNow(from, to) ? 0.75F : 0.45F));
      if (each >= look_.px(12)) drawBarLabel(look_, a, b, stepText(g.loop, g.step), Tone::kText);
    }
    for (const auto& [from, to] : exposedIn(p_, w_)) {
      if (x(to) - x(from) >= look_.px(4))
        drawDashed(look_, {x(from), top}, {x(to), y_ + rows_.row - look_.px(2)}, look_.paint(Tone::kText));
    }
    const double exposed = exposedClocks(p_, w_);
    drawRowFigures(look_, rows_, y_,
                   !p_.timeline().asCompiled ? look_.say(words::kExposedUnknown)
                                             : say(look_, words::kExposed, view.lanes, clocksText(exposed)));
    next();
  }

  const Look& look_;
  const Playback& p_;
  const PlaybackWindow& w_;
  const PipelineRows& rows_;
  const double now_;
  float y_;
};

}  // namespace

int pipelineRows(const PipelineView& view) {
  int rows = view.groups.empty() ? 0 : 1;
  for (const BufferRing& r : view.rings) rows += r.slots;
  return rows;
}

void drawPipelineRows(const Look& look, const Playback& p, const PlaybackWindow& w, const PipelineRows& rows,
                      double now) {
  Rows(look, p, w, rows, now).draw();
}

std::string pipelineHint(const Look& look, const Playback& p, const PlaybackWindow& w, int row, double clocks,
                         std::vector<ir::Id>& blocks) {
  const PipelineView& view = p.pipeline();
  const double at = w.from + clocks;
  if (row == 0 && !view.groups.empty()) {
    std::string text;
    for (const CopyGroup& g : view.groups) {
      if (at < g.from || at >= g.to) continue;
      if (blocks.empty()) blocks = g.blocks;
      text += (text.empty() ? "" : "\n") +
              say(look, words::kGroupHint, joined(g.buffers), stepText(g.loop, g.step), clocksText(g.to - g.from));
    }
    return text.empty() ? look.say(words::kNoGroupHint) : text + "\n" + look.say(words::kGroupNote);
  }
  const auto [ring, slot] = slotAt(view, row);
  if (!ring) return "";
  return slotHint(look, *ring, slot, at);
}

std::string slotsText(const Look& look, const Playback& p, double clocks) {
  std::string text;
  for (const BufferRing& ring : p.pipeline().rings) {
    std::string slots;
    for (int slot = 0; slot < ring.slots; ++slot) {
      std::string holds = look.say(words::kSlotFree);
      for (const SlotSpan& s : ring.spans)
        if (s.slot == slot && clocks >= s.from && clocks < s.to) holds = slotText(look, ring, s);
      slots += (slots.empty() ? "" : ", ") + holds;
    }
    text += (text.empty() ? "" : " · ") + named(look, joined(ring.buffers), slots);
  }
  return text;
}

}  // namespace loom::panels::playback
