#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/assets.h"
#include "app/cli/report.h"
#include "app/cli/setup.h"
#include "app/cli/verb.h"
#include "core/document/program.h"
#include "core/model/device.h"

namespace loom::cli {
namespace {

void addCommonOptions(CLI::App& command, CommonOptions& common) {
  command.add_flag("--json", common.json, "Print one JSON object per line");
  CLI::Validator ordinal(
      [](const std::string& word) {
        bool digits = !word.empty() && word.size() < 6 && word.find_first_not_of("0123456789") == std::string::npos;
        return word == "auto" || word == "none" || digits ? "" : "expected auto, none, or an ordinal; found " + word;
      },
      "");
  command.add_option("--device", common.device, "Device to measure on: auto, none, or an ordinal")
      ->check(ordinal)
      ->capture_default_str();
  command.add_option("--model", common.model, "Device that the model answers for, of assets/devices");
  command.add_option("--lang", common.lang, "Language: en or zh")->check(CLI::IsMember({"en", "zh"}));
  command.add_option("--worker", common.worker, "Command that starts the worker elsewhere (ssh, srun)");
}

// A name that no described device has is an error of every verb, also of those that don't use it.
Result<void> knownModel(const std::string& name) {
  auto assets = findAssets();
  if (!assets) return {};  // the verbs say so
  if (auto found = document::knownDevice(deviceSources(*assets), name); !found) return Failure(found.error());
  return {};
}

// A reader that has seen enough, `tileloom steps … | head`, needs no word about it.
ExitStatus cannotWrite(const std::string& why) {
  if (why.find(std::strerror(EPIPE)) == std::string::npos) {
    toStderr("tileloom: standard output can't be written: {}\n", why);
  }
  return ExitStatus::kCannotWrite;
}

// What was printed must have arrived: a full disk shows only when the last of it is written.
ExitStatus delivered(ExitStatus status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return cannotWrite(errno != 0 ? std::strerror(errno) : "an earlier write failed");
}

ExitStatus guarded(const Action& action) {
  try {
    return delivered(action());
  } catch (const std::bad_alloc&) {
    toStderr("tileloom: out of memory: the input is too large for this machine\n");
    return ExitStatus::kUnreadable;
  } catch (const std::system_error& error) {
    return cannotWrite(error.code().message());
  } catch (const std::exception& error) {
    toStderr("tileloom: a mistake in Tileloom itself: {}\n", error.what());
    return ExitStatus::kMistake;
  }
}

}  // namespace

ExitStatus run(int argc, const char* const* argv, Workbench workbench) {
  Context context{{}, std::move(workbench)};
  WorkbenchRequest request;

  CLI::App app{"Tileloom: a workbench for TensorIR schedules of matrix multiplication.", "tileloom"};
  app.set_version_flag("--version", document::kProgram);
  app.require_subcommand(0, 1);
  app.add_option("FILE", request.file, "A document (.tileloom) or a TVMScript function to open in the window");
  addCommonOptions(app, context.common);

  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Verb& verb : verbs()) {
    CLI::App* command = app.add_subcommand(verb.name, verb.summary);
    Action action = verb.declare(*command, context);
    addCommonOptions(*command, context.common);
    actions.emplace_back(command, std::move(action));
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error);  // --help or --version: CLI11 prints it
      return delivered(ExitStatus::kDone);
    }
    toStderr("tileloom: {}\nTry `tileloom --help`.\n", error.what());
    return ExitStatus::kUsage;
  }
  if (!context.common.model.empty()) {
    if (auto known = knownModel(context.common.model); !known) return report(known.error());
  }
  for (const auto& [command, action] : actions) {
    if (command->parsed()) {
      return guarded(action);
    }
  }
  if (std::error_code error; request.file && !std::filesystem::exists(*request.file, error)) {
    // A word without dot or slash was meant as a verb.
    bool word = request.file->find_first_of("./") == std::string::npos;
    toStderr("tileloom: {}\n",
             word ? fmt::format("there is no verb \"{}\"; try `tileloom --help`", shortened(*request.file))
                  : shortened(*request.file) + ": there is no such file");
    return word ? ExitStatus::kUsage : ExitStatus::kUnreadable;
  }
  return guarded([&] { return context.workbench(request, context.common); });
}

}  // namespace loom::cli
