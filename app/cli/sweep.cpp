#include "core/tune/size_sweep.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/progress.h"
#include "app/cli/setup.h"
#include "app/cli/table.h"
#include "app/cli/verb_list.h"
#include "app/notation/quantity_text.h"
#include "app/report/report.h"
#include "core/document/time_rows.h"
#include "core/gpu/protocol.h"
#include "core/model/duration_text.h"

namespace loom::cli {
namespace {

using tune::SweptNote;
using tune::SweptSize;
using tune::SweptState;

struct SweepOptions {
  TargetWords target;
  std::vector<std::string> sizes, dtypes, chapters;
  std::vector<int> steps;
  bool noCompile = false, noMeasure = false, again = false, csv = false;
  double deadline = 20;
};

Result<std::vector<int>> nodesOf(const document::Target& target, const SweepOptions& options) {
  std::vector<int> nodes;
  auto add = [&](const std::string& chapter, int step) -> Result<void> {
    auto node = nodeOf(target, chapter, step);
    if (!node) return Failure(node.error());
    if (std::find(nodes.begin(), nodes.end(), *node) == nodes.end()) nodes.push_back(*node);
    return {};
  };
  for (const std::string& chapter : options.chapters)
    if (auto added = add(chapter, -1); !added) return Failure(added.error());
  for (int step : options.steps)
    if (auto added = add("", step); !added) return Failure(added.error());
  if (nodes.empty())
    if (auto added = add("", -1); !added) return Failure(added.error());
  return nodes;
}

// Every size with every pair of types; without those asked for, the program's own.
Result<std::vector<gpu::ProductSize>> sizesOf(const SweepOptions& options, const gpu::Matmul& own) {
  std::string words;
  for (const std::string& word : options.sizes) words += word + " ";
  auto sizes = gpu::readSizes(words);
  if (!sizes) return sizes;
  std::vector<std::pair<ir::DType, ir::DType>> types;
  for (const std::string& word : options.dtypes) {
    auto pair = gpu::readTypes(word);
    if (!pair) return Failure(pair.error());
    types.push_back(*pair);
  }
  if (types.empty()) types.emplace_back(own.input, own.output);
  std::vector<gpu::ProductSize> all;
  for (const auto& [input, output] : types) {
    for (gpu::ProductSize size : *sizes) {
      size.input = input, size.output = output;
      all.push_back(size);
    }
  }
  return all;
}

nlohmann::ordered_json jsonOf(const Error& e) {
  return {{"code", e.code}, {"message", e.message.english()}, {"remedy", e.remedy.english()}};
}

nlohmann::ordered_json jsonOf(const SweptSize& size, const SweptState& s, const std::string& device) {
  const gpu::Matmul& p = size.product;
  nlohmann::ordered_json j = {
      {"m", p.m},         {"n", p.n},      {"k", p.k}, {"input", p.input.str()}, {"output", p.output.str()},
      {"step", s.number}, {"node", s.node}};
  if (s.refusal) {
    j["refusal"] = jsonOf(s.refusal->error);
    j["refusal"]["step"] = s.refusedNumber;
    j["refusal"]["line"] = s.refusal->line;
    return j;
  }
  if (s.kernel->problem) {
    j["problem"] = jsonOf(*s.kernel->problem);
    return j;
  }
  j["key"] = s.kernel->key;
  j["launches"] = nlohmann::ordered_json::array();
  for (const auto& k : s.kernel->source.launches)
    j["launches"].push_back({{"kernel", k.name}, {"grid", k.grid}, {"block", k.block}});
  j["guards"] = nlohmann::ordered_json::array();
  for (const tune::Guard& g : s.guards) {
    j["guards"].push_back({{"block", g.block}});
    if (g.share) j["guards"].back()["share"] = *g.share;
  }
  j["flops"] = p.flops();
  if (s.flops > 0) j["flops_done"] = s.flops;
  if (s.predicted) {
    j["predicted"] = {{"us", s.predicted->microseconds},
                      {"tflops", size.tflops(s.predicted->microseconds)},
                      {"from", s.predicted->asCompiled ? "machine code" : "the program"},
                      {"device", device},
                      {"how", s.predicted->how}};
  } else {
    j["predicted"] = {{"unknown", s.unpredicted}};
  }
  if (s.peak)
    j["peak"] = {{"name", s.peak->name},
                 {"tflops", s.peak->rate.value},
                 {"measured", s.peak->rate.measured},
                 {"source", s.peak->rate.source}};
  if (s.registers >= 0) j["resources"] = {{"registers", s.registers}, {"spill_bytes", s.spillBytes}};
  if (s.compileProblem) j["compile_problem"] = jsonOf(*s.compileProblem);
  if (s.timed.result) {
    j["result"] = gpu::toJson(s.timed.result->outcome);
    if (const gpu::Outcome* o = s.measured()) j["result"]["tflops"] = size.tflops(o->timing.median);
    j["result"]["origin"] = gpu::originName(s.timed.result->origin);
    j["result"]["device"] = s.timed.device;
    j["result"]["date"] = s.timed.result->date;
  }
  return j;
}

std::string noteText(const SweptNote& note, const SweptState& state) {
  using Kind = SweptNote::Kind;
  switch (note.kind) {
    case Kind::kRefused: return fmt::format("step {} refuses: {}", state.refusedNumber, note.what);
    case Kind::kNoKernel: return "no kernel: " + note.what.english();
    case Kind::kNotCompiled: return "not compiled: " + note.what.english();
    case Kind::kWrong: return "WRONG: " + note.what.english();
    case Kind::kTooSlow: return "too long: " + note.what.english();
    case Kind::kFailed: return "failed: " + note.what.english();
    case Kind::kGuards:
      return note.what.empty() ? fmt::format("{} is guarded", note.block)
                               : fmt::format("{} is guarded: {} % of its runs work", note.block, note.what);
    case Kind::kExtra: return fmt::format("does {} times the product's FLOP", note.what);
    case Kind::kUnpredicted: break;
  }
  return "no prediction: " + note.what.english();
}

// A row a size and state; what was predicted has a column of its own.
void printSweep(const tune::Sweep& sweep) {
  fmt::print("{} {} {} {} {} {} {} {} note\n", padded("size", 16, false), padded("types", 18, false),
             padded("step", 4, true), padded("measured", 11, true), padded("TFLOP/s", 8, true),
             padded("of vendor", 9, true), padded("predicted", 11, true), padded("TFLOP/s", 8, true));
  for (const SweptSize& size : sweep.sizes) {
    const gpu::Matmul& p = size.product;
    const std::string name = padded(gpu::sizeText({p.m, p.n, p.k, {}, {}}), 16, false);
    const std::string types = padded(p.input.str() + "/" + p.output.str(), 18, false);
    if (size.problem) fmt::print("{} {} {}\n", name, types, size.problem->message);
    for (const SweptState& s : size.states) {
      const gpu::Outcome* o = s.measured();
      std::string notes;
      auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : "; ") + note; };
      if (s.timed.measured()) add(gpu::originName(s.timed.result->origin));
      for (const SweptNote& note : notesOf(size, s)) add(noteText(note, s));
      const auto share = document::ratioOf(document::timeOn(size.vendor), o ? document::timeOn(s.timed) : std::nullopt);
      fmt::print("{} {} {} {} {} {} {} {} {}\n", name, types, padded(std::to_string(s.number), 4, true),
                 padded(o ? model::durationText(o->timing.median) : "", 11, true),
                 padded(o ? fmt::format("{:.4g}", size.tflops(o->timing.median)) : "", 8, true),
                 padded(share ? notation::shareText(*share) : "", 9, true),
                 padded(s.predicted ? model::durationText(s.predicted->microseconds) : "", 11, true),
                 padded(s.predicted ? fmt::format("{:.4g}", size.tflops(s.predicted->microseconds)) : "", 8, true),
                 notes);
    }
    if (size.vendor && size.vendor->outcome.available) {
      const double us = size.vendor->outcome.timing.median;
      fmt::print("{} {} {} {} {} {} {} {} cuBLASLt {}, {} {}\n", name, types, padded("", 4, true),
                 padded(model::durationText(us), 11, true), padded(fmt::format("{:.4g}", size.tflops(us)), 8, true),
                 padded("", 9, true), padded("", 11, true), padded("", 8, true), size.vendor->outcome.version,
                 size.vendor->origin == gpu::ResultOrigin::Recorded ? "recorded on" : "measured on",
                 size.vendor->device);
    }
  }
}

