#pragma once

#include <filesystem>
#include <optional>

namespace loom::cli {

/// The folder with lessons, functions, intrinsics and devices: $TILELOOM_ASSETS, then beside the program, then, in
/// development builds, the source tree. None when no such folder exists.
std::optional<std::filesystem::path> findAssets();

}  // namespace loom::cli
