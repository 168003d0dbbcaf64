#include "app/window/shell.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/view/view_makers.h"
#include "app/text/comparing.h"
#include "app/ui/list_row.h"
#include "app/ui/text.h"
#include "app/window/panel_capture.h"
#include "app/window/step_bar.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;

namespace {

constexpr double kScreenSeconds = 1.0 / 60;
constexpr float kLayoutPadding = 16;  // design px, around a word of the layout switch

}  // namespace

Workbench::Workbench(Host& host, const WorkbenchOptions& options)
    : host_(host),
      folder_(options.settingsFolder),
      writer_(Host::wake),
      reports_(Host::wake),
      settings_(loadSettings(folder_)),
      layouts_(folder_, settings_.arrangement, writer_) {
  if (options.language) {
    settings_.language = options.language;
  }
  session::Options model = options.model;
  model.wake = Host::wake;
  model.views = session::viewMakers();
  model_ = std::make_unique<session::Session>(std::move(model));
  if (!options.open.empty()) {
    model_->documents().open(options.open);
  }
  applied_ = settings_;
  look_.fonts = loadFonts(options.systemFaces);
  for (const panels::PanelEntry& entry : panels::panelTable()) {
    panels_.push_back({entry, entry.make()});
  }
  if (!look_.fonts.chinese) {
    if (settings_.language == text::Language::kChinese)
      message_ = [] { return std::string(words::kNoChineseFont.in(text::Language::kEnglish)); };
    messageIsError_ = true;
  }
}

void Workbench::warm() {
  for (const OpenPanel& open : panels_) open.panel->warm();
}

void Workbench::run() {
  frame();
  warm();
  while (!host_.closing()) {
    const double sleep = pace_.next();
    // A frame that was drawn and exchanged has waited for the screen; others would come again at once.
    host_.waitForEvents(sleep == 0 && !(drawn_ && host_.waitsForScreen()) ? kScreenSeconds : sleep);
    if (sleep < 0) {
      pace_.touch();
    }
    frame();
  }
}

void Workbench::frame(Image* picture) {
  // The window's own button asks as Ctrl+Q does.
  if (host_.closing() && model_->documents().isModified()) {
    host_.stayOpen();
    quit();
  }
  followSettings();
  takeOutcomes();
  followTitle();
  frameTimes_.begin();
  if (model_->poll()) {
    pace_.touch();
  }
  layouts_.applyBetweenFrames();
  if (picture == nullptr && pictureFile_.empty() && panelIsReady()) beginPortrait();
  const bool unseen = !portrait_.panel().empty();
  std::optional<ExactShapes> exact;
  if (unseen && panelFile_.extension() == ".svg") exact.emplace();
  // Dear ImGui takes a key's presses one a frame: while some wait, and where the size changed, more frames must come.
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) pace_.touch();
  host_.beginFrame();
  if (ImGui::GetIO().DisplaySize.x != size.x || ImGui::GetIO().DisplaySize.y != size.y) pace_.touch();
  takeShortcuts();
  drawMenus();
  drawStatus();
  layouts_.buildWhereNone();
  drawDockSpace();
  drawPanels();
  dialogs_.draw(look_, *model_);
  if (dialogs_.takeFastWanted()) makeFast_.showForNext(*model_);
  makeFast_.draw(look_, *model_);
  unsaved_.draw(look_, *model_, dialogs_);
  palette_.draw(look_);
  if (const auto wish = dialogs_.takeWish()) take(*wish);
  if (model_->navigation().isPlaying()) {
    model_->navigation().advance(ImGui::GetIO().DeltaTime);
    pace_.touch();
  }
  if (const ImGuiIO& io = ImGui::GetIO(); io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 ||
                                          ImGui::IsAnyMouseDown() || io.InputQueueCharacters.Size > 0) {
    pace_.touch();
  }
  if (unseen) {
    host_.endUnseen();
    if (portrait_.isComplete()) savePortrait();
    pace_.touch();
    return;
  }
  Image saved;
  const bool save = !pictureFile_.empty();
  drawn_ = host_.endFrame(rgb(Tone::kPanel, look_.theme), save ? &saved : picture);
  layouts_.keepWhatMoved();
  frameTimes_.end();
  if (save) {
    writer_.write(std::filesystem::absolute(std::exchange(pictureFile_, {})),
                  [image = std::move(saved)] { return encodePng(image); });
  }
}