void compileAll(SweptSize& size, document::Bench& service, const Result<model::Device>& device) {
  std::vector<compile::Text> sources;
  std::vector<SweptState*> states;
  for (SweptState& s : size.states) {
    if (!s.kernel || s.kernel->problem) continue;
    sources.emplace_back(s.kernel->source);
    states.push_back(&s);
  }
  const auto binaries = service.compileAll(sources, service.architecture());
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    if (!binaries[i]) {
      states[i]->compileProblem = binaries[i].error();
      continue;
    }
    Result<std::string> sass = fail("NoSass", Message());
    if (service.toolkit()) sass = compile::disassemble(*service.toolkit(), *binaries[i]);
    tune::predict(*states[i], device, &*binaries[i], &sass);
  }
}

// Gives false where a state was wrong or never ended.
Result<ExitStatus> measureAll(SweptSize& size, document::Bench& service, bool runs, ProgressLine& progress) {
  std::vector<document::Bench::Request> requests;
  std::vector<SweptState*> states;
  for (SweptState& s : size.states) {
    if (!s.kernel || s.kernel->problem) continue;
    s.timed = service.known(*s.kernel);
    requests.push_back({std::to_string(s.number), s.kernel.get()});
    states.push_back(&s);
  }
  ExitStatus status = ExitStatus::kDone;
  if (runs && !requests.empty()) {
    const std::string at = gpu::sizeText({size.product.m, size.product.n, size.product.k, {}, {}});
    auto timed = service.measure(requests, size.product, [&](const std::string& what) { progress(at + ", " + what); });
    if (!timed) return Failure(timed.error());
    for (std::size_t i = 0; i < timed->size(); ++i) {
      states[i]->timed = (*timed)[i];
      if (!states[i]->timed.result) continue;
      const auto outcome = states[i]->timed.result->outcome.status;
      if (outcome == gpu::Outcome::Status::Wrong) status = ExitStatus::kWrong;
      if (outcome == gpu::Outcome::Status::Lost && status == ExitStatus::kDone) status = ExitStatus::kDeadline;
    }
  }
  size.vendor = service.knownVendor(size.product);
  return status;
}

