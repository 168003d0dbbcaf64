#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/window/dialogs/file_dialog.h"
#include "app/window/dialogs/new_program.h"

namespace loom::window {

/// Begin and end a dialog in the middle of the window. `endDialog` is to be called if `beginDialog` returned true.
/// Title and buttons have stable ids, by which tests find them.
bool beginDialog(const Look& look, const char* title, const char* id);
bool dialogButton(const Look& look, const text::Text& words, const char* id);
void endDialog();

/// Opens the program in the clipboard: a function, a script or a page. Returns false if there is none.
bool openPasted(session::Session& model);

/// Returns the name, in the current language, of a kind of export: one of report::exportKinds,
/// FileDialogs::kLessonReport or FileDialogs::kSweptSizes.
std::string exportLabel(const Look& look, const std::string& kind);

/// The dialogs of the File menu: for a new program, for a file's name, for the recovery of a document, and,
/// after a tuner's database was opened, for one of its records. The session's background threads read and write the
/// files.
class FileDialogs {
 public:
  static constexpr const char* kLessonReport = "lesson_report";  ///< the report of all chapters, not of the way here
  static constexpr const char* kSweptSizes = "sizes_csv";        ///< the table of the sweep over sizes
  enum class Kind { kNone, kMatmul, kOpen, kSave, kExport, kPicture };

  /// A file that the user asked for and that the window itself writes.
  struct Wish {
    Kind kind = Kind::kNone;
    std::string
        what;  ///< kExport: one of report::exportKinds, kLessonReport or kSweptSizes; kPicture: a panel, or empty
    std::string file;
  };
  /// Returns such a request, once; nothing if there is none.
  std::optional<Wish> takeWish() { return std::exchange(wish_, std::nullopt); }

  /// Returns, once, whether a program is being opened that should be made fast (MakeFast).
  bool takeFastWanted() { return std::exchange(fastWanted_, false); }

  /// Opens a dialog in the next frame. `exportKind` is the kind of export, or the id of the panel for a picture.
  void show(Kind kind, const session::Session& model, const std::string& exportKind = "");
  /// Closes the open dialog as Cancel does.
  void close() { closing_ = true; }
  /// Saves the document to its file, or opens the dialog Save if it has none.
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
  std::string exportKind_;  // of a picture: the panel
  std::string recovered_;   // when what is offered to be recovered was written; empty: not offered yet
  std::optional<Wish> wish_;
  std::uint64_t recordsOf_ = 0;  // the opening whose records were offered last
  FileDialog question_;
  NewProgram new_;
};

}  // namespace loom::window
