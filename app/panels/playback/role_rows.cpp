#include "app/panels/playback/role_rows.h"

#include <algorithm>
#include <cmath>

#include "app/panels/performance/words.h"
#include "app/panels/playback/bars.h"
#include "app/panels/playback/role_bar_text.h"
#include "app/panels/playback/words.h"
#include "app/text/terms.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using session::BufferRing;
using session::RoleDoes;
using session::RoleLane;
using session::RoleLanes;
using window::Look;
using window::Tone;

namespace {

constexpr double kNearlyAll = 0.6;  // of a life: rather all of it than such a part
constexpr float kStep = 60;         // design px: of one filling of a ring, in the mean, where a part is shown
constexpr float kMostRow = 30, kLeastLane = 13, kLeastSlot = 4;

// Rows that lie above each other in one lane need more room.
float weightOf(const RoleLane& lane) { return lane.rows > 1 ? 1.6F : 1; }
float unitsOf(const RoleLanes& lanes) {
  float units = 0;
  for (const RoleLane& l : lanes.lanes) units += weightOf(l);
  return units;
}
int slotsOf(const RoleLanes& lanes) {
  int slots = 0;
  for (const BufferRing& r : lanes.rings) slots += r.slots;
  return slots;
}

Tone toneOf(const RoleLane& lane) {
  switch (lane.of) {
    case RoleLane::Of::kCopyEngine: return Tone::kGlobal;
    case RoleLane::Of::kTensorCores: return Tone::kTensorCore;
    case RoleLane::Of::kWarps: break;
  }
  return Tone::kThreadY;
}

const char* letterOf(const RoleLane& lane) {
  return lane.of == RoleLane::Of::kWarps ? "W" : lane.of == RoleLane::Of::kCopyEngine ? "→" : "TC";
}

struct Paint {
  Tone tone = Tone::kSerial;
  float strength = 0.3F;
  bool dashed = false;
};
Paint paintOf(const RoleLane::Bar& bar) {
  if (bar.idle) {
    return {bar.does == RoleDoes::kAwaitBox ? Tone::kWarning : Tone::kTextFaint, 0.12F, true};
  }
  switch (bar.does) {
    case RoleDoes::kBegin: return {Tone::kSerial, 0.25F};
    case RoleDoes::kInstructions:
    case RoleDoes::kLook: return {Tone::kSerial, 0.22F};
    case RoleDoes::kWork:
    case RoleDoes::kWrite: return {Tone::kFragment, 0.45F};
    case RoleDoes::kAsk: return {Tone::kGlobal, 0.4F};
    case RoleDoes::kBox: return {Tone::kGlobal, 0.5F};
    case RoleDoes::kStore: return {Tone::kFragment, 0.35F};
    case RoleDoes::kProduct: return {Tone::kTensorCore, 0.42F};
    case RoleDoes::kAwaitProducts: return {Tone::kTensorCore, 0.2F};
    case RoleDoes::kAwaitBox: return {Tone::kWarning, 0.12F, true};
    case RoleDoes::kAwaitSlot:
    case RoleDoes::kAwaitTurn:
    case RoleDoes::kAwaitStores:
    case RoleDoes::kAwaitBlock:
    case RoleDoes::kAwaitWrites: break;
  }
  return {Tone::kTextFaint, 0.1F, true};
}

// The longest of a bar's words that finds room; empty where none does.
std::string fittingText(const Look& look, const RoleLanes& lanes, const RoleLane::Bar& bar, float room) {
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  std::string fits;
  for (const std::string& text : barTexts(look, lanes, bar))
    if (fits.empty() && ImGui::CalcTextSize(text.c_str()).x <= room - look.px(8)) fits = text;
  ImGui::PopFont();
  return fits;
}

// Bars that are too narrow to be told apart are drawn once for a pixel.
void drawLane(const Look& look, const RoleLanes& all, const RoleLane& lane, const PipelineRows& rows, float y,
              const ShownTime& shown) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawRowName(look, rows, y, letterOf(lane), toneOf(lane), laneText(look, lane));
  const float each = (rows.row - look.px(3)) / float(lane.rows), gap = lane.rows > 1 ? 1.0F : 0.0F;
  std::vector<float> last(std::size_t(lane.rows), rows.from.x);
  for (const RoleLane::Bar& b : lane.bars) {
    const double from = b.from - shown.from, to = b.to - shown.from;
    if (to <= 0) continue;
    // In the order of time, by row: what comes later may belong to another row, but not begin before.
    if (from >= shown.clocks) break;
    const Paint paint = paintOf(b);
    const float left = std::max(xOf(rows, shown, from), last[std::size_t(b.row)]), right = xOf(rows, shown, to);
    if (right - left < 0.5F) continue;
    last[std::size_t(b.row)] = right;
    const float space = right - left > look.px(3) ? look.px(1) : 0;
    // What tensor cores are idle for is nobody's row.
    const float top = y + look.px(1.5F) + (b.idle ? 0 : each * float(b.row));
    const ImVec2 a{left, top}, z{right - space, top + each * (b.idle ? float(lane.rows) : 1.0F) - gap};
    const float strength = paint.strength * (shown.isNow(from, to) ? 1.5F : 1.0F) * (b.own ? 1.0F : 0.35F);
    list->AddRectFilled(a, z, look.paint(paint.tone, std::min(1.0F, strength)));
    const bool says = z.x - a.x > look.px(20) && z.y - a.y >= look.px(kWordRow - 2) && b.own && !isBetween(b.does);
    const std::string text = says ? fittingText(look, all, b, z.x - a.x) : "";
    if (paint.dashed && z.x - a.x > look.px(6)) {
      drawDashedBar(look, a, z, look.paint(paint.tone), text, Tone::kText);
    } else if (says) {
      drawBarLabel(look, a, z, text, Tone::kText);
    }
  }
  drawRowFigures(look, rows, y, figuresText(look, all, lane));
}

