#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/window/dialogs/file_dialog.h"

namespace loom::window {

/// A question in the middle of the window, its title and buttons named by ids; `endDialog` where it is open.
bool beginDialog(const Look& look, const char* title, const char* id);
bool dialogButton(const Look& look, const text::Text& words, const char* id);
void endDialog();

/// Opens the program in the clipboard: a function, a script, a page. False where it holds none.
bool openPasted(session::Session& model);

/// What an export is called: a kind of report::exportKinds, FileDialogs::kLessonReport or kSweptSizes.
std::string exportLabel(const Look& look, const std::string& kind);

/// The questions that the File menu asks: a new matrix product, a file's name, whether to recover; and, when a tuner's
/// database was opened, which of its records. Files are read and written by the model's background threads.
class FileDialogs {
 public:
  static constexpr const char* kLessonReport = "lesson_report";  ///< the report of all chapters, not of the way here
  static constexpr const char* kSweptSizes = "sizes_csv";        ///< the table of the sweep over sizes
  enum class Kind { kNone, kMatmul, kOpen, kSave, kExport, kPicture };

  /// What was asked for that the window itself writes: a report or table (`what`: a kind of report::exportKinds,
  /// kLessonReport or kSweptSizes), or the picture of a panel (its id; empty: the whole window).
  struct Wish {
    Kind kind = Kind::kNone;
    std::string what;
    std::string file;
  };
  std::optional<Wish> takeWish() { return std::exchange(wish_, std::nullopt); }

  void show(Kind kind, const session::Session& model, const std::string& exportKind = "");
  /// Closes what is open, as Cancel does.
  void close() { closing_ = true; }
  /// Writes the document where it is kept, or asks where.
  void save(session::Session& model);
  /// Whether a file's name is being asked for, or will be in the next frame.
  bool asksForFile() const;
  /// Draws what is open; within a frame.
  void draw(const Look& look, session::Session& model);

 private:
  void drawMatmul(const Look& look, session::Session& model);
  void drawFile(const Look& look, session::Session& model);
  void drawRecovery(const Look& look, session::Session& model);
  void answer(const std::string& file, session::Session& model);
  void drawOpenProblem(const Look& look, session::Session& model);
  void drawRecords(const Look& look, session::Session& model);

  bool closing_ = false;
  Kind wanted_ = Kind::kNone;
  Kind kind_ = Kind::kNone;
  std::string exportKind_;  // of a picture: the panel
  std::string recovered_;   // when what is offered to be recovered was written; empty: not offered yet
  std::optional<Wish> wish_;
  std::uint64_t recordsOf_ = 0;  // the opening whose records were offered last
  FileDialog question_;
  document::MatmulRequest matmul_;
  std::array<std::string, 3> sizes_ = {"1024", "1024", "1024"};  // M, N, K as typed
};

}  // namespace loom::window
