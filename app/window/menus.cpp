// The menus and the part of the status line that belong to the model.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/notation/quantity_text.h"
#include "app/panels/history/words.h"
#include "app/panels/performance/panel.h"
#include "app/panels/sizes/words.h"
#include "app/session/described_device.h"
#include "app/session/step_edit.h"
#include "app/ui/list_row.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/window/dialogs/make_fast_words.h"
#include "app/window/shell.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;

namespace {

std::string placed(const Look& look, std::initializer_list<const text::Text*> path) {
  std::string out;
  for (const text::Text* part : path) out += (out.empty() ? "" : " › ") + std::string(look.say(*part));
  return out;
}

}  // namespace

Commands Workbench::documentCommands() {
  using Kind = FileDialogs::Kind;
  const std::string file = look_.say(words::kFile);
  return {{"new", file, look_.say(words::kNewMatmul), "Ctrl+N", [this] { ask(Kind::kMatmul); }},
          {"open", file, look_.say(words::kOpen), "Ctrl+O", [this] { ask(Kind::kOpen); }}};
}

Commands Workbench::saveCommands() {
  const std::string file = look_.say(words::kFile);
  const bool open = model_->documents().target() != nullptr;
  return {{"save", file, look_.say(words::kSave), "Ctrl+S", [this] { dialogs_.save(*model_); }, open},
          {"saveas", file, look_.say(words::kSaveAs), "Ctrl+Shift+S",
           [this] { dialogs_.show(FileDialogs::Kind::kSave, *model_); }, open}};
}

Commands Workbench::exportCommands() {
  const bool open = model_->documents().target() != nullptr;
  const auto program = open ? model_->programs().of(model_->navigation().current()) : nullptr;
  const bool kernel = program != nullptr && !program->kernel.problem;
  const std::string why =
      program != nullptr && program->kernel.problem ? look_.tell(program->kernel.problem->message) : std::string();
  const std::string menu = placed(look_, {&words::kFile, &words::kExport});
  auto command = [&](const char* kind, bool enabled, const std::string& whyNot = "") {
    auto show = [this, kind] { dialogs_.show(FileDialogs::Kind::kExport, *model_, kind); };
    return Command{kind, menu, exportLabel(look_, kind), "", show, enabled, false, enabled ? "" : whyNot};
  };
  return {
      command("cuda", kernel, why),
      command("tvmscript", open),
      command("python", open),
      command("trace", open),
      command("project", kernel, why),
      command("report", open),
      command(FileDialogs::kLessonReport, open && model_->documents().target()->lesson.has_value()),
      command("csv", open),
      command(FileDialogs::kSweptSizes, open && model_->sweep().result() != nullptr, look_.say(text::sizes::kNotRun))};
}

Commands Workbench::programCommands() {
  const std::string file = look_.say(words::kFile);
  const bool measures = model_->documents().target() != nullptr && model_->modelDevice().status().here.has_value();
  const bool noGpu = model_->modelDevice().status().known && !model_->modelDevice().status().here;
  return {{"measureall", file, look_.say(words::kMeasureAll), "Ctrl+M", [this] { model_->results().measure({}); },
           measures, false, noGpu ? look_.say(words::kNoGpu) : ""},
          {"picture", file, look_.say(words::kSavePicture), "",
           [this] { dialogs_.show(FileDialogs::Kind::kPicture, *model_, ""); }},
          {"quit", file, look_.say(words::kQuit), "Ctrl+Q", [this] { quit(); }}};
}

Commands Workbench::lessonCommands() {
  Commands commands;
  for (const std::string& name : model_->documents().lessonNames()) {
    const document::Translated title = model_->documents().lessonTitle(name);
    const bool here = model_->documents().target() != nullptr && model_->documents().target()->lessonName == name;
    commands.push_back({name, look_.say(words::kLesson), document::in(title, text::codeOf(look_.language)), "",
                        [this, name] { unsaved_.before(*model_, [this, name] { model_->documents().open(name); }); },
                        true, here});
  }
  return commands;
}

Commands Workbench::chapterCommands() {
  Commands commands;
  if (model_->documents().target() == nullptr || !model_->documents().target()->lesson) return commands;
  int chapter = 0;
  for (const document::Chapter& c : model_->documents().target()->lesson->chapters) {
    commands.push_back({c.id, look_.say(words::kChapter), document::in(c.title, text::codeOf(look_.language)), "",
                        [this, chapter] { model_->navigation().goToChapter(chapter); }});
    ++chapter;
  }
  return commands;
}

