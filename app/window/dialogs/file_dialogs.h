#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/window/dialogs/file_dialog.h"
#include "app/window/dialogs/new_program.h"

namespace loom::window {

/// Begins a modal dialog in the middle of the window, if ImGui::OpenPopup("###ID") has opened it, where ID is `id`,
/// which is stable, so that tests find the dialog in every language. Returns whether the dialog is open; only then
/// `endDialog` must be called.
bool beginDialog(const Look& look, const char* title, const char* id);
/// Draws a button of a dialog with a stable `id`. Returns whether it was clicked in this frame.
bool dialogButton(const Look& look, const text::Text& words, const char* id);
/// Ends the dialog that `beginDialog` has begun.
void endDialog();

/// Starts opening the program in the clipboard: a function, a script or a notebook page. Returns false, and opens
/// nothing, if the clipboard holds no program.
bool openPasted(session::Session& model);

/// Returns the name, in the current language, of a kind of export that the menu File › Export offers: "cuda",
/// "tvmscript", "python", "trace", "project", "report", "csv", FileDialogs::kLessonReport or FileDialogs::kSweptSizes.
std::string exportLabel(const Look& look, const std::string& kind);

/// The dialogs of the File menu: for a new program, for a file's name, for the recovery of a document, for the reason
/// why a file could not be opened, and, after a tuner's database was opened, for one of its records. The session's
/// background threads read and write the files, except those of a Wish, which the window writes.
class FileDialogs {
 public:
  static constexpr const char* kLessonReport = "lesson_report";  ///< kind of export: report on all chapters of a lesson
  static constexpr const char* kSweptSizes = "sizes_csv";        ///< kind of export: table of the sweep over sizes
  /// kMatmul is the dialog for a new program. The others ask for a file: to open, to save the document in, to export a
  /// state to, or to write a picture to.
  enum class Kind { kNone, kMatmul, kOpen, kSave, kExport, kPicture };

  /// A file that the user asked for and that the window itself writes.
  struct Wish {
    Kind kind = Kind::kNone;
    /// kExport: "report", "csv", kLessonReport or kSweptSizes; kPicture: a panel's id, or empty: the window.
    std::string what;
    std::string file;  ///< path of the file to write
  };
  /// Returns the file that the user has asked for since the last call; nothing if there is none.
  std::optional<Wish> takeWish() { return std::exchange(wish_, std::nullopt); }

  /// Returns, once, whether the user has made a new program, which is now being opened, and wants a schedule that rules
  /// construct for it: the caller then shows the dialog MakeFast as soon as the program is open.
  bool takeFastWanted() { return std::exchange(fastWanted_, false); }

  /// Opens a dialog, not kNone, in the next frame, in place of one that is to be opened then. `exportKind` is the kind
  /// of export for kExport (as `exportLabel` takes it), and for kPicture the id of the panel; empty: the whole window.
  void show(Kind kind, const session::Session& model, const std::string& exportKind = "");
  /// Closes the open dialog as Cancel does in the next `draw`, unless it is the one for a recovery or for the reason of
  /// a failure; no effect if none is open.
  void close() { closing_ = true; }
  /// Saves the document to its file, or opens the dialog Save if it has none or another program has written it since.
  void save(session::Session& model);
  /// Returns whether a dialog for a file's name is open, or will be in the next frame.
  bool asksForFile() const;
  /// Draws the open dialog. To be called once a frame.
  void draw(const Look& look, session::Session& model);

 private:
  void drawFile(const Look& look, session::Session& model);
  void drawRecovery(const Look& look, session::Session& model);
  void answer(const std::string& file, session::Session& model);
  void drawOpenProblem(const Look& look, session::Session& model);
  void drawRecords(const Look& look, session::Session& model);

  bool closing_ = false;
  bool fastWanted_ = false;
  Kind wanted_ = Kind::kNone;
  Kind kind_ = Kind::kNone;
  std::string exportKind_;  // kind of export, or id of the panel for a picture
  std::string recovered_;   // local time when the document that can be recovered was written; empty: none offered yet
  std::optional<Wish> wish_;
  std::uint64_t recordsOf_ = 0;  // Session::opened of the target whose records were offered last
  FileDialog question_;
  NewProgram new_;
};

}  // namespace loom::window
