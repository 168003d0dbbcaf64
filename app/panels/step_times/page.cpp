#include "app/panels/step_times/page.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/session/step_edit.h"
#include "app/ui/choice.h"
#include "app/ui/column_name.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/state_text.h"
#include "core/document/branches.h"
#include "core/document/chapter_order.h"

namespace loom::panels {

namespace words = text::performance;
using window::Tone;

namespace {

constexpr float kLeastState = 108;    // design px, beside more figures than the time
constexpr float kSmallestState = 60;  // beside the time alone
constexpr int kStateColumn = 1, kFirstFigure = 2, kOriginColumn = 7;
constexpr float kMark = 7;  // left of a row: the current state, the one compared with

}  // namespace

bool StepTimes::isSlow(const document::KnownTime* timed) {
  return timed != nullptr && timed->result && timed->result->outcome.status == gpu::Outcome::Status::Deadline;
}

void StepTimes::draw(PanelContext& context) {
  follow(context);
  drawHead(context);
  if (isEmpty()) {
    drawEmpty(context, words::kNoTimes);
    return;
  }
  const window::Look& look = context.look;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // Beside each other also where the panel is low: one under the other neither would have height.
  const bool low = space.y < look.px(240);
  const bool wide = space.x > look.px(low ? 400 : 760);
  const float plotWidth = wide ? space.x * 0.46F : space.x;
  const float plotHeight = std::max(wide ? space.y : space.y * 0.5F, look.px(wide ? 76 : 120));
  drawPlot(context, plotWidth, plotHeight);
  if (wide) {
    ImGui::SameLine();
  }
  drawTable(context);
}

void StepTimes::follow(PanelContext& context) {
  const session::Session& session = *context.session;
  if (opened_ == session.opened() && revision_ == session.revision()) {
    return;
  }
  opened_ = session.opened();
  revision_ = session.revision();
  flops_ = session.results().matmul() ? session.results().matmul()->flops() : 0;
  throughput_ = throughput_ && flops_ > 0;
  auto time = [&](int node) -> std::optional<document::TimeOn> {
    const document::KnownTime* timed = session.results().timed(node);
    return timed ? document::timeOn(*timed) : std::nullopt;
  };
  // The line of another device's library says nothing of the states.
  const std::optional<document::TimeOn> vendor = document::timeOn(session.results().vendor());
  rows_ = document::timeRows(
      session.navigation().history(), time, vendor,
      [&](int node) { return session.results().multipliesAsVendor(node); },
      [&](int node) { return document::comparedEnd(*session.documents().target(), node); });
  const bool beside =
      rows_.empty() || std::any_of(rows_.begin(), rows_.end(), [](const auto& r) { return r.vendorShare; });
  vendor_ = vendor && beside ? vendor->microseconds : 0;
  const std::vector<int> best = session::bestPath(
      session.navigation().history(), session::measuredTimes(session.navigation().history(), session.results()));
  best_ = best.empty() ? -1 : best.back();
  rowAt_.assign(session.navigation().history().nodes().size(), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) rowAt_[static_cast<std::size_t>(rows_[i].node)] = static_cast<int>(i);
  hidden_ = session.navigation().history().hidden();
  followPredictions(session);
  listed_.clear();
  for (const int node : document::statesByWay(session.navigation().history())) {
    const auto i = static_cast<std::size_t>(node);
    if (rowAt_[i] >= 0 || predicted_[i] > 0 || isSlow(session.results().timed(node))) listed_.push_back(node);
  }
  // Rows that were looked up meanwhile have moved the current one; measured ones come while one reads.
  if (std::exchange(rowsSeen_, listed_.size()) != listed_.size() &&
      session.activity().kind != session::BackgroundStatus::Kind::kMeasuring) {
    scrolledTo_ = -1;
  }
  oneOrigin_ = haveOneOrigin(session);
  peaks_.clear();
  if (const auto device = session.modelDevice().figures(); device && *device) {
    for (session::Ceiling& c : session::ceilingsOf(**device, session.results().multiplied()))
      if (!c.traffic && !session.results().areFromAnotherDevice()) peaks_.push_back(std::move(c));
  } else if (!device) {
    session.models().of(session.navigation().current(), session::ModelBasis::kSource);  // brings it
  }
  lastStep_ = 1;
  for (const document::Node& node : session.navigation().history().nodes()) {
    lastStep_ = std::max(lastStep_, node.number);
  }
}

// Asked for are those of the way that one is on: a history may have thousands.
void StepTimes::followPredictions(const session::Session& session) {
  const std::size_t states = session.navigation().history().nodes().size();
  std::vector<bool> wanted(states);
  if (session.models().isFinal(session.navigation().current())) {
    for (const int node : session.navigation().path()) wanted[static_cast<std::size_t>(node)] = true;
  }
  predicted_.assign(states, 0);
  for (std::size_t i = 0; i < states; ++i) {
    if (rowAt_[i] < 0) predicted_[i] = session.models().prediction(static_cast<int>(i), wanted[i]).value_or(0);
  }
}

const document::TimeRow* StepTimes::rowOf(int node) const {
  const auto at = static_cast<std::size_t>(node);
  return at < rowAt_.size() && rowAt_[at] >= 0 ? &rows_[static_cast<std::size_t>(rowAt_[at])] : nullptr;
}

// In which unit times are drawn: a choice where the operations are counted, else the one there is.
void StepTimes::drawUnits(const window::Look& look) {
  if (flops_ <= 0) {
    ImGui::TextUnformatted(look.say(words::kTime));
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  if (window::radioButton(look, window::windowName(look.say(words::kThroughput), "throughput").c_str(), throughput_))
    throughput_ = true;
  ImGui::SameLine();
  if (window::radioButton(look, window::windowName(look.say(words::kTime), "time").c_str(), !throughput_))
    throughput_ = false;
  ImGui::PopStyleVar();
}

// Without times there is nothing whose unit could be chosen, or that a legend could explain.
void StepTimes::drawHead(PanelContext& context) {
  const window::Look& look = context.look;
  session::Session& session = *context.session;
  if (!isEmpty()) {
    drawUnits(look);
    ImGui::SameLine();
  }
  const bool measuring = session.activity().kind == session::BackgroundStatus::Kind::kMeasuring;
  if (measuring) {
    if (window::smallButton(window::windowName(look.say(words::kCancel), "cancel").c_str())) {
      session.cancel();
    }
    ImGui::SameLine();
  } else if (session.modelDevice().status().here) {
    if (window::smallButton(window::windowName(look.say(words::kMeasure), "measure").c_str())) {
      session.results().measure({});
    }
    ImGui::SameLine();
  }
  std::string note = isEmpty() ? "" : look.say(words::kLegend);
  // Said before any number is read; of times from several days the newest day, as the status bar has it.
  const document::KnownTime* newest = nullptr;
  for (const int node : listed_) {
    const document::KnownTime* timed = session.results().timed(node);
    if (timed == nullptr || !timed->result) continue;
    if (newest == nullptr || timed->result->date > newest->result->date) newest = timed;
  }
  if (newest != nullptr) note = originText(look, *newest) + " · " + note;
  std::string whole = measuring ? look.tell(session.activity().text) : note;
  if (!measuring && session.modelDevice().status().problem)
    whole += (note.empty() ? "" : " · ") +
             say(look, words::kNoDevice, look.tell(session.modelDevice().status().problem->message));
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  // One line: what is below keeps its place. Why nothing can be measured stands in the status line, too.
  const float room = ImGui::GetContentRegionAvail().x;
  const bool fits = measuring || ImGui::CalcTextSize(whole.c_str()).x <= room;
  const std::string shown = ellipsized(fits ? whole : note, room);
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (shown != whole) drawWrappedTip(look, whole);
}

void StepTimes::drawTableRow(PanelContext& context, int index, int above) {
  const window::Look& look = context.look;
  session::Session& session = *context.session;
  const document::Node& node = session.navigation().history().node(index);
  const document::TimeRow* row = rowOf(index);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  // A branch: it doesn't go on from the row above.
  const bool branch = above >= 0 && !document::leadsTo(session.navigation().history(), above, index);
  ImGui::PushID(index);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.px(kMark));
  if (ImGui::Selectable(std::to_string(node.number).c_str(), index == session.navigation().current(),
                        ImGuiSelectableFlags_SpanAllColumns)) {
    session.navigation().select(index);
  }
  if (branch) {
    // On the table's own channel, whose clipping ends at the last column and at the head that stays.
    const ImVec2 from = ImGui::GetItemRectMin();
    ImGui::TablePushBackgroundChannel();
    ImGui::GetWindowDrawList()->AddRectFilled(
        {from.x - look.px(kMark), from.y - ImGui::GetStyle().CellPadding.y},
        {ImGui::GetItemRectMax().x, from.y - ImGui::GetStyle().CellPadding.y + std::max(1.0F, look.px(1))},
        look.paint(Tone::kTextFaint, 0.6F));
    ImGui::TablePopBackgroundChannel();
  }
  const std::array<std::string, kFigures> figures = figuresOf(look, index);
  if (ImGui::IsItemHovered()) {
    std::string tip = stateTitle(look, node);
    for (int i = 0; i < kFigures; ++i) {
      const auto column = std::size_t(kFirstFigure + i);
      if (!hasRoom_[column]) tip += "\n" + named(look, names_[column], figures[std::size_t(i)]);
    }
    if (row != nullptr) tip += comparedTip(look, session, *row);
    if (const std::string origin = tableOrigin(look, session, index); !origin.empty()) tip += "\n" + origin;
    showTip(look, tip);
  }
  const bool other = index == session.comparison().node();
  if (other || index == session.navigation().current()) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + look.px(3), to.y},
                                              look.paint(other ? Tone::kChanged : Tone::kSelected));
  }
  ImGui::PopID();
  ImGui::TableNextColumn();
  if (other) ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  const std::string title = comparedTitle(look, session, index);
  const bool chapter = document::chapterEndingAt(*session.documents().target(), index) >= 0;  // its title says more
  const int head = branch && !chapter ? document::firstOfBranch(session.navigation().history(), index) : -1;
  const int from = head < 0 ? -1 : session.navigation().history().node(head).parent;
  fittedText(from < 0 ? title : say(look, words::kBranch, session.navigation().history().node(from).number, title),
             stateWidth_);
  if (other) ImGui::PopStyleColor();
  if (row == nullptr) ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  for (const std::string& figure : figures) drawFigureCell(look, figure);
  if (row == nullptr) ImGui::PopStyleColor();
  if (oneOrigin_) return;
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tableOrigin(look, session, index).c_str());
}