// Slots too low for words of their own have one name for all.
void drawRing(const Look& look, const BufferRing& ring, const PipelineRows& rows, float y, const ShownTime& shown) {
  if (rows.row >= look.px(kLeastLane)) {
    for (int slot = 0; slot < ring.slots; ++slot) {
      drawSlotRow(look, rows, y, shown, ring, slot);
      drawRowEnd(look, rows, y += rows.row);
    }
    return;
  }
  PipelineRows whole = rows;
  whole.row = rows.row * float(ring.slots);
  const std::string size = bytesText(ring.slotBytes), names = joined(ring.buffers);
  drawRowName(look, whole, y, window::entryOf(playback::toneOf(ring)).letter, playback::toneOf(ring),
              ring.slots == 1 ? std::string(look.say(words::kOneSlot)) : say(look, words::kRing, ring.slots));
  std::string figures =
      ring.slots == 1 ? say(look, words::kOneSlotOf, size, names) : say(look, words::kSlotsOf, ring.slots, size, names);
  const auto fits = [&] {
    ImGui::PushFont(nullptr, window::kUnitSize);
    const bool does = ImGui::CalcTextSize(figures.c_str()).x <= rows.figures - look.px(8);
    ImGui::PopFont();
    return does;
  };
  // The row's name says how many there are. In two lines where that makes room for all names.
  if (!fits() && ring.slots > 1) figures = say(look, words::kSlotsEach, size, names);
  if (fits() || whole.row < look.px(2 * kLeastLane)) {
    drawRowFigures(look, whole, y, figures);
  } else {
    PipelineRows half = whole;
    half.row = look.px(kLeastLane);
    const float top = y + whole.row / 2 - half.row;
    drawRowFigures(look, half, top, say(look, words::kSlotBytes, ring.slots, size));
    drawRowFigures(look, half, top + half.row, names);
  }
  drawSlotNumbers(look, rows, y, ring);
  for (int slot = 0; slot < ring.slots; ++slot) drawSlotBars(look, rows, y + rows.row * float(slot), shown, ring, slot);
  drawRowEnd(look, rows, y + whole.row);
}

