#include "app/panels/stalls/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/code/machine_words.h"
#include "app/panels/performance/words.h"
#include "app/panels/stalls/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/cuda_line_row.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/stall_text.h"

namespace loom::panels {

namespace words = text::stalls;
using document::StallResult;
using notation::Tone;
using profile::StallCount;
using profile::StallReason;
using window::Look;

namespace {

constexpr ImGuiTableFlags kTable =
    ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoHostExtendX;

// A share with a bar under it.
void drawShare(const Look& look, double share, double most, Tone tone) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + line}, {at.x + room * float(most > 0 ? share / most : 0), at.y + line + look.px(2)},
      look.paint(tone));
  drawRight(share > 0 ? notation::shareText(share) : "–");
}

double unissuedOf(const StallCount& all, StallReason r) {
  return all.notIssued > 0 ? double(all.unissued[std::size_t(r)]) / double(all.notIssued) : 0;
}

// The state's reasons, then those that only the other one has.
std::vector<StallReason> rowsOf(const StallCount& all, const StallCount* other) {
  std::vector<StallReason> rows = all.ranked();
  if (other == nullptr) return rows;
  for (StallReason r : other->ranked())
    if (std::find(rows.begin(), rows.end(), r) == rows.end()) rows.push_back(r);
  return rows;
}

void column(const Look& look, const text::Text& head, float width) {
  if (width > 0) {
    ImGui::TableSetupColumn(look.say(head), ImGuiTableColumnFlags_WidthFixed, look.px(width));
  } else {
    ImGui::TableSetupColumn(look.say(head), ImGuiTableColumnFlags_WidthStretch);
  }
}

void drawReason(const Look& look, StallReason reason, bool brief) {
  ImGui::PushStyleColor(ImGuiCol_Text, inkOf(look, toneOf(reason)));
  ImGui::TextUnformatted(profile::lettersOf(reason));
  ImGui::PopStyleColor();
  if (brief) return;
  ImGui::SameLine();
  ImGui::TextUnformatted(profile::nameOf(reason));
}

constexpr float kReason = 132, kShare = 62;  // design px

// What a reason means has a column where its sentence finds room in two lines; elsewhere the reason's hover says it.
bool hasMeanings(const Look& look, bool compared, float width) {
  constexpr float kSentence = 300;  // design px
  return width >= look.px(kReason + kShare * (compared ? 3.0F : 2.0F) + kSentence);
}

void drawReasons(const Look& look, const StallCount& all, const StallCount* other, ImVec2 size) {
  const bool means = hasMeanings(look, other != nullptr, size.x);
  const int columns = (other ? 4 : 3) + (means ? 1 : 0);
  const std::string id = fmt::format("###reasons{:.0f}{}{}", look.scale * 100, other ? "c" : "", means ? "m" : "");
  if (!ImGui::BeginTable(id.c_str(), columns, kTable, size)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  column(look, words::kReasonHead, means ? kReason : 0);
  column(look, words::kShareHead, kShare);
  column(look, words::kUnissuedHead, kShare);
  if (other) column(look, words::kOtherHead, kShare);
  if (means) column(look, words::kMeansHead, 0);
  ImGui::TableHeadersRow();
  const std::vector<StallReason> rows = rowsOf(all, other);
  double most = 0, mostUnissued = 0, mostOther = 0;
  for (StallReason r : rows) {
    most = std::max(most, all.share(r));
    mostUnissued = std::max(mostUnissued, unissuedOf(all, r));
    if (other) mostOther = std::max(mostOther, other->share(r));
  }
  for (StallReason r : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    drawReason(look, r, false);
    const words::Reason* reason = words::reasonOf(profile::nameOf(r));
    if (reason != nullptr && !means) {
      drawWrappedTip(look,
                     std::string(look.say(reason->means)) + "\n" + say(look, words::kHelps, look.say(reason->helps)));
    }
    ImGui::TableNextColumn();
    drawShare(look, all.share(r), most, toneOf(r));
    ImGui::TableNextColumn();
    drawShare(look, unissuedOf(all, r), mostUnissued, toneOf(r));
    drawWrappedTip(look, look.say(words::kUnissuedWhat));
    if (other) {
      ImGui::TableNextColumn();
      drawShare(look, other->share(r), mostOther, toneOf(r));
    }
    if (reason == nullptr || !means) continue;
    ImGui::TableNextColumn();
    ImGui::BeginGroup();
    ImGui::PushFont(look.fonts.text, window::kUnitSize);
    drawWrapped(look.say(reason->means), ImGui::GetContentRegionAvail().x - look.px(5));
    ImGui::PopFont();
    ImGui::EndGroup();
    drawWrappedTip(look, say(look, words::kHelps, look.say(reason->helps)));
  }
  ImGui::EndTable();
}

// What a row of the places says.
struct Place {
  const StallCount* stalls;
  int line = 0;    // of the CUDA text; 0: none
  Message madeBy;  // who made the line; empty: the program itself
  std::string text;
};

std::string placeText(int line, const std::string& text) { return line > 0 ? fmt::format("{}: {}", line, text) : "–"; }

std::vector<Place> linesOf(const document::StallView& view) {
  std::vector<Place> places;
  for (const document::StalledLine& l : view.lines)
    places.push_back({&l.stalls.stalls, l.stalls.line, l.madeBy, placeText(l.stalls.line, l.text)});
  return places;
}

std::vector<Place> stepsOf(const Look& look, const document::StallView& view) {
  std::vector<Place> places;
  for (const document::StalledStep& s : view.steps)
    places.push_back({&s.stalls, 0, s.madeBy.empty() ? verbatim(look.say(words::kNoStep)) : s.madeBy, ""});
  return places;
}

std::vector<Place> loopsOf(const Look& look, const document::StallView& view) {
  std::vector<Place> places;
  for (const document::StalledLoop& l : view.loops) {
    const bool outside = l.stalls.loop < 0;
    places.push_back(
        {&l.stalls.with, l.line, l.madeBy,
         outside ? look.say(words::kNoLoop) : std::string(std::size_t(2 * l.depth), ' ') + placeText(l.line, l.text)});
  }
  return places;
}

}  // namespace

