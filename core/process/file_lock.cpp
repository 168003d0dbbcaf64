#include "core/process/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace loom::process {
namespace {

// A lock of the whole file that belongs to the open file, not to the process: another one in this process counts, too,
// and to ask for it doesn't hold it up.
struct flock wholeFile() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return std::nullopt;
  FileLock lock(descriptor);
  struct flock wanted = wholeFile();
  if (fcntl(descriptor, F_OFD_SETLK, &wanted) != 0) return std::nullopt;
  return lock;
}

bool FileLock::isTaken(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock asked = wholeFile();
  const bool taken = fcntl(descriptor, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
  close(descriptor);
  return taken;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace loom::process
