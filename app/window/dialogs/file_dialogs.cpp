#include "app/window/dialogs/file_dialogs.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <optional>

#include "app/notation/columns.h"
#include "app/ui/list_row.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/widgets/refusal.h"
#include "app/widgets/state_text.h"
#include "app/window/layouts.h"
#include "app/window/words.h"
#include "core/document/tuner_database.h"
#include "core/notebook/notebook.h"

namespace loom::window {

namespace words = text::window;

namespace {

constexpr ImGuiWindowFlags kDialog = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings;

bool isReport(const std::string& exportKind) {
  return exportKind == "report" || exportKind == FileDialogs::kLessonReport;
}

bool isTable(const std::string& exportKind) { return exportKind == "csv" || exportKind == FileDialogs::kSweptSizes; }

// How the file is asked for; of an export or a picture `what`.
FileDialog::Terms termsOf(const session::Session& model, FileDialogs::Kind kind, const std::string& what) {
  using Kind = FileDialogs::Kind;
  using Purpose = FileDialog::Purpose;
  if (kind == Kind::kOpen)
    return {Purpose::kRead,
            {".tileloom", ".py", ".json", ".jsonl", ".ipynb", ".txt"},
            false,
            {},
            model.documents().lessonNames()};
  if (kind == Kind::kSave) {
    const bool changed = model.documents().isChangedOnDisk();
    const std::filesystem::path own = model.documents().file().value_or("");
    return {Purpose::kWrite, {".tileloom"}, false, changed ? "" : own, {}, changed ? own : ""};
  }
  if (kind == Kind::kPicture && what.empty()) return {Purpose::kWrite, {".png"}};
  if (kind == Kind::kPicture) return {Purpose::kWrite, {".png", ".svg"}};
  if (what == "project") return {Purpose::kWriteFolder};
  if (isReport(what)) return {Purpose::kWrite, {".html"}};
  if (isTable(what)) return {Purpose::kWrite, {".csv"}};
  return {Purpose::kWrite, {what == "cuda" ? ".cu" : what == "trace" ? ".json" : ".py"}, true};
}

// A name to begin with. Of what belongs to one state it says which.
std::string suggestion(const session::Session& model, FileDialogs::Kind kind, const std::string& what) {
  using Kind = FileDialogs::Kind;
  if (kind == Kind::kOpen || model.documents().target() == nullptr) return kind == Kind::kPicture ? "tileloom.png" : "";
  const std::string ending = kind == Kind::kPicture || what == "project" ? "" : termsOf(model, kind, what).endings[0];
  if (kind == Kind::kSave && model.documents().file()) return model.documents().file()->filename().string();
  const std::string name = model.documents().target()->title;
  if (kind == Kind::kSave || what == FileDialogs::kLessonReport) return name + ending;
  if (what == FileDialogs::kSweptSizes) return name + "_sizes" + ending;
  const std::string state = fmt::format("{:02}", model.navigation().node().number);
  if (kind == Kind::kPicture) return what.empty() ? "tileloom.png" : fmt::format("{}_{}.png", what, state);
  if (what == "tvmscript" || what == "project") return fmt::format("{}_{}_{}{}", name, state, what, ending);
  return fmt::format("{}_{}{}", name, state, ending);
}

}  // namespace

bool beginDialog(const Look& look, const char* title, const char* id) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({look.px(380), 0}, {viewport->Size.x, viewport->Size.y});
  // On the ground of panels, where fields and buttons stand out.
  ImGui::PushStyleColor(ImGuiCol_PopupBg, look.paint(Tone::kPanel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(14), look.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(kRowGap)});
  const bool open = ImGui::BeginPopupModal(windowName(title, id).c_str(), nullptr, kDialog);
  if (!open) {
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
  }
  return open;
}

void endDialog() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

bool dialogButton(const Look& look, const text::Text& words, const char* id) {
  const float text = ImGui::CalcTextSize(look.say(words)).x + 2 * ImGui::GetStyle().FramePadding.x;
  return ImGui::Button(windowName(look.say(words), id).c_str(), {std::max(look.px(96), text), 0});
}

