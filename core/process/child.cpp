#include "core/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/process/message_json.h"

extern char** environ;

namespace loom::process {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Starts a program with the given ends of pipes as its standard input and output (-1: as ours), in a session and
// process group of its own: a shell and what it started end together, and nobody asks at the terminal. ssh would, for a
// host it doesn't know or a password, and be stopped for ever, as it isn't in the foreground; so it fails with its
// reason. With `inOurs`, in a process group of its own in our session. 0 when the program can't be started.
pid_t spawn(const std::vector<std::string>& command, int input, int output, bool inOurs = false) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &broken);
  const int place = inOurs ? POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(&attributes, short(place | POSIX_SPAWN_SETSIGDEF));
  std::vector<char*> argv;
  for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed ? 0 : child;
}

// False when it hasn't ended by then.
bool waitUntil(pid_t process, int& status, Clock::time_point deadline) {
  for (;;) {
    if (waitpid(process, &status, WNOHANG) == process) return true;
    if (Clock::now() >= deadline) return false;
    usleep(2000);
  }
}

// Ends a process and reaps it. It has a moment to pass on that it is to end, as srun and ssh do to what they started on
// another machine.
void kill(pid_t process) {
  int status = 0;
  ::kill(-process, SIGTERM);
  ::kill(process, SIGTERM);
  const bool ended = waitUntil(process, status, after(0.5));
  ::kill(-process, SIGKILL);
  if (ended) return;
  ::kill(process, SIGKILL);
  waitpid(process, &status, 0);
}

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  ~Pipe() {
    if (read >= 0) close(read);
    if (write >= 0) close(write);
  }
  int take(int& end) { return std::exchange(end, -1); }
};

}  // namespace

Child::Child(ChildOptions options) : options_(std::move(options)) {
  // A process that dies while we write must be an error value, not a signal.
  signal(SIGPIPE, SIG_IGN);
}
Child::~Child() { end(false); }

Result<void> Child::start(std::stop_token stop) {
  if (process_ > 0) return {};
  Pipe in, out;
  if (!in.open() || !out.open()) return fail("WorkerLost", message("no pipe for the worker"), Forbids::Environment);
  // Linux gives each session an equal share of the processor (autogroups) and counts niceness within a session only.
  process_ = spawn({"/bin/sh", "-c", "exec " + options_.command}, in.read, out.write, options_.niceness > 0);
  if (process_ <= 0) {
    process_ = 0;
    return fail("WorkerLost", message("the worker can't be started: {}", options_.command), Forbids::Environment);
  }
  if (options_.niceness > 0)
    setpriority(PRIO_PROCESS, id_t(process_), getpriority(PRIO_PROCESS, 0) + options_.niceness);
  // Only the child may hold its ends: that they close is how its death shows.
  close(in.take(in.read));
  close(out.take(out.write));
  toChild_ = in.take(in.write);
  fromChild_ = out.take(out.read);
  // Both sides may be writing at once: neither may wait for the other to read.
  fcntl(toChild_, F_SETFL, O_NONBLOCK);
  reader_ = std::make_unique<FrameReader>();
  auto hello = ask({R"({"do":"hello"})", ""}, options_.startSeconds, {}, stop);
  if (!hello) {
    end(true);  // a process that refuses to begin lives on, and would be taken for one that was greeted
    Error e = hello.error();
    if (e.code != "Cancelled") e.message = message("the worker can't be started: {}: {}", options_.command, e.message);
    return Failure(std::move(e));
  }
  json greeting = json::parse(hello->text, nullptr, false);
  if (!greeting.is_object() || !greeting.contains("protocol") || greeting["protocol"] != kProtocolVersion) {
    end(true);
    return fail("ProtocolError", message("the worker speaks another version of the protocol"), Forbids::Environment);
  }
  return {};
}

void Child::end(bool atOnce) {
  if (process_ <= 0) return;
  if (toChild_ >= 0) close(toChild_);
  if (fromChild_ >= 0) close(fromChild_);
  toChild_ = fromChild_ = -1;
  // Its input has ended, so that a process in order ends by itself; one inside a kernel doesn't.
  int status = 0;
  if (atOnce || !waitUntil(process_, status, after(3))) {
    kill(process_);
  } else {
    ::kill(-process_, SIGKILL);  // what a shell left behind
  }
  process_ = 0;
}

