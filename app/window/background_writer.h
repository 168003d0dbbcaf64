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

/// Writes files on a thread of its own, in the order of the calls, so that no frame waits for a disk. Each file is
/// written to a temporary file that is then renamed, so that no file is ever half written. The destructor waits until
/// all files are written. Any thread may call the functions.
class BackgroundWriter {
 public:
  /// The outcome for one file. `error` is empty if the file was written, or else says why not.
  struct Outcome {
    std::filesystem::path path;
    Message error;
  };

  /// `wake`, which must not be empty, is called from the writer's thread whenever there is another outcome, also while
  /// the destructor waits. It must not call this object.
  explicit BackgroundWriter(std::function<void()> wake);
  ~BackgroundWriter();

  /// Starts writing the bytes that `makeBytes` returns to `path`. The thread calls `makeBytes`, which must not throw.
  /// Missing folders are made.
  void write(std::filesystem::path path, std::function<std::string()> makeBytes);
  /// Starts writing `bytes` to `path`. Missing folders are made.
  void write(std::filesystem::path path, std::string bytes);

  /// Returns the oldest outcome that was not returned yet; nothing if there is none.
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

/// Writes `bytes` to a temporary file beside `path`, which it then renames to `path`. Missing folders are made. Returns
/// why that failed; an empty message if it worked.
Message writeWhole(const std::filesystem::path& path, const std::string& bytes);

}  // namespace loom::window
