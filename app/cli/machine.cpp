// Verbs about the machine: worker, devices, doctor; and the list of lessons.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/assets.h"
#include "app/cli/report.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/gpu/protocol.h"
#include "core/ir/with_noun.h"
#include "core/model/json.h"
#include "core/process/serve.h"
#include "core/profile/profiler.h"

namespace loom::cli {
namespace {

ExitStatus worker(bool cpu) {
  // What the libraries print must not get between the frames.
  int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  process::endWithClient(answers);
  gpu::ServeOptions options;
  options.toolkit = compile::defaultSearchPath();
  options.cpu = cpu;
  auto toolkit = compile::findToolkit(options.toolkit);
  options.vendorLibrary = toolkit && toolkit->cublasLt ? toolkit->cublasLt->string() : "";
  return gpu::serve(STDIN_FILENO, answers, options) == 0 ? ExitStatus::kDone : ExitStatus::kUnreadable;
}

// Those that the model answers for.
ExitStatus describedDevices(const CommonOptions& common, const std::optional<gpu::DeviceInfo>& here) {
  auto assets = findAssets();
  if (!assets) return ExitStatus::kDone;
  document::DeviceSources sources = deviceSources(*assets);
  sources.here = here;
  auto known = document::knownDevices(sources);
  if (!known) return report(known.error());
  for (const Message& remark : known->remarks) note(remark);
  if (!common.json) fmt::print("Described, for --model:\n");
  for (const model::Device& d : known->all) {
    if (common.json) {
      printJson({{"model", model::toJson(d)}});
      continue;
    }
    auto figure = [&](model::Quantity q, const char* name) {
      const auto rate = model::rateOf(d, q);
      if (!rate) return fmt::format("  ? {}", name);
      return fmt::format("  {:g} {}{}", rate->value, name, rate->measured ? " measured" : "");
    };
    using model::Quantity;
    fmt::print("{:10}  {:30}  sm_{}{}{}{}{}{}\n", d.id, d.name, d.major, d.minor,
               figure(Quantity::Multiprocessors, "SMs"), figure(Quantity::MemoryGbPerS, "GB/s"),
               figure(Quantity::Fp32Tflops, "TFLOP/s fp32"), figure(Quantity::MmaF16F32Tflops, "TFLOP/s mma.sync"));
  }
  return ExitStatus::kDone;
}

// Of a worker that ends with the question.
Result<std::vector<gpu::DeviceInfo>> devicesThere(const CommonOptions& common) {
  gpu::WorkerOptions options;
  options.command = workerCommand(common);
  gpu::Worker process(options);
  return devicesThere(process, common);
}

ExitStatus devices(const CommonOptions& common) {
  auto found = devicesThere(common);
  if (!found && wantsDevice(common)) return report(found.error());
  for (const gpu::DeviceInfo& d : found ? *found : std::vector<gpu::DeviceInfo>{}) {
    if (common.json) {
      printJson(gpu::toJson(d));
    } else {
      fmt::print("{}  {}  {}  {} SMs  {:.0f} GiB  L2 {:.0f} MiB  shared {} KiB a block  driver CUDA {}\n", d.ordinal,
                 d.name, d.architecture(), d.multiprocessors, double(d.memoryBytes) / (1 << 30),
                 double(d.l2Bytes) / (1 << 20), d.sharedPerBlock / 1024, d.driver);
    }
  }
  if (!found && !common.json) fmt::print("No device here: {}.\n", found.error().message.english());
  return describedDevices(common, found && !found->empty() ? std::optional(found->front()) : std::nullopt);
}

struct Finding {
  std::string what;
  bool fine;
  std::string detail;
};

// The first thing that is wrong in the files of intrinsics, with its place; "" where nothing is. Verbs parse an
// intrinsic when it is first asked for, this all of them.
std::string wrongIn(const std::filesystem::path& intrinsics) {
  const auto all = intrin::Library::load(intrinsics, true);
  if (all) return "";
  const std::string told = describePlace(all.error());
  return told.substr(0, told.find('\n'));
}

ExitStatus doctor(const CommonOptions& common) {
  std::vector<Finding> findings;
  auto add = [&](std::string what, bool fine, std::string detail) {
    findings.push_back({std::move(what), fine, std::move(detail)});
  };
  auto setup = openSetup();
  add("assets", setup.has_value(), setup ? setup->assets.string() : setup.error().message.english());
  if (setup) {
    const std::string wrong = wrongIn(setup->assets / "intrinsics");
    add("intrinsics", wrong.empty(),
        wrong.empty() ? withNoun(std::int64_t(setup->intrinsics.names().size()), "tensor intrinsic") : wrong);
    std::string names;
    for (const std::string& n : document::lessonNames(setup->assets)) names += (names.empty() ? "" : ", ") + n;
    add("lessons", !names.empty(), names.empty() ? "none" : names);
  }
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  std::string nvrtc = toolkit ? toolkit->nvrtc.string() : toolkit.error().message.english();
  for (const Message& remark : toolkit ? toolkit->remarks : std::vector<Message>{}) nvrtc += "; " + remark.english();
  add("NVRTC", toolkit.has_value(), nvrtc);
  if (toolkit) {
    auto compiler = compile::Compiler::load(*toolkit);
    std::string known;
    if (compiler) {
      for (const std::string& a : (*compiler)->architectures()) known += " " + a;
    }
    add("compiler", compiler.has_value(),
        compiler ? "NVRTC " + (*compiler)->version() + " for" + known : compiler.error().message.english());
    add("nvdisasm", toolkit->nvdisasm.has_value(),
        toolkit->nvdisasm ? toolkit->nvdisasm->string() : "not found: SASS can't be shown");
    add("cuBLASLt", toolkit->cublasLt.has_value(),
        toolkit->cublasLt ? toolkit->cublasLt->string() : "not found: no vendor's line");
  }
  auto found = devicesThere(common);
  add("device", found.has_value(),
      found && !found->empty() ? found->front().name
      : found                  ? "none"
                               : found.error().message.english());
  const auto ncu = profile::findNcu(compile::defaultSearchPath());
  add("ncu", ncu.has_value(),
      ncu ? fmt::format("{} {}", ncu->program.string(), ncu->version) : "not found: stalls can't be sampled");
  const std::filesystem::path database = gpu::ResultDatabase::defaultFile();
  auto results = gpu::ResultDatabase::open(database);
  const bool kept = results.has_value() && !database.empty();
  add("results", kept,
      kept       ? database.string()
      : !results ? results.error().message.english()
                 : "the user has no folder ($HOME, $XDG_DATA_HOME): results of a session won't be kept");
  for (const Finding& f : findings) {
    if (common.json) {
      printJson({{"check", f.what}, {"ok", f.fine}, {"detail", f.detail}});
    } else {
      fmt::print("{} {:<11} {}\n", f.fine ? "ok     " : "missing", f.what, f.detail);
    }
  }
  return setup ? ExitStatus::kDone : ExitStatus::kUnreadable;
}

ExitStatus lessons(const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  for (const std::string& name : document::lessonNames(setup->assets)) {
    auto lesson = document::loadLesson(setup->assets / "lessons" / name);
    if (!lesson) return report(lesson.error());
    const std::string& title = document::in(lesson->title, languageOf(common));
    if (common.json) {
      printJson({{"name", name}, {"title", title}, {"chapters", lesson->chapters.size()}});
    } else {
      fmt::print("{:<14} {}  {}\n", name, withNoun(std::int64_t(lesson->chapters.size()), "chapter"), title);
    }
  }
  return ExitStatus::kDone;
}

}  // namespace

Action declareWorker(CLI::App& command, const Context&) {
  auto cpu = std::make_shared<bool>(false);
  command.add_flag("--cpu", *cpu, "Offer the CPU executor as the device instead of a GPU");
  return [cpu] { return worker(*cpu); };
}
Action declareDevices(CLI::App&, const Context& context) {
  return [&context] { return devices(context.common); };
}
Action declareDoctor(CLI::App&, const Context& context) {
  return [&context] { return doctor(context.common); };
}
Action declareLessons(CLI::App&, const Context& context) {
  return [&context] { return lessons(context.common); };
}

}  // namespace loom::cli
