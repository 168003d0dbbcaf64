#include "core/schedule/replay.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/assets.h"
#include "app/cli/text_file.h"
#include "app/cli/verb_list.h"
#include "core/intrin/intrinsic.h"
#include "core/schedule/trace.h"
#include "core/script/parser.h"

namespace loom::cli {

namespace {

struct ReplayOptions {
  std::string function, schedule;
  std::string print = "last";
  std::string dialect = "tir";
  bool times = false;
};

ExitStatus unreadable(const Error& error) {
  fmt::print(stderr, "{}", describePlace(error));
  return ExitStatus::kUnreadable;
}

bool tensorizes(const script::StepValue& value) {
  if (value.is(script::StepValue::Kind::Call) && value.text == "tensorize") return true;
  for (const auto& item : value.items) {
    if (tensorizes(item)) return true;
  }
  return false;
}

void printStep(const schedule::ReplayedStep& step, bool json) {
  if (json) {
    nlohmann::ordered_json object = {{"line", step.line},
                                     {"source", step.source},
                                     {"step", step.step},
                                     {"script", step.script.text},
                                     {"ms", step.milliseconds}};
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print("# step {}: {}\n{}\n", step.line, step.source, step.script.text);
  }
}

ExitStatus replay(const ReplayOptions& options, const CommonOptions& common) {
  auto functionText = readTextFile(options.function);
  if (!functionText) return unreadable(functionText.error());
  auto scheduleText = readTextFile(options.schedule);
  if (scheduleText) scheduleText = schedule::stepLines(std::move(*scheduleText), options.schedule);
  if (!scheduleText) return unreadable(scheduleText.error());
  auto module = script::parseModule(*functionText, options.function);
  if (!module) return unreadable(module.error());
  auto calls = script::parseSchedule(*scheduleText, options.schedule);
  if (!calls) return unreadable(calls.error());
  auto state = schedule::State::create(std::move(*module));
  if (!state) return unreadable(state.error());

  intrin::Library library;
  schedule::Environment environment{&library};
  for (const auto& call : *calls) {
    if (!tensorizes(call.value)) continue;
    if (auto assets = findAssets()) {
      auto loaded = intrin::Library::load(*assets / "intrinsics");
      if (!loaded) return unreadable(loaded.error());
      library = std::move(*loaded);
    }
    break;
  }

  auto dialect = options.dialect == "s_tir" ? script::Dialect::STir : script::Dialect::Tir;
  auto done = schedule::replay(*state, *calls, environment, dialect);
  for (const auto& step : done.steps) {
    bool wanted = options.print == "each" || (options.print == "last" && &step == &done.steps.back());
    if (wanted) printStep(step, common.json);
    if (options.times && !common.json) {
      fmt::print(stderr, "step {} line {}: {:.4f} ms  {}\n", step.step, step.line, step.milliseconds, step.source);
    }
  }
  if (done.steps.empty() && options.print == "last" && !done.refusal && !common.json) {
    fmt::print("{}\n", script::print(state->module(), dialect).text);
  }
  if (!done.refusal) return ExitStatus::kDone;
  std::fflush(stdout);
  if (schedule::isUnreadable(*done.refusal)) return unreadable(*done.refusal);
  fmt::print(stderr, "error[{}] line {}: {}\n", done.refusal->code, done.refusal->place.line, done.refusal->message);
  return ExitStatus::kRefused;
}

}  // namespace

Action declareReplay(CLI::App& command, const Context& context) {
  auto options = std::make_shared<ReplayOptions>();
  command.add_option("FUNC", options->function, "A TVMScript function or module")->required();
  command.add_option("SCHEDULE", options->schedule, "Step lines")->required();
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
