#include "app/window/file_dialogs.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <array>
#include <filesystem>
#include <optional>

#include "app/panels/rich_text.h"
#include "app/text/window.h"
#include "app/window/layouts.h"

namespace loom::window {

namespace words = text::window;

namespace {

constexpr ImGuiWindowFlags kDialog = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings;

std::string suggestion(const workbench::Workbench& model, FileDialogs::Kind kind, const std::string& exportKind) {
  const std::string name = model.target() != nullptr ? model.target()->title : "untitled";
  if (kind == FileDialogs::Kind::kSave) return name + ".tileloom";
  if (kind == FileDialogs::Kind::kPicture) return (exportKind.empty() ? "tileloom" : exportKind) + ".png";
  if (kind != FileDialogs::Kind::kExport) return "";
  if (exportKind == "report" || exportKind == FileDialogs::kLessonReport) return name + ".html";
  if (exportKind == "csv") return name + ".csv";
  if (exportKind == "cuda") return name + ".cu";
  if (exportKind == "trace") return name + ".json";
  if (exportKind == "project") return name + "_project";
  return name + ".py";
}

// A label before its field, on its line.
void label(const char* text) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text);
  ImGui::SameLine();
}

void chooseDtype(const Look& look, const char* id, std::string& value) {
  static constexpr std::array<const char*, 6> kDtypes = {"float16", "bfloat16", "float32", "float64", "int8", "int32"};
  ImGui::SetNextItemWidth(look.px(120));
  if (ImGui::BeginCombo(id, value.c_str())) {
    for (const char* dtype : kDtypes) {
      if (ImGui::Selectable(dtype, value == dtype)) value = dtype;
    }
    ImGui::EndCombo();
  }
}

}  // namespace

bool beginDialog(const Look& look, const char* title, const char* id) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({look.px(380), 0}, {viewport->Size.x, viewport->Size.y});
  // On the ground of panels, where fields and buttons stand out.
  ImGui::PushStyleColor(ImGuiCol_PopupBg, look.paint(Tone::kPanel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(14), look.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(7)});
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
  return ImGui::Button(windowName(look.say(words), id).c_str(), {look.px(96), 0});
}

std::string exportLabel(const Look& look, const std::string& kind) {
  if (kind == "cuda") return "CUDA";
  if (kind == "tvmscript") return "TVMScript";
  if (kind == "python") return "Python (TVM)";
  const text::Text& words = kind == "trace"                      ? words::kTrace
                            : kind == "project"                  ? words::kProject
                            : kind == "csv"                      ? words::kTable
                            : kind == FileDialogs::kLessonReport ? words::kLessonReport
                                                                 : words::kReport;
  return look.say(words);
}

bool FileDialogs::asksForFile() const { return wanted_ != Kind::kNone || ImGui::IsPopupOpen("###filename"); }

void FileDialogs::show(Kind kind, const workbench::Workbench& model, const std::string& exportKind) {
  wanted_ = kind;
  exportKind_ = exportKind;
  replaced_.clear();
  file_ = suggestion(model, kind, exportKind);
}

void FileDialogs::save(workbench::Workbench& model) {
  if (model.file()) {
    model.save();
  } else {
    show(Kind::kSave, model);
  }
}

void FileDialogs::draw(const Look& look, workbench::Workbench& model) {
  if (wanted_ != Kind::kNone) closing_ = false;
  if (wanted_ != Kind::kNone) {
    kind_ = wanted_;
    wanted_ = Kind::kNone;
    ImGui::OpenPopup(kind_ == Kind::kMatmul ? "###newmatmul" : "###filename");
  }
  drawMatmul(look, model);
  drawFile(look, model);
  drawRecovery(look, model);
  drawOpenProblem(look, model);
  closing_ = false;
}

