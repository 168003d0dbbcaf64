// The table of Sizes: a row a size and state.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/performance/words.h"
#include "app/panels/sizes/page.h"
#include "app/panels/sizes/words.h"
#include "app/session/session.h"
#include "app/ui/column_name.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"
#include "core/document/time_rows.h"
#include "core/tune/size_sweep.h"

namespace loom::panels {

namespace words = text::sizes;
using tune::Sweep;
using tune::SweptSize;
using tune::SweptState;
using window::Look;
using window::Tone;

namespace {

enum Column { kSizeColumn, kStepColumn, kRate, kTime, kVendor, kPredicted, kOfPeak, kRemarksColumn, kColumns };

// Which columns there are: without a measurement those of measured figures would be empty.
struct Columns {
  bool there[kColumns];
  std::string names[kColumns];
  std::string peakHint;  ///< of which peak the shares are
  float widths[kColumns];
};

// One whose peak is that of all states; null where they have several, or none.
const SweptState* withOnlyPeak(const Sweep& sweep) {
  const SweptState* only = nullptr;
  for (const SweptSize& size : sweep.sizes) {
    for (const SweptState& state : size.states) {
      if (!state.peak) continue;
      if (only != nullptr && only->peak->name != state.peak->name) return nullptr;
      only = &state;
    }
  }
  return only;
}

Columns columnsOf(const Look& look, const Sweep& sweep, bool measures, float room) {
  Columns c{};
  bool vendor = false;
  float sizes = 0;
  for (const SweptSize& size : sweep.sizes) {
    const gpu::Matmul& p = size.product;
    sizes = std::max(sizes, ImGui::CalcTextSize(gpu::sizeText({p.m, p.n, p.k, {}, {}}).c_str()).x);
    vendor |= vendorTime(size) > 0;
  }
  const text::Text* named[] = {&words::kSize, &text::performance::kStep, nullptr, &text::performance::kTimeOf,
                               nullptr,       &words::kPredicted,        nullptr, &words::kRemarks};
  for (int i = 0; i < kColumns; ++i) c.names[i] = named[i] != nullptr ? look.say(*named[i]) : "";
  c.names[kRate] = "TFLOP/s";
  c.names[kVendor] = "% cuBLASLt";
  const SweptState* peak = withOnlyPeak(sweep);
  c.names[kOfPeak] = peak == nullptr
                         ? look.say(words::kOfPeaks)
                         : say(look, words::kOfPeak, peak->peak->name.substr(0, peak->peak->name.find(' ')));
  c.peakHint = peak == nullptr ? look.say(words::kOfPeaksHint) : peakText(look, *peak);
  const float figure = ImGui::CalcTextSize("0.000000").x, gap = 2 * ImGui::GetStyle().CellPadding.x;
  float taken = 0;
  for (int i = 0; i < kColumns; ++i) {
    c.there[i] = i == kRate || i == kTime ? measures : i != kVendor || vendor;
    const float least = i == kSizeColumn ? sizes : i == kStepColumn ? ImGui::CalcTextSize("000").x : figure;
    c.widths[i] = std::max(least, ImGui::CalcTextSize(c.names[i].c_str()).x);
    if (i == kTime) c.widths[i] = std::max(c.widths[i], ImGui::CalcTextSize("000.0 ms").x);
    if (c.there[i] && i != kRemarksColumn) taken += c.widths[i] + gap;
  }
  c.widths[kRemarksColumn] = std::max(look.px(96), room - taken - gap - ImGui::GetStyle().ScrollbarSize - look.px(2));
  return c;
}

void drawHead(const Look& look, const Columns& columns) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  int at = 0;
  for (int i = 0; i < kColumns; ++i) {
    if (!columns.there[i] || !ImGui::TableSetColumnIndex(at++)) continue;
    drawColumnName(columns.names[i].c_str(), i != kSizeColumn && i != kStepColumn && i != kRemarksColumn);
    if (i == kOfPeak) drawWrappedTip(look, columns.peakHint);
  }
}

void drawRow(PanelContext& context, const Sweep& sweep, const SweptSize& size, const SweptState& state, bool first,
             const Columns& columns) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const gpu::Matmul& p = size.product;
  std::string remarks;
  for (const std::string& one : remarksOn(look, size, state)) remarks += (remarks.empty() ? "" : " · ") + one;
  std::replace(remarks.begin(), remarks.end(), '\n', ' ');
  remarks = wrapped(remarks, columns.widths[kRemarksColumn] - 2);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(state.node);
  const std::string name = first ? gpu::sizeText({p.m, p.n, p.k, {}, {}}) : std::string();
  const ImVec2 whole{0, std::max(ImGui::GetTextLineHeight(), ImGui::CalcTextSize(remarks.c_str()).y)};
  if (ImGui::Selectable((name + "###row").c_str(), false, ImGuiSelectableFlags_SpanAllColumns, whole))
    session.navigation().select(state.node);
  const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip);
  ImGui::PopID();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(toneOf(session, state.node)));
  ImGui::TextUnformatted(std::to_string(state.number).c_str());
  ImGui::PopStyleColor();
  const SweptThroughput of = throughputOf(size, state);
  const gpu::Outcome* measured = state.measured();
  if (columns.there[kRate]) {
    drawFigureCell(look, of.measured ? figureText(*of.measured) : "–");
    drawFigureCell(look, measured != nullptr ? timeText(measured->timing.median) : "–");
  }
  if (columns.there[kVendor]) {
    const auto share = document::ratioOf(document::timeOn(size.vendor),
                                         measured != nullptr ? document::timeOn(state.timed) : std::nullopt);
    drawFigureCell(look, share ? percentText(*share) : "–");
  }
  drawFigureCell(look, of.predicted ? figureText(*of.predicted) : "–");
  const std::optional<double> reached = modelledOf(sweep, size, state).best();
  drawFigureCell(look, reached && state.peak ? percentText(*reached / state.peak->rate.value) : "–");
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(fails(state) ? Tone::kError : Tone::kTextSecond));
  ImGui::TextUnformatted(remarks.c_str());
  ImGui::PopStyleColor();
  if (hovered) showTip(look, sweptTip(context, sweep, size, state));
}

