// What stands around every panel: its window, its "?" with the answer, and which two states it compares.
#include <imgui.h>
#include <imgui_internal.h>

#include <fmt/format.h>

#include <utility>

#include "app/text/help.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/widgets/comparison_strip.h"
#include "app/window/shell.h"
#include "app/window/side_by_side.h"

namespace loom::window {
namespace {

const std::string kEnlarged = "whole-";  // before the id of the panel that is over the whole window

// Whether a panel is docked in the workbench, on the ground that the frame was cleared with. Painting its background
// again would cost more than all else of a frame where the processor does the drawing.
bool liesOnGround(const std::string& windowName) {
  const ImGuiWindow* window = ImGui::FindWindowByName(windowName.c_str());
  return window != nullptr && window->DockNode != nullptr &&
         ImGui::DockNodeGetRootNode(window->DockNode)->IsDockSpace();
}

// A panel that comes forward by itself doesn't bring its tab into sight where the tab bar is too narrow for all.
void scrollToTab() {
  const ImGuiWindow* panel = ImGui::GetCurrentWindow();
  if (!ImGui::IsWindowAppearing() || panel->DockNode == nullptr || panel->DockNode->TabBar == nullptr) return;
  ImGuiTabBar* bar = panel->DockNode->TabBar;
  if (ImGuiTabItem* tab = ImGui::TabBarFindTabByID(bar, panel->TabId)) ImGui::TabBarQueueFocus(bar, tab);
}

// The "?" at the right end of the panel's tab bar, or of its title bar where it stands alone. True where it's clicked;
// `below` is where its answer opens.
bool drawQuestionMark(const Look& look, const std::string& id, ImVec2& below) {
  const std::string name = "?###help-" + id;
  ImGuiWindow* panel = ImGui::GetCurrentWindow();
  bool clicked = false;
  if (panel->DockIsActive && panel->DockNode != nullptr && panel->DockNode->TabBar != nullptr) {
    if (!ImGui::DockNodeBeginAmendTabBar(panel->DockNode)) return false;
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    clicked = ImGui::TabItemButton(name.c_str(), ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip);
    ImGui::PopStyleColor();
    panels::setItemTip(look, look.say(text::help::kWhat));
    below = {ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y};
    ImGui::DockNodeEndAmendTabBar();
    return clicked;
  }
  const ImRect bar = panel->TitleBarRect();
  const ImRect mark{{bar.Max.x - bar.GetHeight(), bar.Min.y}, bar.Max};
  ImGui::PushClipRect(bar.Min, bar.Max, false);
  const ImGuiID item = ImGui::GetID(name.c_str());
  if (ImGui::ItemAdd(mark, item)) {
    bool hovered = false, held = false;
    clicked = ImGui::ButtonBehavior(mark, item, &hovered, &held);
    const ImVec2 size = ImGui::CalcTextSize("?");
    panel->DrawList->AddText({mark.GetCenter().x - size.x / 2, mark.GetCenter().y - size.y / 2},
                             look.paint(hovered ? Tone::kText : Tone::kTextSecond), "?");
    if (hovered) ImGui::SetTooltip("%s", look.say(text::help::kWhat));
  }
  ImGui::PopClipRect();
  below = {mark.Min.x, mark.Max.y};
  return clicked;
}

void drawAnswer(const Look& look, const text::Text& title, const text::PanelHelp& help) {
  ImGui::PushFont(look.fonts.strong, kHeadingSize);
  ImGui::TextUnformatted(look.say(title));
  ImGui::PopFont();
  const std::pair<const text::Text*, const text::Text*> parts[] = {{&text::help::kShown, &help.shown},
                                                                   {&text::help::kReading, &help.reading},
                                                                   {&text::help::kNumbers, &help.numbers},
                                                                   {&text::help::kMouse, &help.mouse}};
  for (const auto& [heading, words] : parts) {
    ImGui::Dummy({0, look.px(4)});
    panels::drawHeading(look, look.say(*heading));
    panels::drawRichText(look, look.say(*words));
  }
}

// Keeps `height` at the foot of the current window free: its contents see that much less room, and what stands above
// keeps its place. Gives where the foot begins.
float leaveFoot(float height) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const float end = window->InnerRect.Max.y - window->WindowPadding.y;
  window->WorkRect.Max.y -= height;
  window->ContentRegionRect.Max.y -= height;
  return end - height;
}

// To the foot, which doesn't scroll; contents that are longer than the window can be scrolled clear of it.
void beginFoot(float height, float at) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->DC.CursorMaxPos.y += height;
  window->WorkRect.Max.y += height;
  window->ContentRegionRect.Max.y += height;
  const ImVec2 most = window->DC.CursorMaxPos;
  ImGui::SetCursorScreenPos({window->InnerRect.Min.x + window->WindowPadding.x, at});
  window->DC.CursorMaxPos = most;
}

}  // namespace

