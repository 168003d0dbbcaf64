#pragma once
#include <filesystem>
#include <optional>

namespace loom::process {

// Returns the user's home folder: $HOME, or else the one in the system's list of users. Returns nothing if neither
// names one. Then nothing is kept, because a folder that all users share is no place for what will be read back.
std::optional<std::filesystem::path> homeFolder();

// Returns the folder `tileloom` in which the program keeps files of the user, which may not exist yet: in the folder
// that the variable ("XDG_DATA_HOME") names, if that is an absolute path, or else in `underHome` (".local/share") of
// the home folder. Returns nothing if there is neither.
std::optional<std::filesystem::path> userFolder(const char* variable, const char* underHome);

}  // namespace loom::process