void Workbench::followSettings() {
  settings_.arrangement = layouts_.inUse();
  const float contentScale = host_.contentScale();
  if (settings_ != applied_ || contentScale != appliedContentScale_) {
    if (settings_ != applied_ && folder_) {
      writer_.write(*folder_ / "settings.json", format(settings_));
    }
    applied_ = settings_;
    appliedContentScale_ = contentScale;
    look_.theme = settings_.theme;
    look_.language = settings_.language.value_or(text::environmentLanguage());
    const float scale = contentScale * static_cast<float>(settings_.scalePercent) / 100.0F;
    if (scale != look_.scale) layouts_.rescaled();
    look_.scale = scale;
    look_.reducedMotion = settings_.reducedMotion;
    model_->proposals().setEnabled(settings_.searchFaster);
    applyStyle(look_);
    pace_.touch();
  }
}

void Workbench::followTitle() {
  std::string title = "Tileloom";
  if (const document::Target* target = model_->documents().target()) {
    const auto file = model_->documents().file();
    const std::string name = file ? file->filename().string() : target->title;
    title = name + (model_->documents().isModified() ? " •" : "") + " – " + title;
  }
  if (title == title_) return;
  title_ = title;
  host_.setTitle(title);
}

void Workbench::takeOutcomes() {
  const auto next = [this] {
    auto written = writer_.takeOutcome();
    return written ? written : reports_.takeOutcome();
  };
  while (auto outcome = next()) {
    const std::string ending = outcome->path.extension().string();
    const bool picture = ending == ".png" || ending == ".svg" || ending == ".html" || ending == ".csv";
    if (!outcome->error.empty()) {
      message_ = [this, path = outcome->path.string(), error = outcome->error] {
        return panels::named(look_, panels::say(look_, words::kCannotWrite, path), look_.tell(error));
      };
      messageIsError_ = true;
    } else if (picture) {
      const bool image = ending == ".png" || ending == ".svg";
      const bool cut = std::exchange(cutPicture_, {}) == outcome->path;
      message_ = [this, image, cut, path = outcome->path.string()] {
        const text::Text& said = cut ? words::kPictureCut : image ? words::kPictureSaved : words::kWritten;
        return fmt::format(fmt::runtime(look_.say(said)), path);
      };
      messageIsError_ = false;
    }
  }
}

void Workbench::ask(FileDialogs::Kind kind) {
  unsaved_.before(*model_, [this, kind] { dialogs_.show(kind, *model_); });
}

void Workbench::quit() {
  unsaved_.before(*model_, [this] { host_.close(); });
}

void Workbench::changeScale(int steps) {
  constexpr int kStepPercent = 25;
  settings_.scalePercent = std::clamp(settings_.scalePercent + steps * kStepPercent, kSmallestScale, kLargestScale);
}

void Workbench::editStep() {
  if (model_->documents().target() == nullptr || model_->navigation().current() <= 0) return;
  callPanel("history");
  editStep_ = true;
}

void Workbench::takeShortcuts() {
  constexpr ImGuiInputFlags kGlobal = ImGuiInputFlags_RouteGlobal;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Q, kGlobal)) {
    quit();
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Equal, kGlobal) ||
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_KeypadAdd, kGlobal)) {
    changeScale(1);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Minus, kGlobal) ||
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract, kGlobal)) {
    changeScale(-1);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_0, kGlobal) ||
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Keypad0, kGlobal))
    settings_.scalePercent = 100;
  if (ImGui::GetTopMostPopupModal() != nullptr) {
    return;  // a question is to be answered first
  }
  takeHelpKey();
  if (ImGui::Shortcut(ImGuiKey_F11, kGlobal)) enlargeFocused();
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_P, kGlobal) ||
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P, kGlobal)) {
    openPalette();
  }
  if (model_->documents().target() != nullptr && !ImGui::GetIO().WantTextInput) {
    constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
    if (model_->comparison().node() >= 0 && model_->preview().step() == nullptr && !ImGui::IsPopupOpen("", kAny) &&
        ImGui::Shortcut(ImGuiKey_Escape, kGlobal)) {
      model_->comparison().end();
    }
    if (ImGui::Shortcut(ImGuiMod_Alt | ImGuiKey_LeftArrow, kGlobal | ImGuiInputFlags_Repeat) ||
        ImGui::Shortcut(ImGuiKey_LeftArrow, kGlobal | ImGuiInputFlags_Repeat)) {
      model_->navigation().stepBack();
    }
    if (ImGui::Shortcut(ImGuiMod_Alt | ImGuiKey_RightArrow, kGlobal | ImGuiInputFlags_Repeat) ||
        ImGui::Shortcut(ImGuiKey_RightArrow, kGlobal | ImGuiInputFlags_Repeat)) {
      model_->navigation().stepForward();
    }
    if (ImGui::Shortcut(ImGuiKey_F2, kGlobal)) {
      editStep();
    }
    if (ImGui::Shortcut(ImGuiKey_F5, kGlobal)) {
      model_->navigation().setPlaying(!model_->navigation().isPlaying());
    }
    if (ImGui::Shortcut(ImGuiKey_PageDown, kGlobal)) {
      model_->navigation().nextChapter();
    }
    if (ImGui::Shortcut(ImGuiKey_PageUp, kGlobal)) {
      model_->navigation().previousChapter();
    }
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Z, kGlobal)) {
      model_->edits().undo();
    }
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Y, kGlobal)) {
      model_->edits().redo();
    }
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_N, kGlobal)) {
    ask(FileDialogs::Kind::kMatmul);
  }
  // Where no field takes the text: a function, a script or a page opens.
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_V, kGlobal) && !ImGui::GetIO().WantTextInput) {
    openPasted(*model_);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_O, kGlobal)) {
    ask(FileDialogs::Kind::kOpen);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_S, kGlobal) && model_->documents().target() != nullptr) {
    dialogs_.save(*model_);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S, kGlobal) &&
      model_->documents().target() != nullptr) {
    dialogs_.show(FileDialogs::Kind::kSave, *model_);
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_M, kGlobal) && model_->documents().target() != nullptr) {
    model_->results().measure({});
  }
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Period, kGlobal)) {
    model_->cancel();
  }
  for (int i = 0; i < std::min<int>(9, static_cast<int>(panels_.size())); ++i) {
    if (ImGui::Shortcut(ImGuiMod_Ctrl | static_cast<ImGuiKey>(ImGuiKey_1 + i), kGlobal)) {
      panels_[static_cast<std::size_t>(i)].visible = true;
      callPanel(panels_[static_cast<std::size_t>(i)].entry.id);
    }
  }
}

