// Dragging the word of a stage: the stages become columns over the loop's body, and what is dragged goes to the one that
// the mouse is over.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/panels/loop_nest/gestures.h"
#include "app/panels/loop_nest/view/stages.h"
#include "app/panels/loop_nest/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "core/document/kernel.h"

namespace loom::panels {

namespace words = text::loop_nest;
using session::StagedBody;
using window::Look;
using window::Tone;

namespace {

// The bar that a row of the nest is drawn in; null: none.
const NestBar* barOf(const NestBars& bars, int row) {
  const auto found = std::ranges::find_if(
      bars.bars(), [&](const NestBar& b) { return b.line.first <= row && row <= b.line.last; });
  return found == bars.bars().end() ? nullptr : &*found;
}

int rowOf(const NestBars& bars, ir::Id loop) {
  for (const NestBar& b : bars.bars())
    for (int i = b.line.first; i <= b.line.last; ++i)
      if (bars.row(i).id == loop && bars.row(i).kind == session::NestRow::Kind::kLoop) return i;
  return -1;
}

void drawSmall(const Look& look, ImFont* font, ImVec2 at, float room, const std::string& text, Tone tone) {
  ImGui::PushFont(font, window::kUnitSize);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), ellipsized(text, room).c_str());
  ImGui::PopFont();
}

}  // namespace

void NestGestures::pressStage(StagedBody body, std::size_t statement) {
  kind_ = Kind::kStage;
  loop_ = body.loop;
  body_ = std::move(body);
  statement_ = statement;
  stage_ = -1;
  dragging_ = false;
}

void NestGestures::proposeStage(PanelContext& context, int stage) {
  session::Session& session = *context.session;
  const auto next = stage < 0 ? std::nullopt : session::movedToStage(body_, statement_, stage);
  auto lines = next ? tune::linesOf(session.navigation().history(), node_, session::stageSteps(body_, *next, ""))
                    : Result<std::string>("");
  lines_ = lines ? *lines : "";
  if (lines_.empty()) {
    session.preview().end();
  } else {
    session.preview().show(lines_);
  }
}

std::optional<Error> NestGestures::stageProblem(PanelContext& context) {
  session::Session& session = *context.session;
  const session::PreviewedStep* preview = session.preview().step();
  if (preview == nullptr) return std::nullopt;
  if (preview->refusal) return preview->refusal;
  const auto now = session.programs().known(session.navigation().current());
  if (now && now->kernel.problem) return std::nullopt;
  if (preview->program) return preview->program->kernel.problem;
  // Let go before the preview was there.
  const auto state = tune::previewLines(session.navigation().history(), preview->node, preview->lines,
                                        session.documents().environment());
  return state ? document::makeKernel(*state).problem : std::optional<Error>(state.error());
}

void NestGestures::drawStages(PanelContext& context, const NestBars& bars, ImVec2 origin) {
  const Look& look = context.look;
  const NestBar* loop = barOf(bars, rowOf(bars, body_.loop));
  if (loop == nullptr) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float left = origin.x + bars.left(look, *loop) + bars.indent(look), right = origin.x + bars.right(look);
  const float top = origin.y + loop->top, under = top + loop->header, bottom = origin.y + loop->bottom;
  const int columns = body_.stages() + 1;  // the last one is new
  const float each = (right - left) / float(columns);
  const ImVec2 mouse = ImGui::GetIO().MousePos, corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const bool inside = ImGui::IsMouseHoveringRect(corner, {corner.x + size.x, corner.y + size.y}, false) &&
                      mouse.x >= left && mouse.x < right;
  stage_ = inside ? std::clamp(int((mouse.x - left) / each), 0, columns - 1) : -1;
  proposeStage(context, stage_);
  const session::PreviewedStep* preview = context.session->preview().step();
  const bool judged = preview != nullptr && (preview->program || preview->refusal);
  const bool refused = !lines_.empty() && judged && stageProblem(context);
  draw->AddRectFilled({left, top}, {right, bottom}, look.paint(Tone::kPanel));
  for (int c = 0; c < columns; ++c) {
    const float from = left + float(c) * each, to = from + each;
    if (c == stage_)
      draw->AddRectFilled({from, top}, {to, bottom}, look.paint(refused ? Tone::kError : Tone::kSelected, 0.12F));
    draw->AddLine({from, top}, {from, bottom}, look.paint(Tone::kLine), look.px(1));
    const bool isNew = c == columns - 1;
    const std::string title = say(look, isNew ? words::kNewStage : words::kStage, c);
    drawSmall(look, look.fonts.strong, {from + look.px(6), top + loop->header / 2 - look.px(7)}, each - look.px(8),
              title, isNew ? Tone::kTextFaint : Tone::kText);
  }
  draw->AddLine({left, under}, {right, under}, look.paint(Tone::kLine), look.px(1));
  for (std::size_t n = 0; n < body_.statements.size(); ++n) {
    const StagedBody::Statement& s = body_.statements[n];
    const NestBar* bar = barOf(bars, s.row);
    if (bar == nullptr) continue;
    const bool dragged = n == statement_;
    const int column = dragged && stage_ >= 0 ? stage_ : body_.stageOf(s);
    const ImVec2 from{left + float(column) * each + look.px(3), origin.y + bar->top + look.px(3)};
    const ImVec2 to{from.x + each - look.px(6), origin.y + bar->top + bar->header - look.px(3)};
    const bool async = body_.isAsync(body_.stageOf(s));
    draw->AddRectFilled(from, to, look.paint(async ? Tone::kGlobal : Tone::kStrip, async ? 0.35F : 1.0F), look.px(3));
    draw->AddRect(from, to, look.paint(!dragged ? Tone::kLine : refused ? Tone::kError : Tone::kSelected), look.px(3),
                  0, look.px(dragged ? 2.0F : 1.0F));
    drawSmall(look, look.fonts.code, {from.x + look.px(5), (from.y + to.y) / 2 - look.px(7)}, each - look.px(16),
              fmt::format("{}. {}", body_.order[s.first] + 1, s.name), Tone::kText);
  }
  draw->AddRect({left, top}, {right, bottom}, look.paint(Tone::kLine), 0, 0, look.px(1));
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  drawStageReason(context, stage_);
}

// Beside the mouse: where it would go, the steps, and why they are refused.
void NestGestures::drawStageReason(PanelContext& context, int stage) const {
  const Look& look = context.look;
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(3)});
  const session::PreviewedStep* preview = context.session->preview().step();
  const StagedBody::Statement& s = body_.statements[statement_];
  if (lines_.empty() || preview == nullptr) {
    ImGui::TextUnformatted(look.say(words::kStageHelp));
  } else {
    ImGui::PushFont(look.fonts.strong, window::kTextSize);
    ImGui::TextUnformatted(say(look, words::kStageMove, s.name, body_.stageOf(s), stage).c_str());
    ImGui::PopFont();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::TextUnformatted(abbreviatedStep(preview->step()).c_str());
    ImGui::PopFont();
    const bool judged = preview->program || preview->refusal;
    if (const auto problem = judged ? stageProblem(context) : std::nullopt) {
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
      ImGui::PushTextWrapPos(look.px(360));
      ImGui::TextUnformatted(look.tell(problem->message).c_str());
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndTooltip();
}

}  // namespace loom::panels
