#include "app/window/dialogs/file_dialog.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "app/ui/list_row.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/window/file_words.h"
#include "core/document/file.h"
#include "core/process/home.h"

namespace loom::window {

namespace words = text::file;
namespace fs = std::filesystem;

namespace {

constexpr int kRows = 10;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

bool hasOne(const fs::path& file, const std::vector<std::string>& endings) {
  return std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
}

bool isFolder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

// The end of a path tells more of it than its beginning.
std::string fittedPath(const std::string& path, float room) {
  std::string shown = path;
  for (std::size_t from = path.find('/', 1); from != std::string::npos && ImGui::CalcTextSize(shown.c_str()).x > room;
       from = path.find('/', from + 1)) {
    shown = "…" + path.substr(from);
  }
  return panels::ellipsized(shown, room);
}

}  // namespace

void FileDialog::ask(Terms terms, fs::path folder, std::string name) {
  terms_ = std::move(terms);
  before_ = folder_;
  if (folder.empty()) folder = folder_;
  std::error_code error;
  if (folder.empty() || !isFolder(folder)) folder = fs::current_path(error);
  // Started from a menu of the desktop, the program stands at the root of everything.
  if (folder.empty() || folder == folder.root_path()) folder = process::homeFolder().value_or("/");
  replaced_.clear();
  kept_ = std::move(name);
  go(fs::absolute(folder, error));
  replaced_ = terms_.changed;
}

void FileDialog::go(fs::path folder) {
  folder_ = folder.lexically_normal();
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // "a/" is "a"
  name_ = kept_;
  problem_.clear();
  typing_ = true;
  reader_.read(folder_, terms_.endings);
}

fs::path FileDialog::answer() const {
  std::string name = trimmed(name_);
  if (const auto home = process::homeFolder(); home && (name == "~" || name.starts_with("~/"))) {
    name = home->string() + name.substr(1);
  }
  if (name.empty()) return {};
  fs::path file = (folder_ / name).lexically_normal();
  const bool written = terms_.purpose == Purpose::kWrite && file.has_filename() && !terms_.endings.empty();
  const bool complete = hasOne(file, terms_.endings) || (terms_.foreignEnding && file.has_extension());
  if (written && !complete && !isFolder(file)) file += terms_.endings.front();
  return file;
}

std::string FileDialog::refusal(const Look& look, const fs::path& file) const {
  std::error_code unknown;
  if (terms_.purpose == Purpose::kRead) {
    const fs::file_status status = fs::status(file, unknown);
    if (status.type() == fs::file_type::none) {
      return panels::say(look, words::kUnreadable, file.string(), look.tell(systemMessage(unknown.value())));
    }
    if (!fs::exists(status)) return panels::say(look, words::kNoFile, file.string());
    if (!fs::is_regular_file(status)) return panels::say(look, words::kNotPlain, file.string());
    if (!std::ifstream(file))
      return panels::say(look, words::kUnreadable, file.string(), look.tell(systemMessage(errno)));
    return "";
  }
  const bool intoFolder = terms_.purpose == Purpose::kWriteFolder && isFolder(file);
  if (!isFolder(file.parent_path())) return panels::say(look, words::kNoFolder, file.parent_path().string());
  if (terms_.purpose == Purpose::kWriteFolder && !intoFolder && fs::exists(file, unknown)) {
    return panels::say(look, words::kNotAFolder, file.string());
  }
  const auto possible = document::canWrite(intoFolder ? file / "_" : file);
  return possible ? "" : look.tell(possible.error().message);
}

std::optional<std::string> FileDialog::take(const Look& look) {
  problem_.clear();
  const std::string word = trimmed(name_);
  const fs::path file = answer();
  if (file.empty()) {
    typing_ = true;
    return std::nullopt;
  }
  std::error_code unknown;
  const bool there = fs::exists(file, unknown);
  const bool isWord = std::find(terms_.words.begin(), terms_.words.end(), word) != terms_.words.end();
  if (!there && isWord) return word;
  if (isFolder(file) && (terms_.purpose != Purpose::kWriteFolder || !file.has_filename())) {
    go(file);
    typing_ = true;
    return std::nullopt;
  }
  problem_ = refusal(look, file);
  if (!problem_.empty()) {
    typing_ = true;
    return std::nullopt;
  }
  const bool empty = terms_.purpose == Purpose::kWriteFolder && fs::is_empty(file, unknown);
  if (terms_.purpose != Purpose::kRead && there && !empty && file != terms_.own && !replaces()) {
    replaced_ = file;
    typing_ = true;
    return std::nullopt;
  }
  folder_ = file.parent_path();
  return file.string();
}

bool FileDialog::draw(const Look& look) {
  reader_.poll();
  drawFolder(look);
  const bool twice = drawEntries(look);
  const bool entered = drawName(look);
  const float room = look.px(kWidth);
  auto line = [&](Tone tone, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
    panels::drawWrapped(text, room);
    ImGui::PopStyleColor();
  };
  const fs::path file = answer();
  const bool longer = file.has_filename() && file.filename().string() != fs::path(trimmed(name_)).filename().string();
  if (!problem_.empty()) {
    line(Tone::kError, problem_);
  } else if (replaces()) {
    const text::Text& question = replaced_ == terms_.changed               ? words::kChanged
                                 : terms_.purpose == Purpose::kWriteFolder ? words::kFolderExists
                                                                           : words::kExists;
    line(Tone::kWarning, panels::say(look, question, file.filename().string()));
  } else if (terms_.purpose == Purpose::kWrite && !name_.empty() && longer) {
    line(Tone::kTextSecond, panels::say(look, words::kWithEnding, file.filename().string()));
  }
  return twice || entered;
}

void FileDialog::drawFolder(const Look& look) {
  const char* up = look.say(words::kUp);
  const float button = ImGui::CalcTextSize(up).x + 2 * ImGui::GetStyle().FramePadding.x;
  const float room = look.px(kWidth) - button - ImGui::GetStyle().ItemSpacing.x;
  const std::string path = folder_.string();
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(fittedPath(path, room).c_str());
  if (ImGui::CalcTextSize(path.c_str()).x > room) panels::setItemTip(look, path);
  ImGui::SameLine(left + look.px(kWidth) - button);
  ImGui::BeginDisabled(folder_ == folder_.root_path());
  if (ImGui::Button((std::string(up) + "###up").c_str())) {
    if (terms_.purpose != Purpose::kRead && !name_.ends_with('/')) kept_ = name_;
    go(folder_.parent_path());
  }
  ImGui::EndDisabled();
}

int FileDialog::rowOf(const std::string& name) const {
  const FolderContents* contents = reader_.contents();
  if (contents == nullptr) return -1;
  for (std::size_t i = 0; i < contents->entries.size(); ++i) {
    const FolderContents::Entry& entry = contents->entries[i];
    if (entry.name == name || (entry.folder && entry.name == name + "/")) return int(i);
  }
  return -1;
}

bool FileDialog::drawEntries(const Look& look) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, look.paint(Tone::kStrip));
  ImGui::PushStyleColor(ImGuiCol_Header, look.paint(Tone::kSelected, 0.18F));
  bool twice = false;
  if (ImGui::BeginChild("files", {look.px(kWidth), kRows * listRowHeight()}, 0, ImGuiWindowFlags_NoNav)) {
    const FolderContents* contents = reader_.contents();
    auto say = [&](const std::string& text) {
      ImGui::SetCursorPos({ImGui::GetCursorPosX() + look.px(8), ImGui::GetCursorPosY() + look.px(2)});
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
      panels::drawWrapped(text, look.px(kWidth - 24));
      ImGui::PopStyleColor();
    };
    const float pad = look.px(8), right = ImGui::GetContentRegionAvail().x - pad;
    const float time = ImGui::CalcTextSize("2000-00-00 00:00").x;
    std::string chosen, entered;
    if (contents == nullptr) {
      say(look.say(words::kReading));
    } else if (!contents->problem.empty()) {
      say(look.tell(contents->problem));
    } else if (contents->entries.empty()) {
      say(look.say(words::kNothing));
    }
    const int here = rowOf(trimmed(name_));
    beginListRows();
    for (std::size_t i = 0; contents != nullptr && i < contents->entries.size(); ++i) {
      const FolderContents::Entry& entry = contents->entries[i];
      ImGui::PushID(int(i));
      const std::string id = "###" + entry.name.substr(0, entry.name.find('/'));
      if (ImGui::Selectable(id.c_str(), int(i) == here, ImGuiSelectableFlags_AllowDoubleClick)) {
        (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ? entered : chosen) = entry.name;
      }
      if (int(i) == here && std::exchange(moved_, false)) keepRowInSight();
      ImGui::SameLine(pad);
      ImGui::TextUnformatted(panels::ellipsized(entry.name, right - time - 2 * pad).c_str());
      ImGui::SameLine(right - time);
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
      ImGui::TextUnformatted(entry.changed.c_str());
      ImGui::PopStyleColor();
      ImGui::PopID();
    }
    endListRows();
    if (contents != nullptr && contents->more > 0) say(panels::say(look, words::kMore, contents->more));
    if (!chosen.empty() || !entered.empty()) {
      // What is to be written keeps its name on the way through folders.
      if (terms_.purpose != Purpose::kRead && !name_.ends_with('/')) kept_ = name_;
      name_ = entered.empty() ? chosen : entered;
      problem_.clear();
      typing_ = true;
      twice = !entered.empty();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
  return twice;
}

// ↑ and ↓ put the list's names into the field.
void FileDialog::move(ImGuiInputTextCallbackData& field, int rows) {
  const FolderContents* contents = reader_.contents();
  if (contents == nullptr || contents->entries.empty()) return;
  const int count = int(contents->entries.size());
  const int here = rowOf(trimmed(std::string(field.Buf, std::size_t(field.BufTextLen))));
  const int next = here < 0 ? (rows > 0 ? 0 : count - 1) : (here + rows + count) % count;
  field.DeleteChars(0, field.BufTextLen);
  field.InsertChars(0, contents->entries[std::size_t(next)].name.c_str());
  moved_ = true;
}

bool FileDialog::drawName(const Look& look) {
  // What the mouse holds keeps the keyboard.
  if (ImGui::IsWindowAppearing() || (typing_ && !ImGui::IsAnyMouseDown())) {
    typing_ = false;
    ImGui::SetKeyboardFocusHere();
    // A field that has the keyboard already would keep its own text.
    if (ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetID("###file"))) {
      state->ReloadUserBufAndSelectAll();
    }
  }
  ImGui::SetNextItemWidth(look.px(kWidth));
  auto takeArrows = [](ImGuiInputTextCallbackData* data) {
    static_cast<FileDialog*>(data->UserData)->move(*data, data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    return 0;
  };
  const bool entered = ImGui::InputTextWithHint(
      "###file", look.say(terms_.purpose == Purpose::kWriteFolder ? words::kFolderName : words::kFileName), &name_,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, takeArrows, this);
  if (ImGui::IsItemEdited()) problem_.clear();
  if (entered && replaces()) typing_ = true;  // another name may be the answer; to replace takes the button
  return entered && !replaces();
}

}  // namespace loom::window
