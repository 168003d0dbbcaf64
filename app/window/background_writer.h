#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/ir/message.h"

namespace loom::window {

/// Writes files on a thread of its own, in the order asked, each to a temporary file that is then renamed, so that a
/// frame never waits for a disk and a file is never half written. The destructor finishes what was asked.
class BackgroundWriter {
 public:
  /// What became of one file; `error` is empty when it was written.
  struct Outcome {
    std::filesystem::path path;
    Message error;
  };

  /// `wake` is called from the thread whenever an outcome is there.
  explicit BackgroundWriter(std::function<void()> wake);
  ~BackgroundWriter();

  /// Makes the file's bytes on the thread (so encoding costs no frame either) and writes them; makes missing folders.
  void write(std::filesystem::path path, std::function<std::string()> makeBytes);
  void write(std::filesystem::path path, std::string bytes);

  /// The next outcome that was not asked for yet.
  std::optional<Outcome> takeOutcome();

 private:
  struct Order {
    std::filesystem::path path;
    std::function<std::string()> makeBytes;
  };

  void work();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  std::deque<Outcome> outcomes_;
  bool ending_ = false;
  std::thread thread_;
};

/// Writes `bytes` to a temporary file beside `path` and renames it. The reason when it can't, else empty.
Message writeWhole(const std::filesystem::path& path, const std::string& bytes);

}  // namespace loom::window
