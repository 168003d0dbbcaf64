#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/ir/message.h"

namespace loom::window {

/// What a folder holds that somebody who looks for a file wants to see.
struct FolderContents {
  struct Entry {
    std::string name;     ///< of a folder it ends in "/"
    bool folder = false;  ///< or a link to one
    std::string changed;  ///< local time, "2026-11-22 05:17"; empty where it isn't known
  };
  std::vector<Entry> entries;  ///< folders first, each by name, upper and lower case alike
  int more = 0;                ///< that are not among `entries`: too many to choose from
  Message problem;             ///< why it can't be read; empty: it was
};

/// Folders, and of the files those whose names end in one of `endings` (".py"; none: all). Hidden ones are left out.
FolderContents readFolder(const std::filesystem::path& folder, const std::vector<std::string>& endings);

/// The time a file was last written, as `FolderContents::Entry::changed`.
std::string timeOfFile(const std::filesystem::path& file);

/// Reads folders on a thread of its own, one at a time: a disk that is far away holds up no frame.
class FolderReader {
 public:
  FolderReader() = default;
  ~FolderReader();
  FolderReader(const FolderReader&) = delete;
  FolderReader& operator=(const FolderReader&) = delete;

  /// Asks for a folder's contents, as they are now.
  void read(std::filesystem::path folder, std::vector<std::string> endings);
  /// Takes in what has been read; to be called once a frame.
  void poll();
  /// Of the folder asked for last; null until they are there.
  const FolderContents* contents() const { return contents_ ? &*contents_ : nullptr; }

 private:
  struct Order {
    std::filesystem::path folder;
    std::vector<std::string> endings;
  };
  void start();

  std::optional<Order> wanted_;  // where another is being read
  std::thread thread_;
  std::mutex mutex_;
  std::optional<FolderContents> read_;  // guarded by mutex_
  std::optional<FolderContents> contents_;
};

}  // namespace loom::window