// What the column of speed-ups compares with, and at a chapter's end how much faster it is than the chapter that its
// text compares it with, where that is another state.
std::string StepTimes::comparedTip(const window::Look& look, const session::Session& session,
                                   const document::TimeRow& row) const {
  std::string tip;
  const auto add = [&](double ratio, int with) {
    tip += "\n" + say(look, words::kTimesSpeedOf, figureText(ratio), comparedLabel(look, session, with));
  };
  if (row.overPrevious) add(*row.overPrevious, row.previous);
  const int end = document::comparedEnd(*session.documents().target(), row.node);
  const document::TimeRow* other = end < 0 || end == row.previous ? nullptr : rowOf(end);
  if (other != nullptr && session.results().timed(end)->device == session.results().timed(row.node)->device)
    add(other->microseconds / row.microseconds, end);
  return tip;
}

// As they stand in their columns; without a row predicted, or too slow to be timed.
std::array<std::string, StepTimes::kFigures> StepTimes::figuresOf(const window::Look& look, int node) const {
  const document::TimeRow* row = rowOf(node);
  if (const double predicted = predictedOf(node); row == nullptr && predicted > 0) {
    return {predictedText(predicted), flops_ > 0 ? "≈ " + figureText(flops_ / predicted * 1e-6) : "–", "–", "–", "–"};
  }
  if (row == nullptr) return {look.say(words::kTooSlow), "–", "–", "–", "–"};
  return {timeText(row->microseconds), flops_ > 0 ? figureText(flops_ / row->microseconds * 1e-6) : "–",
          row->overPrevious ? figureText(*row->overPrevious) : "–", figureText(row->overFirst),
          row->vendorShare ? percentText(*row->vendorShare) : "–"};
}

