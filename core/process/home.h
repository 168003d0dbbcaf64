#pragma once
#include <filesystem>
#include <optional>

namespace loom::process {

// The user's own folder: $HOME, else what the system's list of users says. None where neither names one: then nothing
// is kept, for a folder that all users share is no place for what will be read back.
std::optional<std::filesystem::path> homeFolder();

}  // namespace loom::process
