#include "core/gpu/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/gpu/protocol.h"
#include "core/process/json_error.h"

namespace loom::gpu {

using nlohmann::json;

namespace {

// Candidates travel under their numbers, so that progress says which one it is even where labels repeat.
std::optional<std::size_t> numbered(const std::string& label, std::size_t count) {
  std::size_t number = 0;
  auto end = label.data() + label.size();
  auto read = std::from_chars(label.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number >= count) return std::nullopt;
  return number;
}

std::optional<std::size_t> checkedCandidate(const Message& progress, std::size_t count) {
  return progress.id() == "check {}" ? numbered(progress.textAt(0), count) : std::nullopt;
}

bool processLost(const Error& e) { return e.code == "WorkerLost" || e.code == "Timeout" || e.code == "ProtocolError"; }

// One job's candidates through as many processes as it takes.
class Campaign {
 public:
  Campaign(process::Child& child, double deadline, int device, const Job& job, const Progress& progress,
           std::stop_token stop)
      : child_(child), deadline_(deadline), device_(device), job_(job), progress_(progress), stop_(std::move(stop)) {
    whole_.outcomes.resize(job.candidates.size());
    rest_.resize(job.candidates.size());
    std::iota(rest_.begin(), rest_.end(), std::size_t{0});
    for (std::size_t i = 0; i < rest_.size(); ++i) whole_.outcomes[i].label = job.candidates[i].label;
  }

  Result<Report> run() {
    while (!rest_.empty()) {
      Message last;
      auto report = attempt(last);
      if (report) {
        take(*report);
      } else if (!processLost(report.error())) {
        // It is alive and refuses, or nobody wants it any more.
        if (rest_.size() == job_.candidates.size()) return report;
        mark(rest_, report.error());
        break;
      } else if (!blame(last, report.error())) {
        return report;
      }
    }
    return whole_;
  }

 private:
  Result<Report> attempt(Message& last) {
    settled_.clear();
    Job part = job_;
    part.candidates.clear();
    for (std::size_t i : rest_) part.candidates.push_back(job_.candidates[i]);
    for (std::size_t i = 0; i < rest_.size(); ++i) part.candidates[i].label = std::to_string(i);
    process::Frame request;
    request.text = json{{"do", "measure"}, {"device", device_}, {"job", toJson(part, request.blob)}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
    auto answer = child_.ask(
        request, deadline_,
        [&](const Message& what) {
          if (const auto outcome = settledOutcome(what)) {
            if (auto number = numbered(outcome->label, rest_.size())) settled_[rest_[*number]] = *outcome;
            return;
          }
          last = what;
          auto number = checkedCandidate(what, rest_.size());
          if (progress_) progress_(number ? message("check {}", job_.candidates[rest_[*number]].label) : what);
        },
        stop_);
    if (!answer) return Failure(answer.error());
    Message why = message("the worker measured something else than it was asked");
    try {
      Report report = reportFromJson(json::parse(answer->text));
      if (report.outcomes.size() == rest_.size()) return report;
    } catch (const json::exception& e) {
      why = message("the worker's answer can't be believed: {}", process::reasonOf(e));
    }
    child_.end(true);
    return fail("ProtocolError", why, Forbids::Environment);
  }

  // A fault spoils the process: what came after it is measured again by a fresh one, and what came before it, too,
  // since it has no times yet.
  void take(Report& report) {
    whole_.device = report.device;
    if (report.vendor.available || !whole_.vendor.available) whole_.vendor = report.vendor;
    std::vector<std::size_t> again;
    bool faulted = false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      Outcome& o = report.outcomes[i];
      o.label = job_.candidates[rest_[i]].label;
      bool timed = o.status != Outcome::Status::Measured || o.timing.samples > 0;
      if (faulted) timed = false;
      if (timed) {
        whole_.outcomes[rest_[i]] = o;
      } else {
        again.push_back(rest_[i]);
      }
      faulted |= o.status == Outcome::Status::Failed && o.message.textAt(0) == "LaunchError";
    }
    if (faulted) child_.end(true);
    // Each round settles one candidate at least, the one that faulted; without a fault there is no other round.
    if (!faulted) {
      for (std::size_t i : again) {
        whole_.outcomes[i].status = Outcome::Status::Failed;
        whole_.outcomes[i].message = message("{}: {}", "DeviceError", message("it ran, but couldn't be timed"));
      }
      again.clear();
    }
    rest_ = std::move(again);
  }

