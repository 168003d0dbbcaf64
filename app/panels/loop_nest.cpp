#include "app/panels/loop_nest.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/panels/axis_chip.h"
#include "app/panels/empty.h"
#include "app/panels/short_step.h"
#include "app/text/loop_nest.h"
#include "app/text/panels.h"
#include "app/window/host.h"
#include "app/window/look.h"

namespace loom::panels {

namespace words = text::loop_nest;
using window::Look;
using window::Tone;
using workbench::Axis;
using workbench::NestChange;
using workbench::NestRow;

namespace {

constexpr float kGlide = 0.18F;  // seconds
constexpr float kFade = 0.08F;
constexpr std::size_t kMostGliding = 400;                                               // bars; more of them jump
constexpr float kGutter = 14, kTitles = 20, kLegend = 40, kWarning = 16, kClosing = 3;  // design px

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), "\u2009");
  return digits;
}

// "1.07 G": three digits that matter.
std::string compact(double value, double thousand, const std::array<const char*, 6>& units) {
  std::size_t unit = 0;
  while (value >= thousand && unit + 1 < units.size()) {
    value /= thousand;
    ++unit;
  }
  const int places = unit == 0 || value >= 100 || value == std::floor(value) ? 0 : value >= 10 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, places, units[unit]);
}
std::string countText(double value) {
  return value < 100000 ? grouped(value) : compact(value, 1000, {"", "k", "M", "G", "T", "P"});
}
std::string bytesText(double value) { return compact(value, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"}); }
std::string flopsText(double value) {
  return compact(value, 1000, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"});
}

const text::Text& placeName(workbench::Level level) {
  return level == workbench::Level::kGlobal   ? words::kGlobal
         : level == workbench::Level::kShared ? words::kShared
                                              : words::kRegisters;
}

// "from k 1024 · split, step 3 → [64] · 16".
std::string ancestryLine(const Look& look, const workbench::Ancestry& from) {
  std::string line;
  for (const auto& source : from.sources) {
    line += (line.empty() ? "" : " × ") + source.name;
    if (source.extent >= 0) line += fmt::format(" {}", source.extent);
  }
  line += fmt::format("  {}, {} →", from.primitive, fmt::format(fmt::runtime(look.say(words::kStep)), from.step));
  for (std::size_t i = 0; i < from.results.size(); ++i) {
    const std::string extent = from.results[i] < 0 ? "?" : std::to_string(from.results[i]);
    line += (i == 0 ? " " : " · ") + (int(i) == from.mine ? "[" + extent + "]" : extent);
  }
  return line;
}

float eased(float t) { return 1 - (1 - t) * (1 - t) * (1 - t); }

}  // namespace

void LoopNestPanel::draw(PanelContext& context) {
  if (context.workbench == nullptr || context.workbench->target() == nullptr) {
    shown_.reset();
    drawEmpty(context, words::kEmpty);
    return;
  }
  const Look& look = context.look;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool legend = room.y > look.px(220);
  const float height = room.y - look.px(kTitles) - (legend ? look.px(kLegend) : 0);
  follow(context, room.x, height);
  if (!shown_) {
    drawEmpty(context, text::panels::kDeriving);
    return;
  }
  drawColumnTitles(look, room.x);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginChild("###nest", {0, height}, 0, ImGuiWindowFlags_NoNav)) {
    takeKeys(*context.workbench);
    const float now = float(ImGui::GetTime() - started_);
    const bool gliding = !before_.empty() && now < kGlide;
    if (!gliding) before_.clear();
    if (gliding) window::Host::wake();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float from = ImGui::GetScrollY(), to = from + ImGui::GetWindowHeight();
    ImGui::Dummy({1, total_});
    // Bars begin in order, so what can be seen is a stretch of them and the bars around its first.
    std::size_t first = 0;
    if (!gliding) {
      first = std::size_t(std::partition_point(bars_.begin(), bars_.end(),
                                               [&](const Bar& bar) { return bar.top + bar.header < from; }) -
                          bars_.begin());
    }
    std::vector<int> around;
    for (int at = first < bars_.size() ? bars_[first].parent : -1; at >= 0; at = bars_[std::size_t(at)].parent) {
      around.push_back(at);
    }
    for (auto at = around.rbegin(); at != around.rend(); ++at) {
      drawBar(context, bars_[std::size_t(*at)], origin, width, now);
    }
    for (std::size_t i = first; i < bars_.size() && (gliding || bars_[i].top < to); ++i) {
      drawBar(context, bars_[i], origin, width, now);
    }
    if (wanted_) menu_.open(context, std::exchange(wanted_, {}));
    menu_.draw(context);
    if (scrollToSelected_) {
      scrollToSelected_ = false;
      for (const Bar& bar : bars_) {
        const auto row = rowOf(bar.line.first);
        if (selected_.empty() || !context.workbench->isSelected(row.id)) continue;
        if (bar.top < from || bar.top + bar.header > to) {
          ImGui::SetScrollY(std::max(0.0F, bar.top - ImGui::GetWindowHeight() * 0.3F));
        }
        break;
      }
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  if (legend) drawLegend(look, room.x);
}

// Takes over what is there of the current state. Until it is there, the state before stays: nothing flickers.
void LoopNestPanel::follow(PanelContext& context, float width, float height) {
  const workbench::Workbench& bench = *context.workbench;
  const Look& look = context.look;
  if (bench.opened() != opened_) {
    opened_ = bench.opened();
    shown_.reset();
    before_.clear();
  }
  const auto derived = bench.derived(bench.current());
  const bool fresh = derived && derived != shown_;
  const bool chosen = selected_ != bench.selected();
  const bool other = width != width_ || height != height_ || look.scale != scale_ || look.language != language_;
  if (!fresh && !(shown_ && (chosen || other))) return;
  std::map<Key, Place> before;
  if (shown_ && fresh && !look.reducedMotion && !other && before_.empty() && bars_.size() <= kMostGliding) {
    for (const Bar& bar : bars_) before[keyOf(bar)] = {bar.top, bar.bottom};
  }
  if (fresh) shown_ = derived;
  if (chosen) {
    selected_ = bench.selected();
    scrollToSelected_ = true;
  }
  if (fresh || other) before_ = std::move(before);
  if (!before_.empty() && fresh) started_ = ImGui::GetTime();
  width_ = width;
  height_ = height;
  scale_ = look.scale;
  language_ = look.language;
  layOut(look, width, height);
}

void LoopNestPanel::layOut(const Look& look, float width, float height) {
  columns_ = width >= look.px(640) ? Columns::kThree : width >= look.px(470) ? Columns::kTwo : Columns::kOne;
  const float header = look.px(columns_ == Columns::kOne ? 22 : 26);
  const workbench::LoopNest& nest = shown_->nest;
  fold_ = float(nest.rows.size()) * header > height;
  bars_.clear();
  std::vector<int> barOf(nest.rows.size(), -1);
  // A chain whose chips find no room is unfolded: it scrolls, nothing is cut.
  const float indent = look.px(columns_ == Columns::kOne ? 10 : 16);
  std::vector<workbench::NestLine> lines;
  for (const workbench::NestLine& line : workbench::nestLines(nest, fold_, selected_)) {
    float needed = look.px(kGutter + 60) + indent * float(rowOf(line.first).depth);
    for (int row = line.first; row <= line.last; ++row) {
      if (rowOf(row).kind == NestRow::Kind::kLoop) {
        needed += look.px(28.0F + 8.0F * float(std::to_string(rowOf(row).extent).size()));
      }
    }
    if (needed <= width) {
      lines.push_back(line);
    } else {
      for (int row = line.first; row <= line.last; ++row) lines.push_back({row, row});
    }
  }
  for (const workbench::NestLine& line : lines) {
    Bar bar;
    bar.line = line;
    const int parent = rowOf(line.first).parent;
    bar.parent = parent >= 0 ? barOf[std::size_t(parent)] : -1;
    bar.depth = bar.parent >= 0 ? bars_[std::size_t(bar.parent)].depth + 1 : 0;
    for (int row = line.first; row <= line.last; ++row) barOf[std::size_t(row)] = int(bars_.size());
    fillTexts(look, bar);
    bar.header = header + (bar.warn.empty() ? 0 : look.px(kWarning));
    bars_.push_back(std::move(bar));
  }
  for (int i = int(bars_.size()) - 1; i >= 0; --i) {
    Bar& bar = bars_[std::size_t(i)];
    bar.end = std::max(bar.end, i + 1);
    if (bar.parent >= 0) bars_[std::size_t(bar.parent)].end = std::max(bars_[std::size_t(bar.parent)].end, bar.end);
  }
  float y = 0;
  std::vector<int> open;
  auto close = [&](int before) {
    while (!open.empty() && bars_[std::size_t(open.back())].end <= before) {
      Bar& bar = bars_[std::size_t(open.back())];
      if (bar.end > open.back() + 1) y += look.px(kClosing);
      bar.bottom = y;
      y += look.px(1);
      open.pop_back();
    }
  };
  for (int i = 0; i < int(bars_.size()); ++i) {
    close(i);
    bars_[std::size_t(i)].top = y;
    y += bars_[std::size_t(i)].header;
    open.push_back(i);
  }
  close(int(bars_.size()));
  total_ = y + look.px(4);
}

void LoopNestPanel::fillTexts(const Look& look, Bar& bar) const {
  const NestRow& first = rowOf(bar.line.first);
  const NestRow& last = rowOf(bar.line.last);
  bar.item = fmt::format("###{}.{}{}", first.id.step, first.id.ordinal, first.kind == NestRow::Kind::kInit ? "i" : "");
  if (last.runs >= 0) bar.runs = columns_ == Columns::kThree ? grouped(last.runs) : countText(last.runs);
  if (last.flops >= 0) bar.work = flopsText(last.flops);
  if (last.bytes >= 0) {
    bar.moved = bytesText(last.bytes);
    if (last.copy) bar.moved += fmt::format("  {}→{}", letterOf(last.source), letterOf(last.target));
  }
  for (const workbench::Repetition& r : last.repeated) {
    if (!bar.warn.empty()) bar.warn += " · ";
    const auto& words = r.guarded ? words::kGuarded : last.flops > 0 ? words::kRepeatFlops : words::kRepeat;
    bar.warn +=
        fmt::format(fmt::runtime(look.say(words)), r.thread, r.extent,
                    flopsText(std::max(0.0, last.flops) * double(r.extent)), flopsText(std::max(0.0, last.flops)));
  }
}

LoopNestPanel::Key LoopNestPanel::keyOf(const Bar& bar) const {
  const NestRow& row = rowOf(bar.line.first);
  return {row.id, row.kind == NestRow::Kind::kInit};
}

LoopNestPanel::Place LoopNestPanel::placeOf(const Bar& bar, float time) const {
  const Place there{bar.top, bar.bottom};
  if (before_.empty()) return there;
  auto at = before_.find(keyOf(bar));
  if (at == before_.end()) return there;
  const float t = eased(std::clamp(time / kGlide, 0.0F, 1.0F));
  return {at->second.top + (there.top - at->second.top) * t,
          at->second.bottom + (there.bottom - at->second.bottom) * t};
}

void LoopNestPanel::drawColumnTitles(const Look& look, float width) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushFont(nullptr, window::kUnitSize);
  const ImU32 colour = look.paint(Tone::kTextFaint);
  const float right = at.x + width - look.px(18);
  auto title = [&](const text::Text& words, float edge) {
    draw->AddText({edge - ImGui::CalcTextSize(look.say(words)).x, at.y}, colour, look.say(words));
  };
  draw->AddText({at.x + look.px(kGutter), at.y}, colour, look.say(words::kLoops));
  if (columns_ == Columns::kOne) {
    title(words::kRunsMoved, right);
  } else {
    title(words::kMoved, right);
    if (columns_ == Columns::kThree) title(words::kWork, right - look.px(128));
    title(words::kRuns, right - look.px(columns_ == Columns::kThree ? 220 : 128));
  }
  ImGui::PopFont();
  ImGui::Dummy({1, look.px(kTitles) - ImGui::GetStyle().ItemSpacing.y});
}

void LoopNestPanel::drawBar(PanelContext& context, const Bar& bar, ImVec2 origin, float width, float time) {
  const Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const NestRow& row = rowOf(bar.line.first);
  const Place place = placeOf(bar, time);
  const bool isNew = !before_.empty() && before_.count(keyOf(bar)) == 0;
  const float alpha = isNew ? std::clamp((time - (kGlide - kFade)) / kFade, 0.0F, 1.0F) : 1;
  const float indent = look.px(columns_ == Columns::kOne ? 10 : 16);
  const float left = origin.x + look.px(kGutter) + float(bar.depth) * indent;
  const float right = origin.x + width - look.px(12);
  const float top = origin.y + place.top, under = top + bar.header, bottom = origin.y + place.bottom;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  bool selected = false;
  NestChange change = NestChange::kNone;
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    selected |= row.kind != NestRow::Kind::kInit && bench.isSelected(rowOf(i).id);
    change = std::max(change, rowOf(i).change);
  }
  ImGui::SetCursorScreenPos({left, top});
  const bool seen = under > ImGui::GetWindowPos().y && top < ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (seen) {
    ImGui::InvisibleButton(bar.item.c_str(), {std::max(1.0F, right - left), bar.header},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  }
  const bool hovered = seen && ImGui::IsItemHovered();

  // The header, the strip that holds what is inside, and the edge: nothing is painted twice.
  if (row.kind == NestRow::Kind::kLoop) {
    const Tone tone = toneOf(row.axis);
    const ImU32 tint = look.paint(tone, (hovered ? 0.18F : 0.09F) * alpha);
    draw->AddRectFilled({left, top}, {right, under}, selected ? look.paint(Tone::kHovered, alpha) : tint);
    if (bottom > under) {
      draw->AddRectFilled({left, under}, {left + indent, bottom}, tint);
      draw->AddRectFilled({left + indent, bottom - look.px(kClosing)}, {right, bottom}, tint);
    }
    draw->AddLine({left, top}, {right, top}, look.paint(tone, 0.3F * alpha));
    draw->AddRectFilled({left, top}, {left + look.px(3), bottom}, look.paint(tone, alpha));
  } else {
    draw->AddRectFilled({left, top + 1}, {right, under - 1},
                        look.paint(selected || hovered ? Tone::kHovered : Tone::kStrip, alpha));
    draw->AddRect({left, top + 1}, {right, under - 1}, look.paint(Tone::kLine, alpha), look.px(2));
  }
  if (!seen) return;
  const ImVec2 frameFrom{left + look.px(1), top + 1}, frameTo{right - look.px(1), under - 1};
  if (change != NestChange::kNone) {
    draw->AddRect(frameFrom, frameTo, look.paint(Tone::kChanged, alpha), look.px(2), 0, look.px(1.5F));
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    draw->AddText({origin.x + look.px(2), top + look.px(4)}, look.paint(Tone::kChanged, alpha),
                  change == NestChange::kNew ? "+" : "~");
    ImGui::PopFont();
  }
  if (selected) {
    draw->AddRect(frameFrom, frameTo, look.paint(Tone::kSelected, alpha), look.px(2), 0, look.px(2));
  }

  const float line = bar.header - (bar.warn.empty() ? 0 : look.px(kWarning));
  const float middle = top + line / 2, text = left + look.px(9);
  const float numbers = columns_ == Columns::kThree ? look.px(330)
                        : columns_ == Columns::kTwo ? look.px(215)
                                                    : look.px(14) + numberWidth(look, bar);
  // Numbers stand where the names leave room for them; names of single loops and blocks give way first.
  const float end = drawNames(look, bar, text, middle, std::max(text + look.px(50), right - numbers), alpha);
  drawNumbers(look, bar, middle, end + look.px(4), right - look.px(6), alpha);
  if (!bar.warn.empty()) {
    ImGui::PushFont(nullptr, window::kUnitSize);
    const std::string warn = fitted("! " + bar.warn, right - text - look.px(6));
    draw->AddText({text, top + line - look.px(3)}, look.paint(Tone::kWarning, alpha), warn.c_str());
    ImGui::PopFont();
  }

  int over = bar.line.first;
  const float mouse = ImGui::GetIO().MousePos.x;
  for (const Chip& chip : chips_) {
    if (mouse >= chip.from && mouse < chip.to) over = chip.row;
  }
  if (hovered && (ImGui::IsItemClicked(ImGuiMouseButton_Left) || ImGui::IsItemClicked(ImGuiMouseButton_Right))) {
    const bool menu = ImGui::IsItemClicked(ImGuiMouseButton_Right);
    if (!menu || !bench.isSelected(rowOf(over).id)) select(bench, rowOf(over), ImGui::GetIO().KeyCtrl);
    if (menu) wanted_ = rowOf(over).id;
  }
  if (hovered && ImGui::BeginItemTooltip()) {
    drawHover(look, rowOf(over));
    ImGui::EndTooltip();
  }
}

// Chips, extents and names from `x` on; names are what gives way where there is no room. Gives the right edge.
float LoopNestPanel::drawNames(const Look& look, const Bar& bar, float x, float y, float limit, float alpha) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  chips_.clear();
  const bool chain = bar.line.first != bar.line.last;
  auto write = [&](ImFont* font, float size, const std::string& text, Tone tone) {
    ImGui::PushFont(font, size);
    std::string shown = fitted(text, std::max(0.0F, limit - x));
    if (shown.size() <= 4 && shown != text) shown.clear();  // a letter and dots say nothing
    const ImVec2 extent = ImGui::CalcTextSize(shown.c_str());
    draw->AddText({x, y - extent.y / 2}, look.paint(tone, alpha), shown.c_str());
    ImGui::PopFont();
    x += extent.x;
  };
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    const NestRow& row = rowOf(i);
    const float from = x;
    if (row.kind == NestRow::Kind::kLoop) {
      x += drawAxisChip(look, {x, y}, row.axis, lettersOf(row).c_str(), alpha) + look.px(chain ? 3 : 5);
      limit += chain ? look.px(1000) : 0;  // extents are never cut
      write(look.fonts.strong, window::kSecondarySize, row.extent < 0 ? "?" : std::to_string(row.extent), Tone::kText);
      limit -= chain ? look.px(1000) : 0;
      if (!chain) {
        x += look.px(7);
        write(look.fonts.code, window::kSecondarySize, row.name, Tone::kTextSecond);
        if (row.sameThreads && x + look.px(80) < limit) {
          x += look.px(9);
          write(nullptr, window::kUnitSize, look.say(words::kSameThreads), Tone::kTextFaint);
        }
      }
    } else {
      x += drawBlockMark(look, {x, y}, alpha) + look.px(6);
      write(look.fonts.code, window::kSecondarySize, row.name,
            row.kind == NestRow::Kind::kInit ? Tone::kTextSecond : Tone::kText);
      if (row.kind == NestRow::Kind::kInit && x + look.px(40) < limit) {
        x += look.px(8);
        write(nullptr, window::kUnitSize, look.say(words::kInit), Tone::kTextFaint);
      }
    }
    x += look.px(chain ? 7 : 0);
    chips_.push_back({i, from, x});
  }
  return x;
}