// A size of which there is nothing yet, or nothing at all.
void drawEmptyRow(const Look& look, const SweptSize& size, bool running, const Columns& columns) {
  const gpu::Matmul& p = size.product;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(gpu::sizeText({p.m, p.n, p.k, {}, {}}).c_str());
  const int last = int(std::count(columns.there, columns.there + kColumns, true)) - 1;
  if (!ImGui::TableSetColumnIndex(last)) return;
  const std::string why = size.problem ? look.tell(size.problem->message) : running ? "…" : look.say(words::kCancelled);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(size.problem ? Tone::kError : Tone::kTextFaint));
  drawWrapped(why, columns.widths[kRemarksColumn] - 2);
  ImGui::PopStyleColor();
}

}  // namespace

void Sizes::drawTable(PanelContext& context, const Sweep& sweep) const {
  const Look& look = context.look;
  const session::DeviceStatus& device = context.session->modelDevice().status();
  bool measures = device.here && !device.here->cpu;  // then they come
  for (const SweptSize& size : sweep.sizes) {
    for (const SweptState& state : size.states) measures |= state.measured() != nullptr;
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const Columns columns = columnsOf(look, sweep, measures, space.x);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
  const int count = int(std::count(columns.there, columns.there + kColumns, true));
  // Widths are kept by name: those of another scale do not fit.
  const std::string name = fmt::format("###swept{:.0f}", look.scale * 100);
  if (ImGui::BeginTable(name.c_str(), count, kFlags, {space.x, std::max(space.y, look.px(76))})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (int i = 0; i < kColumns; ++i)
      if (columns.there[i])
        ImGui::TableSetupColumn(columns.names[i].c_str(), ImGuiTableColumnFlags_WidthFixed, columns.widths[i]);
    drawHead(look, columns);
    for (std::size_t i = 0; i < sweep.sizes.size(); ++i) {
      const SweptSize& size = sweep.sizes[i];
      ImGui::PushID(int(i));
      if (size.states.empty()) drawEmptyRow(look, size, sweep.running, columns);
      for (const SweptState& state : size.states)
        drawRow(context, sweep, size, state, &state == &size.states.front(), columns);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
