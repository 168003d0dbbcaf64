#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <thread>

#include "app/window/background_writer.h"

namespace loom::window {

/// Makes files of reports and tables, each on a thread of its own, because their states (the program after each step of
/// its schedule) must be compiled and modelled, which takes a minute or more for a lesson. The destructor cancels those
/// that aren't done, and waits for their threads. All functions are for the UI thread.
class ReportJobs {
 public:
  /// A function that a `Make` calls for each state, with the numbers of states that are done and of all. Returns false
  /// if the file is no longer wanted.
  using Progress = std::function<bool(int done, int of)>;
  /// A function that makes the bytes of a file and returns them, or nothing if `progress` has returned false. If it
  /// throws a std::exception, as for want of memory, no file is written, and the exception's text is the outcome's
  /// error; another exception ends the program.
  using Make = std::function<std::optional<std::string>(const Progress& progress)>;

  /// `wake`, which must not be empty, is called from the threads whenever there is progress or a file is done.
  explicit ReportJobs(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Starts a thread that calls `make` and writes the result to `path`.
  void start(std::filesystem::path path, Make make);
  /// The oldest file that is being made.
  struct Running {
    std::filesystem::path path;
    int done = 0, of = 0;  ///< states done, and all
    int more = 0;          ///< number of other files that are being made
  };
  /// Returns the oldest file that is being made; nothing if none is. A cancelled one counts until its thread has ended.
  std::optional<Running> running() const;
  /// Cancels the oldest file that is being made and isn't cancelled yet.
  void cancel();
  /// Returns the next file that was written, or could not be; nothing if there is none. Files that `make` returned
  /// nothing for have no outcome. To be called once a frame.
  std::optional<BackgroundWriter::Outcome> takeOutcome();

 private:
  struct Job {
    std::filesystem::path path;
    std::atomic<int> done = 0, of = 0;
    std::atomic<bool> ended = false;
    std::optional<BackgroundWriter::Outcome> outcome;  ///< set before `ended`; nothing: the job was cancelled
    std::jthread thread;
  };
  std::function<void()> wake_;
  std::list<Job> jobs_;  ///< only the UI thread changes the list
};

}  // namespace loom::window