// What stands at the right where there is room for one column.
const std::string& LoopNestPanel::oneNumber(const Bar& bar) const {
  return rowOf(bar.line.last).kind != NestRow::Kind::kLoop && !bar.moved.empty() ? bar.moved : bar.runs;
}

float LoopNestPanel::numberWidth(const Look& look, const Bar& bar) const {
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const float width = ImGui::CalcTextSize(oneNumber(bar).c_str()).x;
  ImGui::PopFont();
  return width;
}

void LoopNestPanel::drawNumbers(const Look& look, const Bar& bar, float y, float from, float right, float alpha) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  auto write = [&](const std::string& text, float edge, Tone tone) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    draw->AddText({edge - size.x, y - size.y / 2}, look.paint(tone, alpha), text.c_str());
  };
  if (columns_ == Columns::kOne) {
    const bool block = &oneNumber(bar) == &bar.moved;
    const std::string& number = oneNumber(bar);
    if (right - ImGui::CalcTextSize(number.c_str()).x >= from) {
      write(number, right, block ? Tone::kText : Tone::kTextSecond);
    }
  } else {
    write(bar.moved, right, Tone::kText);
    if (columns_ == Columns::kThree) write(bar.work, right - look.px(128), Tone::kText);
    write(bar.runs, right - look.px(columns_ == Columns::kThree ? 220 : 128), Tone::kTextSecond);
  }
  ImGui::PopFont();
}