Message Child::ending() {
  int status = 0;
  // Its output has ended; the end of the process itself may be a moment away.
  bool ended = waitUntil(process_, status, after(1));
  if (!ended) {
    end(true);
    return message("it closed its output");
  }
  ::kill(-process_, SIGKILL);
  close(toChild_);
  close(fromChild_);
  toChild_ = fromChild_ = -1;
  process_ = 0;
  if (WIFSIGNALED(status)) return message("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  int exit = WEXITSTATUS(status);
  if (exit == 127) return message("exit status 127: there is no such command");
  if (exit > 128 && exit < 128 + 65) return message("killed by signal {} ({})", exit - 128, strsignal(exit - 128));
  return message("exit status {}", exit);
}

Failure Child::lost(const char* code, Message message) {
  end(true);
  return fail(code, std::move(message), Forbids::Environment);
}

Result<Frame> Child::ask(const Frame& request, double seconds, const Progress& progress, std::stop_token stop) {
  if (auto started = start(stop); !started) return Failure(started.error());
  const std::string bytes = encode(request);
  std::size_t sent = 0;
  Message last;
  auto deadline = after(seconds);
  std::vector<char> chunk(1 << 16);
  for (;;) {
    if (stop.stop_requested()) return lost("Cancelled", message("cancelled"));
    if (Clock::now() > deadline) {
      return lost("Timeout", last.empty() ? message("no answer from the worker within {:g} s", seconds)
                                          : message("no answer from the worker within {:g} s ({})", seconds, last));
    }
    pollfd ends[2] = {{fromChild_, POLLIN, 0}, {toChild_, POLLOUT, 0}};
    poll(ends, sent < bytes.size() ? 2 : 1, 20);
    if (sent < bytes.size() && (ends[1].revents & (POLLOUT | POLLERR | POLLHUP))) {
      ssize_t n = write(toChild_, bytes.data() + sent, bytes.size() - sent);
      if (n > 0) sent += std::size_t(n);
      if (n < 0 && errno != EAGAIN && errno != EINTR) {
        return fail("WorkerLost", message("the worker ended: {}", ending()), Forbids::Environment);
      }
    }
    if (!(ends[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
    ssize_t n = read(fromChild_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail("WorkerLost", message("the worker ended: {}", ending()), Forbids::Environment);
    reader_->append(chunk.data(), std::size_t(n));
    for (;;) {
      auto frame = reader_->next();
      if (!frame) return lost("ProtocolError", frame.error().message);
      if (!*frame) break;
      json answer = json::parse((*frame)->text, nullptr, false);
      if (!answer.is_object()) return lost("ProtocolError", message("the worker's answer is no JSON object"));
      deadline = after(seconds);
      if (answer.contains("progress") && answer["progress"].is_string()) {
        last = messageOf(answer["progress"].get<std::string>(), answer, "words");
        if (progress) progress(last);
      } else if (answer.contains("result")) {
        return Frame{answer["result"].dump(), std::move((*frame)->blob)};
      } else if (answer.contains("error") && answer["error"].is_object()) {
        const json& e = answer["error"];
        auto text = [&](const char* key) {
          return e.contains(key) && e[key].is_string() ? e[key].get<std::string>() : "";
        };
        auto failure = fail(text("code").empty() ? "WorkerError" : text("code"), messageOf(text("message"), e, "words"),
                            Forbids::Environment);
        if (e.contains("line") && e["line"].is_number_integer()) failure.value().place.line = e["line"].get<int>();
        return failure;
      } else {
        return lost("ProtocolError", message("the worker's answer says nothing"));
      }
    }
  }
}

std::optional<std::string> outputOf(const std::vector<std::string>& argv, double seconds) {
  Pipe out;
  if (!out.open()) return std::nullopt;
  pid_t child = spawn(argv, -1, out.write);
  close(out.take(out.write));
  if (child <= 0) return std::nullopt;
  auto deadline = after(seconds);
  std::string text;
  std::vector<char> chunk(1 << 16);
  bool whole = false;
  while (Clock::now() < deadline) {
    pollfd end = {out.read, POLLIN, 0};
    if (poll(&end, 1, 50) <= 0) continue;
    ssize_t n = read(out.read, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    whole = n == 0;
    if (n <= 0) break;
    text.append(chunk.data(), std::size_t(n));
  }
  int status = 0;
  if (!whole || !waitUntil(child, status, deadline)) {
    kill(child);
    return std::nullopt;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace loom::process
