// What a state's warps wait for: sampled by ncu here, read from its CSV, or found among what is known; told by reason,
// by line of the CUDA text with the step that made it, and by loop of the machine code.
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
#include "app/panels/stalls/words.h"
#include "core/document/file.h"
#include "core/document/program.h"
#include "core/document/stall_view.h"
#include "core/document/stalls.h"
#include "core/ir/with_noun.h"
#include "core/model/duration_text.h"
#include "core/profile/ncu_csv.h"

namespace loom::cli {
namespace {

using profile::StallCount;
using profile::StallReason;

struct ProfileOptions {
  TargetWords target;
  std::string chapter, import, keep, record;
  int step = -1, interval = -1;
  bool again = false, everyStep = false;
  double deadline = 300;
};

nlohmann::ordered_json jsonOf(const StallCount& c) {
  nlohmann::ordered_json reasons = nlohmann::ordered_json::object();
  for (StallReason r : c.ranked())
    reasons[profile::nameOf(r)] = {{"samples", c.of(r)}, {"not_issued", c.unissued[std::size_t(r)]}};
  return {{"samples", c.samples}, {"not_issued", c.notIssued}, {"reasons", reasons}};
}

std::string shareOf(std::int64_t part, std::int64_t all) {
  return part == 0 ? "0 %" : notation::shareText(double(part) / double(all));
}

// "long scoreboard 61 %, wait 20 %", of the samples there.
std::string reasonsText(const StallCount& c, std::size_t most = 2) {
  std::string text;
  for (StallReason r : c.ranked()) {
    if (most-- == 0) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", profile::nameOf(r), shareOf(c.of(r), c.samples));
  }
  return text;
}

std::string originOf(const profile::ProfileFile& f) {
  return fmt::format("{}{}{}, {}{}", f.device.empty() ? "By " : "Sampled on " + f.device + " by ", f.tool,
                     f.how.empty() ? "" : " (" + f.how.english() + ")", f.date,
                     f.shipped ? ", shipped with the program" : "");
}

void print(const document::StallView& view, const std::string& kernel, const std::string& origin,
           text::Language language) {
  const StallCount& all = view.total;
  fmt::print("Kernel {}: {}, {} of them in clocks in which nothing was issued.\n{}\n\n", kernel,
             withNoun(all.samples, "sample"), shareOf(all.notIssued, all.samples), origin);
  fmt::print("{} {} {}  {}\n", padded("reason", 18, false), padded("share", 7, true), padded("unissued", 8, true),
             "what it means");
  for (StallReason r : all.ranked()) {
    const text::stalls::Reason* words = text::stalls::reasonOf(profile::nameOf(r));
    fmt::print(
        "{} {} {}  {}\n", padded(profile::nameOf(r), 18, false), padded(shareOf(all.of(r), all.samples), 7, true),
        padded(shareOf(all.unissued[std::size_t(r)], all.notIssued), 8, true), words ? words->means.in(language) : "");
  }
  if (const text::stalls::Reason* words = text::stalls::reasonOf(profile::nameOf(all.main())))
    fmt::print("\nAgainst {}: {}\n", words->name, words->helps.in(language));

  constexpr std::size_t kLines = 12;
  fmt::print("\n{} {}  {} {} CUDA\n", padded("line", 5, true), padded("share", 6, true),
             padded("waiting for", 46, false), padded("made by", 24, false));
  for (std::size_t i = 0; i < std::min(kLines, view.lines.size()); ++i) {
    const document::StalledLine& l = view.lines[i];
    fmt::print("{} {}  {} {} {}\n", padded(l.stalls.line > 0 ? std::to_string(l.stalls.line) : "–", 5, true),
               padded(shareOf(l.stalls.stalls.samples, all.samples), 6, true),
               padded(reasonsText(l.stalls.stalls), 46, false), padded(l.madeBy, 24, false), shortened(l.text, 90));
  }
  fmt::print("\nSteps:\n");
  for (const document::StalledStep& step : view.steps) {
    fmt::print("{} {}  {} {}\n", padded("", 5, true), padded(shareOf(step.stalls.samples, all.samples), 6, true),
               padded(reasonsText(step.stalls), 46, false),
               step.madeBy.empty() ? "no step by itself" : step.madeBy.english());
  }
  fmt::print("\nLoops of the machine code, with those in them:\n");
  for (const document::StalledLoop& l : view.loops) {
    const std::string name = l.stalls.loop < 0 ? "outside of loops" : fmt::format("line {}: {}", l.line, l.text);
    fmt::print("{} {}  {} {}{}\n", padded("", 5, true), padded(shareOf(l.stalls.with.samples, all.samples), 6, true),
               padded(reasonsText(l.stalls.with), 46, false), std::string(std::size_t(2 * l.depth), ' '),
               shortened(name, 90));
  }
}

void printStallsJson(const document::Target& target, int node, const std::string& key, const profile::ProfileFile& file,
                     const profile::StallProfile& of, const sass::Kernel& sass, const document::StallView& view) {
  nlohmann::ordered_json j = {{"step", target.history.node(node).number},
                              {"node", node},
                              {"key", key},
                              {"kernel", sass.name},
                              {"device", file.device},
                              {"driver", file.driver},
                              {"compiler", file.compiler},
                              {"tool", file.tool},
                              {"how", file.how},
                              {"date", file.date},
                              {"origin", file.shipped ? "shipped" : "here"}};
  j.update(jsonOf(view.total));
  for (const char* list : {"steps", "lines", "loops", "instructions"}) j[list] = nlohmann::ordered_json::array();
  for (const document::StalledStep& s : view.steps) {
    nlohmann::ordered_json step = {{"made_by", s.madeBy}};
    step.update(jsonOf(s.stalls));
    j["steps"].push_back(std::move(step));
  }
  for (const document::StalledLine& l : view.lines) {
    nlohmann::ordered_json line = {{"line", l.stalls.line}, {"text", l.text}, {"made_by", l.madeBy}};
    line.update(jsonOf(l.stalls.stalls));
    j["lines"].push_back(std::move(line));
  }
  for (const document::StalledLoop& l : view.loops) {
    nlohmann::ordered_json loop = {{"line", l.line}, {"text", l.text}, {"depth", l.depth}};
    if (l.stalls.loop < 0) loop["outside"] = true;
    loop.update(jsonOf(l.stalls.with));
    j["loops"].push_back(std::move(loop));
  }
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const profile::InstructionStalls& i = of.instructions[n];
    nlohmann::ordered_json row = {
        {"offset", i.offset}, {"text", i.text}, {"line", sass.instructions[n].line}, {"executed", i.executed}};
    row.update(jsonOf(i.stalls));
    j["instructions"].push_back(std::move(row));
  }
  printJson(j);
}

document::KernelText kernelOf(const document::Target& target, int node) {
  const document::History& h = target.history;
  return document::makeKernel(
      h.node(node).state, [&](ir::Id id) { return h.describe(node, id); }, 0, h.sizes());
}

// Those of the text's kernels that the state launches.
Result<profile::ProfileFile> imported(const std::string& name, const document::KernelText& kernel,
                                      const std::string& device) {
  auto text = document::readFile(name);
  if (!text) return Failure(text.error());
  auto read = profile::readNcuCsv(*text, name);
  if (!read) return Failure(read.error());
  profile::ProfileFile file;
  file.date = document::Bench::today();
  file.program = document::kProgram;
  file.device = device;
  file.tool = message("ncu, imported from {}", std::filesystem::path(name).filename().string());
  file.states.push_back({kernel.key, "", {}});
  std::string names;
  for (profile::StallProfile& p : *read) {
    names += (names.empty() ? "" : ", ") + p.kernel;
    auto launched = [&](const codegen::KernelLaunch& l) { return l.name == p.kernel; };
    auto& kept = file.states[0].kernels;
    const bool wanted = std::any_of(kernel.source.launches.begin(), kernel.source.launches.end(), launched) &&
                        std::none_of(kept.begin(), kept.end(), [&](const auto& k) { return k.kernel == p.kernel; });
    if (wanted) kept.push_back(std::move(p));
  }
  if (file.states[0].kernels.empty()) {
    return fail("OtherCode", message("{} has samples of {}, none of which the state launches", name, names),
                Forbids::Input);
  }
  return file;
}

class ProfileVerb {
 public:
  ProfileVerb(const ProfileOptions& options, const CommonOptions& common, const Setup& setup,
              const document::Target& target)
      : options_(options),
        common_(common),
        setup_(setup),
        target_(target),
        setting_(benchOptions(setup, common, true)),
        bench_(setting_),
        store_(setup.assets, profile::profileFolder()),
        matmul_(gpu::recognizeMatmul(document::functionAt(target.history.node(0).state, target.history.sizes()))) {}