void LoopNestPanel::drawHover(const Look& look, const NestRow& row) const {
  ImGui::PushFont(look.fonts.code, window::kTextSize);
  ImGui::TextUnformatted((row.handle.empty() ? row.name : row.name + "  " + row.handle).c_str());
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  if (row.kind == NestRow::Kind::kLoop) {
    std::string kind = look.say(wordOf(row.axis));
    if (row.reduction && row.axis != Axis::kReduction) kind += fmt::format(", {}", look.say(words::kReduction));
    if (row.extent >= 0) kind += " · " + fmt::format(fmt::runtime(look.say(words::kExtent)), row.extent);
    ImGui::TextUnformatted(kind.c_str());
  }
  const std::string runs = row.runs < 0 ? look.say(words::kUnknownRuns)
                                        : fmt::format(fmt::runtime(look.say(words::kRunsOf)), grouped(row.runs));
  ImGui::TextUnformatted(runs.c_str());
  for (const workbench::Ancestry& from : row.from) ImGui::TextUnformatted(ancestryLine(look, from).c_str());
  if (row.flops >= 0) ImGui::TextUnformatted(flopsText(row.flops).c_str());
  for (const workbench::MovedBytes& moved : row.moved) {
    const std::string what = moved.name + (moved.bytes < 0 ? "" : " (" + bytesText(moved.bytes) + ")");
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(moved.write ? words::kWrites : words::kReads)), what,
                                       look.say(placeName(moved.level)))
                               .c_str());
  }
  if (!row.moved.empty()) ImGui::TextUnformatted(look.say(words::kAsWritten));
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void LoopNestPanel::drawLegend(const Look& look, float width) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + width, start = at.x + look.px(kGutter);
  float x = start, y = at.y + look.px(kLegend) / 4;
  ImGui::PushFont(nullptr, window::kUnitSize);
  std::map<std::pair<Axis, std::string>, int> used;
  for (const Bar& bar : bars_) {
    for (int i = bar.line.first; i <= bar.line.last; ++i) {
      const NestRow& row = rowOf(i);
      if (row.kind == NestRow::Kind::kLoop) used[{row.axis, lettersOf(row)}] = i;
    }
  }
  for (const auto& [key, i] : used) {
    const NestRow& row = rowOf(i);
    std::string word = look.say(wordOf(row.axis));
    if (row.axis == Axis::kBlock) word = std::string("blockIdx.") + row.component;
    if (row.axis >= Axis::kThreadX && row.axis <= Axis::kThreadZ) word = std::string("threadIdx.") + row.component;
    const float needed = look.px(30) + ImGui::CalcTextSize(word.c_str()).x;
    if (x + needed > right && x > start) {
      x = start;
      y += look.px(kLegend) / 2;
      if (y > at.y + look.px(kLegend)) break;
    }
    x += drawAxisChip(look, {x, y}, key.first, key.second.c_str()) + look.px(5);
    draw->AddText({x, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kTextSecond), word.c_str());
    x += ImGui::CalcTextSize(word.c_str()).x + look.px(12);
  }
  ImGui::PopFont();
  ImGui::Dummy({1, look.px(kLegend)});
}

