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

/// Makes reports and tables, each on a thread of its own, because their states must be compiled and modelled, which
/// takes a minute or more for a lesson. The destructor cancels those that aren't done.
class ReportJobs {
 public:
  /// Called by a maker for each state, with the number of states done and of all. Returns false if the maker is to
  /// stop.
  using Progress = std::function<bool(int done, int of)>;
  /// Returns the bytes of the file, or nothing if it was stopped.
  using Make = std::function<std::optional<std::string>(const Progress& progress)>;

  /// `wake` is called from the threads whenever there is something to show.
  explicit ReportJobs(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Starts making a file.
  void start(std::filesystem::path path, Make make);
  /// The oldest file that is being made.
  struct Running {
    std::filesystem::path path;
    int done = 0, of = 0;  ///< states done, and all
    int more = 0;          ///< number of other files that are being made
  };
  /// Returns it; nothing if none is being made.
  std::optional<Running> running() const;
  /// Cancels the oldest one.
  void cancel();
  /// Returns the next file that was written, or could not be; nothing if there is none. To be called once a frame.
  std::optional<BackgroundWriter::Outcome> takeOutcome();

 private:
  struct Job {
    std::filesystem::path path;
    std::atomic<int> done = 0, of = 0;
    std::atomic<bool> ended = false;
    std::optional<BackgroundWriter::Outcome> outcome;  ///< once it has ended; none where it gave up
    std::jthread thread;
  };
  std::function<void()> wake_;
  std::list<Job> jobs_;  ///< the UI thread's
};

}  // namespace loom::window
