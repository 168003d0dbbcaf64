#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/progress.h"
#include "app/cli/records.h"
#include "app/cli/setup.h"
#include "app/cli/table.h"
#include "app/cli/verb_list.h"
#include "core/document/naive_kernel.h"
#include "core/document/step_remarks.h"
#include "core/document/tuner_database.h"
#include "core/gpu/protocol.h"
#include "core/gpu/vendor.h"
#include "core/model/json.h"

namespace loom::cli {
namespace {

constexpr std::size_t kTogether = 8;  // states

struct StepsOptions {
  TargetWords target;
  bool noCompile = false;
  bool again = false;
  bool last = false;
  double deadline = 20;
};

nlohmann::ordered_json modelOf(const StateLine& l, const model::Device& device, document::Bench& bench) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  Result<std::vector<sass::Kernel>> sass = fail("NoSass", message("nothing was compiled"));
  if (l.binary && bench.toolkit()) {
    if (auto text = compile::disassemble(*bench.toolkit(), *l.binary)) sass = sass::parse(*text);
  }
  for (const device::Kernel& k : l.kernel.statements()->kernels) {
    model::Machine machine{nullptr, nullptr, &l.kernel.source};
    if (l.binary) {
      for (const auto& r : l.binary->kernels)
        if (r.name == k.name) machine.resources = &r;
    }
    if (sass) {
      for (const auto& s : *sass)
        if (s.name == k.name) machine.sass = &s;
    }
    all.push_back(model::toJson(model::modelOf(k, device, machine), device));
  }
  return {{"device", device.id}, {"architecture", bench.architecture()}, {"kernels", all}};
}

nlohmann::ordered_json jsonOf(const document::Target& target, const StateLine& l) {
  const document::Node& n = target.history.node(l.row.node);
  nlohmann::ordered_json j = {{"step", n.number}, {"node", l.row.node}, {"parent", n.parent}};
  j["source"] = n.step() ? n.step()->source : "";
  if (!l.row.chapter.empty()) j["chapter"] = l.row.chapter;
  if (target.tuned && target.tuned->node == l.row.node) j["tuned"] = tunedJson(*target.tuned);
  j["ms"] = n.milliseconds();
  j["script"] = n.script->text;
  if (const auto said = document::remarksOnStep(target.history, l.row.node, true); !said.empty())
    j["remarks"] = cli::jsonOf(said);
  if (l.kernel.problem) {
    j["problem"] = {{"code", l.kernel.problem->code},
                    {"message", l.kernel.problem->message.english()},
                    {"remedy", l.kernel.problem->remedy.english()}};
    if (!l.model.is_null()) j["model"] = l.model;
    return j;
  }
  if (!l.kernel.size.numbers.empty()) j["size"] = l.kernel.size.numbers;
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

void deriveKernel(const document::Target& target, const document::SizeChoice& size, StateLine& l) {
  const document::History& h = target.history;
  l.kernel =
      document::makeKernelAt(h.node(l.row.node).state, size, [&](ir::Id id) { return h.describe(l.row.node, id); });
}

// False where one of them can't be.
bool compileLines(std::span<StateLine> lines, document::Bench& service) {
  std::vector<compile::Text> sources;
  for (const StateLine& l : lines) {
    if (!l.kernel.problem) sources.emplace_back(l.kernel.source);
  }
  auto binaries = service.compileAll(sources, service.architecture());
  std::size_t next = 0;
  bool all = true;
  for (StateLine& l : lines) {
    if (l.kernel.problem) continue;
    auto& binary = binaries[next++];
    if (binary) {
      l.binary = std::move(*binary);
    } else {
      l.compileProblem = binary.error();
      all = false;
    }
  }
  return all;
}

ExitStatus steps(const StepsOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  if (auto listed = listRecords(options.target.words, common.json)) return *listed;
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  document::BenchOptions bench = benchOptions(*setup, common, true);
  bench.deadlineSeconds = options.deadline;
  bench.again = options.again;
  auto architecture = modelArchitecture(*setup, common);
  if (!architecture) return report(architecture.error());
  bench.architecture = *architecture;
  document::Bench service(bench);
  // A device that isn't described leaves the model out, unless it was asked for.
  auto described = modelDevice(*setup, common, service);
  if (!described && (!common.model.empty() || described.error().code != "NoSuchDevice"))
    return report(described.error());

  std::vector<Row> rows = rowsOf(*target, languageOf(common));
  if (options.last) rows.erase(rows.begin(), rows.end() - 1);
  bool live = service.device().has_value();
  if (!live && wantsDevice(common)) return report(service.device().error());
  ExitStatus status = ExitStatus::kDone;
  KernelRemarks remarks;
  for (const document::SizeChoice& size : shownSizes(*target)) {
    std::vector<StateLine> lines;
    for (const Row& row : rows) {
      StateLine l;
      l.row = row;
      lines.push_back(std::move(l));
    }
    auto matmul = gpu::recognizeMatmul(document::functionAt(target->history.node(0).state, size));
    // Without a device, as JSON, each state waits for its turn.
    const bool inTurn = common.json && !live;
    if (!inTurn) {
      for (StateLine& l : lines) deriveKernel(*target, size, l);
    }
    if (live) {
      std::vector<document::Bench::Request> requests;
      for (const StateLine& l : lines) requests.push_back({std::to_string(l.row.node), &l.kernel});
      const auto naive = matmul ? std::nullopt : document::naiveKernel(target->history.node(0).state, size);
      auto timed = [&] {
        ProgressLine progress;
        return service.measure(
            requests, matmul, [&](const std::string& what) { progress(what); }, naive ? &*naive : nullptr);
      }();
      if (!timed) return report(timed.error());
      for (std::size_t i = 0; i < lines.size(); ++i) lines[i].timed = (*timed)[i];
    } else if (!inTurn) {
      for (StateLine& l : lines) l.timed = service.known(l.kernel);
    }
    // As JSON a state is a line, printed as soon as it is known: a few at a time, so that compilers have enough to do.
    const std::size_t together = common.json ? kTogether : std::max<std::size_t>(1, lines.size());
    const bool compiles = !options.noCompile && service.compiler().has_value();
    for (std::size_t from = 0; from < lines.size(); from += together) {
      const std::span part(lines.data() + from, std::min(together, lines.size() - from));
      if (inTurn) {
        for (StateLine& l : part) {
          deriveKernel(*target, size, l);
          l.timed = service.known(l.kernel);
        }
      }
      if (compiles && !compileLines(part, service)) status = ExitStatus::kNoDevice;
      if (!common.json) continue;
      for (StateLine& l : part) {
        if (l.kernel.statements() && described) l.model = modelOf(l, *described, service);
        printJson(jsonOf(*target, l));
        l.model = nullptr;
        flushResults();
      }
    }
    using Outcome = gpu::Outcome::Status;
    auto any = [&](Outcome outcome) {
      return std::any_of(lines.begin(), lines.end(), [&](const StateLine& l) {
        return l.timed.result && l.timed.result->outcome.status == outcome;
      });
    };
    // That a lesson's first states take too long is part of its story.
    if (any(Outcome::Lost) || (live && !target->lesson && any(Outcome::Deadline))) status = ExitStatus::kDeadline;
    if (any(Outcome::Wrong)) status = ExitStatus::kWrong;
    if (matmul && !lines.empty()) matmul = gpu::multipliedAs(*matmul, lines.back().kernel.source);
    auto vendor = matmul ? service.knownVendor(*matmul) : std::nullopt;
    if (common.json) {
      if (vendor) {
        nlohmann::ordered_json j = {{"vendor", gpu::toJson(vendor->outcome)},
                                    {"device", vendor->device},
                                    {"date", vendor->date},
                                    {"origin", gpu::originName(vendor->origin)}};
        printJson(j);
      }
    } else {
      if (!size.text.empty()) fmt::print("At {}:\n", size.text);
      printTable(*target, lines, vendor);
      const Message lacks = matmul ? gpu::whyNoVendorProduct(*matmul) : Message();
      if (!vendor && !lacks.empty()) fmt::print("No vendor's line: {}.\n", lacks);
      if (const auto& tuned = target->tuned)
        fmt::print("Step {}: {}.\n", target->history.node(tuned->node).number, tuned->text());
      if (!live) fmt::print("Nothing was measured here: {}.\n", service.device().error().message);
      if (!service.compiler()) fmt::print("Nothing was compiled: {}.\n", service.compiler().error().message);
    }
    for (const StateLine& l : lines) {
      const int step = target->history.node(l.row.node).number;
      remarks.add(step, document::remarksOnStep(target->history, l.row.node));
      remarks.add(step, l.kernel);
    }
  }
  remarks.print();
  for (const Message& remark : service.remarks()) note(remark);
  if (target->refusal) {
    flushResults();
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
  command.add_flag("--last", options->last, "Only the last state");
  command.add_option("--deadline", options->deadline, "Seconds that a kernel may run")
      ->check(seconds())
      ->capture_default_str();
  return [options, &context] { return steps(*options, context.common); };
}

}  // namespace loom::cli
