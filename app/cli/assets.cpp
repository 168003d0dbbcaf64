#include "app/cli/assets.h"

#include <cstdlib>
#include <vector>

namespace loom::cli {

std::optional<std::filesystem::path> findAssets() {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  std::error_code error;
  if (const char* named = std::getenv("TILELOOM_ASSETS")) {
    places.emplace_back(named);
  }
  if (fs::path program = fs::read_symlink("/proc/self/exe", error); !error) {
    places.push_back(program.parent_path() / "assets");
  }
#ifdef TILELOOM_SOURCE_ASSETS
  places.emplace_back(TILELOOM_SOURCE_ASSETS);
#endif
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) {
      return place;
    }
  }
  return std::nullopt;
}

}  // namespace loom::cli
