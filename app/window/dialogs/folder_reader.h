#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/ir/message.h"

namespace loom::window {

/// The contents of a folder as a file dialog lists them.
struct FolderContents {
  struct Entry {
    std::string name;     ///< the name of a folder ends in "/"
    bool folder = false;  ///< whether the entry is a folder or a link to one
    std::string changed;  ///< local time of the last change, "2026-11-22 05:17"; empty: not known
  };
  std::vector<Entry> entries;  ///< folders first, both by name regardless of case
  int more = 0;                ///< number of further entries that are left out, because there are too many
  Message problem;             ///< why the folder can't be read; else empty
};

/// Returns the contents of a folder: its folders, and the files whose names end in one of `endings` (".py"), or all
/// files if `endings` is empty. Hidden entries are left out.
FolderContents readFolder(const std::filesystem::path& folder, const std::vector<std::string>& endings);

/// Returns the local time at which a file was last written, "2026-11-22 05:17"; empty if it isn't known.
std::string timeOfFile(const std::filesystem::path& file);

/// Reads folders on a thread of its own, one at a time, so that a slow disk delays no frame. The destructor waits for a
/// read that is under way.
class FolderReader {
 public:
  FolderReader() = default;
  ~FolderReader();
  FolderReader(const FolderReader&) = delete;
  FolderReader& operator=(const FolderReader&) = delete;

  /// Starts reading a folder as `readFolder` does, in place of the folder that was asked for before.
  void read(std::filesystem::path folder, std::vector<std::string> endings);
  /// Makes the contents that have been read available by `contents`. To be called once a frame.
  void poll();
  /// Returns the contents of the folder that was asked for last; null until they have been read and polled. Valid until
  /// the next `read`.
  const FolderContents* contents() const { return contents_ ? &*contents_ : nullptr; }

 private:
  struct Order {
    std::filesystem::path folder;
    std::vector<std::string> endings;
  };
  void start();

  std::optional<Order> wanted_;  // the folder to read once the one being read is done
  std::thread thread_;
  std::mutex mutex_;
  std::optional<FolderContents> read_;  // guarded by mutex_
  std::optional<FolderContents> contents_;
};

}  // namespace loom::window
