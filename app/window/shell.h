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
#include "core/process/on_all_cores.h"
#include "core/tune/step_form.h"

namespace loom::window {

/// The options with which a workbench starts.
struct WorkbenchOptions {
  std::optional<std::filesystem::path> settingsFolder;  ///< nothing: settings and layouts aren't kept between sessions
  std::optional<text::Language> language;  ///< nothing: the language of the settings, or else of the environment
  session::Options model;                  ///< options of the session; the window sets `wake` and `views`
  std::string open = "tensor_core";        ///< name of a lesson, or path of a document or a function; empty: none
  bool systemFaces = true;  ///< whether to use fonts of the system; else Dear ImGui's own, which has no Chinese
};

/// The workbench in its window: menus, dock space, panels, status line.
class Workbench {
 public:
  /// Starts opening `options.open` in the window `host`, which must outlive this object. Nothing is drawn yet.
  Workbench(Host& host, const WorkbenchOptions& options);

  /// Draws one frame and, unless `picture` is null, stores its picture there; a frame that captures a panel off screen,
  /// or whose picture `askForPicture` writes, stores none and leaves `*picture` as it is. Between two frames nothing of
  /// the workbench runs on this thread.
  void frame(Image* picture = nullptr);
  /// Makes panels do ahead of time the work that they would otherwise do when they are first shown.
  void warm();
  /// Draws frames when something changes, until the window is closed.
  void run();

  /// Returns the session: the open program and everything that is known of it.
  session::Session& model() { return *model_; }
  /// Returns the theme, the scale, the language and the fonts in use.
  const Look& look() const { return look_; }
  /// Returns the folder in which settings are kept; empty: they aren't kept.
  std::filesystem::path settingsFolder() const { return folder_.value_or(""); }
  /// Returns the dialogs of the File menu.
  FileDialogs& dialogs() { return dialogs_; }
  /// Has a picture of the next frame written to `file` in the background. A second call before that frame replaces the
  /// first.
  void askForPicture(std::filesystem::path file = "tileloom.png") { pictureFile_ = std::move(file); }
  /// Makes the panel with this id (PanelEntry::id, also below) take the whole window, or if it does, gives it back its
  /// place.
  void enlarge(const std::string& panel);
  /// Brings a panel to the front in the next frame. `id` isn't null.
  void showPanel(const char* id) { front_ = id; }
  /// Brings a panel to the front for a key or a command: the panel takes the keyboard, too.
  void callPanel(const char* id) { front_ = called_ = id; }
  /// Shows the panel, or the part of a panel, that `place`, a pointer in a lesson's text, names, with an outline for a
  /// moment.
  void showPlace(const document::Pointer& place) { spotlight_.open(place, *model_); }
  /// Removes the outline of `showPlace`.
  void endOutline() { spotlight_.clear(); }
  /// Puts step lines into the input field of the panel Console, where the user may apply them.
  void propose(const std::string& lines) { consoleProposal_ = lines; }
  /// Returns the user's settings; changes take effect, and are saved, in the next frame.
  Settings& settings() { return settings_; }
  /// Returns the layout of the panels.
  Layouts& layouts() { return layouts_; }
  /// Returns the durations of the frames so far.
  FrameTimes& frameTimes() { return frameTimes_; }
  /// Returns whether the last frame differed from the one before, and so was drawn.
  bool drawn() const { return drawn_; }
  /// Returns the object that decides when the next frame is drawn.
  FramePacer& pace() { return pace_; }

 private:
  struct OpenPanel {
    const panels::PanelEntry& entry;
    std::unique_ptr<panels::Panel> panel;
    bool visible = true;
    std::unique_ptr<panels::Panel> twin = nullptr;  ///< draws the state compared with; null before the first comparison
  };

  void followSettings();
  void followTitle();  // sets the window's title: what is open, and whether it has unsaved changes
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
  /// Returns the commands that choose the device that predictions are for; none until the devices have been read.
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
  void arrange(const Arrangement& arrangement);  // opens all panels and docks them by the preset
  void drawActivity(float keep);                 // leaves `keep` px at the right
  void takeShortcuts();
  void editStep();
  void changeScale(int steps);
  void ask(FileDialogs::Kind kind);  // opens a dialog for another program, after the question about unsaved changes
  void quit();
  void runCommand();  // runs the command that a panel has requested (`command_`)

  Host& host_;
  std::optional<std::filesystem::path> folder_;
  BackgroundWriter writer_;
  ReportJobs reports_;
  Settings settings_;
  Settings applied_;
  float appliedContentScale_ = 0;
  Look look_;
  Layouts layouts_;
  process::CoreKeptFree ownCore_;  // for frames, while the session plans and searches
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
  std::string command_;      // id of the command that a panel wants to be run; empty: none
  bool editStep_ = false;    // whether the panel History is to edit the current state's step
  panels::LessonHighlight spotlight_;
  std::string helpWanted_;                // panel whose help is to be opened
  std::function<std::string()> message_;  ///< returns the status line's message in the current language; empty: none
  bool messageIsError_ = false;
  void take(const FileDialogs::Wish& wish);
  /// Returns whether the panel `panelWanted_` is shown and no dialog lies over it, so that its picture can be taken.
  bool panelIsReady();
  /// Starts the capture of the panel `panelWanted_`.
  void beginPortrait();
  /// Starts writing the captured panel to `panelFile_`.
  void savePortrait();
  void drawPortrait(panels::PanelContext& context);

  std::filesystem::path pictureFile_;  // file for a picture of the next frame; empty: none is wanted
  std::string panelWanted_;            // id of the panel to take a picture of; empty: none
  std::filesystem::path panelFile_;
  int panelFrames_ = 0;  // number of frames to wait until the panel has come to the front
  FullPanelCapture portrait_;
  std::filesystem::path cutPicture_;  // file of a picture of a panel that is larger than a picture may be; empty: none
};

}  // namespace loom::window
