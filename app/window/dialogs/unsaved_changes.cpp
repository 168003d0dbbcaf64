#include "app/window/dialogs/unsaved_changes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/ui/markdown.h"
#include "app/window/host.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;

void UnsavedQuestion::before(const session::Session& model, std::function<void()> then) {
  if (model.documents().target() == nullptr || !model.documents().isModified()) {
    then();
    return;
  }
  then_ = std::move(then);
  wanted_ = true;
  saving_ = false;
  Host::wake();
}

void UnsavedQuestion::go() {
  saving_ = false;
  if (const auto then = std::exchange(then_, nullptr)) then();
  Host::wake();
}

void UnsavedQuestion::draw(const Look& look, session::Session& model, FileDialogs& dialogs) {
  if (saving_) {
    if (model.documents().isModified()) {
      // No name was given, or the file could not be written: everything stays as it is.
      if (!dialogs.asksForFile()) saving_ = false, then_ = nullptr;
    } else if (model.documents().lastWrite()) {
      go();
    }
  }
  if (std::exchange(wanted_, false)) ImGui::OpenPopup("###unsaved");
  if (!beginDialog(look, look.say(words::kUnsavedTitle), "unsaved")) return;
  const std::string name = model.documents().target() != nullptr ? model.documents().target()->title : "";
  panels::drawWrapped(fmt::format(fmt::runtime(look.say(words::kUnsavedWhy)), name), look.px(420));
  ImGui::Spacing();
  if (dialogButton(look, words::kSave, "save")) {
    ImGui::CloseCurrentPopup();
    saving_ = true;
    dialogs.save(model);
  }
  if (ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  ImGui::SameLine();
  if (dialogButton(look, words::kDiscard, "discard")) {
    ImGui::CloseCurrentPopup();
    go();
  }
  ImGui::SameLine();
  if (dialogButton(look, words::kCancel, "cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    ImGui::CloseCurrentPopup();
    then_ = nullptr;
  }
  endDialog();
}

}  // namespace loom::window
