#include "core/gpu/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"

extern char** environ;

namespace loom::gpu {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

Worker::Worker(WorkerOptions options) : options_(std::move(options)) {
  // A worker that dies while we write must be an error value, not a signal.
  signal(SIGPIPE, SIG_IGN);
}
Worker::~Worker() { stop(false); }

Result<void> Worker::start() {
  if (process_ > 0) return {};
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) return fail("WorkerLost", "no pipe for the worker", Forbids::Environment);
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return fail("WorkerLost", "no pipe for the worker", Forbids::Environment);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that a shell and what it started end together.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string command = "exec " + options_.command;
  char shell[] = "/bin/sh", flag[] = "-c";
  char* argv[] = {shell, flag, command.data(), nullptr};
  pid_t child = 0;
  int failed = posix_spawn(&child, shell, &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[0]);
  close(out[1]);
  if (failed) {
    close(in[1]);
    close(out[0]);
    return fail("WorkerLost", fmt::format("the worker can't be started: {}", options_.command), Forbids::Environment);
  }
  process_ = child;
  toWorker_ = in[1];
  fromWorker_ = out[0];
  fcntl(toWorker_, F_SETFL, O_NONBLOCK);
  reader_ = std::make_unique<FrameReader>();
  auto hello = ask(R"({"do":"hello"})", "", {}, nullptr, options_.startSeconds);
  if (!hello) return Failure(hello.error());
  if (json::parse(*hello, nullptr, false).value("protocol", 0) != kProtocolVersion) {
    stop(true);
    return fail("ProtocolError", "the worker speaks another version of the protocol", Forbids::Environment);
  }
  return {};
}

void Worker::stop(bool kill) {
  if (process_ <= 0) return;
  if (toWorker_ >= 0) close(toWorker_);
  if (fromWorker_ >= 0) close(fromWorker_);
  toWorker_ = fromWorker_ = -1;
  // Its input has ended, so that a worker in order ends by itself; one inside a kernel doesn't.
  for (int i = 0; i < 300 && !kill; ++i) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = 0;
      return;
    }
    usleep(10000);
  }
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

Result<std::string> Worker::ask(const std::string& request, const std::string& blob, const Progress& progress,
                                std::string* lastProgress, double seconds) {
  std::string bytes = encode({request, blob});
  std::size_t sent = 0;
  auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  auto lost = [&](const char* code, std::string message) {
    stop(true);
    return fail(code, std::move(message), Forbids::Environment);
  };
  std::vector<char> chunk(1 << 16);
  for (;;) {
    if (cancelled_.exchange(false)) return lost("Cancelled", "cancelled");
    if (Clock::now() > deadline) {
      return lost("Timeout", fmt::format("no answer from the worker within {:g} s{}", seconds,
                                         lastProgress && !lastProgress->empty() ? " (" + *lastProgress + ")" : ""));
    }
    pollfd ends[2] = {{fromWorker_, POLLIN, 0}, {toWorker_, short(sent < bytes.size() ? POLLOUT : 0), 0}};
    poll(ends, sent < bytes.size() ? 2 : 1, 50);
    if (sent < bytes.size() && (ends[1].revents & (POLLOUT | POLLERR | POLLHUP))) {
      ssize_t n = write(toWorker_, bytes.data() + sent, bytes.size() - sent);
      if (n > 0) sent += std::size_t(n);
      if (n < 0 && errno != EAGAIN) return lost("WorkerLost", "the worker ended");
    }
    if (!(ends[0].revents & (POLLIN | POLLHUP))) continue;
    ssize_t n = read(fromWorker_, chunk.data(), chunk.size());
    if (n <= 0) return lost("WorkerLost", "the worker ended");
    reader_->append(chunk.data(), std::size_t(n));
    for (;;) {
      auto frame = reader_->next();
      if (!frame) return lost("ProtocolError", frame.error().message);
      if (!*frame) break;
      json answer = json::parse((*frame)->text, nullptr, false);
      if (!answer.is_object()) return lost("ProtocolError", "the worker's answer is no JSON object");
      deadline = Clock::now() + std::chrono::duration<double>(seconds);
      if (answer.contains("progress") && answer["progress"].is_string()) {
        if (lastProgress) *lastProgress = answer["progress"].get<std::string>();
        if (progress) progress(answer["progress"].get<std::string>());
      } else if (answer.contains("result")) {
        return answer["result"].dump();
      } else if (answer.contains("error") && answer["error"].is_object()) {
        return fail(answer["error"].value("code", "WorkerError"), answer["error"].value("message", ""),
                    Forbids::Environment);
      } else {
        return lost("ProtocolError", "the worker's answer says nothing");
      }
    }
  }
}

