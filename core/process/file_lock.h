// Lock files, by which several processes agree on which of them something belongs to. The processes may be on one
// machine, or on several machines that share a folder.
#pragma once
#include <filesystem>
#include <optional>

namespace loom::process {

// A file that is locked as long as this object lives; the file itself stays. The system unlocks it when the process
// ends, also by a crash. Process ids in a file wouldn't do: two containers may use the same ones, and an id is used
// again after a process has ended.
class FileLock {
 public:
  // Locks the file, and creates it if there is none. Returns nothing if it is locked already, by this process or
  // another, or can't be created or opened for writing.
  static std::optional<FileLock> take(const std::filesystem::path& file);
  // Returns whether the file is locked by anybody, this process included; false if there is no file, or it can't be
  // read. The file is neither created nor locked by this.
  static bool isTaken(const std::filesystem::path& file);
  FileLock(FileLock&& other) noexcept;             // `other` then holds no lock
  FileLock& operator=(FileLock&& other) noexcept;  // exchanges the locks of both
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace loom::process