std::string exportLabel(const Look& look, const std::string& kind) {
  if (kind == "cuda") return "CUDA";
  if (kind == "tvmscript") return "TVMScript";
  if (kind == "python") return "Python (TVM)";
  const text::Text& words = kind == "trace"                      ? words::kTrace
                            : kind == "project"                  ? words::kProject
                            : kind == "csv"                      ? words::kTable
                            : kind == FileDialogs::kSweptSizes   ? words::kSizesTable
                            : kind == FileDialogs::kLessonReport ? words::kLessonReport
                                                                 : words::kReport;
  return look.say(words);
}

bool FileDialogs::asksForFile() const { return wanted_ != Kind::kNone || ImGui::IsPopupOpen("###filename"); }

void FileDialogs::show(Kind kind, const session::Session& model, const std::string& exportKind) {
  wanted_ = kind;
  exportKind_ = exportKind;
  if (kind == Kind::kMatmul) return;
  const auto file = model.documents().file();
  question_.ask(termsOf(model, kind, exportKind), file ? file->parent_path() : "", suggestion(model, kind, exportKind));
}

void FileDialogs::save(session::Session& model) {
  if (model.documents().file() && !model.documents().isChangedOnDisk()) {
    model.documents().save();
  } else {
    show(Kind::kSave, model);
  }
}

void FileDialogs::draw(const Look& look, session::Session& model) {
  if (wanted_ != Kind::kNone) closing_ = false;
  if (wanted_ != Kind::kNone) {
    kind_ = wanted_;
    wanted_ = Kind::kNone;
    ImGui::OpenPopup(kind_ == Kind::kMatmul ? "###newmatmul" : "###filename");
  }
  if (new_.draw(look, model, closing_)) fastWanted_ = true;
  drawFile(look, model);
  drawRecovery(look, model);
  drawOpenProblem(look, model);
  drawRecords(look, model);
  closing_ = false;
}

bool openPasted(session::Session& model) {
  const char* text = ImGui::GetClipboardText();
  if (text == nullptr || !notebook::holdsProgram(text)) return false;
  model.documents().openFunction(text, "pasted.py");
  return true;
}

