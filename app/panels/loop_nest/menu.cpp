#include "app/panels/loop_nest/menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "app/panels/loop_nest/view/stages.h"
#include "app/panels/loop_nest/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/option_time.h"
#include "app/widgets/refusal.h"

namespace loom::panels {

namespace words = text::loop_nest;
using tune::MenuEntry;

void LoopMenu::drop() {
  if (stop_) *stop_ = true;  // a try takes less than a ms, so the end of the thread does, too
  pending_ = {};
  entries_.clear();
  lines_.clear();
  times_.stop();
  hovered_ = previewed_ = nullptr;
}

void LoopMenu::open(PanelContext& context, std::vector<ir::Id> ids, std::vector<MenuEntry> stages) {
  title_.clear();
  start(context, [ids = std::move(ids), stages = std::move(stages)](const auto& state, const auto& environment,
                                                                    const auto& stop) {
    std::vector<MenuEntry> all = stages;
    for (MenuEntry& entry : all)
      for (MenuEntry& choice : entry.choices)
        if (!stop) choice.refusal = session::stageRefusal(state, environment, choice);
    std::ranges::move(tune::menuOf(state, environment, ids, stop), std::back_inserter(all));
    return all;
  });
}

void LoopMenu::openChoices(PanelContext& context, ir::Id id, std::string primitive) {
  const schedule::Tree& tree = context.session->navigation().node().state.tree();
  title_ = primitive + "(" + (tree.isLoop(id) ? tree.loop(id)->var->name : "") + ", …)";
  start(context, [id, primitive = std::move(primitive)](const auto& state, const auto& environment, const auto& stop) {
    return tune::choicesOf(state, environment, id, primitive, stop);
  });
}

void LoopMenu::start(PanelContext& context, Find find) {
  drop();
  const session::Session& session = *context.session;
  node_ = session.navigation().current();
  outside_.reset();
  if (session.preview().step() != nullptr) outside_ = session.preview().step()->lines;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  pending_ = std::async(std::launch::async,
                        [state = session.navigation().node().state, environment = session.documents().environment(),
                         find = std::move(find), stop = stop_, wake = context.wake] {
                          auto entries = find(state, environment, *stop);
                          wake();
                          return entries;
                        });
}

void LoopMenu::draw(PanelContext& context) {
  if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    entries_ = pending_.get();
    ImGui::OpenPopup("###menu");
    at_ = {ImGui::GetWindowPos().x, ImGui::GetMousePos().y};
    size_ = {};
  }
  const window::Look& look = context.look;
  placeBeside(look);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(4)});
  hovered_ = nullptr;
  if (ImGui::BeginPopup("###menu")) {
    if (context.session->navigation().current() != node_) {
      ImGui::CloseCurrentPopup();
    } else {
      if (!title_.empty()) {
        ImGui::PushFont(look.fonts.code, window::kSecondarySize);
        ImGui::TextUnformatted(title_.c_str());
        ImGui::PopFont();
        ImGui::Separator();
      }
      if (entries_.empty()) ImGui::TextUnformatted(look.say(words::kOnlyLoops));
      drawEntries(context, entries_);
      if (!entries_.empty()) drawNote(look, look.say(words::kOptionTimes));
    }
    size_ = ImGui::GetWindowSize();
    ImGui::EndPopup();
  } else {
    times_.stop();
  }
  ImGui::PopStyleVar(2);
  followHover(context);
}

// Left of the panel where there is room: over its bars it would hide what is previewed there.
void LoopMenu::placeBeside(const window::Look& look) const {
  const ImGuiViewport* screen = ImGui::GetMainViewport();
  if (!title_.empty() || at_.x - screen->WorkPos.x < look.px(400)) return;
  const float lowest = screen->WorkPos.y + screen->WorkSize.y - size_.y;
  ImGui::SetNextWindowPos({at_.x - look.px(6), std::max(screen->WorkPos.y, std::min(at_.y, lowest))}, ImGuiCond_Always,
                          {1, 0});
}

// What the mouse is on is previewed; off it, and when the menu closes, what was previewed before.
void LoopMenu::followHover(PanelContext& context) {
  session::Session& session = *context.session;
  if (hovered_ == previewed_) return;
  previewed_ = hovered_;
  if (session.navigation().current() != node_) return;
  auto lines = previewed_ == nullptr ? Result<std::string>(outside_.value_or(""))
               : previewed_->refusal ? Result<std::string>(previewed_->refusal->remedy)
                                     : tune::linesOf(session.navigation().history(), node_, *previewed_);
  if (lines && !lines->empty()) {
    session.preview().show(*lines);
  } else {
    session.preview().end();
  }
}

