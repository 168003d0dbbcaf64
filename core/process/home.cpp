#include "core/process/home.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace loom::process {

std::optional<std::filesystem::path> homeFolder() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) return home;
  std::array<char, 16384> text;
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(getuid(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr) return std::nullopt;
  if (found->pw_dir == nullptr || *found->pw_dir != '/') return std::nullopt;
  return found->pw_dir;
}

std::optional<std::filesystem::path> userFolder(const char* variable, const char* underHome) {
  // A relative path is to be ignored, says the XDG Base Directory Specification.
  if (const char* base = std::getenv(variable); base != nullptr && *base == '/')
    return std::filesystem::path(base) / "tileloom";
  if (const auto home = homeFolder()) return *home / underHome / "tileloom";
  return std::nullopt;
}

}  // namespace loom::process
