#include "tests/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/schedules/schedule_text.h"

namespace loom::cli {
namespace fs = std::filesystem;

const std::string kSchedule = tests::scheduleText("cli_rows_of_threads");

std::string product(const std::string& n) {
  return "from tvm.script import tir as T\n" + tests::programText("product", {{"M", n}, {"N", n}, {"K", n}});
}

std::vector<nlohmann::json> objects(const std::string& text) {
  std::vector<nlohmann::json> list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    list.push_back(nlohmann::json::parse(line, nullptr, false));
    EXPECT_TRUE(list.back().is_object()) << line;
  }
  return list;
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "tileloom-cli-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

Folder::~Folder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string Folder::file(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return name;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream in(path_ / name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

namespace {

// The writing end of a pipe that nobody reads any more.
int unreadPipe() {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  close(ends[0]);
  return ends[1];
}

}  // namespace

Ended Folder::run(const std::vector<std::string>& arguments, const Surroundings& surroundings) const {
  std::map<std::string, std::string> variables = surroundings.environment;
  if (!surroundings.bare) {
    variables.insert({"HOME", path_.string()});
    variables.insert({"PATH", std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin"});
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  std::vector<std::string> words = {std::string(TILELOOM_BINARY_DIR) + "/tileloom"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv, envp;
  for (std::string& w : words) argv.push_back(w.data());
  for (std::string& v : environment) envp.push_back(v.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  file(".input", surroundings.input);
  std::string input = (path_ / ".input").string(), output = surroundings.output;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (chdir(path_.c_str()) != 0) _exit(126);
    dup2(open(input.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(surroundings.errorsUnread ? unreadPipe() : err[1], STDERR_FILENO);
    if (output.empty()) {
      dup2(out[1], STDOUT_FILENO);
    } else if (output == "-") {
      close(STDOUT_FILENO);
    } else if (output == "|") {
      dup2(unreadPipe(), STDOUT_FILENO);
    } else {
      dup2(open(output.c_str(), O_WRONLY), STDOUT_FILENO);
    }
    if (surroundings.fileBytes >= 0) {
      const rlimit most{static_cast<rlim_t>(surroundings.fileBytes), static_cast<rlim_t>(surroundings.fileBytes)};
      setrlimit(RLIMIT_FSIZE, &most);
    }
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  Ended ended;
  const auto start = std::chrono::steady_clock::now();
  auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  auto end = start + std::chrono::duration<double>(surroundings.seconds);
  bool late = false;
  pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      late = true;
      kill(-child, SIGKILL);
      break;
    }
    poll(ends, 2, int(left));
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || !(ends[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char part[1 << 16];
      ssize_t n = ::read(ends[i].fd, part, sizeof part);
      if (n > 0 && i == 0 && ended.out.empty()) ended.firstOutput = passed();
      if (n > 0) (i == 0 ? ended.out : ended.err).append(part, std::size_t(n));
      if (n <= 0) ends[i].fd = -1;
    }
  }
  close(out[0]);
  close(err[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.seconds = passed();
  ended.status = late ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

}  // namespace loom::cli
