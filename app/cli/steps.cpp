#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/session.h"
#include "app/cli/verb_list.h"
#include "core/gpu/protocol.h"
#include "core/model/json.h"

namespace loom::cli {
namespace {

struct StepsOptions {
  std::vector<std::string> target;
  bool noCompile = false;
  bool again = false;
  double deadline = 20;
};

struct Line {
  Row row;
  document::KernelText kernel;
  std::optional<compile::Binary> binary;
  std::optional<Error> compileProblem;
  document::Timed timed;
  nlohmann::ordered_json model;  // what the model says of each kernel; null without --json
};

// The device that the model answers for: the one asked for, else the one that is there or whose results are recorded.
Result<model::Device> modelDevice(const Session& session, const CommonOptions& common, document::Bench& bench) {
  auto known = model::loadDevices(session.assets);
  if (!known) return Failure(known.error());
  if (!common.model.empty()) return model::findDevice(*known, common.model);
  if (bench.device()) return model::findDevice(*known, bench.device()->name);
  return model::findDevice(*known, bench.recordings().empty() ? "h200" : bench.recordings().front().device.name);
}

nlohmann::ordered_json modelOf(const Line& l, const model::Device& device) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const device::Kernel& k : l.kernel.program->kernels) {
    const compile::KernelResources* resources = nullptr;
    if (l.binary) {
      for (const auto& r : l.binary->kernels)
        if (r.name == k.name) resources = &r;
    }
    all.push_back(model::toJson(model::modelOf(k, device, resources)));
  }
  return {{"device", device.id}, {"kernels", all}};
}

std::string micros(double us) {
  if (us >= 1e6) return fmt::format("{:.2f} s", us / 1e6);
  if (us >= 1000) return fmt::format("{:.2f} ms", us / 1000);
  return fmt::format("{:.1f} µs", us);
}

// Pads by characters that are seen, not by bytes.
std::string padded(const std::string& text, std::size_t width, bool right) {
  std::size_t seen = 0;
  for (unsigned char c : text) seen += (c & 0xc0) != 0x80;
  std::string blank(width > seen ? width - seen : 0, ' ');
  return right ? blank + text : text + blank;
}

const gpu::Outcome* measured(const Line& l) {
  bool has = l.timed.result && l.timed.result->outcome.status == gpu::Outcome::Status::Measured;
  return has ? &l.timed.result->outcome : nullptr;
}

std::string statusText(const Line& l) {
  if (l.kernel.problem) return l.kernel.problem->code == "NotAKernel" ? "no kernel" : l.kernel.problem->code;
  if (l.compileProblem) return l.compileProblem->code;
  if (l.timed.result) {
    const auto& o = l.timed.result->outcome;
    std::string origin = gpu::originName(l.timed.result->origin);
    if (o.status == gpu::Outcome::Status::Measured) {
      return o.error >= 0 ? fmt::format("{}, within {:.1e}", origin, o.error) : origin;
    }
    return gpu::statusName(o.status);
  }
  return l.kernel.program && l.kernel.program->kernels.front().singleThread ? "one GPU thread" : "not measured";
}

nlohmann::ordered_json jsonOf(const document::Target& target, const Line& l) {
  const document::Node& n = target.history.node(l.row.node);
  nlohmann::ordered_json j = {{"step", n.number}, {"node", l.row.node}, {"parent", n.parent}};
  j["source"] = n.step() ? n.step()->source : "";
  if (!l.row.chapter.empty()) j["chapter"] = l.row.chapter;
  j["ms"] = n.milliseconds();
  j["script"] = n.script->text;
  if (l.kernel.problem) {
    j["problem"] = {
        {"code", l.kernel.problem->code}, {"message", l.kernel.problem->message}, {"remedy", l.kernel.problem->remedy}};
    return j;
  }
  j["cuda"] = l.kernel.source.text;
  j["cuda_ms"] = l.kernel.milliseconds;
  j["key"] = l.kernel.key;
  j["launches"] = nlohmann::ordered_json::array();
  for (const auto& k : l.kernel.source.launches)
    j["launches"].push_back({{"kernel", k.name}, {"grid", k.grid}, {"block", k.block}});
  if (l.binary) {
    for (const auto& k : l.binary->kernels) {
      j["resources"].push_back({{"kernel", k.name},
                                {"registers", k.registers},
                                {"spill_stores", k.spillStores},
                                {"spill_loads", k.spillLoads},
                                {"shared_bytes", k.staticShared}});
    }
  }
  if (!l.model.is_null()) j["model"] = l.model;
  if (l.timed.result) {
    j["result"] = gpu::toJson(l.timed.result->outcome);
    j["result"]["origin"] = gpu::originName(l.timed.result->origin);
    j["result"]["device"] = l.timed.device;
    j["result"]["date"] = l.timed.result->date;
  }
  return j;
}

