// What the panel draws of kernels whose warps have roles: the strip of a block's life, and a lane for each role.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/labels.h"
#include "app/panels/playback/panel.h"
#include "app/panels/playback/role_rows.h"
#include "app/panels/playback/words.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::playback;
using window::Look;
using window::Tone;

namespace {

std::string shownText(const Look& look, const session::RoleLanes& lanes, const playback::ShownTime& part) {
  return say(look, words::kShownPart, playback::roleTimeText(lanes, part.from),
             playback::roleTimeText(lanes, part.from + part.clocks), playback::roleTimeText(lanes, lanes.clocks));
}

}  // namespace

// The cursor's time in the life that roles are played through: as long as the timeline's on the screen, in clocks of
// another rate.
double PlaybackPanel::roleClocks() const {
  const double all = playback_->clocks();
  return all > 0 ? at_ / all * session::roleLanesOf(*model_).clocks : 0;
}
void PlaybackPanel::moveRolesTo(PanelContext& context, double clocks) {
  const session::RoleLanes& lanes = session::roleLanesOf(*model_);
  moveTo(context, lanes.clocks > 0 ? clocks / lanes.clocks * playback_->clocks() : 0);
}

// The strip of the whole life: dragging moves the cursor, and what is shown below with it.
void PlaybackPanel::drawRoleLife(PanelContext& context, const session::RoleLanes& lanes) {
  const Look& look = context.look;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = std::max(look.px(40), ImGui::GetContentRegionAvail().x);
  if (rolesOf_ != model_) {
    rolesOf_ = model_;
    part_ = playback::firstPart(look, lanes, roleWidth(look, width));
  }
  const ImVec2 to{from.x + width, from.y + look.px(low_ ? 14 : 20)};
  ImGui::InvisibleButton("life", {width, to.y - from.y});
  const double under = std::clamp(double(ImGui::GetIO().MousePos.x - from.x) / width, 0.0, 1.0) * lanes.clocks;
  if (ImGui::IsItemActive()) {
    playing_ = false;
    part_ = playback::withinLife(lanes, {under - part_.clocks / 2, part_.clocks});
    moveRolesTo(context, under);
  } else {
    drawWrappedTip(look, playback::roleTimeText(lanes, under) + " / " + playback::roleTimeText(lanes, lanes.clocks) +
                             "\n" + look.say(words::kRoleStripHint));
  }
  playback::drawRoleStrip(look, lanes, part_, from, to);
  if (context.session->selection().position())
    playback::drawCursor(look, from.x + float(roleClocks() / lanes.clocks) * width, from.y, to.y);
}

