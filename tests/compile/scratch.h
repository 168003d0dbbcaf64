// A new temporary folder, which the destructor removes with everything in it, as far as it can. The system's
// folder for temporary files must be writable.
#pragma once
#include <stdlib.h>

#include <filesystem>

namespace loom {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "tileloom-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }
  // Returns the path of a file in the folder.
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace loom
