#include "core/gpu/measuring_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/gpu/protocol.h"
#include "core/process/json_error.h"
#include "core/process/worker_processes.h"

namespace loom::gpu {

using nlohmann::json;

namespace {

constexpr int kMostWorkers = 1000;

Result<Report> reportOf(const process::JobResult& result, std::size_t candidates) {
  if (!result.answer) return Failure(result.answer.error());
  Message why = message("the worker measured something else than it was asked");
  try {
    Report report = reportFromJson(json::parse(result.answer->text));
    if (report.outcomes.size() == candidates) return report;
  } catch (const json::exception& e) {
    why = message("the worker's answer can't be believed: {}", process::reasonOf(e));
  }
  return fail("ProtocolError", why, Forbids::Environment);
}

// A fault spoils the process that it happened in.
bool spoiled(const process::Frame& answer) {
  try {
    const Report report = reportFromJson(json::parse(answer.text));
    return std::ranges::any_of(report.outcomes, [](const Outcome& o) {
      return o.status == Outcome::Status::Failed && o.message.textAt(0) == "LaunchError";
    });
  } catch (const json::exception&) {
    return true;
  }
}

}  // namespace

struct MeasuringPool::Parts {
  process::WorkerProcesses processes;
  process::WorkerPool pool;
  Parts(const MeasuringPoolOptions& options, process::PoolJudge judge)
      : processes({options.commands, {R"({"do":"devices"})", ""}, options.limits.startSeconds}),
        pool(processes, options.limits, std::move(judge)) {}
};

MeasuringPool::MeasuringPool(MeasuringPoolOptions options) : options_(std::move(options)) {
  process::PoolJudge judge{[this](int, const process::Frame& introduction) { return refused(introduction); }, spoiled,
                           options_.turned};
  parts_ = std::make_unique<Parts>(options_, std::move(judge));
}
MeasuringPool::~MeasuringPool() = default;

Message MeasuringPool::refused(const process::Frame& introduction) {
  std::vector<DeviceInfo> devices;
  try {
    for (const json& d : json::parse(introduction.text)) devices.push_back(deviceFromJson(d));
  } catch (const json::exception& e) {
    return message("the worker's devices can't be read: {}", process::reasonOf(e));
  }
  const auto found = std::ranges::find(devices, options_.ordinal, &DeviceInfo::ordinal);
  if (found == devices.end()) return message("there is no device {}: {} found", options_.ordinal, devices.size());
  if (device_ && device_->name != found->name)
    return message("this worker has an {}, and the others an {}: their times don't compare", found->name,
                   device_->name);
  if (!device_) device_ = *found;
  return {};
}

Result<DeviceInfo> MeasuringPool::device(std::stop_token stop) {
  if (const auto first = parts_->pool.first(std::move(stop)); !first) return Failure(first.error());
  return *device_;
}

std::vector<Result<Report>> MeasuringPool::measure(const std::vector<Job>& jobs, const Done& done,
                                                   const Progress& progress, std::stop_token stop) {
  std::vector<process::Frame> requests;
  for (const Job& job : jobs) {
    process::Frame request;
    request.text = json{{"do", "measure"}, {"device", options_.ordinal}, {"job", toJson(job, request.blob)}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
    requests.push_back(std::move(request));
  }
  std::vector<Result<Report>> reports(jobs.size(), Result<Report>(fail("NoWorker", Message())));
  std::size_t settled = 0;
  parts_->pool.run(
      requests,
      [&](std::size_t job, const process::JobResult& result) {
        reports[job] = reportOf(result, jobs[job].candidates.size());
        if (done) done(job, reports[job], result.seconds);
        if (progress) progress(message("{} of {} measured", ++settled, jobs.size()));
      },
      {}, std::move(stop));
  return reports;
}

const std::vector<process::WorkerTally>& MeasuringPool::tallies() const { return parts_->pool.tallies(); }
std::vector<process::WorkerStatus> MeasuringPool::workers() const { return parts_->pool.status(); }
process::QueueStatus MeasuringPool::queue() const { return parts_->pool.queue(); }

std::vector<std::string> localWorkers(const std::string& command, int gpus) {
  // The user may have named the GPUs that are to be used: the others are hidden from us.
  std::vector<std::string> names;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::string name;
    for (const char c : std::string(visible) + ",") {
      if (c == ',' && !name.empty()) names.push_back(std::exchange(name, ""));
      if (c != ',' && c != ' ') name += c;
    }
  } else {
    for (int n = 0; n < gpus; ++n) names.push_back(std::to_string(n));
  }
  if (names.size() > std::size_t(std::max(gpus, 0))) names.resize(std::size_t(std::max(gpus, 0)));
  std::vector<std::string> commands;
  for (const std::string& name : names)
    commands.push_back(fmt::format("env CUDA_VISIBLE_DEVICES='{}' {}", name, command));
  return commands;
}

Result<std::vector<std::string>> workerCommands(const std::string& words) {
  const auto trimmed = [](std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text.erase(0, text.find_first_not_of(' '));
    return text;
  };
  std::string command = trimmed(words);
  int count = 1;
  const std::size_t last = command.find_last_of(' ');
  std::string_view times = last == std::string::npos ? std::string_view() : std::string_view(command).substr(last + 1);
  for (const std::string_view sign : {"×", "x"}) {
    if (!times.starts_with(sign)) continue;
    const std::string_view digits = times.substr(sign.size());
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) continue;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (read.ec != std::errc() || count < 1 || count > kMostWorkers)
      return fail("ParseError", message("{} workers: from 1 to {} can be started", std::string(digits), kMostWorkers),
                  Forbids::Input);
    command = trimmed(command.substr(0, last));
    break;
  }
  if (command.empty()) return fail("ParseError", message("a worker is a command line"), Forbids::Input);
  return std::vector<std::string>(std::size_t(count), command);
}

}  // namespace loom::gpu
