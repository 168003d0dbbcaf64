#pragma once
#include <filesystem>
#include <optional>

namespace loom::process {

// The user's own folder: $HOME, else what the system's list of users says. None where neither names one: then nothing
// is kept, for a folder that all users share is no place for what will be read back.
std::optional<std::filesystem::path> homeFolder();

// Where the program keeps something of the user's: tileloom in the folder that the variable ("XDG_DATA_HOME") names
// absolutely, else in `underHome` (".local/share") of the home folder. None where there is neither.
std::optional<std::filesystem::path> userFolder(const char* variable, const char* underHome);

}  // namespace loom::process