ExitStatus sweep(const SweepOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) return report(*target->refusal);
  auto nodes = nodesOf(*target, options);
  if (!nodes) return report(nodes.error());
  const auto& functions = target->history.node(0).state.module().functions;
  const auto own = functions.size() == 1 ? gpu::resizableProduct(functions.front()) : std::nullopt;
  if (!own) {
    return report(fail("NotAProduct", message("only a function that is one product of two matrices has other sizes"),
                       Forbids::Input)
                      .value());
  }
  auto sizes = sizesOf(options, *own);
  if (!sizes) return report(sizes.error());
  document::BenchOptions bench = benchOptions(*setup, common, true);
  bench.deadlineSeconds = options.deadline;
  bench.again = options.again;
  auto architecture = modelArchitecture(*setup, common);
  if (!architecture) return report(architecture.error());
  bench.architecture = *architecture;
  document::Bench service(bench);
  const auto described = modelDevice(*setup, common, service);
  if (!described && (!common.model.empty() || described.error().code != "NoSuchDevice"))
    return report(described.error());
  const auto& here = service.device();
  if (!here && wantsDevice(common)) return report(here.error());

  tune::Sweep all;
  all.request = {*nodes, *sizes, !options.noMeasure};
  all.device = described ? described->name : "";
  ExitStatus status = ExitStatus::kDone;
  {
    ProgressLine progress;
    for (const gpu::ProductSize& asked : *sizes) {
      SweptSize size =
          tune::sweptSize(target->history, *nodes, asked, document::environmentOf(*target, setup->environment()));
      for (SweptState& s : size.states) tune::predict(s, described);
      if (!options.noCompile && service.compiler()) compileAll(size, service, described);
      const bool runs = !options.noMeasure && here && (!here->cpu || tune::checkedOnCpu(size.product));
      auto ended = measureAll(size, service, runs, progress);
      if (!ended) return report(ended.error());
      if (status != ExitStatus::kWrong && *ended != ExitStatus::kDone) status = *ended;
      all.sizes.push_back(std::move(size));
      if (!common.json) continue;
      const SweptSize& done = all.sizes.back();
      if (done.problem) {
        printJson({{"m", asked.m},
                   {"n", asked.n},
                   {"k", asked.k},
                   {"input", asked.input.str()},
                   {"output", asked.output.str()},
                   {"problem", jsonOf(*done.problem)}});
      }
      for (const SweptState& s : done.states) printJson(jsonOf(done, s, all.device));
      if (done.vendor) {
        printJson({{"m", asked.m},
                   {"n", asked.n},
                   {"k", asked.k},
                   {"input", asked.input.str()},
                   {"output", asked.output.str()},
                   {"vendor", gpu::toJson(done.vendor->outcome)},
                   {"device", done.vendor->device},
                   {"date", done.vendor->date},
                   {"origin", gpu::originName(done.vendor->origin)}});
      }
    }
  }
  if (common.json) return status;
  if (options.csv) {
    fmt::print("{}", report::csv(all, target->history));
    return status;
  }
  printSweep(all);
  fmt::print("Predicted by the model{}.\n",
             described ? " of " + described->name : ": " + described.error().message.english());
  if (!here) fmt::print("Nothing was measured here: {}.\n", here.error().message);
  if (!service.compiler()) fmt::print("Nothing was compiled: {}.\n", service.compiler().error().message);
  for (const Message& remark : service.remarks()) note(remark);
  return status;
}