void FileDialogs::drawFile(const Look& look, session::Session& model) {
  const text::Text& title = kind_ == Kind::kOpen      ? words::kOpenTitle
                            : kind_ == Kind::kExport  ? words::kExport
                            : kind_ == Kind::kPicture ? words::kSavePictureTitle
                                                      : words::kSaveAsTitle;
  std::string name = look.say(title);
  if (kind_ == Kind::kExport) name += " · " + exportLabel(look, exportKind_);
  if (!beginDialog(look, name.c_str(), "filename")) return;
  auto second = [&](const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    panels::drawWrapped(text, look.px(FileDialog::kWidth));
    ImGui::PopStyleColor();
  };
  if (kind_ == Kind::kExport && exportKind_ != kLessonReport && exportKind_ != kSweptSizes &&
      model.documents().target() != nullptr) {
    second(panels::say(look, words::kOfState, model.navigation().node().number,
                       panels::stateTitle(look, model.navigation().node())));
  }
  if (kind_ == Kind::kPicture && !exportKind_.empty()) second(look.say(words::kPictureFormats));
  bool taken = question_.draw(look);
  const bool asks = question_.replaces();
  const text::Text& verb = kind_ == Kind::kOpen     ? words::kOpenTitle
                           : kind_ == Kind::kExport ? words::kExport
                                                    : words::kSave;
  ImGui::BeginDisabled(!question_.hasName());
  taken |= asks ? dialogButton(look, words::kReplace, "replace") : dialogButton(look, verb, "ok");
  ImGui::EndDisabled();
  ImGui::SameLine();
  bool done = dialogButton(look, words::kCancel, "cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape) || closing_;
  if (taken && !done) {
    if (const auto file = question_.take(look)) {
      answer(*file, model);
      done = true;
    }
  }
  if (done) ImGui::CloseCurrentPopup();
  endDialog();
}

void FileDialogs::answer(const std::string& file, session::Session& model) {
  const bool ours = isReport(exportKind_) || isTable(exportKind_);
  if (kind_ == Kind::kOpen) model.documents().open(file);
  if (kind_ == Kind::kSave) model.documents().saveAs(file);
  if (kind_ == Kind::kExport && !ours) model.documents().exportTo(exportKind_, file);
  if (kind_ == Kind::kPicture || (kind_ == Kind::kExport && ours)) wish_ = Wish{kind_, exportKind_, file};
}

void FileDialogs::drawRecovery(const Look& look, session::Session& model) {
  if (model.documents().recovery() && !ImGui::IsPopupOpen("###recover")) {
    ImGui::OpenPopup("###recover");
    recovered_ = timeOfFile(*model.documents().recovery());
  }
  if (!beginDialog(look, look.say(words::kRecoverTitle), "recover")) return;
  panels::drawWrapped(panels::say(look, words::kRecoverWhy, recovered_), look.px(420));
  ImGui::Spacing();
  if (dialogButton(look, words::kOpenTitle, "open")) {
    model.documents().recover();
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (dialogButton(look, words::kDiscard, "discard")) {
    model.documents().discardRecovery();
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (dialogButton(look, words::kLater, "later") || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    model.documents().leaveRecovery();
    ImGui::CloseCurrentPopup();
  }
  endDialog();
}

void FileDialogs::drawOpenProblem(const Look& look, session::Session& model) {
  if (model.documents().openProblem() && !ImGui::IsPopupOpen("###openproblem")) {
    ImGui::OpenPopup("###openproblem");
    if (kind_ == Kind::kOpen) question_.takeBack();
  }
  if (!beginDialog(look, look.say(words::kOpenFailed), "openproblem")) return;
  if (const auto& problem = model.documents().openProblem()) {
    if (const std::string place = notation::placeText(problem->place); !place.empty())
      panels::drawWrapped(place, look.px(520));
    panels::drawWrapped(look.tell(problem->message), look.px(520));
    panels::drawSourceLine(look, problem->place, look.px(520));
    ImGui::Spacing();
  }
  if (dialogButton(look, words::kOk, "ok") || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    model.documents().dismissOpenProblem();
    ImGui::CloseCurrentPopup();
  }
  endDialog();
}

// The fastest is open behind it; another is opened in its place.
void FileDialogs::drawRecords(const Look& look, session::Session& model) {
  const document::Target* target = model.documents().target();
  const bool several = target != nullptr && target->tuned && !target->tuned->choices.empty();
  if (several && recordsOf_ != model.opened()) {
    recordsOf_ = model.opened();
    ImGui::OpenPopup("###records");
  }
  if (!beginDialog(look, look.say(words::kRecordsTitle), "records")) return;
  bool done = !several || closing_;
  if (several) {
    const float width = look.px(640);
    panels::drawWrapped(panels::say(look, words::kRecordsWhy, target->tuned->choices.size()), width);
    ImGui::Spacing();
    std::string chosen;
    const float height = ImGui::GetTextLineHeightWithSpacing() * float(target->tuned->choices.size() + 1);
    if (ImGui::BeginChild("###list", {width, std::min(height, look.px(260))}, ImGuiChildFlags_Borders,
                          ImGuiWindowFlags_HorizontalScrollbar)) {
      for (const auto& choice : target->tuned->choices) {
        const std::string arguments = choice.arguments.empty() ? "" : " · " + choice.arguments;
        const std::string id = "record" + choice.word.substr(choice.word.rfind('#') + 1);
        if (ImGui::Selectable(windowName((look.tell(choice.text) + arguments).c_str(), id.c_str()).c_str())) {
          chosen = choice.word;
        }
      }
    }
    ImGui::EndChild();
    if (!chosen.empty()) model.documents().open(chosen);
    done |= !chosen.empty();
  }
  done |= dialogButton(look, words::kKeepFastest, "keep") || ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (done) ImGui::CloseCurrentPopup();
  endDialog();
}

}  // namespace loom::window
