#include <stdlib.h>

#include <fstream>

#include "core/document/target.h"
#include "tests/fuzz/packed_files.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {
namespace fs = std::filesystem;
namespace {

// A folder in memory where there is one, which ends with the program.
class Folder {
 public:
  Folder() {
    std::string name = (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/lesson.XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code none;
    fs::remove_all(path, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path;
};

constexpr const char* kFiles[] = {"lesson.json", "function.py", "en.md", "zh.md", "one.sched.py", "two.sched.py"};

}  // namespace

void lesson(std::string_view bytes) {
  static const Folder kFolder;
  const auto files = unpack(bytes);
  for (const char* name : kFiles) {
    const auto found = files.find(name);
    if (found == files.end()) {
      std::error_code none;
      fs::remove(kFolder.path / name, none);
    } else {
      std::ofstream(kFolder.path / name, std::ios::binary) << found->second;
    }
  }
  if (auto read = document::loadLesson(kFolder.path)) document::openLesson(*read, {});
}

}  // namespace loom::fuzz
