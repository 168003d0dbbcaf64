#include "app/panels/plan/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/plan/lanes.h"
#include "app/panels/plan/rules.h"
#include "app/panels/plan/words.h"
#include "app/session/search_run.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;
using window::Tone;

namespace {

constexpr int kPasses = 4;

void drawColoured(const Look& look, Tone tone, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  drawWrapped(text);
  ImGui::PopStyleColor();
}

void drawCode(const Look& look, const std::string& text) {
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  drawWrapped(text);
  ImGui::PopFont();
}

std::int64_t linesIn(const std::string& text) { return text.empty() ? 0 : 1 + std::ranges::count(text, '\n'); }

const char* nameOf(tune::MatrixRole role) {
  return role == tune::MatrixRole::A ? "a" : role == tune::MatrixRole::B ? "b" : "c";
}

}  // namespace

// Asks again where the state, the request or the model's device is another.
void PlanPanel::follow(PanelContext& context) {
  const session::Session& session = *context.session;
  if (auto found = asked_.take()) {
    found_ = std::move(*found);
    performance_.renew();
  }
  auto device = session.modelDevice().figures();
  const bool tf32 = session.search().choice().rules.tf32;
  if (tf32 != request_.tf32) stale_ = true;
  if (!stale_ && session.opened() == opened_ && session.navigation().current() == node_ && device == device_) return;
  if (session.opened() != opened_) {
    found_.reset();
    request_ = {};
    lit_.reset();
  }
  opened_ = session.opened();
  node_ = session.navigation().current();
  device_ = std::move(device);
  stale_ = false;
  request_.tf32 = tf32;
  asked_.ask(
      [history = session.navigation().history(), node = node_, environment = session.documents().environment(),
       device = device_, request = request_] {
        return tune::tensorization(history, node, environment, device && *device ? &**device : nullptr, request);
      },
      context.wake);
}

void PlanPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    found_.reset();
    node_ = -1;
    return drawNoProgram(context);
  }
  const Look& look = context.look;
  if (!ImGui::BeginTabBar("###sections")) return;
  constexpr ImGuiTabItemFlags kTab = ImGuiTabItemFlags_NoPushId;
  if (ImGui::BeginTabItem(window::windowName(look.say(words::kRules), "rules").c_str(), nullptr, kTab)) {
    rules_.follow(*context.session, context.wake);
    drawRules(context, rules_);
    ImGui::EndTabItem();
  }
  if (ImGui::BeginTabItem(window::windowName(look.say(words::kToTensorCores), "tensorcores").c_str(), nullptr, kTab)) {
    drawPasses(context);
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
}

void PlanPanel::drawPasses(PanelContext& context) {
  follow(context);
  const Look& look = context.look;
  if (!found_) return drawSecond(look, look.say(words::kAsking));
  const bool complete = found_->complete() && found_->done < kPasses;
  ImGui::BeginDisabled(!complete);
  if (ImGui::Button(window::windowName(look.say(words::kAll), "all").c_str()))
    apply(context, found_->linesUpTo(kPasses), found_->titlesUpTo(kPasses));
  ImGui::EndDisabled();
  if (found_->complete() && found_->at != node_ && found_->done == 0) {
    const int number = context.session->navigation().history().node(found_->at).number;
    drawSecond(look, say(look, words::kAtStart, number));
  }
  hovered_ = false;
  for (int pass = 0; pass < kPasses && found_; ++pass) {
    ImGui::PushID(pass);
    drawPass(context, pass);
    ImGui::PopID();
  }
  if (found_ && found_->complete())
    if (const auto pressed = performance_.draw(context, *found_, request_, device_))
      apply(context, pressed->lines, {message("Faster on tensor cores: {}", pressed->title), {}});
  if (!hovered_ && lit_) {
    context.session->selection().select(std::move(*lit_));
    lit_.reset();
  }
}

