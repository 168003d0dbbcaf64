// The menus and the part of the status line that belong to the model.
#include <fmt/format.h>

#include <array>

#include "app/panels/short_step.h"
#include "app/text/window.h"
#include "app/window/workbench.h"

namespace loom::window {

namespace words = text::window;

void Workbench::drawFileMenu() {
  using Kind = FileDialogs::Kind;
  auto item = [&](const text::Text& words, const char* id, const char* keys, bool enabled = true) {
    return ImGui::MenuItem(windowName(look_.say(words), id).c_str(), keys, false, enabled);
  };
  const bool open = model_->target() != nullptr;
  if (item(words::kNewMatmul, "new", "Ctrl+N")) dialogs_.show(Kind::kMatmul, *model_);
  if (item(words::kOpen, "open", "Ctrl+O")) dialogs_.show(Kind::kOpen, *model_);
  ImGui::Separator();
  if (item(words::kSave, "save", "Ctrl+S", open)) dialogs_.save(*model_);
  if (item(words::kSaveAs, "saveas", "Ctrl+Shift+S", open)) dialogs_.show(Kind::kSave, *model_);
  if (ImGui::BeginMenu(windowName(look_.say(words::kExport), "export").c_str(), open)) {
    const workbench::Derived* derived = model_->derived(model_->current()).get();
    const bool kernel = derived != nullptr && !derived->kernel.problem;
    if (ImGui::MenuItem("CUDA###cuda", nullptr, false, kernel)) dialogs_.show(Kind::kExport, *model_, "cuda");
    if (ImGui::MenuItem("TVMScript###tvmscript")) dialogs_.show(Kind::kExport, *model_, "tvmscript");
    if (ImGui::MenuItem("Python (TVM)###python")) dialogs_.show(Kind::kExport, *model_, "python");
    if (item(words::kTrace, "trace", nullptr)) dialogs_.show(Kind::kExport, *model_, "trace");
    if (item(words::kProject, "project", nullptr, kernel)) dialogs_.show(Kind::kExport, *model_, "project");
    ImGui::Separator();
    if (item(words::kReport, "report", nullptr)) dialogs_.show(Kind::kExport, *model_, "report");
    if (item(words::kLessonReport, "lessonreport", nullptr, model_->target()->lesson.has_value())) {
      dialogs_.show(Kind::kExport, *model_, FileDialogs::kLessonReport);
    }
    if (item(words::kTable, "csv", nullptr)) dialogs_.show(Kind::kExport, *model_, "csv");
    ImGui::EndMenu();
  }
  ImGui::Separator();
  if (item(words::kMeasureAll, "measureall", "Ctrl+M", open && model_->device().here.has_value())) model_->measure({});
  if (item(words::kSavePicture, "picture", nullptr)) dialogs_.show(Kind::kPicture, *model_, "");
  ImGui::Separator();
  if (item(words::kQuit, "quit", "Ctrl+Q")) host_.close();
}

void Workbench::drawLessonMenu() {
  for (const std::string& name : model_->lessonNames()) {
    const document::Translated title = model_->lessonTitle(name);
    const bool here = model_->target() != nullptr && model_->target()->lessonName == name;
    const std::string label = windowName(document::in(title, text::codeOf(look_.language)).c_str(), name.c_str());
    if (ImGui::MenuItem(label.c_str(), nullptr, here)) model_->open(name);
  }
}

void Workbench::drawHelpMenu() {
  static constexpr std::array<std::pair<const text::Text*, const char*>, 11> kKeys = {
      {{&words::kKeyStep, "← →"},
       {&words::kKeyChapter, "PgUp PgDn"},
       {&words::kKeyPlay, "F5"},
       {&words::kKeyLine, "↑ ↓"},
       {&words::kKeyApply, "Enter"},
       {&words::kKeyClear, "Esc"},
       {&words::kKeyStop, "Ctrl+."},
       {&words::kKeyUndo, "Ctrl+Z Ctrl+Y"},
       {&words::kKeyFind, "Ctrl+F"},
       {&words::kKeyPanels, "Ctrl+1 … 9"},
       {&words::kKeyScale, "Ctrl+= Ctrl+-"}}};
  for (const auto& [words, keys] : kKeys) ImGui::MenuItem(look_.say(*words), keys, false, false);
}

void Workbench::drawActivity(float keep) {
  const float end = ImGui::GetWindowWidth() - keep;
  // As much as there is room for; the hover says what is cut.
  auto say = [&](const std::string& text, Tone tone) {
    const float room = end - ImGui::GetCursorPosX();
    if (room < look_.px(24)) return;
    ImGui::PushStyleColor(ImGuiCol_Text, look_.paint(tone));
    panels::fittedText(text, room);
    ImGui::PopStyleColor();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look_.px(12));
  };
  const workbench::Activity& activity = model_->activity();
  if (activity.busy) {
    using Kind = workbench::Activity::Kind;
    const text::Text& what = activity.kind == Kind::kOpening     ? words::kOpening
                             : activity.kind == Kind::kMeasuring ? words::kMeasuring
                                                                 : words::kCompiling;
    say(std::string(look_.say(what)) + (activity.text.empty() ? "" : "  " + look_.tell(activity.text)), Tone::kText);
    if (ImGui::SmallButton(windowName(look_.say(words::kCancel), "cancelactivity").c_str())) model_->cancel();
  } else if (const auto& written = model_->written()) {
    if (written->problem) {
      say(look_.tell(written->problem->message), Tone::kError);
    } else {
      say(fmt::format(fmt::runtime(look_.say(words::kWritten)), written->file.string()), Tone::kTextSecond);
    }
  }
  const workbench::DeviceLine& device = model_->device();
  if (device.here) {
    say(device.here->name, Tone::kTextSecond);
  } else if (device.known) {
    std::string line = look_.say(words::kNoGpu);
    if (!device.recorded.empty()) {
      line += " · " + fmt::format(fmt::runtime(look_.say(words::kRecordedOn)), device.recorded, device.recordedDate);
    }
    say(line, Tone::kTextSecond);
  }
  if (model_->target() != nullptr) {
    if (auto derived = model_->derived(model_->current()); derived && !derived->kernel.source.launches.empty()) {
      const auto& launch = derived->kernel.source.launches.front();
      auto count = [](const std::array<std::int64_t, 3>& size) { return size[0] * size[1] * size[2]; };
      say(fmt::format(fmt::runtime(look_.say(words::kThreadsBlocks)), count(launch.block), count(launch.grid)),
          Tone::kTextSecond);
    }
  }
}

}  // namespace loom::window
