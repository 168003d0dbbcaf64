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

/// Reports and tables in the making, each in a thread of its own: their states are compiled and modelled, which takes a
/// minute or more for a lesson. The destructor gives up those that aren't done.
class ReportJobs {
 public:
  /// Called by the maker for each state: how many are done, of how many. False: it is to give up.
  using Progress = std::function<bool(int done, int of)>;
  /// The file's bytes; nothing where it gave up.
  using Make = std::function<std::optional<std::string>(const Progress& progress)>;

  /// `wake` is called from the threads whenever there is something to show.
  explicit ReportJobs(std::function<void()> wake) : wake_(std::move(wake)) {}

  void start(std::filesystem::path path, Make make);
  /// What is under way: the oldest one.
  struct Running {
    std::filesystem::path path;
    int done = 0, of = 0;  ///< states
    int more = 0;          ///< others under way
  };
  std::optional<Running> running() const;
  /// Gives up the oldest one.
  void cancel();
  /// The next file that was written, or couldn't be. To be called once a frame.
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
