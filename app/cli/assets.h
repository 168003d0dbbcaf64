#pragma once

#include <filesystem>
#include <optional>

namespace loom::cli {

/// Returns the folder with lessons, functions, intrinsics and devices: $TILELOOM_ASSETS, then beside the program, then,
/// in development builds, the source tree. Returns nothing if no such folder exists.
std::optional<std::filesystem::path> findAssets();

}  // namespace loom::cli