void Workbench::drawMenus() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool open = ImGui::BeginMainMenuBar();
  ImGui::PopStyleVar();
  if (!open) {
    return;
  }
  ImGui::PushFont(look_.fonts.strong, kTextSize);
  ImGui::TextUnformatted("Tileloom");
  ImGui::PopFont();
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look_.px(kRowGap));
  if (ImGui::BeginMenu(windowName(look_.say(words::kFile), "file").c_str())) {
    drawFileMenu();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu(windowName(look_.say(words::kLesson), "lessons").c_str())) {
    drawLessonMenu();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu(windowName(look_.say(words::kView), "view").c_str())) {
    drawViewMenu();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu(windowName(look_.say(words::kHelp), "help").c_str())) {
    drawHelpMenu();
    ImGui::EndMenu();
  }
  ImGui::PopStyleVar();
  if (model_->documents().target() != nullptr) drawStepBar(look_, *model_);
  ImGui::EndMainMenuBar();
}

void Workbench::drawViewMenu() {
  auto name = [&](const text::Text& words, const char* id) { return windowName(look_.say(words), id); };
  if (ImGui::BeginMenu(name(words::kPanels, "panels").c_str())) {
    const Commands commands = panelCommands();
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const Command& c = commands[i];
      ImGui::MenuItem(windowName(c.label.c_str(), c.id.c_str()).c_str(), c.keys.c_str(), &panels_[i].visible);
    }
    ImGui::EndMenu();
  }
  auto submenu = [&](const text::Text& words, const char* id, const Commands& commands) {
    if (!ImGui::BeginMenu(name(words, id).c_str())) return;
    drawItems(commands);
    ImGui::EndMenu();
  };
  submenu(words::kSavePanel, "savepanel", pictureCommands());
  if (ImGui::BeginMenu(name(words::kLayout, "layout").c_str())) {
    drawLayoutMenu();
    ImGui::EndMenu();
  }
  submenu(words::kModelDevice, "modeldevice", deviceCommands());
  submenu(words::kTheme, "theme", themeCommands());
  submenu(words::kScale, "scale", scaleCommands());
  submenu(words::kLanguage, "language", languageCommands());
  if (ImGui::MenuItem(name(words::kWholeWindow, "wholewindow").c_str(), "F11", !enlarged_.empty())) enlargeFocused();
  panels::setItemTip(look_, look_.say(words::kWholeWindowHelp));
  ImGui::MenuItem(name(text::comparing::kBothSidesMenu, "bothsides").c_str(), nullptr, &settings_.bothSides);
  panels::setItemTip(look_, look_.say(text::comparing::kBothSidesHelp));
  ImGui::MenuItem(name(words::kReducedMotion, "motion").c_str(), nullptr, &settings_.reducedMotion);
  ImGui::MenuItem(name(words::kSearchFaster, "searchfaster").c_str(), nullptr, &settings_.searchFaster);
  panels::setItemTip(look_, look_.say(words::kSearchFasterHelp));
}