Result<std::vector<DeviceInfo>> Worker::devices() {
  if (auto started = start(); !started) return Failure(started.error());
  auto answer = ask(R"({"do":"devices"})", "", {}, nullptr, options_.startSeconds);
  if (!answer) return Failure(answer.error());
  std::vector<DeviceInfo> devices;
  try {
    for (const json& d : json::parse(*answer)) devices.push_back(deviceFromJson(d));
  } catch (const json::exception& e) {
    return fail("ProtocolError", e.what(), Forbids::Environment);
  }
  return devices;
}

Result<Report> Worker::measure(int device, const Job& job, const Progress& progress) {
  Report whole;
  whole.outcomes.resize(job.candidates.size());
  std::vector<std::size_t> rest(job.candidates.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] = i;
    whole.outcomes[i].label = job.candidates[i].label;
  }
  while (!rest.empty()) {
    if (auto started = start(); !started) return Failure(started.error());
    Job part = job;
    part.candidates.clear();
    for (std::size_t i : rest) part.candidates.push_back(job.candidates[i]);
    std::string blob, last;
    json request = {{"do", "measure"}, {"device", device}, {"job", toJson(part, blob)}};
    auto answer = ask(request.dump(), blob, progress, &last, options_.deadlineSeconds);
    if (answer) {
      try {
        Report report = reportFromJson(json::parse(*answer));
        if (report.outcomes.size() != rest.size()) {
          return fail("ProtocolError", "the worker measured something else than it was asked", Forbids::Environment);
        }
        whole.device = report.device;
        if (report.vendor.available || !whole.vendor.available) whole.vendor = report.vendor;
        // A fault spoils the process: what came after it is measured again by a fresh one.
        std::vector<std::size_t> again;
        bool faulted = false;
        for (std::size_t i = 0; i < rest.size(); ++i) {
          Outcome& o = report.outcomes[i];
          bool fault = o.status == Outcome::Status::Failed && o.message.starts_with("LaunchError");
          if (faulted) {
            again.push_back(rest[i]);
          } else {
            whole.outcomes[rest[i]] = o;
          }
          faulted |= fault;
        }
        if (faulted) {
          // Timings of candidates before the fault were not taken: their turn comes again, too.
          std::vector<std::size_t> redo;
          for (std::size_t i : rest) {
            const Outcome& o = whole.outcomes[i];
            if (o.status == Outcome::Status::Measured && o.timing.samples == 0) redo.push_back(i);
          }
          redo.insert(redo.end(), again.begin(), again.end());
          again = std::move(redo);
          stop(true);
        }
        rest = std::move(again);
        continue;
      } catch (const json::exception& e) {
        stop(true);
        return fail("ProtocolError", e.what(), Forbids::Environment);
      }
    }
    const Error& e = answer.error();
    if (e.code != "Timeout" && e.code != "WorkerLost") return Failure(e);
    // The last progress says whose fault it was.
    std::size_t culprit = rest.size();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (last == "check " + job.candidates[rest[i]].label) culprit = i;
    }
    if (culprit == rest.size()) return Failure(e);
    Outcome& o = whole.outcomes[rest[culprit]];
    o.status = e.code == "Timeout" ? Outcome::Status::Deadline : Outcome::Status::Lost;
    o.message = e.code == "Timeout" ? fmt::format("ran longer than {:g} s", options_.deadlineSeconds) : e.message;
    rest.erase(rest.begin() + std::ptrdiff_t(culprit));
  }
  return whole;
}

}  // namespace loom::gpu
