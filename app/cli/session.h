#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/report.h"
#include "app/cli/verb.h"
#include "core/document/bench.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "core/lower/step_remarks.h"
#include "core/model/device.h"

namespace CLI {
class Validator;
}

namespace loom::gpu {
class Worker;
}

namespace loom::cli {

/// What verbs work with: assets, intrinsics, and an environment for primitives that refers to them.
struct Session {
  std::filesystem::path assets;
  intrin::Library intrinsics;
  schedule::Environment environment() const { return {&intrinsics}; }
};

/// Errors "NoAssets" or those of the intrinsics' files.
Result<Session> openSession();

/// What a verb's TARGET, SCHEDULE and --size say.
struct TargetWords {
  std::vector<std::string> words, sizes;
};

/// document::openTarget with the session's assets and the sizes that are named; what is passed over, and sizes that
/// nobody named, are said as notes on stderr. Errors of document::openTarget, and "ValueError" of a size.
Result<document::Target> openTarget(const TargetWords& target, const Session& session);

/// The choices of sizes that are shown one after another: those named, without what is only checked besides.
std::vector<document::SizeChoice> shownSizes(const document::Target& target);

/// "en" or "zh": as --lang says, else as the environment does.
std::string languageOf(const CommonOptions& common);

/// The bench as the common options ask for. `measuring` false: results that are known, no worker.
document::BenchOptions benchOptions(const Session& session, const CommonOptions& common, bool measuring);

/// Whether a device was asked for, by --device or by the worker that has it; else its absence is no error.
bool wantsDevice(const CommonOptions& common);

/// The command line that starts this very program as a worker.
std::string ownWorkerCommand();

/// The command line that starts the worker: --worker's, else this program's.
std::string workerCommand(const CommonOptions& common);

/// The worker's devices, or of them the one that --device names. Errors "NoDevice" where there is no such, or none is
/// wanted, and the worker's.
Result<std::vector<gpu::DeviceInfo>> devicesThere(gpu::Worker& worker, const CommonOptions& common);

/// What is known of devices without asking a worker: the assets', and what the user's folder keeps.
document::DeviceSources deviceSources(const std::filesystem::path& assets);

/// The device that the model answers for: the one that --model names, else the one that is there or whose results are
/// recorded. Errors of document::knownDevice.
Result<model::Device> modelDevice(const Session& session, const CommonOptions& common, document::Bench& bench);

/// What machine code for that device is compiled for where --model names one, "sm_75"; else empty. Errors as
/// `modelDevice`.
Result<std::string> modelArchitecture(const Session& session, const CommonOptions& common);

/// What kernels don't do that their schedules say, as notes on stderr: each once, with the step at which it came up.
class KernelRemarks {
 public:
  void add(int step, const std::vector<device::Remark>& remarks);
  void add(int step, const document::KernelText& kernel);
  /// Of steps: what breaks the program is printed as a warning, with what to do instead.
  void add(int step, const std::vector<lower::StepRemark>& remarks);
  void print() const;

 private:
  struct One {
    int step;
    std::string text;
    bool breaks = false;
  };
  std::vector<One> all_;
};

/// The same as JSON: kind ("breaks", "no_effect"), code, text and remedy of each.
nlohmann::ordered_json jsonOf(const std::vector<lower::StepRemark>& remarks);

/// Declares a verb's positionals TARGET and SCHEDULE, one word or two, and --size.
void addTarget(CLI::App& command, TargetWords& target);

/// For options that name a file to write: not the empty word.
CLI::Validator aName();

/// For options that number a step: digits that an int holds.
CLI::Validator stepNumber();
/// For options that are a time: more than 0, at most a day.
CLI::Validator seconds();

/// A state of a target as rows show it.
struct Row {
  int node = 0;
  std::string chapter;  // title, for the first state of a chapter
};
/// The states in the order of rows: the lesson's (chapters one after another, branches included), or the path to the
/// last.
std::vector<Row> rowsOf(const document::Target& target, const std::string& language);

/// The node of step N on the path to the end of the chapter (by its id), else to the last state of the target; −1 means
/// that last state. Error "NoSuchTarget".
Result<int> nodeOf(const document::Target& target, const std::string& chapter, int step);

}  // namespace loom::cli