Commands Workbench::historyCommands() {
  const std::string menu = look_.say(words::kHistory);
  const bool open = model_->documents().target() != nullptr;
  const std::vector<int> best =
      open ? session::bestPath(model_->navigation().history(),
                               session::measuredTimes(model_->navigation().history(), model_->results()))
           : std::vector<int>{};
  return {
      {"fastest", menu, look_.say(words::kGoFastest), "", [this, best] { model_->navigation().select(best.back()); },
       !best.empty(), false, look_.say(text::history::kBestOf)},
      {"editstep", menu, look_.say(words::kKeyEdit), "F2", [this] { editStep(); },
       open && model_->navigation().current() > 0}};
}

Commands Workbench::scheduleCommands() {
  return {{"makefast", look_.say(words::kSchedule), look_.say(text::make_fast::kCommand), "",
           [this] { makeFast_.show(); }, model_->documents().target() != nullptr, false,
           look_.say(text::make_fast::kCommandHelp)}};
}

Commands Workbench::panelCommands() {
  Commands commands;
  int number = 1;
  for (OpenPanel& open : panels_) {
    commands.push_back({open.entry.id, look_.say(words::kPanel), look_.say(open.entry.title),
                        number <= 9 ? fmt::format("Ctrl+{}", number) : "", [this, &open] {
                          open.visible = true;
                          callPanel(open.entry.id);
                        }});
    ++number;
  }
  commands.push_back(
      {"wholewindow", look_.say(words::kView), look_.say(words::kWholeWindow), "F11", [this] { enlargeFocused(); }});
  return commands;
}

Commands Workbench::viewCommands() {
  Commands commands;
  for (const panels::PerformanceTab& tab : panels::performanceTabs()) {
    commands.push_back({tab.id, look_.say(words::kPerformance), look_.say(tab.name), "",
                        [this, id = tab.id] {
                          spotlight_.open({"performance", id}, *model_);
                        },
                        model_->documents().target() != nullptr});
  }
  return commands;
}

Commands Workbench::pictureCommands() {
  Commands commands;
  for (const OpenPanel& open : panels_) {
    commands.push_back({open.entry.id, placed(look_, {&words::kView, &words::kSavePanel}), look_.say(open.entry.title),
                        "", [this, id = open.entry.id] { dialogs_.show(FileDialogs::Kind::kPicture, *model_, id); },
                        open.visible});
  }
  return commands;
}

Commands Workbench::layoutCommands() {
  const std::string menu = placed(look_, {&words::kView, &words::kLayout});
  Commands commands;
  for (const Arrangement& arrangement : arrangements()) {
    commands.push_back(
        {arrangement.id, menu, look_.say(arrangement.name), "", [this, &arrangement] { arrange(arrangement); }});
  }
  for (const std::string& name : layouts_.names()) {
    commands.push_back({"named " + name, menu, name, "", [this, name] { layouts_.choose(name); }});
  }
  return commands;
}

Commands Workbench::themeCommands() {
  const std::string menu = placed(look_, {&words::kView, &words::kTheme});
  auto command = [&](const text::Text& label, Theme theme) {
    return Command{
        notation::keyOf(theme),  menu, look_.say(label), "", [this, theme] { settings_.theme = theme; }, true,
        settings_.theme == theme};
  };
  return {command(words::kDark, Theme::kDark), command(words::kLight, Theme::kLight),
          command(words::kContrast, Theme::kContrast)};
}

Commands Workbench::scaleCommands() {
  const std::string menu = placed(look_, {&words::kView, &words::kScale});
  Commands commands = {{"larger", menu, look_.say(words::kLarger), "Ctrl+=", [this] { changeScale(1); }},
                       {"smaller", menu, look_.say(words::kSmaller), "Ctrl+-", [this] { changeScale(-1); }}};
  for (int percent : {75, 100, 125, 150, 200, 300}) {
    commands.push_back({fmt::format("{}", percent), menu, fmt::format("{} %", percent), percent == 100 ? "Ctrl+0" : "",
                        [this, percent] { settings_.scalePercent = percent; }, true,
                        settings_.scalePercent == percent});
  }
  commands[2].apart = true;
  return commands;
}

Commands Workbench::languageCommands() {
  const std::string menu = placed(look_, {&words::kView, &words::kLanguage});
  auto command = [&](const char* id, const char* label, text::Language language) {
    return Command{
        id, menu, label, "", [this, language] { settings_.language = language; }, true, look_.language == language};
  };
  return {command("en", "English", text::Language::kEnglish), command("zh", "中文", text::Language::kChinese)};
}

