#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/widgets/lesson_highlight.h"
#include "app/window/background_writer.h"
#include "app/window/command_palette.h"
#include "app/window/dialogs/file_dialogs.h"
#include "app/window/dialogs/make_fast.h"
#include "app/window/dialogs/unsaved_changes.h"
#include "app/window/frame_pace.h"
#include "app/window/frame_times.h"
#include "app/window/full_panel_capture.h"
#include "app/window/host.h"
#include "app/window/layouts.h"
#include "app/window/report_jobs.h"
#include "app/window/settings.h"
#include "core/tune/step_form.h"

namespace loom::window {

/// The options with which a workbench starts.
struct WorkbenchOptions {
  std::optional<std::filesystem::path> settingsFolder;  ///< none: nothing is kept between sessions
  std::optional<text::Language> language;               ///< stronger than the settings and the environment
  session::Options model;                               ///< `wake` is the window's
  std::string open = "tensor_core";                     ///< a lesson, a document, a function; empty: nothing
  bool systemFaces = true;  ///< false: Dear ImGui's own face, the same on every machine, without Chinese
};

/// The workbench in its window: menus, dock space, panels, status line.
class Workbench {
 public:
  Workbench(Host& host, const WorkbenchOptions& options);

  /// Draws one frame and, where asked, hands out its picture. Between two frames nothing of the workbench runs.
  void frame(Image* picture = nullptr);
  /// Does ahead of time what panels would otherwise do when they are first shown.
  void warm();
  /// Frames on demand until the window is closed.
  void run();

  session::Session& model() { return *model_; }
  const Look& look() const { return look_; }
  /// Returns the folder in which settings are kept; empty: they aren't kept.
  std::filesystem::path settingsFolder() const { return folder_.value_or(""); }
  FileDialogs& dialogs() { return dialogs_; }
  /// Writes a picture of the next frame, in the background.
  void askForPicture(std::filesystem::path file = "tileloom.png") { pictureFile_ = std::move(file); }
  /// Has a panel take the whole window, or end that.
  void enlarge(const std::string& panel);
  /// Brings a panel to the front, from the next frame on.
  void showPanel(const char* id) { front_ = id; }
  /// Brings a panel to the front for a key or a command: the panel takes the keyboard, too.
  void callPanel(const char* id) { front_ = called_ = id; }
  /// Opens what a lesson could point at, outlined for a moment.
  void showPlace(const document::Pointer& place) { spotlight_.open(place, *model_); }
  /// Ends that moment.
  void endOutline() { spotlight_.clear(); }
  /// Puts lines into the console's input, as a panel proposes them.
  void propose(const std::string& lines) { consoleProposal_ = lines; }
  Settings& settings() { return settings_; }
  Layouts& layouts() { return layouts_; }
  FrameTimes& frameTimes() { return frameTimes_; }
  /// Returns whether the last frame looked other than the one before, and so was drawn.
  bool drawn() const { return drawn_; }
  FramePacer& pace() { return pace_; }

 private:
  struct OpenPanel {
    const panels::PanelEntry& entry;
    std::unique_ptr<panels::Panel> panel;
    bool visible = true;
    std::unique_ptr<panels::Panel> twin =
        nullptr;  ///< that draws the state compared with; made for the first comparison
  };

  void followSettings();
  void followTitle();  // the window's: what is open, and whether it has changes that are in no file
  void takeOutcomes();
  Commands documentCommands();
  Commands saveCommands();
  Commands exportCommands();
  Commands programCommands();
  Commands lessonCommands();
  Commands chapterCommands();
  Commands historyCommands();
  Commands scheduleCommands();
  Commands panelCommands();
  Commands viewCommands();
  Commands pictureCommands();
  Commands layoutCommands();
  Commands themeCommands();
  Commands scaleCommands();
  Commands languageCommands();
  /// Whom the model answers for; empty until the devices are read.
  Commands deviceCommands();
  void drawDevice(float room);
  Commands primitiveCommands();
  void openPalette();
  void drawMenus();
  void drawFileMenu();
  void drawLessonMenu();
  void drawHelpMenu();
  void drawViewMenu();
  void drawLayoutMenu();
  void drawDockSpace();
  void drawPanels();
  void drawContents(OpenPanel& open, panels::PanelContext& context);
  void drawEnlarged(panels::PanelContext& context);
  void drawHelpOf(const panels::PanelEntry& entry);
  std::string windowOf(const std::string& panel) const;
  std::string focusedPanel() const;
  void enlargeFocused();
  void takeHelpKey();
  void drawStatus();
  float layoutSwitchWidth() const;
  void drawLayoutSwitch();
  void arrange(const Arrangement& arrangement);  // with every panel in it
  void drawActivity(float keep);                 // leaves `keep` px at the right
  void takeShortcuts();
  void editStep();
  void changeScale(int steps);
  void ask(FileDialogs::Kind kind);  // what takes the place of the document; after the question about it
  void quit();
  void runCommand();  // what a panel asks for

  Host& host_;
  std::optional<std::filesystem::path> folder_;
  BackgroundWriter writer_;
  ReportJobs reports_;
  Settings settings_;
  Settings applied_;
  float appliedContentScale_ = 0;
  Look look_;
  Layouts layouts_;
  std::unique_ptr<session::Session> model_;
  FileDialogs dialogs_;
  MakeFast makeFast_;
  UnsavedQuestion unsaved_;
  CommandPalette palette_;
  std::vector<OpenPanel> panels_;
  FramePacer pace_;
  bool drawn_ = true;
  FrameTimes frameTimes_;
  std::string title_;
  std::string layoutName_;
  std::string consoleProposal_;
  tune::StepForm formProposal_;
  std::string lastFocused_;  // panel that has the keyboard, or had it before a menu took it
  std::string enlarged_;     // panel that is over the whole window; empty: none
  std::string front_;        // panel to be brought to the front
  std::string called_;       // panel that a key or a command has opened, until it is drawn
  std::string command_;      // that a panel asks for
  bool editStep_ = false;    // the step on show is to be edited, by History
  panels::LessonHighlight spotlight_;
  std::string helpWanted_;                // panel whose help is to be opened
  std::function<std::string()> message_;  ///< in the language of the moment; null: there is none
  bool messageIsError_ = false;
  void take(const FileDialogs::Wish& wish);
  /// Returns whether the panel to be saved is to be seen without a question before it.
  bool panelIsReady();
  /// Of that panel, where it is shown; and writes it when it is complete.
  void beginPortrait();
  void savePortrait();
  void drawPortrait(panels::PanelContext& context);

  std::filesystem::path pictureFile_;  // of the next frame; empty: none is wanted
  std::string panelWanted_;            // id of a panel to be saved; empty: none
  std::filesystem::path panelFile_;
  int panelFrames_ = 0;  // to let it come to the front
  FullPanelCapture portrait_;
  std::filesystem::path cutPicture_;  // of a panel, not all of which there was room for
};

}  // namespace loom::window
