#include "app/cli/setup.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/assets.h"
#include "app/text/text.h"
#include "core/device/precision.h"
#include "core/gpu/result_database.h"
#include "core/gpu/worker.h"

namespace loom::cli {

Result<Setup> openSetup() {
  auto assets = findAssets();
  if (!assets) {
    return fail("NoAssets", message("the folder assets is found neither beside the program nor under $TILELOOM_ASSETS"),
                Forbids::Environment);
  }
  auto library = intrin::Library::load(*assets / "intrinsics");
  if (!library) return Failure(library.error());
  return Setup{*assets, std::move(*library)};
}

Result<document::Target> openTarget(const TargetWords& given, const Setup& setup) {
  auto target = document::openTarget(given.words, setup.assets, setup.environment());
  if (!target) return target;
  for (const Message& remark : target->remarks) note(fmt::format("{}: {}", given.words.front(), remark));
  document::Sizes sizes = target->history.sizes();
  for (const std::string& words : given.sizes) {
    if (auto named = sizes.name(words); !named) return Failure(named.error());
  }
  const auto& functions = target->history.node(0).state.module().functions;
  if (functions.empty()) return target;
  if (auto fine = sizes.check(*functions.front()); !fine) return Failure(fine.error());
  target->history.setSizes(sizes);
  const auto choices = document::choicesOf(sizes, *functions.front());
  if (const std::string defaults = document::defaultsIn(choices.front()); !defaults.empty()) {
    note(fmt::format("{}: {}: --size {}=… names other values{}", given.words.front(), defaults,
                     choices.front().byDefault.front(),
                     choices.back().onlyChecked ? fmt::format("; checked with {}, too", choices.back().text) : ""));
  }
  return target;
}

std::vector<document::SizeChoice> shownSizes(const document::Target& target) {
  const auto& functions = target.history.node(0).state.module().functions;
  if (functions.empty()) return {document::SizeChoice{}};
  auto choices = document::choicesOf(target.history.sizes(), *functions.front());
  std::erase_if(choices, [](const document::SizeChoice& c) { return c.onlyChecked; });
  return choices;
}

std::string languageOf(const CommonOptions& common) {
  return text::codeOf(common.lang.empty() ? text::environmentLanguage() : text::languageOf(common.lang));
}

bool wantsDevice(const CommonOptions& common) {
  return common.device != "none" && (common.device != "auto" || !common.worker.empty());
}

std::string ownWorkerCommand() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string quoted = "'";
  for (char c : self.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "' worker";
}

std::string workerCommand(const CommonOptions& common) {
  return common.worker.empty() ? ownWorkerCommand() : common.worker;
}

Result<std::vector<gpu::DeviceInfo>> devicesThere(gpu::Worker& worker, const CommonOptions& common) {
  if (common.device == "none") return fail("NoDevice", message("none was asked for"), Forbids::Environment);
  auto found = worker.devices();
  if (!found || common.device == "auto") return found;
  const std::size_t all = found->size();
  std::erase_if(*found, [&](const gpu::DeviceInfo& d) { return std::to_string(d.ordinal) != common.device; });
  if (found->empty()) {
    return fail("NoDevice", message("there is no device {}: {} found", common.device, all), Forbids::Environment);
  }
  return found;
}

document::BenchOptions benchOptions(const Setup& setup, const CommonOptions& common, bool measuring) {
  document::BenchOptions options;
  options.assets = setup.assets;
  options.device = common.device;
  options.database = gpu::ResultDatabase::defaultFile();
  options.cubinCache = compile::Cache::defaultFolder();
  options.compilerCommand = ownWorkerCommand();
  if (measuring) options.workerCommand = workerCommand(common);
  if (measuring && common.worker.empty()) options.localWorkerCommand = ownWorkerCommand();
  return options;
}

document::DeviceSources deviceSources(const std::filesystem::path& assets) {
  return {assets, gpu::ResultDatabase::defaultFile().parent_path(), std::nullopt, {}};
}

Result<std::string> modelArchitecture(const Setup& setup, const CommonOptions& common) {
  if (common.model.empty()) return std::string();
  auto device = document::knownDevice(deviceSources(setup.assets), common.model);
  if (!device) return Failure(device.error());
  return device->architecture();
}

Result<model::Device> modelDevice(const Setup& setup, const CommonOptions& common, document::Bench& bench) {
  if (!common.model.empty()) return document::knownDevice(deviceSources(setup.assets), common.model);
  document::DeviceSources sources = deviceSources(setup.assets);
  if (bench.device()) sources.here = *bench.device();
  if (sources.here && !sources.here->cpu) return document::knownDevice(sources, sources.here->name);
  return document::knownDevice(sources, bench.recordings().empty() ? "h200" : bench.recordings().front().device.name);
}

void KernelRemarks::add(int step, const std::vector<device::Remark>& remarks) {
  for (const device::Remark& remark : remarks) {
    const bool known = std::any_of(all_.begin(), all_.end(), [&](const One& one) { return one.text == remark.text; });
    if (!known) all_.push_back({step, remark.text});
  }
}

void KernelRemarks::add(int step, const std::vector<lower::StepRemark>& remarks) {
  for (const lower::StepRemark& remark : remarks) {
    const bool breaks = remark.kind == lower::StepRemark::Kind::kBreaks;
    const bool known = std::any_of(all_.begin(), all_.end(), [&](const One& one) { return one.text == remark.text; });
    if (known && !breaks) continue;
    const std::string help = remark.remedy.empty() ? "" : fmt::format("; this would help: {}", remark.remedy);
    all_.push_back({step, remark.text.english() + help, breaks});
  }
}

void KernelRemarks::add(int step, const document::KernelText& kernel) {
  if (kernel.program) add(step, kernel.program->remarks);
}

void KernelRemarks::print() const {
  for (const One& one : all_) {
    const std::string text = fmt::format("step {}: {}", one.step, one.text);
    one.breaks ? warn(text) : note(text);
  }
}

nlohmann::ordered_json jsonOf(const std::vector<lower::StepRemark>& remarks) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const lower::StepRemark& r : remarks) {
    const bool breaks = r.kind == lower::StepRemark::Kind::kBreaks;
    all.push_back({{"kind", breaks ? "breaks" : "no_effect"},
                   {"code", r.code},
                   {"text", r.text.english()},
                   {"remedy", r.remedy.english()}});
  }
  return all;
}

