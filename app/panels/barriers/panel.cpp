#include "app/panels/barriers/panel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/barriers/view/barriers.h"
#include "app/panels/barriers/words.h"
#include "app/text/panels.h"
#include "app/ui/column_name.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/cuda_line_row.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/no_kernel.h"

namespace loom::panels {

namespace words = text::barriers;
using session::Barrier;
using session::BarrierReason;
using window::Look;

namespace {

std::string timesText(const Look& look, const Barrier& barrier) {
  if (barrier.varies) return look.say(words::kVaries);
  const std::string times = notation::countText(barrier.perBlock);
  return barrier.atMost ? say(look, words::kAtMost, times) : times;
}

std::string reasonText(const Look& look, const BarrierReason& reason) {
  const text::Text& phrase = reason.kind == BarrierReason::Kind::kReadAfterWrite   ? words::kReadAfterWrite
                             : reason.kind == BarrierReason::Kind::kWriteAfterRead ? words::kWriteAfterRead
                                                                                   : words::kWriteAfterWrite;
  const auto names = [&](const std::vector<std::string>& blocks) {
    return blocks.empty() ? std::string(look.say(words::kUnnamed)) : fmt::format("{}", fmt::join(blocks, ", "));
  };
  return say(look, phrase, reason.buffer, names(reason.before), names(reason.after));
}

bool hasMbarriers(const session::Program& program) {
  const auto& made = program.kernel.program;
  return made && std::ranges::any_of(made->kernels, [](const device::Kernel& k) { return !k.mbarriers.empty(); });
}

// The first row of a barrier has its line and number; the rows under it are its further reasons.
void drawRow(PanelContext& context, const session::Program& program, const Barrier& barrier, std::size_t reason) {
  const Look& look = context.look;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string line = reason == 0 ? std::to_string(barrier.line) : "";
  ImGui::PushID(int(reason));
  drawCudaLineRow(context, &program, barrier.line, (line + "###row").c_str());
  ImGui::PopID();
  ImGui::TableNextColumn();
  if (reason == 0) drawRight(timesText(look, barrier));
  ImGui::TableNextColumn();
  fittedText(barrier.reasons.empty() ? look.say(words::kNoReason) : reasonText(look, barrier.reasons[reason]),
             ImGui::GetContentRegionAvail().x);
}

}  // namespace

void BarriersPanel::draw(PanelContext& context) {
  const Look& look = context.look;
  if (!context.hasProgram()) return drawNoProgram(context);
  shown_.follow(*context.session);
  const auto& program = shown_.program();
  if (!program) return drawEmpty(context, text::panels::kDeriving);
  if (drawUnlessKernel(context, *program, words::kHelp)) return;
  const std::vector<Barrier>& all = session::barriersOf(*program);
  if (all.empty()) return drawEmpty(context, hasMbarriers(*program) ? words::kMbarriersAlone : words::kNone);

  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable(fmt::format("###list{:.0f}", look.scale * 100).c_str(), 3, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(look.say(words::kLine));
  ImGui::TableSetupColumn(look.say(words::kPerBlock));
  ImGui::TableSetupColumn(look.say(words::kOrders), ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const text::Text* head : {&words::kLine, &words::kPerBlock, &words::kOrders}) {
    ImGui::TableNextColumn();
    drawColumnName(look.say(*head), head == &words::kPerBlock);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    ImGui::PushID(int(i));
    for (std::size_t reason = 0; reason < std::max<std::size_t>(1, all[i].reasons.size()); ++reason)
      drawRow(context, *program, all[i], reason);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

}  // namespace loom::panels