Commands Workbench::deviceCommands() {
  const std::string menu = placed(look_, {&words::kView, &words::kModelDevice});
  const session::DeviceStatus& device = model_->modelDevice().status();
  Commands commands;
  if (model_->modelDevice().devices().empty()) return commands;
  session::DeviceStatus own = device;
  own.chosen.clear();
  const text::Text& label = own.here && !own.here->cpu ? words::kDeviceHere : words::kDeviceRecorded;
  commands.push_back({"modelown", menu, fmt::format(fmt::runtime(look_.say(label)), session::modelledDevice(own)), "",
                      [this] { model_->chooseDevice(""); }, true, device.chosen.empty()});
  for (const model::Device& d : model_->modelDevice().devices()) {
    commands.push_back({"model " + d.id, menu, d.name, "", [this, name = d.name] { model_->chooseDevice(name); }, true,
                        device.chosen == d.name});
  }
  commands[1].apart = true;
  const bool idle = own.here && !own.here->cpu && !model_->modelDevice().ceilings().underWay;
  commands.push_back({"measureceilings", menu, look_.say(words::kMeasureCeilings), "",
                      [this] { model_->modelDevice().measureCeilings(); }, idle});
  commands.back().apart = true;
  return commands;
}

Commands Workbench::primitiveCommands() {
  Commands commands;
  // What changes the program comes before what only names things in it.
  std::vector<const schedule::Instruction*> rows;
  for (const schedule::Instruction& row : schedule::instructions()) rows.push_back(&row);
  std::stable_partition(rows.begin(), rows.end(), [](auto* row) { return row->group != "inspect"; });
  for (const schedule::Instruction* row : rows) {
    commands.push_back({std::string(row->name), look_.say(words::kPrimitive), std::string(row->name), "",
                        [this, row] {
                          formProposal_ = tune::StepForm(*row);
                          showPanel("step");
                        },
                        model_->documents().target() != nullptr, false, panels::helpOf(look_, *row)});
  }
  return commands;
}

