#pragma once

#include <filesystem>
#include <optional>

namespace loom::cli {

/// Returns the folder with lessons, functions, intrinsics and devices. It is the first of these that is a folder: the
/// one that the environment variable TILELOOM_ASSETS names, "assets" beside the program, and in development builds that
/// of the source tree. Returns nothing if none is.
std::optional<std::filesystem::path> findAssets();

}  // namespace loom::cli