// `brief`: reasons by their letters, which the table beside it explains.
void Stalls::drawPlaces(PanelContext& context, bool brief) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const auto stalls = shownStalls(context);
  const document::StallView& view = *stalls->view;
  const std::vector<Place> places = by_ == By::kLine   ? linesOf(view)
                                    : by_ == By::kStep ? stepsOf(look, view)
                                                       : loopsOf(look, view);
  const auto program = session.programs().of(session.navigation().current());
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(90));
  const std::string id = fmt::format("###places{:.0f}{}{}", look.scale * 100, int(by_), brief ? "b" : "");
  if (!ImGui::BeginTable(id.c_str(), 4, kTable, {0, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  column(look, words::kShareHead, kShare);
  column(look, words::kReasonHead, brief ? 62 : 150);
  // No wider than what stands in it: the line takes the rest.
  float madeBy = ImGui::CalcTextSize(look.say(text::machine_code::kMadeByHead)).x;
  for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 64); ++i)
    madeBy = std::max(madeBy, ImGui::CalcTextSize(look.tell(places[i].madeBy).c_str()).x);
  column(look, text::machine_code::kMadeByHead, std::min(madeBy / look.px(1) + 8, brief ? 118.0F : 130.0F));
  column(look, by_ == By::kLine ? words::kWaitingLine : text::machine_code::kLineHead, 0);
  ImGui::TableHeadersRow();
  double most = 0;
  for (const Place& p : places) most = std::max(most, double(p.stalls->samples));
  ImGuiListClipper clipper;
  clipper.Begin(int(places.size()));
  while (clipper.Step()) {
    for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
      const Place& p = places[std::size_t(n)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(n);
      const ImVec2 at = ImGui::GetCursorPos();
      drawCudaLineRow(context, program.get(), p.line, "###place", ImGuiSelectableFlags_AllowOverlap);
      ImGui::PopID();
      ImGui::SetCursorPos(at);
      const double all = double(std::max<std::int64_t>(1, view.total.samples));
      drawShare(look, double(p.stalls->samples) / all, most / all, toneOf(p.stalls->main()));
      ImGui::TableNextColumn();
      drawReason(look, p.stalls->main(), brief);
      ImGui::SameLine();
      ImGui::TextUnformatted(notation::shareText(p.stalls->share(p.stalls->main())).c_str());
      ImGui::TableNextColumn();
      fittedText(look.tell(p.madeBy), ImGui::GetContentRegionAvail().x);
      ImGui::TableNextColumn();
      fittedText(p.text, ImGui::GetContentRegionAvail().x - look.px(5));
    }
  }
  ImGui::EndTable();
}

void Stalls::draw(PanelContext& context) {
  const Look& look = context.look;
  if (drawNoMachineCode(context, text::performance::kHelp)) return;
  drawStallSummary(context);
  const auto stalls = shownStalls(context);
  if (!stalls) {
    drawWhyNoSampling(context);
    return;
  }
  const auto other = comparedStalls(context);
  const float room = ImGui::GetContentRegionAvail().x;
  const bool wide = room > look.px(640);
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(110));
  // The reasons take more of the room where that gives them their sentences.
  const float share = 0.6F;
  const bool means = wide && hasMeanings(look, other != nullptr, room * share);
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  drawReasons(look, stalls->view->total, other ? &other->view->total : nullptr,
              {means  ? room * share
               : wide ? room * 0.45F
                      : room,
               height});
  ImGui::PopFont();
  if (wide) ImGui::SameLine();
  ImGui::BeginGroup();
  ImGui::PushFont(nullptr, window::kUnitSize);
  const std::pair<By, const text::Text*> kChoices[] = {
      {By::kLine, &words::kByLine}, {By::kStep, &words::kByStep}, {By::kLoop, &words::kByLoop}};
  static constexpr const char* kIds[] = {"byline", "bystep", "byloop"};
  for (const auto& [by, word] : kChoices) {
    if (by != By::kLine) ImGui::SameLine();
    if (window::radioButton(look, window::windowName(look.say(*word), kIds[int(by)]).c_str(), by_ == by)) by_ = by;
  }
  ImGui::PopFont();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  drawPlaces(context, means);
  ImGui::PopFont();
  ImGui::EndGroup();
}

}  // namespace loom::panels
