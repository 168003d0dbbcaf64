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
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "core/process/file_lock.h"

namespace loom::session {

/// What is open, and its file: opening, saving, exports, and the copy that is found again after a crash.
class Documents {
 public:
  Documents(const Options& options, Jobs& jobs, Tools& tools);

  /// Opens a lesson by its name, a document, or a function's file. What is open stays until the new target is there.
  void open(const std::string& word);
  void openFunction(const std::string& text, const std::string& name);
  void openMatmul(const document::MatmulRequest& request);
  bool isOpening() const { return opening_; }
  /// Gives up what is being opened.
  void cancelOpening();
  /// Returns why the last opening failed; none when it succeeded.
  const std::optional<Error>& openProblem() const { return openProblem_; }
  void dismissOpenProblem() { openProblem_.reset(); }
  /// Null until something is open.
  const document::Target* target() const { return target_ ? &*target_ : nullptr; }
  /// For the parts of the session that change the tree. Something must be open.
  document::Target& openTarget() { return target_.value(); }
  /// Something must be open.
  const document::History& history() const { return target_.value().history; }
  /// What steps of the target are applied with; work takes a copy along.
  const schedule::Environment& environment() const { return environment_; }
  std::vector<std::string> lessonNames() const;
  /// Returns the title of a lesson of `lessonNames`; empty for names that are none.
  document::Translated lessonTitle(const std::string& name) const;

  /// A target that was opened and waits for the session to take it in.
  struct Opened {
    document::Target target;
    bool isUnsaved = false;  ///< it counts as modified
  };
  /// Returns what was opened since the last call.
  std::optional<Opened> takeOpened() { return std::exchange(opened_, std::nullopt); }
  /// Puts a target in the place of the open one.
  void adopt(Opened opened);

  /// Returns whether there are changes that no file has.
  bool isModified() const { return modified_; }
  /// Has the document count as modified; its copy for a crash is not written.
  void markModified() { modified_ = true; }
  /// Notes a change of the document.
  void noteChange();
  /// Grows with `noteChange`.
  std::uint64_t changes() const { return changes_; }
  /// Returns whether somebody else has written the document's file since it was opened or saved here. Asks the file
  /// system.
  bool isChangedOnDisk() const;
  /// Returns where `save` writes; none before the first `saveAs`.
  std::optional<std::filesystem::path> file() const;
  void save();
  void saveAs(const std::filesystem::path& file);
  /// Writes an export of the current state (kinds of document::exportKinds). The texts need no device.
  void exportTo(const std::string& kind, const std::filesystem::path& file);
  /// The last file that was written, or could not be.
  struct LastWrite {
    std::filesystem::path file;
    std::optional<Error> problem;
  };
  /// For the status line; none before the first file.
  const std::optional<LastWrite>& lastWrite() const { return lastWrite_; }

  /// Writes the copy that a crash leaves, if there are changes that it lacks. To be called once a frame.
  void autosave();
  /// Removes that copy: the session ends well.
  void endAutosave();
  /// A document that a crashed session left; opened by `recover`, dropped by `discardRecovery`. After `leaveRecovery`
  /// the next session finds it again.
  const std::optional<std::filesystem::path>& recovery() const { return recovery_; }
  void recover();
  void discardRecovery();
  void leaveRecovery() { recovery_.reset(); }

 private:
  void openWith(std::function<Result<document::Target>()> make, bool isUnsaved = false);
  std::optional<Error> loadIntrinsics();  // of the programs' thread
  void rememberFileTime();
  void findRecovery();
  std::filesystem::path autosaveFile() const;
  void lockAutosave();  // of the programs' thread

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  intrin::Library intrinsics_;  ///< filled once by the programs' thread, before the first target
  std::atomic<bool> intrinsicsReady_ = false;
  schedule::Environment environment_;
  std::vector<std::shared_ptr<const document::OwnIntrinsics>> owned_;  ///< of all targets: their work may still run
  std::uint64_t orders_ = 0;                                           ///< of `openWith`: the latest wins
  bool opening_ = false;
  std::optional<Error> openProblem_;
  std::optional<document::Target> target_;
  std::optional<Opened> opened_;
  std::map<std::string, document::Translated> lessons_;
  bool modified_ = false, autosaveDue_ = false, autosaveFails_ = false;
  std::uint64_t changes_ = 0;
  int saving_ = 0;  ///< files on their way
  std::optional<std::filesystem::file_time_type>
      fileTime_;  ///< of the document's file, when it was last read or written
  std::optional<LastWrite> lastWrite_;
  std::optional<std::filesystem::path> recovery_;
  const std::string session_;                      ///< names the autosave: no other session has it
  std::optional<process::FileLock> autosaveLock_;  ///< the programs' thread's
};

}  // namespace loom::session