void LoopMenu::choose(PanelContext& context, const MenuEntry& entry) {
  session::Session& session = *context.session;
  if (entry.toFillIn) {
    if (context.formProposal == nullptr) return;
    *context.formProposal = entry.form;
    ImGui::SetWindowFocus(window::windowName("", "step").c_str());
  } else if (auto lines = tune::linesOf(session.navigation().history(), node_, entry)) {
    session.edits().apply(*lines);
  }
}

// The time predicted for it, as wide as every other, so that nothing moves when it comes.
std::string LoopMenu::timeOf(PanelContext& context, const MenuEntry& entry) {
  session::Session& session = *context.session;
  auto [lines, isNew] = lines_.emplace(&entry, "");
  if (isNew) lines->second = tune::linesOf(session.navigation().history(), node_, entry).value_or("");
  return optionTimeText(context.look, times_, session, lines->second);
}

void LoopMenu::drawNote(const window::Look& look, const std::string& text) {
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextFaint));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + look.px(360));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

// The steps by which it can be done: previewed while the mouse is on them, taken by a click.
void LoopMenu::drawRemedy(PanelContext& context, const MenuEntry& entry) {
  const std::string& lines = entry.refusal->remedy;
  if (lines.empty() || !isStepLine(lines)) return;
  const window::Look& look = context.look;
  const auto count = 1 + std::count(lines.begin(), lines.end(), '\n');
  ImGui::Indent(look.px(12));
  const bool clicked = window::smallButton(
      window::windowName(say(look, text::counted(count, words::kInOneStep, words::kInSteps), count).c_str(),
                         ("remedy " + entry.text).c_str())
          .c_str());
  if (ImGui::IsItemHovered()) {
    hovered_ = &entry;
    ImGui::BeginTooltip();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::TextUnformatted(lines.c_str());
    ImGui::PopFont();
    ImGui::EndTooltip();
  }
  ImGui::Unindent(look.px(12));
  if (!clicked) return;
  context.session->edits().apply(lines, {message("What makes {} possible", entry.refusal->primitive), {}});
  ImGui::CloseCurrentPopup();
}

void LoopMenu::drawEntries(PanelContext& context, const std::vector<MenuEntry>& entries) {
  const window::Look& look = context.look;
  for (const MenuEntry& entry : entries) {
    const std::string label = fmt::format("{}{}###{}", entry.text, entry.toFillIn ? "…" : "", entry.text);
    const bool leaf = entry.choices.empty() || entry.refusal;
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    bool chosen = false, inside = false;
    std::optional<Error> noKernel;
    if (leaf) {
      const std::string time = entry.refusal || entry.toFillIn ? "" : timeOf(context, entry);
      // It can be chosen: a further step may make it a kernel again.
      if (!time.empty()) noKernel = losesKernel(times_, *context.session, lines_[&entry]);
      if (noKernel) ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextFaint));
      chosen = ImGui::MenuItem(label.c_str(), time.empty() ? nullptr : time.c_str(), false, !entry.refusal);
      if (noKernel) ImGui::PopStyleColor();
    } else {
      inside = ImGui::BeginMenu(label.c_str());
    }
    ImGui::PopFont();
    const bool on = ImGui::IsItemHovered() || (ImGui::GetIO().NavVisible && ImGui::IsItemFocused());
    if (leaf && on && !entry.refusal && !entry.toFillIn) hovered_ = &entry;
    if (on && noKernel && ImGui::BeginTooltip()) {
      ImGui::PushTextWrapPos(look.px(360));
      ImGui::TextUnformatted(say(look, words::kMakesNoKernel, look.tell(noKernel->message)).c_str());
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
    if (leaf && on && !entry.refusal && !chosen && ImGui::IsKeyPressed(ImGuiKey_Enter, false)) {
      chosen = true;
      ImGui::CloseCurrentPopup();
    }
    if (entry.refusal) {
      drawNote(look, look.tellSentence(entry.refusal->message));
      drawRemedy(context, entry);
    }
    if (inside) {
      drawEntries(context, entry.choices);
      ImGui::EndMenu();
    }
    if (chosen) choose(context, entry);
  }
}

}  // namespace loom::panels