// What warps wait for besides boxes.
std::string otherWaits(const Look& look, const RoleLanes& lanes) {
  std::string all;
  for (int d = 0; d < session::kRoleDoes; ++d) {
    const text::Text* awaited = awaitedOf(RoleDoes(d));
    const bool occurs = awaited != nullptr && std::ranges::any_of(lanes.lanes, [&](const RoleLane& l) {
                          return l.of == RoleLane::Of::kWarps && l.clocksOf(RoleDoes(d)) > 0;
                        });
    if (occurs) all += (all.empty() ? "" : look.say(text::performance::kListed)) + std::string(look.say(*awaited));
  }
  return all;
}

const RoleLane* tensorCoresOf(const RoleLanes& lanes) {
  for (const RoleLane& l : lanes.lanes)
    if (l.of == RoleLane::Of::kTensorCores) return &l;
  return nullptr;
}

}  // namespace

RoleHeights roleHeights(const Look& look, const RoleLanes& lanes, float room) {
  const float units = unitsOf(lanes), slots = float(slotsOf(lanes));
  const float alike = room / std::max(1.0F, units + slots);
  if (alike >= look.px(kLeastLane + 1)) return {std::min(alike, look.px(kMostRow)), std::min(alike, look.px(kMostRow))};
  RoleHeights h;
  h.lane = std::clamp((room - slots * look.px(kLeastSlot + 1)) / std::max(1.0F, units), look.px(kLeastLane),
                      look.px(kLeastLane + 5));
  h.slot = std::clamp((room - units * h.lane) / std::max(1.0F, slots), look.px(kLeastSlot), h.lane);
  // A ring of one or two slots has room for its name.
  if (slots > 0 && slots * h.slot < look.px(kLeastLane)) h.slot = look.px(kLeastLane) / slots;
  return h;
}

float heightOf(const RoleLanes& lanes, const RoleHeights& heights) {
  return unitsOf(lanes) * heights.lane + float(slotsOf(lanes)) * heights.slot;
}

std::vector<RoleMoment> roleMoments(const RoleLanes& lanes) {
  const RoleLanes::Moments& m = lanes.moments;
  std::vector<RoleMoment> all{{&words::kFill, &words::kFillHint, m.fill, 0}};
  if (m.steady >= 0) all.push_back({&words::kSteady, &words::kSteadyHint, m.steady, 0.5});
  if (m.between >= 0) all.push_back({&words::kBetween, &words::kBetweenHint, m.between, 0.3});
  all.push_back({&words::kDrain, &words::kDrainHint, lanes.clocks, 1});
  return all;
}

ShownTime partAround(const Look& look, const RoleLanes& lanes, const RoleMoment& moment, float width) {
  const double steps = std::max<double>(1, double(lanes.steps().size()));
  const double fit = std::max(4.0, double(width / look.px(kStep)));
  ShownTime shown;
  shown.clocks = lanes.clocks * std::min(1.0, fit / steps);
  if (shown.clocks > lanes.clocks * kNearlyAll) shown.clocks = lanes.clocks;
  shown.from = moment.at - moment.before * shown.clocks;
  return withinLife(lanes, shown);
}

ShownTime firstPart(const Look& look, const RoleLanes& lanes, float width) {
  const std::vector<RoleMoment> all = roleMoments(lanes);
  const auto between = std::ranges::find(all, &words::kBetween, &RoleMoment::name);
  return partAround(look, lanes, between != all.end() ? *between : all.front(), width);
}

ShownTime withinLife(const RoleLanes& lanes, ShownTime shown) {
  shown.clocks = std::clamp(shown.clocks, std::min(lanes.clocks, 200.0), lanes.clocks);
  shown.from = std::clamp(shown.from, 0.0, lanes.clocks - shown.clocks);
  return shown;
}