bool StepTimes::haveOneOrigin(const session::Session& session) const {
  using Origin = std::tuple<gpu::ResultOrigin, std::string, std::string>;
  std::set<Origin> origins;
  for (const int node : listed_) {
    const document::KnownTime* timed = session.results().timed(node);
    if (timed != nullptr && timed->result) origins.emplace(timed->result->origin, timed->device, timed->result->date);
  }
  if (vendor_ > 0)
    origins.emplace(session.results().vendor()->origin, session.results().vendor()->device,
                    session.results().vendor()->date);
  return origins.size() <= 1;
}

// Names of figures stand over them, to the right.
void StepTimes::drawTableHead(int columns) const {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int column = 0; column < columns; ++column) {
    if (!ImGui::TableSetColumnIndex(column)) continue;
    const char* name = names_[std::size_t(column)].c_str();
    const bool figure = column >= kFirstFigure && column < kFirstFigure + kFigures;
    drawColumnName(name, figure);
  }
}

// Where a row's time is from; before it, why there is none.
std::string StepTimes::tableOrigin(const window::Look& look, const session::Session& session, int node) const {
  const document::KnownTime* timed = session.results().timed(node);
  if (predictedOf(node) > 0) return predictionText(look, session, node);
  if (timed == nullptr || !timed->result) return "";
  const std::string why = rowOf(node) == nullptr ? look.tell(timed->result->outcome.message) + " · " : "";
  return why + originText(look, *timed);
}