  // Marks the candidate that took the process with it. False where nothing is known of any candidate.
  bool blame(const Message& last, const Error& e) {
    if (auto number = checkedCandidate(last, rest_.size())) {
      mark({rest_[*number]}, e);
      rest_.erase(rest_.begin() + std::ptrdiff_t(*number));
      // Those that no round times have all that they will have.
      for (auto& [i, outcome] : settled_) {
        outcome.label = job_.candidates[i].label;
        whole_.outcomes[i] = std::move(outcome);
        std::erase(rest_, i);
      }
      settled_.clear();
      return true;
    }
    // Lost in a round of all of them: once more. Lost before any began: there is no worker to be had.
    if (!last.empty() && !repeated_) return repeated_ = true;
    if (last.empty() && rest_.size() == job_.candidates.size()) return false;
    mark(rest_, e);
    rest_.clear();
    return true;
  }

  void mark(const std::vector<std::size_t>& candidates, const Error& e) {
    for (std::size_t i : candidates) {
      Outcome& o = whole_.outcomes[i];
      o.status = e.code == "Timeout" ? Outcome::Status::Deadline : Outcome::Status::Lost;
      o.message = e.code == "Timeout" ? message("ran longer than {:g} s", deadline_) : e.message;
    }
  }

  process::Child& child_;
  double deadline_;
  int device_;
  const Job& job_;
  const Progress& progress_;
  std::stop_token stop_;
  Report whole_;
  std::vector<std::size_t> rest_;           // candidates without an outcome
  std::map<std::size_t, Outcome> settled_;  // said by the process that runs now
  bool repeated_ = false;
};

}  // namespace

Worker::Worker(WorkerOptions options)
    : options_(std::move(options)), child_({options_.command, options_.startSeconds, 0}) {}

Result<std::vector<DeviceInfo>> Worker::devices(std::stop_token stop) {
  auto answer = child_.ask({R"({"do":"devices"})", ""}, options_.startSeconds, {}, std::move(stop));
  if (!answer) return Failure(answer.error());
  std::vector<DeviceInfo> devices;
  try {
    for (const json& d : json::parse(answer->text)) devices.push_back(deviceFromJson(d));
  } catch (const json::exception& e) {
    child_.end(true);
    return fail("ProtocolError", message("the worker's devices can't be read: {}", process::reasonOf(e)),
                Forbids::Environment);
  }
  return devices;
}

Result<Report> Worker::measure(int device, const Job& job, const Progress& progress, std::stop_token stop) {
  return Campaign(child_, options_.deadlineSeconds, device, job, progress, std::move(stop)).run();
}

Result<ProbeAnswer> Worker::probe(int device, const ProbeKernel& kernel, const std::vector<char>& cubin,
                                  std::stop_token stop) {
  process::Frame request{json{{"do", "probe"}, {"device", device}, {"kernel", toJson(kernel)}}.dump(),
                         {cubin.begin(), cubin.end()}};
  auto answer = child_.ask(request, options_.deadlineSeconds, {}, std::move(stop));
  if (!answer) return Failure(answer.error());
  try {
    ProbeAnswer result{json::parse(answer->text).at("milliseconds"), std::move(answer->blob)};
    const bool whole = result.milliseconds.size() == std::size_t(kernel.launches) &&
                       result.bytes.size() == std::size_t(kernel.answerBytes);
    if (whole) return result;
  } catch (const json::exception&) {
  }
  child_.end(true);
  return fail("ProtocolError", message("the worker probed something else than it was asked"), Forbids::Environment);
}

}  // namespace loom::gpu