void drawRoleRows(const Look& look, const RoleLanes& lanes, const PipelineRows& rows, const RoleHeights& heights,
                  const ShownTime& shown) {
  float y = rows.from.y;
  PipelineRows row = rows;
  for (const RoleLane& lane : lanes.lanes) {
    row.row = heights.lane * weightOf(lane);
    drawLane(look, lanes, lane, row, y, shown);
    drawRowEnd(look, row, y += row.row);
  }
  row.row = heights.slot;
  for (const BufferRing& ring : lanes.rings) {
    drawRing(look, ring, row, y, shown);
    y += heights.slot * float(ring.slots);
  }
}

std::string roleHint(const Look& look, const RoleLanes& lanes, const RoleHeights& heights, float y, double clocks,
                     ir::Id& block) {
  if (y < 0) return "";
  for (const RoleLane& lane : lanes.lanes) {
    const float height = heights.lane * weightOf(lane);
    if (y >= height) {
      y -= height;
      continue;
    }
    const int row = int(y / height * float(lane.rows));
    for (const RoleLane::Bar& b : lane.bars) {
      if (clocks < b.from || clocks >= b.to || (b.row != row && !b.idle)) continue;
      block = b.block;
      return barHint(look, lanes, lane, b);
    }
    return laneHint(look, lane);
  }
  for (const BufferRing& ring : lanes.rings) {
    const int slot = int(y / heights.slot);
    if (slot < ring.slots) return slotHint(look, ring, slot, clocks);
    y -= heights.slot * float(ring.slots);
  }
  return "";
}

void drawRoleKey(const Look& look, const RoleLanes& lanes) {
  struct Entry {
    RoleDoes does;
    const text::Text* name;
  };
  constexpr Entry kEntries[] = {{RoleDoes::kProduct, &words::kKeyProducts},
                                {RoleDoes::kWrite, &words::kKeySums},
                                {RoleDoes::kBox, &words::kKeyBoxes},
                                {RoleDoes::kAwaitBox, &words::kKeyAwaitsBoxes},
                                {RoleDoes::kAwaitSlot, &words::kKeyAwaits}};
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  const float sample = look.px(22), gap = look.px(5), apart = look.px(14), height = ImGui::GetTextLineHeight();
  const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const auto flow = [&](float width) {
    if (ImGui::GetItemRectMax().x + apart + width <= edge) ImGui::SameLine(0, apart);
  };
  for (const Entry& entry : kEntries) {
    std::string name = look.say(*entry.name);
    const std::string others = entry.does == RoleDoes::kAwaitSlot ? otherWaits(look, lanes) : "";
    if (!others.empty()) name = say(look, words::kKeyAwaitsOf, others);
    if (&entry != kEntries) flow(sample + gap + ImGui::CalcTextSize(name.c_str()).x);
    const ImVec2 at = ImGui::GetCursorScreenPos(), a{at.x, at.y + look.px(2)},
                 z{at.x + sample, at.y + height - look.px(2)};
    RoleLane::Bar bar;
    bar.does = entry.does;
    const Paint paint = paintOf(bar);
    list->AddRectFilled(a, z, look.paint(paint.tone, paint.strength));
    if (paint.dashed) drawDashed(look, a, z, look.paint(paint.tone));
    ImGui::Dummy({sample, height});
    ImGui::SameLine(0, gap);
    ImGui::TextUnformatted(name.c_str());
    if (entry.does == RoleDoes::kBox) setItemTip(look, look.say(text::terms::kBox.meaning));
    if (entry.does == RoleDoes::kAwaitBox)
      setItemTip(look, look.say(words::kAwaitBoxNote) + std::string("\n") + look.say(text::terms::kBox.meaning));
  }
  const char* zoom = look.say(words::kKeyZoom);
  flow(ImGui::CalcTextSize(zoom).x);
  ImGui::TextUnformatted(zoom);
  const std::string shares = lanes.resident > 1 ? say(look, words::kKeySharesOfBlocks, lanes.resident)
                                                : std::string(look.say(words::kKeyShares));
  if (ImGui::GetItemRectMax().x + apart + ImGui::CalcTextSize(shares.c_str()).x <= edge) {
    ImGui::SameLine(0, apart);
    ImGui::TextUnformatted(shares.c_str());
  }
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void drawRoleStrip(const Look& look, const RoleLanes& lanes, const ShownTime& shown, ImVec2 from, ImVec2 to) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(from, to, look.paint(Tone::kStrip));
  const RoleLane* tensor = tensorCoresOf(lanes);
  const float width = to.x - from.x, column = std::max(1.0F, look.px(2));
  const auto columns = std::size_t(std::max(1.0F, width / column));
  if (tensor != nullptr) {
    std::vector<double> busy(columns, 0), data(columns, 0);
    const double each = lanes.clocks / double(columns);
    for (const RoleLane::Bar& b : tensor->bars) {
      const bool forData = b.idle && b.does == RoleDoes::kAwaitBox;
      if (b.idle && !forData) continue;
      for (auto i = std::size_t(b.from / each); i < columns && double(i) * each < b.to; ++i) {
        const double part = std::min(b.to, double(i + 1) * each) - std::max(b.from, double(i) * each);
        (forData ? data : busy)[i] += std::max(0.0, part);
      }
    }
    const float height = to.y - from.y;
    for (std::size_t i = 0; i < columns; ++i) {
      const float left = from.x + float(i) * column, right = left + column;
      const float top = to.y - float(busy[i] / each) * height, more = top - float(data[i] / each) * height;
      list->AddRectFilled({left, top}, {right, to.y}, look.paint(Tone::kTensorCore, 0.34F));
      if (data[i] > 0) list->AddRectFilled({left, more}, {right, top}, look.paint(Tone::kWarning, 0.55F));
    }
  }
  if (shown.clocks >= lanes.clocks) return;
  const float left = from.x + float(shown.from / lanes.clocks) * width;
  const float right = left + std::max(look.px(4), float(shown.clocks / lanes.clocks) * width);
  list->AddRect({left, from.y}, {right, to.y}, look.paint(Tone::kSelected), 0, 0, look.px(1.5F));
}

