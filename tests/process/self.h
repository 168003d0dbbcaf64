// This test program as a child process.
#pragma once
#include <filesystem>
#include <string>

namespace loom::process {

// A command line for /bin/sh: `selfCommand("worker cpu")`.
inline std::string selfCommand(const std::string& words) {
  return "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' " + words;
}

}  // namespace loom::process
