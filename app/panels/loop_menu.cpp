#include "app/panels/loop_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <chrono>

#include "app/text/loop_nest.h"
#include "app/window/host.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::loop_nest;
using workbench::MenuEntry;

void LoopMenu::drop() {
  if (stop_) *stop_ = true;  // a try takes less than a ms, so the end of the thread does, too
  pending_ = {};
  entries_.clear();
}

void LoopMenu::open(PanelContext& context, ir::Id id) {
  drop();
  const workbench::Workbench& bench = *context.workbench;
  node_ = bench.current();
  stop_ = std::make_shared<std::atomic<bool>>(false);
  pending_ =
      std::async(std::launch::async, [state = bench.node().state, environment = bench.environment(), id, stop = stop_] {
        auto entries = workbench::menuOf(state, environment, id, *stop);
        window::Host::wake();
        return entries;
      });
  ImGui::OpenPopup("###menu");
}

void LoopMenu::draw(PanelContext& context) {
  if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    entries_ = pending_.get();
  }
  const window::Look& look = context.look;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(4)});
  if (ImGui::BeginPopup("###menu")) {
    if (context.workbench->current() != node_) {
      ImGui::CloseCurrentPopup();
    } else if (pending_.valid()) {
      ImGui::TextUnformatted(look.say(words::kTrying));
    } else {
      drawEntries(context, entries_);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void LoopMenu::drawEntries(PanelContext& context, const std::vector<MenuEntry>& entries) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  for (const MenuEntry& entry : entries) {
    const std::string label = fmt::format("{}###{}", entry.text, entry.text);
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    bool chosen = false, inside = false;
    if (entry.choices.empty() || entry.refusal) {
      chosen = ImGui::MenuItem(label.c_str(), nullptr, false, !entry.refusal);
    } else {
      inside = ImGui::BeginMenu(label.c_str());
    }
    ImGui::PopFont();
    if (entry.refusal) {
      ImGui::PushFont(nullptr, window::kUnitSize);
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextFaint));
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + look.px(360));
      ImGui::TextUnformatted(look.tell(entry.refusal->message).c_str());
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
      ImGui::PopFont();
    }
    if (inside) {
      drawEntries(context, entry.choices);
      ImGui::EndMenu();
    }
    if (chosen) {
      if (auto lines = workbench::stepLines(bench.history(), node_, entry.form)) bench.apply(*lines);
    }
  }
}

}  // namespace loom::panels
