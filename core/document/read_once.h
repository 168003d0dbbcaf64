#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/document/lesson.h"

namespace loom::document {

/// Returns what `read` makes of a file's text; `read` also gets the file's name, for its errors. The result, an
/// error included, is kept for later calls until the file's size or time of change differs; then the file is read
/// again. The result is never null; it is an error of `readFile` if the file can't be read, or that of `read`. May be
/// called on any thread; calls with the same `Value` wait for each other. All calls with the same file and `Value` must
/// pass the same function `read`, which must not call `readOnce` with this `Value` itself.
template <typename Value>
std::shared_ptr<const Result<Value>> readOnce(const std::filesystem::path& file,
                                              Result<Value> (*read)(const std::string& text, const std::string& name)) {
  struct Kept {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type changed;
    std::shared_ptr<const Result<Value>> value;
  };
  static std::mutex mutex;
  static std::map<std::filesystem::path, Kept> all;
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const auto changed = std::filesystem::last_write_time(file, error);
  const std::lock_guard lock(mutex);
  Kept& kept = all[file];
  if (!kept.value || kept.size != size || kept.changed != changed) {
    auto text = readFile(file);
    kept = {size, changed,
            std::make_shared<const Result<Value>>(text ? read(*text, file.string())
                                                       : Result<Value>(Failure(text.error())))};
  }
  return kept.value;
}

}  // namespace loom::document
