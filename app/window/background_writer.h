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

/// Writes files on a thread of its own, in the order of the calls, so that no frame waits for a disk. Each is written
/// to a temporary file that is then renamed, so that no file is ever half written. The destructor finishes all of them.
class BackgroundWriter {
 public:
  /// The outcome for one file. `error` is empty if it was written.
  struct Outcome {
    std::filesystem::path path;
    Message error;
  };

  /// `wake` is called from the thread whenever an outcome is there.
  explicit BackgroundWriter(std::function<void()> wake);
  ~BackgroundWriter();

  /// Has `makeBytes` make the bytes of the file on the thread, and writes them. Makes missing folders.
  void write(std::filesystem::path path, std::function<std::string()> makeBytes);
  void write(std::filesystem::path path, std::string bytes);

  /// Returns the next outcome that was not returned yet; nothing if there is none.
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

/// Writes `bytes` to a temporary file beside `path` and renames it. Returns why that failed; empty if it didn't.
Message writeWhole(const std::filesystem::path& path, const std::string& bytes);

}  // namespace loom::window