void Workbench::openPalette() {
  Commands all;
  for (const auto& part :
       {scheduleCommands(), primitiveCommands(), documentCommands(), saveCommands(), exportCommands(),
        programCommands(), lessonCommands(), chapterCommands(), historyCommands(), panelCommands(), viewCommands(),
        pictureCommands(), layoutCommands(), themeCommands(), scaleCommands(), languageCommands(), deviceCommands()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  palette_.open(std::move(all));
}

void Workbench::drawFileMenu() {
  drawItems(documentCommands());
  ImGui::Separator();
  drawItems(saveCommands());
  if (ImGui::BeginMenu(windowName(look_.say(words::kExport), "export").c_str(),
                       model_->documents().target() != nullptr)) {
    drawItems(exportCommands());
    ImGui::EndMenu();
  }
  ImGui::Separator();
  drawItems(programCommands());
}

void Workbench::drawLessonMenu() { drawItems(lessonCommands()); }

void Workbench::drawHelpMenu() {
  const std::array<std::pair<const text::Text*, const char*>, 16> keyList = {
      {{&words::kKeyStep, "← →"},
       {&words::kKeyChapter, "PgUp PgDn"},
       {&words::kKeyPlay, "F5"},
       {&words::kKeyEdit, "F2"},
       {&words::kWholeWindow, "F11"},
       {&words::kKeyLine, "↑ ↓"},
       {&words::kKeyApply, "Enter"},
       {&words::kKeyClear, "Esc"},
       {&words::kKeyStop, "Ctrl+."},
       {&words::kKeyUndo, "Ctrl+Z Ctrl+Y"},
       {&words::kKeyFind, "Ctrl+F"},
       {&words::kKeyCopy, "Ctrl+C"},
       {&words::kKeyPanels, "Ctrl+1 … 9"},
       {&words::kKeyHelp, "F1"},
       {&words::kKeySeveral, look_.say(words::kKeysSeveral)},
       {&words::kKeyScale, "Ctrl+= Ctrl+- Ctrl+0"}}};
  if (ImGui::MenuItem(windowName(look_.say(words::kCommands), "commands").c_str(), "Ctrl+P")) openPalette();
  ImGui::Separator();
  // Read, not chosen: in the colours of text.
  float widest = 0;
  for (const auto& [words, keys] : keyList) widest = std::max(widest, ImGui::CalcTextSize(look_.say(*words)).x);
  for (const auto& [words, keys] : keyList) {
    ImGui::PushStyleColor(ImGuiCol_Text, look_.paint(Tone::kTextSecond));
    ImGui::TextUnformatted(look_.say(*words));
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + widest + look_.px(24));
    ImGui::TextUnformatted(keys);
  }
}

// What times are of, and the model where that is another device: a menu of those that it can be of.
void Workbench::drawDevice(float room) {
  if (room < look_.px(24)) return;
  const session::DeviceStatus& device = model_->modelDevice().status();
  std::string line;
  if (!device.chosen.empty()) line = fmt::format(fmt::runtime(look_.say(words::kModelOf)), device.chosen) + " · ";
  if (device.here) {
    line += device.here->name;
  } else {
    line += look_.say(words::kNoGpu);
    if (!device.recorded.empty())
      line += " · " + fmt::format(fmt::runtime(look_.say(words::kRecordedOn)), device.recorded, device.recordedDate);
  }
  const std::string shown = panels::ellipsized(line, room);
  ImGui::PushStyleColor(ImGuiCol_Text, look_.paint(device.chosen.empty() ? Tone::kTextSecond : Tone::kChanged));
  const bool opened = ImGui::BeginMenu(windowName(shown.c_str(), "statusdevice").c_str());
  ImGui::PopStyleColor();
  if (!opened) {
    const std::string hint = (shown == line ? "" : line + "\n") + look_.say(words::kModelDeviceHint);
    panels::drawWrappedTip(look_, hint);
    return;
  }
  ImGui::PushFont(look_.fonts.text, kTextSize);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look_.px(kRowGap));
  drawItems(deviceCommands());
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::EndMenu();
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
  // What stays comes first, so that nothing moves when something begins or ends.
  if (model_->modelDevice().status().known) drawDevice(end - ImGui::GetCursorPosX());
  if (model_->documents().target() != nullptr) {
    if (auto program = model_->programs().of(model_->navigation().current());
        program && !program->kernel.source.launches.empty()) {
      const auto& launch = program->kernel.source.launches.front();
      auto count = [](const std::array<std::int64_t, 3>& size) { return size[0] * size[1] * size[2]; };
      auto counted = [&](std::int64_t n, const text::Text& one, const text::Text& many) {
        return fmt::format(fmt::runtime(look_.say(text::counted(n, one, many))), notation::numberText(n));
      };
      std::string line = counted(count(launch.grid), words::kOneBlock, words::kBlocks) + " × " +
                         counted(count(launch.block), words::kOneThread, words::kThreads);
      if (program->kernel.program && !program->kernel.program->kernels.empty()) {
        const std::int64_t shared = program->kernel.program->kernels.front().sharedBytes();
        if (shared > 0)
          line += " · " + fmt::format(fmt::runtime(look_.say(words::kShared)), notation::bytesText(double(shared)));
      }
      say(line, Tone::kTextSecond);
    }
    // With one key more may go than one sees.
    if (const auto change = model_->edits().undoable(); change && change->kind == session::UndoLabel::Kind::kRemove) {
      say(fmt::format(fmt::runtime(look_.say(text::counted(change->states, words::kOneDeleted, words::kDeleted))),
                      change->number, change->states - 1),
          Tone::kChanged);
    }
  }
  if (const auto report = reports_.running()) {
    std::string line = fmt::format(fmt::runtime(look_.say(words::kMakingReport)), report->path.filename().string(),
                                   report->done, report->of);
    if (report->more > 0) line += fmt::format(" (+{})", report->more);
    say(line, Tone::kText);
    if (smallButton(windowName(look_.say(words::kCancel), "cancelreport").c_str())) reports_.cancel();
  }
  if (message_) say(message_(), messageIsError_ ? Tone::kError : Tone::kTextSecond);
  const session::BackgroundStatus& activity = model_->activity();
  if (activity.busy) {
    using Kind = session::BackgroundStatus::Kind;
    const text::Text& what = activity.kind == Kind::kOpening     ? words::kOpening
                             : activity.kind == Kind::kSearching ? words::kSearching
                             : activity.kind == Kind::kMeasuring ? words::kMeasuring
                                                                 : words::kCompiling;
    say(std::string(look_.say(what)) + (activity.text.empty() ? "" : "  " + look_.tell(activity.text)), Tone::kText);
    if (smallButton(windowName(look_.say(words::kCancel), "cancelactivity").c_str())) model_->cancel();
  } else if (const auto& written = model_->documents().lastWrite()) {
    if (written->problem) {
      say(look_.tell(written->problem->message), Tone::kError);
    } else {
      say(fmt::format(fmt::runtime(look_.say(words::kWritten)), std::filesystem::absolute(written->file).string()),
          Tone::kTextSecond);
    }
  }
}

}  // namespace loom::window