void addTarget(CLI::App& command, TargetWords& target) {
  auto add = [&target](const std::string& word) { target.words.push_back(word); };
  command
      .add_option_function<std::string>("TARGET", add,
                                        "A lesson's or function's name, a document, FUNC.py, a script or notebook with "
                                        "its schedule, or a tuner's database")
      ->required();
  command.add_option_function<std::string>("SCHEDULE", add,
                                           "After FUNC.py: step lines, a script, or a trace, printed or as JSON");
  command.add_option("--size", target.sizes, "Values of one of the function's numbers: n=1000,1024; once for each")
      ->allow_extra_args(false);
  auto record = std::make_shared<std::string>();
  command.add_option("--record", *record, "Which record of a tuner's database; else the fastest")->check(stepNumber());
  command.parse_complete_callback([&target, record] {
    if (!record->empty() && !target.words.empty()) target.words.front() += "#" + *record;
  });
}

CLI::Validator aName() {
  return CLI::Validator([](const std::string& word) { return word.empty() ? "expected a name" : ""; }, "");
}

CLI::Validator stepNumber() {
  return CLI::Validator(
      [](const std::string& word) {
        int value = 0;
        bool fine = CLI::detail::lexical_cast(word, value) && value >= 0;
        return fine ? "" : "expected a step's number, 0 or more; found " + shortened(word, 40);
      },
      "");
}

CLI::Validator seconds() {
  return CLI::Validator(
      [](const std::string& word) {
        double value = 0;
        bool fine = CLI::detail::lexical_cast(word, value) && value > 0 && value <= 86400;
        return fine ? "" : "expected seconds, more than 0 and at most 86400; found " + shortened(word, 40);
      },
      "");
}

void addAllowTf32(CLI::App& command, bool& allowed) {
  command.add_flag("--allow-tf32", allowed,
                   fmt::format("Float32 may be multiplied as tf32, which keeps {} of the {} digits of each factor",
                               device::kTf32Digits, device::kFloat32Digits));
}

std::vector<Row> rowsOf(const document::Target& target, const std::string& language) {
  std::vector<Row> rows{{0, ""}};
  std::vector<bool> shown(target.history.nodes().size(), false);
  shown[0] = true;
  auto addPath = [&](int node, std::string chapter) {
    for (int at : target.history.path(node)) {
      if (shown[std::size_t(at)]) continue;
      shown[std::size_t(at)] = true;
      rows.push_back({at, std::exchange(chapter, "")});
    }
  };
  if (target.lesson) {
    for (std::size_t c = 0; c < target.chapterNodes.size(); ++c) {
      addPath(target.chapterNodes[c], document::in(target.lesson->chapters[c].title, language));
    }
  }
  if (target.file || !target.lesson) addPath(target.history.current(), "");
  return rows;
}

Result<int> nodeOf(const document::Target& target, const std::string& chapter, int step) {
  int last = target.history.current();
  if (target.lesson && !target.file) last = target.chapterNodes.back();
  if (!chapter.empty()) {
    std::string known;
    bool found = false;
    for (std::size_t c = 0; target.lesson && c < target.chapterNodes.size(); ++c) {
      const std::string& id = target.lesson->chapters[c].id;
      known += (known.empty() ? "" : ", ") + id;
      if (id == chapter) last = target.chapterNodes[c], found = true;
    }
    if (!found) {
      std::string what = known.empty() ? "the target is no lesson" : fmt::format("chapters: {}", known);
      return fail("NoSuchTarget", message("there is no chapter \"{}\" ({})", chapter, what), Forbids::Input);
    }
  }
  if (!target.lesson && !target.file) {
    for (const Row& row : rowsOf(target, "en")) last = row.node;
  }
  if (step < 0) return last;
  for (int node : target.history.path(last)) {
    if (target.history.node(node).number == step) return node;
  }
  return fail("NoSuchTarget",
              message("there is no step {}: the last one is {}", step, target.history.node(last).number),
              Forbids::Input);
}

}  // namespace loom::cli