float drawRoleAxis(const Look& look, const RoleLanes& lanes, const ShownTime& shown, float left, float right,
                   float top) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool micro = lanes.nanoseconds(lanes.clocks) >= 1e4;
  const double unit = micro ? 1000 : 1;
  const double from = lanes.nanoseconds(shown.from) / unit, length = lanes.nanoseconds(shown.clocks) / unit;
  if (length <= 0) return 0;
  const double most = std::max(2.0, double((right - left) / look.px(80)));
  double step = std::pow(10, std::floor(std::log10(length / most)));
  for (const double times : {2.0, 2.5, 2.0}) {
    if (length / step <= most) break;
    step *= times;
  }
  const int digits = std::max(0, int(std::ceil(-std::log10(step) - 1e-9)));
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const ImU32 ink = look.paint(Tone::kTextFaint);
  float free = left;
  // Nothing below 0, whatever doubles say: "-0" is no time.
  for (double at = std::max(0.0, std::ceil(from / step - 1e-6) * step); at <= from + length * 1.0001; at += step) {
    const float x = left + float((at - from) / length) * (right - left);
    list->AddLine({x, top}, {x, top + look.px(3)}, ink);
    const std::string label = step >= 1 ? clocksText(std::round(at)) : fmt::format("{:.{}f}", at, digits);
    const float wide = ImGui::CalcTextSize(label.c_str()).x, begin = std::clamp(x - wide / 2, left, right - wide);
    if (begin < free) continue;
    list->AddText({begin, top + look.px(3)}, ink, label.c_str());
    free = begin + wide + look.px(8);
  }
  const float line = ImGui::GetTextLineHeight();
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kUnitSize);
  const char* name = micro ? "µs" : "ns";
  list->AddText({left - ImGui::CalcTextSize(name).x - look.px(8), top + look.px(3)}, ink, name);
  ImGui::PopFont();
  return line + look.px(3);
}

}  // namespace loom::panels::playback