  ExitStatus one(int node) {
    const document::KernelText kernel = kernelOf(target_, node);
    if (kernel.problem) return report(*kernel.problem);
    auto file = stallsOf(kernel, node);
    if (!file) return report(file.error());
    auto shown = show(node, kernel, **file);
    if (!shown) return report(shown.error());
    if (fresh_) {
      if (auto kept = store_.put(*file); !kept) note(kept.error().message);
    }
    for (const Message& remark : store_.remarks()) note(remark);
    return ExitStatus::kDone;
  }

  // Into one file for assets/profiled, written after each state: a recording that was cut off is continued. What can't
  // be sampled is said and left out.
  ExitStatus record() {
    if (auto place = document::canWrite(options_.record); !place) return report(place.error());
    if (!bench_.device()) return report(bench_.device().error());
    profile::ProfileFile all = begun();
    for (int node : nodes()) {
      const document::KernelText kernel = kernelOf(target_, node);
      if (kernel.problem || all.find(kernel.key) != nullptr) continue;
      const std::string label = labelOf(node);
      if (const auto slow = tooSlow(kernel)) {
        toStderr("left out: step {}: {}\n", label, *slow);
        continue;
      }
      auto sampled = sample(kernel, label);
      if (!sampled) {
        toStderr("left out: step {}: {}\n", label, sampled.error().message);
        // Where the first can't be, none can.
        if (all.states.empty()) return report(sampled.error());
        continue;
      }
      profile::ProfileFile& made = sampled->file;
      toStderr("step {}: {}\n", label, reasonsText(made.states[0].kernels[0].total()));
      made.target = target_.title;
      made.states.insert(made.states.begin(), all.states.begin(), all.states.end());
      all = std::move(made);
      if (auto written = document::writeFile(options_.record, profile::writeProfiles(all)); !written)
        return report(written.error());
    }
    fmt::print("{}: {} on {}\n", options_.record, withNoun(std::int64_t(all.states.size()), "state"),
               bench_.device()->name);
    return ExitStatus::kDone;
  }

