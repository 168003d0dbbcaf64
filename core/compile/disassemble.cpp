#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/compile/compile.h"

extern char** environ;

namespace loom::compile {
namespace {

// Runs a program and gives what it prints; nothing when it fails.
std::optional<std::string> outputOf(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char*> argv;
  for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 1 << 16> chunk;
  for (ssize_t n; !failed && (n = read(ends[0], chunk.data(), chunk.size())) > 0;)
    text.append(chunk.data(), std::size_t(n));
  close(ends[0]);
  if (failed) return std::nullopt;
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace

Result<std::string> disassemble(const Toolkit& toolkit, const Binary& binary) {
  if (!toolkit.nvdisasm) return fail("NoNvdisasm", "nvdisasm isn't found: SASS can't be shown", Forbids::Environment);
  std::string path = (std::filesystem::temp_directory_path() / "tileloom-XXXXXX").string();
  int file = mkstemp(path.data());
  if (file < 0) return fail("CantWrite", "no temporary file for nvdisasm", Forbids::Environment);
  std::size_t done = 0;
  while (done < binary.cubin.size()) {
    ssize_t n = write(file, binary.cubin.data() + done, binary.cubin.size() - done);
    if (n <= 0) break;
    done += std::size_t(n);
  }
  close(file);
  auto text = done == binary.cubin.size()
                  ? outputOf({toolkit.nvdisasm->string(), "--print-line-info", "--print-code", path})
                  : std::nullopt;
  unlink(path.c_str());
  if (!text) return fail("CompileError", "nvdisasm can't read the cubin", Forbids::Environment);
  return *text;
}

}  // namespace loom::compile
