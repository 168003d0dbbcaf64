#include "app/cli/session.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/assets.h"
#include "core/gpu/results.h"

namespace loom::cli {

Result<Session> openSession() {
  auto assets = findAssets();
  if (!assets) {
    return fail("NoAssets", "the folder assets is found neither beside the program nor under $TILELOOM_ASSETS",
                Forbids::Environment);
  }
  auto library = intrin::Library::load(*assets / "intrinsics");
  if (!library) return Failure(library.error());
  return Session{*assets, std::move(*library)};
}

ExitStatus report(const Error& e) {
  static const std::vector<std::string> kDevice = {"NoDriver",      "NoDevice",     "NoWorker",   "NoNvrtc",
                                                   "NoCudaHeaders", "CompileError", "NoNvdisasm", "OutOfMemory",
                                                   "DeviceError",   "LaunchError"};
  static const std::vector<std::string> kInput = {"ParseError",      "NoSuchFile",  "CantRead", "TooLarge",
                                                  "NewerVersion",    "LessonError", "NoAssets", "NoSuchTarget",
                                                  "DeviceFileError", "NoSuchDevice"};
  auto among = [&](const std::vector<std::string>& codes) {
    return std::find(codes.begin(), codes.end(), e.code) != codes.end();
  };
  bool input = among(kInput);
  if (input) {
    std::string where = e.place.file;
    if (e.place.line > 0) where += fmt::format(":{}", e.place.line);
    if (e.place.column > 0) where += fmt::format(":{}", e.place.column);
    fmt::print(stderr, "{}{}error: {}\n", where, where.empty() ? "" : ": ", e.message);
    if (!e.place.text.empty()) {
      fmt::print(stderr, "    {}\n", e.place.text);
      if (e.place.column > 0) fmt::print(stderr, "    {}^\n", std::string(std::size_t(e.place.column - 1), ' '));
    }
    return ExitStatus::kUnreadable;
  }
  std::string line = e.place.line > 0 ? fmt::format(" line {}", e.place.line) : "";
  fmt::print(stderr, "error[{}]{}: {}\n", e.code, line, e.message);
  if (!e.remedy.empty()) fmt::print(stderr, "  this would help: {}\n", e.remedy);
  if (among(kDevice)) return ExitStatus::kNoDevice;
  if (e.code == "Timeout" || e.code == "WorkerLost" || e.code == "Cancelled") return ExitStatus::kDeadline;
  if (e.code == "CantWrite") return ExitStatus::kCannotWrite;
  return ExitStatus::kRefused;
}

std::string ownWorkerCommand() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string quoted = "'";
  for (char c : self.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "' worker";
}

document::BenchOptions benchOptions(const Session& session, const CommonOptions& common, bool measuring) {
  document::BenchOptions options;
  options.assets = session.assets;
  options.device = common.device;
  options.database = gpu::Results::defaultFile();
  options.cubinCache = compile::Cache::defaultFolder();
  options.compilerCommand = ownWorkerCommand();
  if (measuring) options.workerCommand = common.worker.empty() ? ownWorkerCommand() : common.worker;
  return options;
}

void addTarget(CLI::App& command, std::vector<std::string>& words) {
  command.add_option("TARGET", words, "A lesson's name, a document, or FUNC.py SCHEDULE.py")
      ->required()
      ->expected(1, 2);
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

}  // namespace loom::cli