 private:
  // Ends of chapters, or all states.
  std::vector<int> nodes() const {
    std::vector<int> nodes;
    for (const Row& row : rowsOf(target_, "en")) {
      const auto& ends = target_.chapterNodes;
      if (options_.everyStep || ends.empty() || std::find(ends.begin(), ends.end(), row.node) != ends.end())
        nodes.push_back(row.node);
    }
    return nodes;
  }

  // The recording of an earlier run, where the same device and tools made it; else none.
  profile::ProfileFile begun() {
    if (options_.again) return {};
    auto text = document::readFile(options_.record);
    if (!text) return {};
    auto file = profile::readProfiles(*text, options_.record);
    if (!file) return {};
    const auto& compiler = bench_.compiler();
    const auto ncu = document::stallSampler(bench_.device(), setting_.localWorkerCommand);
    const bool same = compiler && ncu && file->target == target_.title && file->device == bench_.device()->name &&
                      file->driver == bench_.device()->driver && file->compiler == compiler->name() &&
                      file->tool == document::samplerName(*ncu);
    if (!same) return {};
    toStderr("{} goes on after {} (--again: starts anew)\n", options_.record,
             withNoun(std::int64_t(file->states.size()), "state"));
    return std::move(*file);
  }

  std::string labelOf(int node) const {
    const document::Line* step = target_.history.node(node).step();
    return fmt::format("{} {}", target_.history.node(node).number, step ? step->source : "start");
  }

  // ncu runs a launch a dozen times.
  std::optional<std::string> tooSlow(const document::KernelText& kernel) {
    constexpr double kMost = 2e6;
    const document::KnownTime known = bench_.known(kernel);
    if (!known.result) return std::nullopt;
    if (known.result->outcome.status == gpu::Outcome::Status::Deadline) return "it runs past its deadline";
    if (known.measured() == nullptr || known.measured()->timing.median < kMost) return std::nullopt;
    return "it takes " + model::durationText(known.measured()->timing.median);
  }

  Result<document::SampledState> sample(const document::KernelText& kernel, const std::string& label) {
    ProgressLine progress;
    const document::StallRequest request{
        label, &kernel, matmul_, setting_.localWorkerCommand, options_.deadline, options_.interval};
    return document::sampleStalls(bench_, request, [&](const std::string& what) { progress(what); });
  }