void LoopNestPanel::select(workbench::Workbench& bench, const NestRow& row, bool more) {
  std::vector<ir::Id> ids = more ? bench.selected() : std::vector<ir::Id>{};
  if (auto at = std::find(ids.begin(), ids.end(), row.id); at != ids.end()) {
    ids.erase(at);
  } else {
    ids.push_back(row.id);
  }
  bench.selectIds(std::move(ids));
}

// Up and down go from line to line, as in a list; Escape selects nothing.
void LoopNestPanel::takeKeys(workbench::Workbench& bench) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || bars_.empty()) return;
  const int step = ImGui::Shortcut(ImGuiKey_DownArrow, ImGuiInputFlags_Repeat) ? 1
                   : ImGui::Shortcut(ImGuiKey_UpArrow, ImGuiInputFlags_Repeat) ? -1
                                                                               : 0;
  if (ImGui::Shortcut(ImGuiKey_Menu) && !bench.selected().empty() && shown_->nest.find(bench.selected().front()) >= 0) {
    wanted_ = bench.selected().front();
  }
  if (ImGui::Shortcut(ImGuiKey_Escape) && !bench.selected().empty()) bench.selectIds({});
  if (step == 0) return;
  int at = -1;
  for (int i = 0; i < int(bars_.size()); ++i) {
    const Bar& bar = bars_[std::size_t(i)];
    for (int row = bar.line.first; row <= bar.line.last; ++row) {
      if (at < 0 && rowOf(row).kind != NestRow::Kind::kInit && bench.isSelected(rowOf(row).id)) at = i;
    }
  }
  int next = at < 0 ? (step > 0 ? 0 : int(bars_.size()) - 1) : at + step;
  while (next >= 0 && next < int(bars_.size()) &&
         rowOf(bars_[std::size_t(next)].line.first).kind == NestRow::Kind::kInit)
    next += step;
  if (next >= 0 && next < int(bars_.size())) {
    bench.selectIds({rowOf(bars_[std::size_t(next)].line.first).id});
  }
}

}  // namespace loom::panels
