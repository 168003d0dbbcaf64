#pragma once

#include <filesystem>
#include <optional>

namespace loom::cli {

/// The folder with lessons, functions, intrinsics and devices: beside the program, then $TILELOOM_ASSETS, then, in
/// development builds, the source tree. None when no such folder exists.
std::optional<std::filesystem::path> findAssets();

}  // namespace loom::cli