  Result<document::StateStalls> stallsOf(const document::KernelText& kernel, int node) {
    auto keep = [&](const profile::ProfileFile& file) { return std::make_shared<const profile::ProfileFile>(file); };
    if (!options_.import.empty()) {
      std::string device;
      if (!common_.model.empty()) {
        auto named = modelDevice(setup_, common_, bench_);
        if (!named) return Failure(named.error());
        device = named->name;
      }
      auto file = imported(options_.import, kernel, device);
      if (!file) return Failure(file.error());
      fresh_ = true;
      return keep(*file);
    }
    const auto& here = bench_.device();
    if (!options_.again) {
      if (auto known = store_.find(kernel.key, here ? here->name : "")) return known;
    }
    auto sampled = sample(kernel, labelOf(node));
    if (!sampled) return Failure(sampled.error());
    if (!options_.keep.empty()) {
      if (auto written = document::writeFile(options_.keep, sampled->csv); !written) return Failure(written.error());
    }
    fresh_ = true;
    return keep(sampled->file);
  }

  Result<void> show(int node, const document::KernelText& kernel, const profile::ProfileFile& file) {
    auto binary = bench_.compile(kernel.source, bench_.architecture());
    if (!binary) return Failure(binary.error());
    const auto& toolkit = bench_.toolkit();
    if (!toolkit) return Failure(toolkit.error());
    auto text = compile::disassemble(*toolkit, *binary);
    if (!text) return Failure(text.error());
    auto sass = sass::parse(*text);
    if (!sass) return Failure(sass.error());
    for (const profile::StallProfile& p : file.states.at(0).kernels) {
      auto of = std::find_if(sass->begin(), sass->end(), [&](const auto& k) { return k.name == p.kernel; });
      if (of == sass->end()) return fail("OtherCode", message("the state has no kernel {}", p.kernel), Forbids::Input);
      auto view = document::stallView(p, *of, kernel.source.text);
      if (!view) return Failure(view.error());
      if (common_.json) {
        printStallsJson(target_, node, kernel.key, file, p, *of, *view);
      } else {
        print(*view, p.kernel, originOf(file), text::languageOf(languageOf(common_)));
      }
    }
    return {};
  }

  const ProfileOptions& options_;
  const CommonOptions& common_;
  const Setup& setup_;
  const document::Target& target_;
  document::BenchOptions setting_;
  document::Bench bench_;
  document::StallStore store_;
  std::optional<gpu::Matmul> matmul_;
  bool fresh_ = false;  // what is shown was made just now
};

ExitStatus profileState(const ProfileOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) return report(*target->refusal);
  auto node = nodeOf(*target, options.chapter, options.step);
  if (!node) return report(node.error());
  ProfileVerb verb(options, common, *setup, *target);
  return options.record.empty() ? verb.one(*node) : verb.record();
}

}  // namespace

Action declareProfile(CLI::App& command, const Context& context) {
  auto options = std::make_shared<ProfileOptions>();
  addTarget(command, options->target);
  command.remove_option(command.get_option("--record"));  // here it names a file to write
  command.add_option("--step", options->step, "The state after this step (default: the last)")->check(stepNumber());
  command.add_option("--chapter", options->chapter, "Of a lesson: the path to this chapter's end (default: the last)")
      ->check(aName());
  auto* import = command.add_option("--import", options->import,
                                    "Read samples from this CSV of ncu's source page (--page source --csv "
                                    "--print-source sass); --model says of which device");
  command.add_flag("--again", options->again, "Sample also what has been sampled");
  auto* keep = command.add_option("--keep", options->keep, "Write what ncu printed to this file")->check(aName());
  auto* record = command.add_option(
      "--record", options->record,
      "Sample the states at the chapters' ends into this file of assets/profiled; goes on with one that was cut off");
  command.add_flag("--every-step", options->everyStep, "With --record: all states that are kernels")->needs(record);
  command
      .add_option("--interval", options->interval,
                  "A sample every 2^(5 + N) clocks: 0 to 31, small for short kernels (default: ncu's choice)")
      ->check(CLI::Range(0, 31));
  command.add_option("--deadline", options->deadline, "Seconds that a kernel may run under ncu")
      ->check(seconds())
      ->capture_default_str();
  import->check(aName())->excludes(keep)->excludes(record);
  record->check(aName())->excludes(keep);
  return [options, &context] { return profileState(*options, context.common); };
}

}  // namespace loom::cli