void printTable(const document::Target& target, const std::vector<Line>& lines,
                const std::optional<document::VendorLine>& vendor) {
  fmt::print("{}\n", padded(" step  time        ×first  ×prev   of vendor  regs  shared   state", 70, false));
  double first = 0, previous = 0;
  for (const Line& l : lines) {
    const document::Node& n = target.history.node(l.row.node);
    if (!l.row.chapter.empty()) fmt::print("{}\n", "       — " + l.row.chapter);
    std::string time, speedFirst, speedPrevious, share, registers, shared;
    if (const gpu::Outcome* o = measured(l)) {
      time = micros(o->timing.median);
      if (first > 0) speedFirst = fmt::format("{:.2f}", first / o->timing.median);
      if (previous > 0) speedPrevious = fmt::format("{:.2f}", previous / o->timing.median);
      if (first == 0) first = o->timing.median;
      previous = o->timing.median;
      if (vendor) share = fmt::format("{:.1f} %", 100 * vendor->outcome.timing.median / o->timing.median);
    }
    if (l.binary && !l.binary->kernels.empty()) {
      registers = std::to_string(l.binary->kernels.front().registers);
      shared = std::to_string(l.kernel.program->kernels.front().sharedBytes());
    }
    std::string source = n.step() ? n.step()->source : "the unscheduled program";
    fmt::print("{} {} {} {} {} {} {}  {}\n", padded(std::to_string(n.number), 5, true), padded(time, 12, true),
               padded(speedFirst, 8, true), padded(speedPrevious, 6, true), padded(share, 10, true),
               padded(registers, 5, true), padded(shared, 7, true), statusText(l) + "  " + source);
  }
  if (vendor) {
    const gpu::VendorOutcome& v = vendor->outcome;
    std::string choice = v.algorithms > 0 ? fmt::format(", best of {} algorithms", v.algorithms) : "";
    fmt::print("{} {} cuBLASLt {}{}, {} {} {}\n", padded("", 5, true), padded(micros(v.timing.median), 12, true),
               v.version, choice, vendor->origin == gpu::ResultOrigin::Recorded ? "recorded on" : "measured on",
               vendor->device, vendor->date);
  }
}

ExitStatus steps(const StepsOptions& options, const CommonOptions& common) {
  auto session = openSession();
  if (!session) return report(session.error());
  auto target = document::openTarget(options.target, session->assets, session->environment());
  if (!target) return report(target.error());
  document::BenchOptions bench = benchOptions(*session, common, true);
  bench.deadlineSeconds = options.deadline;
  bench.again = options.again;
  document::Bench service(bench);
  // A device that isn't described leaves the model out, unless it was asked for.
  auto described = modelDevice(*session, common, service);
  if (!described && (!common.model.empty() || described.error().code != "NoSuchDevice"))
    return report(described.error());

  std::vector<Line> lines;
  for (const Row& row : rowsOf(*target)) {
    Line l;
    l.row = row;
    const document::History& h = target->history;
    l.kernel = document::makeKernel(h.node(row.node).state, [&](ir::Id id) { return h.describe(row.node, id); });
    lines.push_back(std::move(l));
  }
  auto matmul = gpu::recognizeMatmul(target->history.node(0).state.module().functions.front());
  bool live = service.device().has_value();
  if (!live && common.device != "none" && common.device != "auto") return report(service.device().error());
  ExitStatus status = ExitStatus::kDone;
  if (live) {
    std::vector<document::Bench::Request> requests;
    for (const Line& l : lines) requests.push_back({std::to_string(l.row.node), &l.kernel});
    auto timed =
        service.measure(requests, matmul, [](const std::string& what) { fmt::print(stderr, "\r\033[K{}", what); });
    fmt::print(stderr, "\r\033[K");
    if (!timed) return report(timed.error());
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].timed = (*timed)[i];
  } else {
    for (Line& l : lines) l.timed = service.known(l.kernel);
  }
  if (!options.noCompile && service.compiler()) {
    std::string architecture = service.architecture();
    std::vector<std::string> sources;
    for (const Line& l : lines) {
      if (!l.kernel.problem) sources.push_back(l.kernel.source.text);
    }
    auto binaries = service.compileAll(sources, architecture);
    std::size_t next = 0;
    for (Line& l : lines) {
      if (l.kernel.problem) continue;
      auto& binary = binaries[next++];
      if (binary) {
        l.binary = std::move(*binary);
      } else {
        l.compileProblem = binary.error();
        status = ExitStatus::kNoDevice;
      }
    }
  }
  for (const Line& l : lines) {
    if (l.timed.result && l.timed.result->outcome.status == gpu::Outcome::Status::Wrong) status = ExitStatus::kWrong;
  }
  auto vendor = matmul ? service.knownVendor(*matmul) : std::nullopt;
  if (common.json) {
    for (Line& l : lines) {
      if (l.kernel.program && described) l.model = modelOf(l, *described);
    }
    for (const Line& l : lines) fmt::print("{}\n", jsonOf(*target, l).dump());
    if (vendor) {
      nlohmann::ordered_json j = {{"vendor", gpu::toJson(vendor->outcome)},
                                  {"device", vendor->device},
                                  {"date", vendor->date},
                                  {"origin", gpu::originName(vendor->origin)}};
      fmt::print("{}\n", j.dump());
    }
  } else {
    printTable(*target, lines, vendor);
    if (!live) fmt::print("Nothing was measured here: {}.\n", service.device().error().message);
    if (!service.compiler()) fmt::print("Nothing was compiled: {}.\n", service.compiler().error().message);
  }
  for (const std::string& remark : service.remarks()) fmt::print(stderr, "note: {}\n", remark);
  if (target->refusal) {
    std::fflush(stdout);
    return report(*target->refusal);
  }
  return status;
}

}  // namespace

Action declareSteps(CLI::App& command, const Context& context) {
  auto options = std::make_shared<StepsOptions>();
  addTarget(command, options->target);
  command.add_flag("--no-compile", options->noCompile, "Don't compile for registers and shared memory");
  command.add_flag("--again", options->again, "Measure also what has been measured");
  command.add_option("--deadline", options->deadline, "Seconds that a kernel may run")->capture_default_str();
  return [options, &context] { return steps(*options, context.common); };
}

}  // namespace loom::cli