void Workbench::drawLayoutMenu() {
  drawItems(layoutCommands());
  ImGui::Separator();
  char buffer[65] = {};
  layoutName_.copy(buffer, sizeof buffer - 1);
  ImGui::SetNextItemWidth(look_.px(140));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, look_.paint(Tone::kPanel));
  ImGui::PushStyleColor(ImGuiCol_Button, look_.paint(Tone::kPanel));
  const bool entered = ImGui::InputTextWithHint("###layoutname", look_.say(words::kLayoutName), buffer, sizeof buffer,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  layoutName_ = buffer;
  ImGui::SameLine();
  ImGui::BeginDisabled(!Layouts::validName(layoutName_));
  if ((ImGui::Button(windowName(look_.say(words::kSaveLayout), "savelayout").c_str()) || entered) &&
      Layouts::validName(layoutName_)) {
    layouts_.saveAs(layoutName_);
    layoutName_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndDisabled();
  ImGui::PopStyleColor(2);
}

void Workbench::drawDockSpace() {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, look_.paint(Tone::kPanel, 0));
  ImGui::PushStyleColor(ImGuiCol_Border, look_.paint(Tone::kWindow));  // the gaps between panels take this one
  // What a splitter leaves of a panel: enough to see that it is there.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {look_.px(96), look_.px(64)});
  ImGui::DockSpaceOverViewport(dockspaceId(), nullptr, ImGuiDockNodeFlags_NoWindowMenuButton);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
}

void Workbench::arrange(const Arrangement& arrangement) {
  layouts_.reset(arrangement);
  for (OpenPanel& open : panels_) open.visible = true;
}

float Workbench::layoutSwitchWidth() const {
  float width = 0;
  for (const Arrangement& arrangement : arrangements()) {
    width += ImGui::CalcTextSize(look_.say(arrangement.brief)).x + look_.px(kLayoutPadding);
  }
  return width;
}

void Workbench::drawLayoutSwitch() {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const Arrangement& arrangement : arrangements()) {
    const char* brief = look_.say(arrangement.brief);
    const ImVec2 size = ImGui::CalcTextSize(brief);
    ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, 0);
    if (ImGui::InvisibleButton(windowName("", arrangement.id).c_str(),
                               {size.x + look_.px(kLayoutPadding), ImGui::GetWindowHeight()})) {
      arrange(arrangement);
    }
    ImGui::PopStyleVar();
    const bool hovered = ImGui::IsItemHovered(), chosen = settings_.arrangement == arrangement.id;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    if (chosen || hovered) {
      list->AddRectFilled({from.x, from.y + 1}, {to.x, to.y - 1}, look_.paint(chosen ? Tone::kStrip : Tone::kHovered),
                          look_.px(3));
    }
    list->AddText({from.x + look_.px(kLayoutPadding / 2), std::round((from.y + to.y - size.y) / 2)},
                  look_.paint(chosen ? Tone::kText : Tone::kTextSecond), brief);
    panels::setItemTip(look_, fmt::format(fmt::runtime(look_.say(words::kLayoutHover)), look_.say(arrangement.name)));
  }
}

void Workbench::drawStatus() {
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_MenuBar;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool open = ImGui::BeginViewportSideBar("###status", ImGui::GetMainViewport(), ImGuiDir_Down,
                                                ImGui::GetFrameHeight(), kFlags);
  ImGui::PopStyleVar();
  if (open && ImGui::BeginMenuBar()) {
    ImGui::PushFont(nullptr, kSecondarySize);
    // As menus: what looks like a choice is one.
    const std::string language = look_.language == text::Language::kChinese ? "中文" : "English";
    const std::string scale = fmt::format("{} %", settings_.scalePercent);
    const float gap = look_.px(8);
    const float menus = ImGui::CalcTextSize(language.c_str()).x + ImGui::CalcTextSize(scale.c_str()).x + 3 * gap;
    const float layouts = layoutSwitchWidth() + look_.px(24);
    drawActivity(menus + layouts + look_.px(12));
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - menus - layouts);
    drawLayoutSwitch();
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - menus);
    ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, gap);
    auto menu = [&](const std::string& label, const char* id, Commands (Workbench::*commands)()) {
      ImGui::PushStyleColor(ImGuiCol_Text, look_.paint(Tone::kTextSecond));
      const bool opened = ImGui::BeginMenu(windowName(label.c_str(), id).c_str());
      ImGui::PopStyleColor();
      if (!opened) return;
      ImGui::PushFont(look_.fonts.text, kTextSize);
      ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look_.px(kRowGap));
      drawItems((this->*commands)());
      ImGui::PopStyleVar();
      ImGui::PopFont();
      ImGui::EndMenu();
    };
    menu(language, "statuslanguage", &Workbench::languageCommands);
    menu(scale, "statusscale", &Workbench::scaleCommands);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::EndMenuBar();
  }
  ImGui::End();
}

}  // namespace loom::window
