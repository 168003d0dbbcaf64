#include "app/panels/code/hot_loop.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/panels/code/machine_words.h"
#include "app/panels/code/view/code.h"
#include "app/panels/code/view/listing.h"
#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/cuda_line_row.h"

namespace loom::panels {

namespace words = text::machine_code;
using sass::Pipe;
using window::Look;
using window::Tone;

namespace {

const text::Text& familyOf(Pipe pipe) {
  switch (pipe) {
    case Pipe::Tensor: return text::performance::kTensor;
    case Pipe::Fma: return text::performance::kFma;
    case Pipe::Half: return text::performance::kHalf;
    case Pipe::GlobalLoad:
    case Pipe::GlobalStore: return words::kGlobal;
    case Pipe::SharedLoad:
    case Pipe::SharedStore:
    case Pipe::LdMatrix: return words::kShared;
    case Pipe::LocalLoad:
    case Pipe::LocalStore: return words::kSpilled;
    case Pipe::Integer:
    case Pipe::Uniform: return words::kInteger;
    case Pipe::CopyEngine: return text::performance::kCopyEngine;
    case Pipe::Mbarrier: return text::performance::kMbarrier;
    case Pipe::Control:
    case Pipe::Barrier: return words::kControl;
    default: return text::performance::kOther;
  }
}

// "tensor core 64 · shared memory 24 · …", most first.
std::string mixText(const Look& look, const session::InstructionMix& mix) {
  std::vector<std::pair<const text::Text*, int>> families;
  for (const session::InstructionShare& s : mix.shares) {
    if (s.inLoop == 0) continue;
    const text::Text* family = &familyOf(s.pipe);
    auto at = std::find_if(families.begin(), families.end(), [&](const auto& f) { return f.first == family; });
    if (at == families.end()) at = families.insert(at, {family, 0});
    at->second += s.inLoop;
  }
  std::stable_sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string all;
  for (const auto& [family, n] : families)
    all += fmt::format("{}{} {}", all.empty() ? "" : " · ", look.say(*family), n);
  return all;
}

std::string headOf(const Look& look, const session::HotLoopIteration& hot) {
  const sass::LoopIteration& t = hot.iteration;
  if (!t.clocks) return say(look, words::kTripUnknown, t.instructions);
  return say(look, t.waits > 0 ? words::kTripWaits : words::kTrip, t.instructions, *t.clocks, t.waits);
}

void drawLines(PanelContext& context, const session::HotLoopIteration& hot, const session::Program& program) {
  const Look& look = context.look;
  const std::vector<std::string>& cuda = session::textsOf(program).cuda;
  constexpr int kMost = 8;
  const int shown = std::min(int(hot.iteration.lines.size()), kMost);
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoHostExtendY;
  const float height = float(shown + 1) * ImGui::GetTextLineHeightWithSpacing() + look.px(2);
  if (ImGui::BeginTable(fmt::format("###trip{:.0f}", look.scale * 100).c_str(), 5, kFlags, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn(look.say(words::kClocksHead));
    ImGui::TableSetupColumn(look.say(words::kInstructionsHead));
    ImGui::TableSetupColumn(look.say(words::kWaitsHead));
    ImGui::TableSetupColumn(look.say(words::kMadeByHead));
    ImGui::TableSetupColumn(look.say(words::kLineHead), ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(int(hot.iteration.lines.size()));
    while (clipper.Step()) {
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
        const sass::LoopShare& s = hot.iteration.lines[std::size_t(n)];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(n);
        const std::string clocks = hot.iteration.clocks ? fmt::format("{:5}", s.clocks) : "    –";
        drawCudaLineRow(context, &program, s.line, (clocks + "###share").c_str());
        ImGui::PopID();
        ImGui::TableNextColumn();
        drawRight(numberText(s.instructions));
        ImGui::TableNextColumn();
        drawRight(hot.iteration.clocks ? numberText(s.waits) : "–");
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(look.tell(hot.madeBy[std::size_t(n)]).c_str());
        ImGui::TableNextColumn();
        if (s.line < 1 || s.line > int(cuda.size())) continue;
        const std::string& source = cuda[std::size_t(s.line - 1)];
        fittedText(fmt::format("{}: {}", s.line, source.substr(std::min(source.find_first_not_of(' '), source.size()))),
                   ImGui::GetContentRegionAvail().x);
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace

void drawHotLoopIteration(PanelContext& context, const session::HotLoopIteration& hot,
                          const session::InstructionMix& mix, const session::Program& program, bool& open) {
  const Look& look = context.look;
  const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight(), sign = look.px(14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x + sign, at.y});
  ImGui::BeginGroup();
  const std::string head = headOf(look, hot) + " · " + mixText(look, mix);
  drawPreface(look, head);
  ImGui::EndGroup();
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("###trip", {room, std::max(line, ImGui::GetItemRectSize().y)})) open = !open;
  const bool hovered = ImGui::IsItemHovered();
  drawWrappedTip(look, head + "\n\n" + look.say(words::kTripWhat));
  const float half = look.px(3), x = at.x + look.px(5), y = at.y + line / 2;
  const ImU32 colour = look.paint(hovered ? Tone::kText : Tone::kTextSecond);
  if (open) {
    ImGui::GetWindowDrawList()->AddTriangleFilled({x - half, y - half}, {x + half, y - half}, {x, y + half}, colour);
  } else {
    ImGui::GetWindowDrawList()->AddTriangleFilled({x - half, y - half}, {x - half, y + half}, {x + half, y}, colour);
  }
  ImGui::SetCursorScreenPos(after);
  ImGui::Dummy({0, 0});
  if (open) drawLines(context, hot, program);
}

}  // namespace loom::panels
