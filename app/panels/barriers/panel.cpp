#include "app/panels/barriers/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/barriers/labels.h"
#include "app/panels/barriers/words.h"
#include "app/text/panels.h"
#include "app/text/terms.h"
#include "app/ui/column_name.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/cuda_line_row.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/no_kernel.h"

namespace loom::panels {

namespace words = text::barriers;
using session::Wait;
using window::Look;

namespace {

// Design px from which on a panel has room for who waits, and for the statement, beside what is waited for.
constexpr float kWhoFrom = 420, kStatementFrom = 640;

struct Columns {
  bool who = false, statement = false;
};

// The first row of a wait has its line, number and statement; the rows under it are further buffers of a barrier. What
// is waited for has as many lines as it needs.
void drawRow(PanelContext& context, const session::Program& program, const Wait& wait, const Columns& columns, int row,
             const std::string& awaited) {
  const Look& look = context.look;
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(ImGui::TableGetColumnCount() - 1);
  const std::string lines = wrapped(awaited, ImGui::GetContentRegionAvail().x);
  const float height = ImGui::CalcTextSize(lines.c_str()).y;
  ImGui::TableSetColumnIndex(0);
  const std::string line = row == 0 ? std::to_string(wait.line) : "";
  ImGui::PushID(row);
  drawCudaLineRow(context, &program, wait.line, (line + "###row").c_str(), 0, height);
  ImGui::PopID();
  ImGui::TableNextColumn();
  if (row == 0) drawRight(timesText(look, wait));
  if (columns.who) {
    ImGui::TableNextColumn();
    if (row == 0) ImGui::TextUnformatted(waitingText(look, wait).c_str());
  }
  if (columns.statement) {
    ImGui::TableNextColumn();
    ImGui::PushFont(look.fonts.code, 0);
    if (row == 0) fittedText(wait.statement, ImGui::GetContentRegionAvail().x);
    ImGui::PopFont();
  }
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(lines.c_str());
  if (wait.mbarrier) setItemTip(look, look.say(text::terms::kPhase.meaning));
}

}  // namespace

void BarriersPanel::draw(PanelContext& context) {
  const Look& look = context.look;
  if (!context.hasProgram()) return drawNoProgram(context);
  shown_.follow(*context.session);
  const auto& program = shown_.program();
  if (!program) return drawEmpty(context, text::panels::kDeriving);
  if (drawUnlessKernel(context, *program, words::kHelp)) return;
  const std::vector<Wait>& all = session::waitsOf(*program);
  if (all.empty()) return drawEmpty(context, words::kNone);

  const float room = ImGui::GetContentRegionAvail().x;
  const Columns columns{room > look.px(kWhoFrom), room > look.px(kStatementFrom)};
  const int count = 3 + int(columns.who) + int(columns.statement);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable(fmt::format("###list{}x{:.0f}", count, look.scale * 100).c_str(), count, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const auto column = [&](const text::Text& name, float share = 0) {
    ImGui::TableSetupColumn(look.say(name), share > 0 ? ImGuiTableColumnFlags_WidthStretch : 0, share);
  };
  column(words::kLine);
  column(words::kPerBlock);
  if (columns.who) column(words::kWho);
  if (columns.statement) column(words::kStatement, 2);
  column(words::kFor, 3);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < count; ++i) {
    ImGui::TableSetColumnIndex(i);
    drawColumnName(ImGui::TableGetColumnName(i), i == 1);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    ImGui::PushID(int(i));
    int row = 0;
    for (const std::string& awaited : awaitedTexts(look, all[i]))
      drawRow(context, *program, all[i], columns, row++, awaited);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

}  // namespace loom::panels