void FileDialogs::drawMatmul(const Look& look, workbench::Workbench& model) {
  if (!beginDialog(look, look.say(words::kNewMatmulTitle), "newmatmul")) return;
  ImGui::TextUnformatted(look.say(words::kSizes));
  std::optional<Error> unread;
  bool entered = false;
  const std::array<std::pair<const char*, std::int64_t*>, 3> sizes = {
      {{"M", &matmul_.m}, {"N", &matmul_.n}, {"K", &matmul_.k}}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& [name, value] = sizes[i];
    if (i == 0 && ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    label(name);
    ImGui::SetNextItemWidth(look.px(92));
    entered |= ImGui::InputText(fmt::format("###{}", char(name[0] - 'A' + 'a')).c_str(), &sizes_[i],
                                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (i + 1 < sizes.size()) ImGui::SameLine(0, look.px(14));
    if (auto read = workbench::readSize(name, sizes_[i])) {
      *value = *read;
    } else if (!unread) {
      unread = read.error();
    }
  }
  label(look.say(words::kOperands));
  ImGui::SameLine(look.px(150));
  chooseDtype(look, "###input", matmul_.input);
  label(look.say(words::kResult));
  ImGui::SameLine(look.px(150));
  chooseDtype(look, "###output", matmul_.output);
  auto transposed = [&](const char* name, const char* id, bool* value) {
    ImGui::Checkbox(windowName(fmt::format(fmt::runtime(look.say(words::kStoredTransposed)), name).c_str(), id).c_str(),
                    value);
  };
  transposed("X", "transposex", &matmul_.transposeX);
  transposed("Y", "transposey", &matmul_.transposeY);
  Result<std::string> text = unread ? Failure(*unread) : workbench::matmulFunction(matmul_);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(text ? Tone::kTextSecond : Tone::kError));
  if (text) {
    ImGui::Text("Z[i, j] += %s · %s", matmul_.transposeX ? "X[k, i]" : "X[i, k]",
                matmul_.transposeY ? "Y[j, k]" : "Y[k, j]");
  } else {
    panels::drawWrapped(look.tell(text.error().message), look.px(360));
  }
  ImGui::PopStyleColor();
  ImGui::BeginDisabled(!text);
  if (dialogButton(look, words::kCreate, "create") || (entered && text)) {
    model.openMatmul(matmul_);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (dialogButton(look, words::kCancel, "cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape) || closing_)
    ImGui::CloseCurrentPopup();
  endDialog();
}

void FileDialogs::drawFile(const Look& look, workbench::Workbench& model) {
  const text::Text& title = kind_ == Kind::kOpen      ? words::kOpenTitle
                            : kind_ == Kind::kExport  ? words::kExport
                            : kind_ == Kind::kPicture ? words::kSavePictureTitle
                                                      : words::kSaveAsTitle;
  std::string name = look.say(title);
  if (kind_ == Kind::kExport) name += " · " + exportLabel(look, exportKind_);
  if (!beginDialog(look, name.c_str(), "filename")) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(look.px(420));
  const bool entered =
      ImGui::InputTextWithHint("###file", look.say(words::kFileName), &file_, ImGuiInputTextFlags_EnterReturnsTrue);
  std::error_code error;
  if (kind_ != Kind::kOpen && !file_.empty()) {
    const auto folder = std::filesystem::absolute(file_, error).parent_path();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    panels::drawWrapped(fmt::format(fmt::runtime(look.say(words::kInFolder)), folder.string()), look.px(420));
    ImGui::PopStyleColor();
  }
  if (kind_ == Kind::kPicture && !exportKind_.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    panels::drawWrapped(look.say(words::kPictureFormats), look.px(420));
    ImGui::PopStyleColor();
  }
  // What is there already is replaced only once the question was seen, and by the button.
  const bool asks = !replaced_.empty() && replaced_ == file_;
  if (asks) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kWarning));
    panels::drawWrapped(fmt::format(fmt::runtime(look.say(words::kExists)), file_), look.px(420));
    ImGui::PopStyleColor();
  }
  ImGui::BeginDisabled(file_.empty());
  bool taken = asks ? dialogButton(look, words::kReplace, "replace")
                    : dialogButton(look, words::kOk, "ok") || (entered && !file_.empty());
  ImGui::EndDisabled();
  const bool own = kind_ == Kind::kSave && model.file() && *model.file() == file_;
  if (taken && !asks && !own && kind_ != Kind::kOpen && std::filesystem::exists(file_, error)) {
    replaced_ = file_;
    taken = false;
  }
  ImGui::SameLine();
  const bool dropped = dialogButton(look, words::kCancel, "cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape) || closing_;
  if (taken) {
    if (kind_ == Kind::kOpen) model.open(file_);
    if (kind_ == Kind::kSave) model.saveAs(file_);
    const bool ours = exportKind_ == "report" || exportKind_ == kLessonReport || exportKind_ == "csv";
    if (kind_ == Kind::kExport && !ours) model.exportTo(exportKind_, file_);
    if (kind_ == Kind::kPicture || (kind_ == Kind::kExport && ours)) wish_ = Wish{kind_, exportKind_, file_};
  }
  if (taken || dropped) ImGui::CloseCurrentPopup();
  endDialog();
}

void FileDialogs::drawRecovery(const Look& look, workbench::Workbench& model) {
  if (model.recovery() && !ImGui::IsPopupOpen("###recover")) ImGui::OpenPopup("###recover");
  if (!beginDialog(look, look.say(words::kRecoverTitle), "recover")) return;
  panels::drawWrapped(look.say(words::kRecoverWhy), look.px(420));
  ImGui::Spacing();
  if (dialogButton(look, words::kOpenTitle, "open")) {
    model.recover();
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (dialogButton(look, words::kDiscard, "discard")) {
    model.discardRecovery();
    ImGui::CloseCurrentPopup();
  }
  endDialog();
}

void FileDialogs::drawOpenProblem(const Look& look, workbench::Workbench& model) {
  if (model.openProblem() && !ImGui::IsPopupOpen("###openproblem")) ImGui::OpenPopup("###openproblem");
  if (!beginDialog(look, look.say(words::kOpenFailed), "openproblem")) return;
  if (const auto& problem = model.openProblem()) {
    std::string place = problem->place.file;
    if (problem->place.line > 0) place += fmt::format(":{}", problem->place.line);
    if (!place.empty()) panels::drawWrapped(place, look.px(520));
    panels::drawWrapped(look.tell(problem->message), look.px(520));
    ImGui::Spacing();
  }
  if (dialogButton(look, words::kOk, "ok") || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    model.dismissOpenProblem();
    ImGui::CloseCurrentPopup();
  }
  endDialog();
}

}  // namespace loom::window
