// Which of several processes, on one machine or on several that share a folder, something belongs to.
#pragma once
#include <filesystem>
#include <optional>

namespace loom::process {

// A file that is locked as long as this lives; the system unlocks it when the process ends, however it ends. Process
// numbers would tell less: those of two containers are alike, and another program gets that of one that is gone.
class FileLock {
 public:
  // Makes the file where it isn't. Nothing where somebody else has it locked, or it can't be made.
  static std::optional<FileLock> take(const std::filesystem::path& file);
  // Returns whether somebody has it locked. Makes nothing.
  static bool isTaken(const std::filesystem::path& file);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace loom::process
