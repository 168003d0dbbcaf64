#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/jobs.h"
#include "app/session/options.h"
#include "app/session/tools.h"
#include "core/document/matmul_function.h"
#include "core/document/ready_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "core/process/file_lock.h"

namespace loom::session {

/// The open target (a lesson, a document or a function, with the history of its schedule) and its file: opening,
/// saving, exporting, and a copy for recovery after a crash. Background threads read and write the files; all functions
/// must be called from the UI thread. Only the latest opening takes effect: starting one cancels the one before.
class Documents {
 public:
  /// Starts reading the lessons' titles and looking for a recovery copy in the background. The object keeps references
  /// to all arguments, which must outlive it.
  Documents(const Options& options, Jobs& jobs, Tools& tools);

  /// Starts opening a lesson by its name, or a document or a function's file by its path. The old target stays open
  /// until the new one has been read.
  void open(const std::string& word);
  /// Starts opening a text with a function in it; `name` stands for a file name in messages.
  void openFunction(const std::string& text, const std::string& name);
  /// Starts opening a new matrix product. If the request is invalid, only `openProblem` changes, and an opening that is
  /// under way goes on.
  void openMatmul(const document::MatmulRequest& request);
  /// Starts opening a function of `readyFunctions` with these sizes.
  void openReady(const document::ReadyFunction& function, const document::FunctionSizes& sizes);
  /// Returns whether a target is being opened.
  bool isOpening() const { return opening_; }
  /// Cancels the opening that is under way.
  void cancelOpening();
  /// Returns why the last opening failed; nothing if it succeeded or is under way, or since `dismissOpenProblem`.
  const std::optional<Error>& openProblem() const { return openProblem_; }
  /// Makes `openProblem` return nothing, because the user has read it.
  void dismissOpenProblem() { openProblem_.reset(); }
  /// Returns the open target; null if there is none. This and the two functions below return what this object owns,
  /// until `adopt` puts another target in its place.
  const document::Target* target() const { return target_ ? &*target_ : nullptr; }
  /// Returns the open target, for the parts of the session that change it. A target must be open.
  document::Target& openTarget() { return target_.value(); }
  /// Returns the history of the open target. A target must be open.
  const document::History& history() const { return target_.value().history; }
  /// Returns the environment to apply steps of the target with: the tensor intrinsics that steps may name. Background
  /// jobs take a copy of it.
  const schedule::Environment& environment() const { return environment_; }
  /// Returns the names of all lessons in alphabetical order; empty until they have been read.
  std::vector<std::string> lessonNames() const;
  /// Returns the functions that come with Tileloom as starts of new programs; empty until they have been read.
  const std::vector<document::ReadyFunction>& readyFunctions() const { return readyFunctions_; }
  /// Returns the title of a lesson of `lessonNames`; empty for names that are none.
  document::Translated lessonTitle(const std::string& name) const;

  /// A target that was opened and waits for the session to take it in.
  struct Opened {
    document::Target target;
    bool isUnsaved = false;  ///< whether the target counts as modified from the start
  };
  /// Returns the target that was opened since the last call; nothing if there is none.
  std::optional<Opened> takeOpened() { return std::exchange(opened_, std::nullopt); }
  /// Puts a target in the place of the open one.
  void adopt(Opened opened);

  /// Returns whether the document has changes that are not saved.
  bool isModified() const { return modified_; }
  /// Marks the document as modified without writing its recovery copy.
  void markModified() { modified_ = true; }
  /// Notes that the document has changed: it becomes modified, and its recovery copy will be written.
  void noteChange();
  /// Returns a number that grows with each `noteChange`.
  std::uint64_t changes() const { return changes_; }
  /// Returns whether another program has written the document's file since it was opened or saved here; false if there
  /// is no file, or while one is being saved. Accesses the file system.
  bool isChangedOnDisk() const;
  /// Returns the file that `save` writes: the document that the target was opened from, or that of the last `saveAs`;
  /// nothing if there is neither.
  std::optional<std::filesystem::path> file() const;
  /// Starts saving the document to `file()` in the background. Nothing happens if it has no file. The document counts
  /// as unmodified at once, and as modified again if it can't be written. `lastWrite` then says whether it was written.
  void save();
  /// Starts saving the document as `save` does, to this file, which becomes `file()` at once, even if it can't be
  /// written. Nothing happens without a target.
  void saveAs(const std::filesystem::path& file);
  /// Starts writing an export of the current state; `kind` is "tvmscript", "python", "trace", "cuda", "ptx", "sass",
  /// "project" or another of document::exportKinds. `lastWrite` then says whether it was written. Nothing happens
  /// without a target.
  void exportTo(const std::string& kind, const std::filesystem::path& file);
  /// A file that was written, or why it could not be.
  struct LastWrite {
    std::filesystem::path file;
    std::optional<Error> problem;
  };
  /// Returns how the last writing ended: of a document, of an export, or of a recovery copy that couldn't be written.
  /// Nothing before the first, and from `save` or `saveAs` until that file is written; `exportTo` leaves the earlier
  /// outcome until it has its own.
  const std::optional<LastWrite>& lastWrite() const { return lastWrite_; }

  /// Starts writing the recovery copy if the document has changed since the last one. To be called once a frame. There
  /// are no recovery copies if Options::dataFolder is empty.
  void autosave();
  /// Removes the recovery copy, because the session ends normally.
  void endAutosave();
  /// Returns the recovery copy that a crashed session left; nothing if there is none, or since one of the three
  /// functions below was called.
  const std::optional<std::filesystem::path>& recovery() const { return recovery_; }
  /// Starts opening the recovery copy, as a document without a file.
  void recover();
  /// Deletes the recovery copy.
  void discardRecovery();
  /// Keeps the recovery copy for the next session.
  void leaveRecovery() { recovery_.reset(); }

 private:
  void openWith(std::function<Result<document::Target>()> make, bool isUnsaved = false);
  std::optional<Error> loadIntrinsics();  // for the thread of Queue::kPrograms; returns why they can't be read
  void rememberFileTime();
  void findRecovery();
  std::filesystem::path autosaveFile() const;
  void lockAutosave();  // for the thread of Queue::kPrograms

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  intrin::Library intrinsics_;  ///< filled once by the thread of Queue::kPrograms, before the first target
  std::atomic<bool> intrinsicsReady_ = false;
  schedule::Environment environment_;
  /// The intrinsics that targets opened so far have declared; background jobs may still use them.
  std::vector<std::shared_ptr<const document::OwnIntrinsics>> owned_;
  std::uint64_t orders_ = 0;  ///< number of calls of `openWith`; only the latest one takes effect
  bool opening_ = false;
  std::optional<Error> openProblem_;
  std::optional<document::Target> target_;
  std::optional<Opened> opened_;
  std::map<std::string, document::Translated> lessons_;
  std::vector<document::ReadyFunction> readyFunctions_;
  bool modified_ = false, autosaveDue_ = false, autosaveFails_ = false;
  std::uint64_t changes_ = 0;
  int saving_ = 0;  ///< number of files that are being saved
  /// Time stamp of the document's file when it was last read or written here; nothing: no file.
  std::optional<std::filesystem::file_time_type> fileTime_;
  std::optional<LastWrite> lastWrite_;
  std::optional<std::filesystem::path> recovery_;
  const std::string session_;                      ///< name of the recovery copy, which no other session has
  std::optional<process::FileLock> autosaveLock_;  ///< used only by the thread of Queue::kPrograms
};

}  // namespace loom::session