float StepTimes::originWidth(const window::Look& look, const session::Session& session) const {
  float width = 0;
  for (const int node : listed_) {
    width = std::max(width, ImGui::CalcTextSize(tableOrigin(look, session, node).c_str()).x);
  }
  return width;
}

// What the table has room for: where a name of a state would have too little, figures are left to the row's hover.
void StepTimes::chooseColumns(const window::Look& look, const session::Session& session, int columns, float room) {
  names_ = {look.say(words::kStep),
            look.say(words::kState),
            look.say(words::kTimeOf),
            "TFLOP/s",
            look.say(words::kPrevious),
            look.say(words::kFirst),
            fmt::format(fmt::runtime(look.say(words::kVendorShare)), "cuBLASLt"),
            look.say(words::kOrigin)};
  // Widths don't follow the rows in view: only those are drawn, and columns must not jump.
  constexpr int kTimeColumn = 2, kThroughputColumn = 3;
  const float figures = ImGui::CalcTextSize("0.000000").x, padding = 2 * ImGui::GetStyle().CellPadding.x;
  const float predicted = ImGui::CalcTextSize("≈ 0.000000").x, time = ImGui::CalcTextSize("≈ 000.0 ms").x;
  float taken = padding;
  for (int column = 0; column < columns; ++column) {
    const auto at = std::size_t(column);
    const float word = ImGui::CalcTextSize(names_[at].c_str()).x;
    hasRoom_[at] = true;
    widths_[at] = column == 0               ? std::max(word, ImGui::CalcTextSize("000").x + look.px(kMark))
                  : column == kOriginColumn ? originWidth(look, session)
                                            : std::max(column == kTimeColumn         ? time
                                                       : column == kThroughputColumn ? predicted
                                                                                     : figures,
                                                       word);
    if (column != kStateColumn) taken += widths_[at] + padding;
  }
  const float spare = room - ImGui::GetStyle().ScrollbarSize - look.px(2), least = look.px(kLeastState);
  constexpr int kLeftOut[] = {4, 6, 3, 5};
  for (const int column : kLeftOut) {
    const auto at = std::size_t(column);
    if (spare - taken >= least) break;
    hasRoom_[at] = false;
    taken -= widths_[at] + padding;
  }
  stateWidth_ = widths_[kStateColumn] = std::max(look.px(kSmallestState), spare - taken);
}

void StepTimes::drawTable(PanelContext& context) {
  const window::Look& look = context.look;
  session::Session& session = *context.session;
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // Widths are kept by name: those of another scale do not fit.
  const std::string name = fmt::format("###speedups{:.0f}", look.scale * 100);
  const int columns = oneOrigin_ ? 7 : 8;
  if (ImGui::BeginTable(name.c_str(), columns, kFlags, {space.x, std::max(space.y, look.px(76))})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    chooseColumns(look, session, columns, space.x);
    for (int column = 0; column < columns; ++column) {
      const auto at = std::size_t(column);
      const ImGuiTableColumnFlags hidden = hasRoom_[at] ? 0 : ImGuiTableColumnFlags_Disabled;
      ImGui::TableSetupColumn(names_[at].c_str(), ImGuiTableColumnFlags_WidthFixed | hidden, widths_[at]);
    }
    drawTableHead(columns);
    const auto now = std::find(listed_.begin(), listed_.end(), session.navigation().current());
    const bool scroll = scrolledTo_ != session.navigation().current() && now != listed_.end();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(listed_.size()));
    if (scroll) clipper.IncludeItemByIndex(static_cast<int>(now - listed_.begin()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const int node = listed_[static_cast<std::size_t>(i)];
        drawTableRow(context, node, i > 0 ? listed_[static_cast<std::size_t>(i - 1)] : -1);
      }
    }
    if (scroll && clipper.ItemsHeight > 0) {  // to the middle, whole rows below the head
      const float row = clipper.ItemsHeight, at = float(now - listed_.begin());
      const float above = std::floor((ImGui::GetWindowHeight() / row - 2) / 2);
      ImGui::SetScrollY(std::max(0.0F, at - above) * row);
    }
    if (now != listed_.end()) scrolledTo_ = session.navigation().current();
    if (vendor_ > 0) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fmt::format("cuBLASLt {}", session.results().vendor()->outcome.version).c_str());
      const std::string throughput = flops_ > 0 ? figureText(flops_ / vendor_ * 1e-6) : "–";
      for (const std::string& figures :
           {timeText(vendor_), throughput, std::string("–"), std::string("–"), std::string("100")}) {
        drawFigureCell(look, figures);
      }
      if (!oneOrigin_) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(originText(look, session.results().vendor()->origin, session.results().vendor()->device,
                                          session.results().vendor()->date)
                                   .c_str());
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