void Workbench::drawHelpOf(const panels::PanelEntry& entry) {
  ImVec2 below;
  const bool clicked = drawQuestionMark(look_, entry.id, below);
  const std::string popup = std::string("###helpof-") + entry.id;
  if (clicked || helpWanted_ == entry.id) {
    helpWanted_.clear();
    ImGui::OpenPopup(popup.c_str());
  }
  if (!ImGui::IsPopupOpen(popup.c_str())) return;
  const float width = look_.px(430);
  ImGui::SetNextWindowSize({width, 0});
  ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look_.px(14), look_.px(12)});
  if (ImGui::BeginPopup(popup.c_str())) {
    drawAnswer(look_, entry.title, entry.help);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

// Of a panel: that in the dock, or the one over the whole window.
std::string Workbench::windowOf(const std::string& panel) const {
  return windowName("", (enlarged_ == panel ? kEnlarged + panel : panel).c_str());
}

// The panel that has the keyboard; empty: none.
std::string Workbench::focusedPanel() const {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  if (focused == nullptr) return "";
  for (const OpenPanel& open : panels_) {
    const ImGuiWindow* window = ImGui::FindWindowByName(windowOf(open.entry.id).c_str());
    if (window != nullptr && window->RootWindow == focused->RootWindow) return open.entry.id;
  }
  return "";
}

// F1: the answer of the panel that has the keyboard.
void Workbench::takeHelpKey() {
  if (ImGui::Shortcut(ImGuiKey_F1, ImGuiInputFlags_RouteGlobal)) helpWanted_ = focusedPanel();
}

void Workbench::enlarge(const std::string& panel) {
  const std::string was = std::exchange(enlarged_, enlarged_ == panel ? "" : panel);
  front_ = enlarged_.empty() ? was : enlarged_;
}

// Of a menu, too, which has the keyboard now.
void Workbench::enlargeFocused() {
  const std::string panel = !enlarged_.empty() ? enlarged_ : focusedPanel();
  if (const std::string& wanted = panel.empty() ? lastFocused_ : panel; !wanted.empty()) enlarge(wanted);
}

void Workbench::drawContents(OpenPanel& open, panels::PanelContext& context) {
  const float banner = open.entry.showsState ? panels::comparisonBannerHeight(context) : 0;
  const float foot = leaveFoot(banner);
  context.called = called_ == open.entry.id;
  if (banner > 0 && settings_.bothSides && model_->comparison().node() != model_->navigation().current() &&
      !open.panel->showsComparison()) {
    if (!open.twin) open.twin = open.entry.make();
    drawBothSides(*open.panel, *open.twin, context);
  } else {
    open.panel->draw(context);
  }
  if (context.called) called_.clear();
  if (banner > 0) {
    beginFoot(banner, foot);
    panels::drawComparisonBanner(context);
  }
}

// Over all other panels, which are drawn without their contents as long.
void Workbench::drawEnlarged(panels::PanelContext& context) {
  const auto open =
      std::find_if(panels_.begin(), panels_.end(), [&](const OpenPanel& p) { return p.entry.id == enlarged_; });
  if (open == panels_.end()) return;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoSavedSettings;
  const std::string name = windowName(look_.say(open->entry.title), (kEnlarged + enlarged_).c_str());
  bool stays = true;
  if (ImGui::Begin(name.c_str(), &stays, kFlags)) {
    const bool leaves = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (portrait_.panel() == open->entry.id) {
      ImGui::Dummy(ImGui::GetCurrentWindow()->ContentSize);
    } else {
      drawContents(*open, context);
    }
    stays &= !leaves;
  }
  ImGui::End();
  if (!stays) enlarge(enlarged_);
}

void Workbench::drawPanels() {
  // Until a panel has the keyboard, the last one made is next in line: a menu that closes would bring its hidden tab
  // forward.
  constexpr int kLaidOut = 4;  // frames
  if (ImGui::GetFrameCount() == kLaidOut && front_.empty() && ImGui::GetCurrentContext()->OpenPopupStack.empty()) {
    for (const OpenPanel& open : panels_) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", open.entry.id).c_str());
      if (!front_.empty() || window == nullptr || window->Hidden) continue;
      if (window->DockNode == nullptr || window->DockNode->VisibleWindow == window) front_ = open.entry.id;
    }
  }
  if (const std::string panel = focusedPanel(); !panel.empty()) lastFocused_ = panel;
  if (!front_.empty()) {
    if (front_ != enlarged_) enlarged_.clear();
    ImGui::SetWindowFocus(windowOf(front_).c_str());
    front_.clear();
  }
  spotlight_.begin(ImGui::GetTime());
  panels::PanelContext context{
      look_, model_.get(), &consoleProposal_,    &formProposal_, &spotlight_, &command_, &settings_.unwrapped,
      false, &editStep_,   &settings_.bothSides, false,          Host::wake};
  for (OpenPanel& open : panels_) {
    if (!open.visible) {
      continue;
    }
    const std::string name = windowName(look_.say(open.entry.title), open.entry.id);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look_.colour(Tone::kPanel, liesOnGround(name) ? 0 : 1));
    ImGui::SetNextWindowSize({look_.px(480), look_.px(320)}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin(name.c_str(), nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing)) {
      if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) enlarge(open.entry.id);
      scrollToTab();
      drawHelpOf(open.entry);
      if (enlarged_.empty() && portrait_.panel() != open.entry.id) {
        drawContents(open, context);
      } else {
        ImGui::Dummy(ImGui::GetCurrentWindow()->ContentSize);  // it keeps its scroll
      }
    }
    ImGui::End();
    ImGui::PopStyleColor();
  }
  drawEnlarged(context);
  if (!portrait_.panel().empty()) drawPortrait(context);
  if (spotlight_.draw(look_)) Host::wake();
  if (const auto panel = spotlight_.takePanel()) {
    for (OpenPanel& open : panels_) open.visible |= *panel == open.entry.id;
    front_ = *panel;
  }
  runCommand();
}

void Workbench::runCommand() {
  const std::string wanted = std::exchange(command_, "");
  if (wanted.empty()) return;
  for (const Commands& commands : {lessonCommands(), exportCommands(), scheduleCommands()})
    for (const Command& c : commands)
      if (c.id == wanted && c.enabled) return c.run();
}

}  // namespace loom::window
