#include "app/panels/instructions/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/cuda_line_row.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/pipe_names.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using session::InstructionMix;
using window::Look;
using window::Tone;

namespace {

Tone pipeTone(sass::Pipe pipe) {
  using sass::Pipe;
  switch (pipe) {
    case Pipe::GlobalLoad:
    case Pipe::GlobalStore: return Tone::kGlobal;
    case Pipe::SharedLoad:
    case Pipe::SharedStore:
    case Pipe::LdMatrix:
    case Pipe::Mbarrier: return Tone::kShared;
    case Pipe::CopyEngine: return Tone::kGlobal;
    case Pipe::LocalLoad:
    case Pipe::LocalStore: return Tone::kFragment;
    case Pipe::Tensor: return Tone::kTensorCore;
    default: return Tone::kTextSecond;
  }
}

void drawShares(const Look& look, const InstructionMix& mix, float width) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(110));
  if (!ImGui::BeginTable(fmt::format("###mix{:.0f}", look.scale * 100).c_str(), 4, kFlags, {width, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(look.say(words::kPipe), ImGuiTableColumnFlags_WidthFixed, look.px(100));
  ImGui::TableSetupColumn(look.say(words::kInLoop), ImGuiTableColumnFlags_WidthFixed, look.px(78));
  ImGui::TableSetupColumn(look.say(words::kExecuted), ImGuiTableColumnFlags_WidthFixed, look.px(64));
  ImGui::TableSetupColumn("###bar", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(look.say(words::kPipe));
  ImGui::TableNextColumn();
  drawRight(look.say(words::kInLoop));
  ImGui::TableNextColumn();
  drawRight(look.say(words::kExecuted));
  double most = 1;
  for (const auto& s : mix.shares) most = std::max(most, s.executed);
  for (const auto& s : mix.shares) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(look.say(wordOf(s.pipe)));
    if (s.pipe == sass::Pipe::Half) setItemTip(look, look.say(words::kHalfHelp));
    ImGui::TableNextColumn();
    const double percent = 100.0 * s.inLoop / std::max(1, mix.hotInstructions);
    const bool trace = s.inLoop > 0 && percent < 0.5;  // would be rounded to none
    if (mix.hotInstructions == 0)
      drawRight("–");
    else
      drawRight(fmt::format("{}  {:>3} %", s.inLoop, trace ? "<1" : fmt::format("{:.0f}", percent)));
    ImGui::TableNextColumn();
    drawRight(countText(s.executed));
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + line * 0.25F},
                                              {at.x + room * float(s.executed / most), at.y + line * 0.8F},
                                              look.paint(pipeTone(s.pipe)));
    ImGui::Dummy({room, line});
  }
  ImGui::EndTable();
}

void drawMemory(PanelContext& context, const InstructionMix& mix, const session::Program& program) {
  const Look& look = context.look;
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(110));
  if (!ImGui::BeginTable(fmt::format("###access{:.0f}", look.scale * 100).c_str(), 5, kFlags, {0, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const text::Text* head : {&words::kOpcode, &words::kTimes, &words::kLine, &words::kWidth, &words::kPerRequest})
    ImGui::TableSetupColumn(look.say(*head));
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < mix.memory.size(); ++i) {
    const auto& m = mix.memory[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(int(i));
    drawCudaLineRow(context, &program, m.line, (m.opcode + "###access").c_str());
    ImGui::PopID();
    ImGui::TableNextColumn();
    drawRight(numberText(m.count));
    ImGui::TableNextColumn();
    drawRight(m.line > 0 ? std::to_string(m.line) : "–");
    ImGui::TableNextColumn();
    drawRight(numberText(m.bytes));
    ImGui::TableNextColumn();
    // Whole numbers without decimals: "32 of 4".
    auto plain = [](double count) { return fmt::format("{:.3g}", count); };
    const bool costly = m.perRequest > 1.5 * m.needed;
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(costly ? Tone::kError : Tone::kText));
    drawRight(m.perRequest > 0 ? say(look, words::kOfLeast, plain(m.perRequest), plain(m.needed)) : "–");
    ImGui::PopStyleColor();
  }
  ImGui::EndTable();
}

// What a warp executes, and how much of it in the hottest loop.
std::string headOf(const Look& look, const InstructionMix& mix) {
  if (mix.hotInstructions == 0) return say(look, words::kNoLoop, countText(mix.executed));
  return say(look, words::kHotLoop, mix.hotInstructions, countText(mix.iterations), countText(mix.executed));
}

// `other`: a state whose code is told beside it; −1: none.
void drawMix(PanelContext& context, const InstructionMix& mix, const session::Program& program, int other) {
  const Look& look = context.look;
  drawSecond(look, headOf(look, mix) + " · " + say(look, words::kMixNote, provenanceText(look, mix.how)));
  const auto model = other >= 0 ? context.session->models().of(other, session::ModelBasis::kMachineCode) : nullptr;
  if (model && session::performanceOf(*model).mix)
    drawComparedValue(context, headOf(look, *session::performanceOf(*model).mix), other);
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float room = ImGui::GetContentRegionAvail().x;
  const bool wide = room > look.px(640);
  drawShares(look, mix, wide ? room * 0.46F : room);
  if (wide) ImGui::SameLine();
  if (!mix.memory.empty()) {
    drawMemory(context, mix, program);
  } else {
    ImGui::BeginGroup();
    drawSecond(look, look.say(mix.hotInstructions > 0 ? words::kNoneAsks : words::kNoLoopAsks));
    ImGui::EndGroup();
  }
  ImGui::PopFont();
}

}  // namespace

void drawInstructionMix(PanelContext& context) {
  const Look& look = context.look;
  const session::PreviewedStep* ghost = context.session->preview().step();
  if (ghost != nullptr && ghost->program) {
    if (ghost->model && session::performanceOf(*ghost->model).mix) {
      drawMix(context, *session::performanceOf(*ghost->model).mix, *ghost->program,
              context.session->navigation().current());
    } else {
      drawSecond(look,
                 look.say(ghost->compiling || !ghost->model ? words::kPreviewCompiling : words::kPreviewNotCounted));
    }
    return;
  }
  if (drawNoMachineCode(context, text::performance::kHelp)) return;
  const auto model =
      context.session->models().of(context.session->navigation().current(), session::ModelBasis::kMachineCode);
  if (!session::performanceOf(*model).mix) {
    if (model->sassProblem) drawSecond(look, say(look, words::kSassNotCounted, look.tell(model->sassProblem->message)));
    return;
  }
  const auto program = context.session->programs().of(context.session->navigation().current());
  if (program)
    drawMix(context, *session::performanceOf(*model).mix, *program,
            context.beside ? -1 : context.session->comparison().node());
}

}  // namespace loom::panels