// For words that `read` understands.
template <typename Read>
CLI::Validator readable(Read read) {
  return CLI::Validator(
      [read](const std::string& word) {
        auto value = read(word);
        return value ? std::string() : shortened(value.error().message, 200);
      },
      "");
}

}  // namespace

Action declareSweep(CLI::App& command, const Context& context) {
  auto options = std::make_shared<SweepOptions>();
  addTarget(command, options->target);
  // One word each: those that follow are the target's.
  auto repeated = [&](const char* name, auto& into, const char* what) {
    return command.add_option(name, into, what)->allow_extra_args(false);
  };
  repeated("--sizes", options->sizes, "1024, 2048x512x1024 (M, N, K), 512..8192 (each twice the one before); by commas")
      ->check(readable([](const std::string& word) { return gpu::readSizes(word); }))
      ->default_val("512..8192");
  repeated("--dtypes", options->dtypes, "Input and output, as float16/float32 (default: the program's)")
      ->check(readable([](const std::string& word) { return gpu::readTypes(word); }));
  repeated("--step", options->steps, "The state after this step; may be repeated (default: the last)")
      ->check(stepNumber());
  repeated("--chapter", options->chapters, "Of a lesson: the state at this chapter's end; may be repeated")
      ->check(aName());
  command.add_flag("--no-compile", options->noCompile, "Predict from the programs alone");
  command.add_flag("--no-measure", options->noMeasure, "Measure nothing");
  command.add_flag("--again", options->again, "Measure also what has been measured");
  command.add_flag("--csv", options->csv, "The table as CSV");
  command.add_option("--deadline", options->deadline, "Seconds that a kernel may run")
      ->check(seconds())
      ->capture_default_str();
  return [options, &context] { return sweep(*options, context.common); };
}

}  // namespace loom::cli
