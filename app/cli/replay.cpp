#include "core/schedule/replay.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/assets.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/document/lesson.h"
#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/notebook/notebook.h"
#include "core/schedule/trace.h"

namespace loom::cli {

namespace {

struct ReplayOptions {
  std::string function, schedule;
  std::string print = "last";
  std::string dialect = "tir";
  bool times = false;
};

using StepRemarks = std::vector<lower::StepRemark>;

nlohmann::ordered_json jsonOf(const schedule::ReplayedStep& step, const StepRemarks& remarks) {
  nlohmann::ordered_json object = {
      {"line", step.line}, {"source", step.source}, {"step", step.step}, {"ms", step.milliseconds}};
  if (!remarks.empty()) object["remarks"] = cli::jsonOf(remarks);
  return object;
}

void printStep(const schedule::ReplayedStep& step, const StepRemarks& remarks, bool json) {
  if (json) {
    nlohmann::ordered_json object = jsonOf(step, remarks);
    object["script"] = step.script.text;
    printJson(object);
  } else {
    fmt::print("# step {}: {}\n{}\n", step.line, step.source, step.script.text);
  }
}

// The lines of the last schedule that has any, behind those of the schedules that it is a copy of.
std::vector<script::StepCall> lastOf(const std::vector<notebook::Run>& runs) {
  std::vector<script::StepCall> lines;
  int at = int(runs.size()) - 1;
  while (at >= 0 && runs[std::size_t(at)].lines.empty()) --at;
  std::size_t count = at < 0 ? 0 : runs[std::size_t(at)].lines.size();
  while (at >= 0) {
    const notebook::Run& run = runs[std::size_t(at)];
    lines.insert(lines.begin(), run.lines.begin(), run.lines.begin() + std::ptrdiff_t(count));
    count = run.after;
    at = run.from;
  }
  return lines;
}

ExitStatus replay(const ReplayOptions& options, const CommonOptions& common) {
  auto functionText = document::readFile(options.function);
  if (!functionText) return report(functionText.error());
  // One file of both is its own schedule.
  const bool isOneFile = options.schedule.empty();
  auto scheduleText = isOneFile ? Result<std::string>(std::string()) : document::readFile(options.schedule);
  if (scheduleText && !isOneFile) scheduleText = schedule::stepLines(std::move(*scheduleText), options.schedule);
  if (!scheduleText) return report(scheduleText.error());
  intrin::Library library;
  schedule::Environment environment{&library};
  const auto mentions = [](const std::string& text) {
    return text.find("ensorize") != std::string::npos || text.find("TensorIntrin") != std::string::npos;
  };
  if (mentions(*functionText) || mentions(*scheduleText)) {
    if (auto assets = findAssets()) {
      auto loaded = intrin::Library::load(*assets / "intrinsics");
      if (!loaded) return report(loaded.error());
      library = std::move(*loaded);
    }
  }
  auto function = notebook::readText(*functionText, options.function, environment);
  if (!function) return report(function.error());
  auto all = notebook::libraryWith(environment, function->intrinsics);
  if (!all) return report(all.error());
  library = std::move(*all);
  auto state = schedule::State::create(std::move(*function->module));
  if (!state) {
    Error error = state.error();
    error.code = "ParseError";
    error.place.file = options.function;
    return report(error);
  }

  auto script = isOneFile ? Result<notebook::Read>(notebook::Read{})
                          : notebook::readSchedule(*scheduleText, options.schedule, *state, environment);
  if (!script) return report(script.error());
  // What the schedule's script registers stands beside what the function's does.
  all = notebook::libraryWith(environment, script->intrinsics);
  if (!all) return report(all.error());
  library = std::move(*all);
  std::vector<script::StepCall> calls;
  if (isOneFile) {
    calls = lastOf(function->runs);
    script->refusal = function->refusal;
  }
  for (const notebook::Run& run : script->runs) calls.insert(calls.end(), run.lines.begin(), run.lines.end());

  auto dialect = options.dialect == "s_tir" ? script::Dialect::STir : script::Dialect::Tir;
  auto done = schedule::replay(*state, calls, environment, dialect);
  KernelRemarks remarks;
  const schedule::State* before = &*state;
  for (const auto& step : done.steps) {
    const StepRemarks said = lower::remarksOnStep(*before, step.state);
    before = &step.state;
    remarks.add(step.step, said);
    bool wanted = options.print == "each" || (options.print == "last" && &step == &done.steps.back());
    if (wanted) printStep(step, said, common.json);
    if (options.times && common.json && !wanted)
      printJson(jsonOf(step, said));  // times of all steps, texts of those asked for
    if (options.times && !common.json) {
      toStderr("step {} line {}: {:.4f} ms  {}\n", step.step, step.line, step.milliseconds, step.source);
    }
  }
  if (done.steps.empty() && options.print == "last" && !done.refusal) {
    std::string text = script::print(state->module(), dialect).text;
    if (common.json) {
      printJson({{"line", 0}, {"source", ""}, {"step", 0}, {"script", text}, {"ms", 0}});
    } else {
      fmt::print("{}\n", text);
    }
  }
  for (const ir::Function& function : done.last.module().functions) {
    auto program = lower::lower(function);
    if (program) remarks.add(done.steps.empty() ? 0 : done.steps.back().step, program->remarks);
  }
  flushResults();
  remarks.print();
  for (const notebook::Read* read : {&*function, &*script}) {
    for (const Message& remark : read->remarks) note(remark);
  }
  if (done.refusal) return report(*done.refusal);
  return script->refusal ? report(*script->refusal) : ExitStatus::kDone;
}

}  // namespace

Action declareReplay(CLI::App& command, const Context& context) {
  auto options = std::make_shared<ReplayOptions>();
  command.add_option("FUNC", options->function, "A TVMScript function or module, or a script of both")->required();
  command.add_option("SCHEDULE", options->schedule,
                     "Step lines, a script, or a trace; without it, FUNC's own: a file of both");
  command.add_option("--print", options->print, "Which states to print")
      ->check(CLI::IsMember({"each", "last", "none"}))
      ->capture_default_str();
  command.add_option("--dialect", options->dialect, "TVMScript to print")
      ->check(CLI::IsMember({"tir", "s_tir"}))
      ->capture_default_str();
  command.add_flag("--times", options->times, "Print how long each step's primitives take, on stderr");
  return [options, &context] { return replay(*options, context.common); };
}

}  // namespace loom::cli