// Buttons of the parts that are worth a look, and which part is shown.
void PlaybackPanel::drawRoleParts(const Look& look, const session::RoleLanes& lanes, float width) {
  for (const playback::RoleMoment& m : playback::roleMoments(lanes)) {
    if (window::smallButton(look.say(*m.name))) part_ = playback::partAround(look, lanes, m, width);
    setItemTip(look, look.say(*m.hint));
    ImGui::SameLine();
  }
  if (window::smallButton(look.say(words::kAll))) part_ = {0, lanes.clocks};
  setItemTip(look, look.say(words::kAllHint));
  ImGui::SameLine();
  const std::string part = shownText(look, lanes, part_);
  std::string blocks = lanes.blocks > 1 ? say(look, words::kRolesOfBlocks, lanes.blocks, lanes.resident)
                                        : std::string(look.say(words::kRolesOneBlock));
  if (lanes.cluster > 1) blocks += say(look, words::kRolesOfCluster, lanes.cluster);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  ImGui::TextUnformatted(ellipsized(part + " · " + blocks, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopStyleColor();
  drawWrappedTip(look, blocks + "\n" + (lanes.cluster > 1 ? look.say(words::kClusterNote) + std::string("\n") : "") +
                           look.say(words::kRolesTold));
}

// The same parts where a row of buttons has no room: a list of them.
void PlaybackPanel::drawRoleChoice(const Look& look, const session::RoleLanes& lanes, float width) {
  const std::vector<playback::RoleMoment> moments = playback::roleMoments(lanes);
  float widest = ImGui::CalcTextSize(look.say(words::kShownParts)).x;
  for (const playback::RoleMoment& m : moments) widest = std::max(widest, ImGui::CalcTextSize(look.say(*m.name)).x);
  ImGui::SetNextItemWidth(widest + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight());
  const bool open = ImGui::BeginCombo("###part", look.say(words::kShownParts));
  setItemTip(look, shownText(look, lanes, part_));
  if (!open) return;
  const auto row = [&](const text::Text& name, const text::Text& hint) {
    const bool taken = ImGui::Selectable(look.say(name));
    setItemTip(look, look.say(hint));
    return taken;
  };
  for (const playback::RoleMoment& m : moments)
    if (row(*m.name, *m.hint)) part_ = playback::partAround(look, lanes, m, width);
  if (row(words::kAll, words::kAllHint)) part_ = {0, lanes.clocks};
  ImGui::EndCombo();
}

// Of the lanes, of a panel that is `full` wide: without their names, and the figures behind them.
float PlaybackPanel::roleWidth(const Look& look, float full) const {
  const bool wide = full > look.px(640);
  return full - look.px(wide ? 100 : 76) - (wide ? look.px(214) : 0);
}

// What each role does in a part of the life; the wheel makes the part longer or shorter.
void PlaybackPanel::drawRoles(PanelContext& context, const session::RoleLanes& lanes) {
  const Look& look = context.look;
  const float full = ImGui::GetContentRegionAvail().x;
  const bool wide = full > look.px(640);
  const float title = look.px(wide ? 100 : 76), figures = wide ? look.px(214) : 0;
  if (!low_) drawRoleParts(look, lanes, roleWidth(look, full));
  ImVec2 origin = ImGui::GetCursorScreenPos();
  origin.y += look.px(1);
  const playback::RoleHeights heights =
      playback::roleHeights(look, lanes, ImGui::GetContentRegionAvail().y - look.px(low_ ? 2 : 42));
  const float height = playback::heightOf(lanes, heights);
  const playback::PipelineRows rows{{origin.x + title, origin.y}, origin.x + full - figures, title, figures, 0};
  const float width = std::max(1.0F, rows.right - rows.from.x);
  const bool moment = context.session->selection().position() != nullptr;
  const double now = roleClocks();
  if (moment && (now < part_.from || now > part_.from + part_.clocks))
    part_ = playback::withinLife(lanes, {now - part_.clocks / 10, part_.clocks});
  ImGui::SetCursorScreenPos(rows.from);
  ImGui::InvisibleButton("roles", {width, height});
  const ImGuiIO& io = ImGui::GetIO();
  const double share = std::clamp(double((io.MousePos.x - rows.from.x) / width), 0.0, 1.0);
  const double under = part_.from + share * part_.clocks;
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);  // the panel doesn't scroll
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    const playback::ShownTime part =
        playback::withinLife(lanes, {0, part_.clocks * std::pow(0.8, double(io.MouseWheel))});
    part_ = playback::withinLife(lanes, {under - share * part.clocks, part.clocks});
  }
  ir::Id block;
  const std::string hint = playback::roleHint(look, lanes, heights, io.MousePos.y - rows.from.y, under, block);
  if (ImGui::IsItemClicked() && block && !stale_) context.session->selection().select({block});
  if (ImGui::IsItemActive()) {
    playing_ = false;
    moveRolesTo(context, under);
  } else {
    drawWrappedTip(look, hint);
  }
  playback::ShownTime shown = part_;
  shown.now = moment ? now - part_.from : -1;
  playback::drawRoleRows(look, lanes, rows, heights, shown);
  const float bottom = rows.from.y + height;
  if (moment) playback::drawCursor(look, playback::xOf(rows, shown, shown.now), rows.from.y, bottom);
  if (low_) return;  // there is no room for the axis
  ImGui::SetCursorScreenPos({origin.x, bottom});
  ImGui::Dummy({full, playback::drawRoleAxis(look, lanes, shown, rows.from.x, rows.right, bottom)});
}

}  // namespace loom::panels