// What a pass looked at is selected while the mouse is over its row; what was selected before comes back.
void PlanPanel::light(PanelContext& context, const std::vector<ir::Id>& ids) {
  hovered_ = true;
  session::Selection& selection = context.session->selection();
  if (selection.ids() == ids) return;
  if (!lit_) lit_ = selection.ids();
  selection.select(ids);
}

void PlanPanel::drawPass(PanelContext& context, int pass) {
  const Look& look = context.look;
  const tune::TensorizePass& row = tune::tensorizePasses()[std::size_t(pass)];
  const tune::PassReport& report = found_->report(pass);
  const bool reached = report.outcome != tune::PassOutcome::NotReached, ok = tune::succeeded(report.outcome);
  ImGui::Separator();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  const std::string title = fmt::format("{} {}", pass + 1, look.tell(row.title));
  const bool clicked =
      ImGui::Selectable(window::windowName(title.c_str(), "pass").c_str(), false, ImGuiSelectableFlags_AllowOverlap);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopFont();
  if (reached && (hovered || clicked)) light(context, report.lookedAt);
  if (clicked && reached) lit_.reset();  // it stays selected
  const ImVec2 below = ImGui::GetCursorPos();
  const std::string mark = !reached              ? "–"
                           : found_->done > pass ? fmt::format("✓ {}", look.say(words::kDone))
                           : ok                  ? "✓"
                                                 : "✗";
  const float width = ImGui::CalcTextSize(mark.c_str()).x;
  ImGui::GetWindowDrawList()->AddText({from.x + ImGui::GetContentRegionAvail().x - width, from.y},
                                      look.paint(!reached ? Tone::kTextFaint
                                                 : ok     ? Tone::kOk
                                                          : Tone::kError),
                                      mark.c_str());
  ImGui::SetCursorPos(below);
  drawSecond(look, look.tell(row.question));
  if (!reached) return drawColoured(look, Tone::kTextFaint, look.tell(tune::wordsOf(report.outcome)));
  if (!ok) drawColoured(look, Tone::kError, look.tell(tune::wordsOf(report.outcome)));
  drawWrapped(look.tell(report.verdict));
  if (pass == 0) drawPattern(context);
  if (pass == 1) drawOperands(context);
  if (pass == 2) drawWarps(context);
  if (pass == 3) drawLoops(context);
  if (!found_ || !ok) return;
  // The first pass only names the block: nothing is seen of its line alone.
  if (pass > 0 && found_->done <= pass) {
    if (window::smallButton(window::windowName(look.say(words::kPress), "apply").c_str()))
      return apply(context, found_->linesUpTo(pass + 1), found_->titlesUpTo(pass + 1));
    setItemTip(look, say(look, words::kUpTo, linesIn(found_->linesUpTo(pass + 1))));
    ImGui::SameLine();
  }
  const std::int64_t lines = linesIn(report.lines);
  if (ImGui::TreeNode("###lines", "%s", say(look, lines == 1 ? words::kLine : words::kLines, lines).c_str())) {
    drawCode(look, report.lines);
    ImGui::TreePop();
  }
}

