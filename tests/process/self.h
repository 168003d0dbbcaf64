// The command that starts this test program again, as a child process.
#pragma once
#include <filesystem>
#include <string>

namespace loom::process {

// Returns the command line, for /bin/sh, that starts this program, whose path has no apostrophe, with `words` ("worker
// cpu"), which the shell splits.
inline std::string selfCommand(const std::string& words) {
  return "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' " + words;
}

}  // namespace loom::process