// The expected statement beside the found one, and the tiles as buttons.
void PlanPanel::drawPattern(PanelContext& context) {
  const Look& look = context.look;
  const tune::PatternMatch& pattern = found_->pattern;
  if (!pattern.unequal.empty()) {
    for (const auto& [name, text, tone] : {std::tuple{&words::kExpected, &pattern.expected, Tone::kText},
                                           std::tuple{&words::kFound, &pattern.found, Tone::kText},
                                           std::tuple{&words::kUnequal, &pattern.unequal, Tone::kError}}) {
      drawSecond(look, look.say(*name));
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
      drawCode(look, *text);
      ImGui::PopStyleColor();
    }
  }
  if (!tune::isTensorElement(pattern.product.element)) return;
  if (tune::isLessExact(pattern.product.element)) drawTf32Choice(context);
  drawSecond(look, look.say(words::kTile));
  const model::Device* device = device_ && *device_ ? &**device_ : nullptr;
  for (const tune::TensorTile& tile : tune::tensorTiles()) {
    if (tile.element != pattern.product.element) continue;
    const std::string name = tune::textOf(tile.shape);
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(name.c_str()).x + look.px(16) && room > 0)
      ImGui::NewLine();
    const auto why =
        tune::whyNot(tile, pattern.product.accumulator, context.session->documents().environment().intrinsics, device);
    const bool chosen = pattern.tile.shape == tile.shape && tune::succeeded(pattern.outcome);
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, look.paint(Tone::kSelected, 0.4F));
    ImGui::BeginDisabled(why.has_value());
    if (window::smallButton((name + "###" + name).c_str())) {
      request_.tile = tile.shape;
      stale_ = true;
    }
    ImGui::EndDisabled();
    if (chosen) ImGui::PopStyleColor();
    if (why && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) showTip(look, look.tell(tune::wordsOf(*why)));
  }
}

// Operands by iterators: a mark where the iterator indexes the operand.
void PlanPanel::drawOperands(PanelContext& context) {
  const Look& look = context.look;
  const tune::Identification& found = found_->matrices;
  if (found.rows.empty()) return;
  const std::vector<std::string>& names = found_->pattern.product.names;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (ImGui::BeginTable("###operands", int(names.size()) + 3, kFlags)) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    for (const std::string& name : names) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(name.c_str());
    }
    ImGui::PopFont();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(look.say(words::kLies));
    for (const tune::OperandRow& row : found.rows) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushFont(look.fonts.code, window::kSecondarySize);
      ImGui::TextUnformatted(nameOf(row.role));
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row.buffer->name.c_str());
      for (bool uses : row.uses) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(uses ? "●" : "·");
      }
      ImGui::PopFont();
      ImGui::TableNextColumn();
      const std::string lies = look.say(row.rowMajor ? words::kByRows : words::kByColumns);
      ImGui::TextUnformatted((row.transposedCopy ? say(look, words::kTurned, lies) : lies).c_str());
    }
    ImGui::EndTable();
  }
  if (window::smallButton(window::windowName(look.say(words::kSwap), "swap").c_str())) {
    request_.swapped = !request_.swapped;
    stale_ = true;
  }
}

void PlanPanel::drawWarps(PanelContext& context) {
  const Look& look = context.look;
  for (const Message& kept : found_->threads.kept) drawSecond(look, look.tell(kept));
  if (found_->threads.before) drawLanes(look, *found_->threads.before, found_->pattern.tile.shape);
}

void PlanPanel::drawLoops(PanelContext& context) {
  const Look& look = context.look;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("###loops", 4, kFlags)) return;
  ImGui::TableSetupColumn("loop");
  ImGui::TableSetupColumn("before");
  ImGui::TableSetupColumn("after");
  ImGui::TableSetupColumn("why", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextRow();
  for (const text::Text* head : {&words::kLoop, &words::kWas, &words::kIs, &words::kReason}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(look.say(*head));
  }
  for (const tune::ScaledLoop& loop : found_->scaling.loops) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::TextUnformatted(loop.name.c_str());
    ImGui::PopFont();
    ImGui::TableNextColumn();
    drawRight(formattedForPhrase(loop.before));
    ImGui::TableNextColumn();
    drawRight(formattedForPhrase(loop.after));
    ImGui::TableNextColumn();
    drawSecond(look, look.tell(loop.reason));
  }
  ImGui::EndTable();
}

void PlanPanel::apply(PanelContext& context, const std::string& lines, const document::FoldTitles& titles) {
  lit_.reset();
  session::Proposal proposal;
  proposal.step.at = found_->at;
  proposal.step.lines = lines;
  proposal.titles = titles;
  // From another state than the current one: a branch there, as of an edit.
  proposal.step.edited = found_->at == node_ ? -1 : node_;
  context.session->edits().apply(proposal);
  stale_ = true;
}

}  // namespace loom::panels
