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

/// What most verbs need: the folder of assets, the tensor intrinsics, and an environment for primitives.
struct Setup {
  std::filesystem::path assets;
  intrin::Library intrinsics;
  schedule::Environment environment() const { return {&intrinsics}; }
};

/// Finds the assets and reads the intrinsics. Errors: "NoAssets", and those of the intrinsics' files.
Result<Setup> openSetup();

/// The words of a verb's TARGET and SCHEDULE, and of its options --size.
struct TargetWords {
  std::vector<std::string> words, sizes;
};

/// Opens a target and sets its sizes. Prints notes on stderr about what was ignored, and about sizes that have default
/// values. Errors as those of document::openTarget, and "ValueError" for a size.
Result<document::Target> openTarget(const TargetWords& target, const Setup& setup);

/// Returns the choices of sizes to show one after another, without those that are only checked.
std::vector<document::SizeChoice> shownSizes(const document::Target& target);

/// Returns "en" or "zh", as the option --lang or else the environment has it.
std::string languageOf(const CommonOptions& common);

/// Returns the options of a Bench by the common options. Without `measuring`, it only looks up stored results and has
/// no worker.
document::BenchOptions benchOptions(const Setup& setup, const CommonOptions& common, bool measuring);

/// Returns whether the user asked for a device, by --device or --worker, so that its absence is an error.
bool wantsDevice(const CommonOptions& common);

/// Returns the command line that starts this program as a worker.
std::string ownWorkerCommand();

/// Returns the command line of the worker: that of --worker, or else this program's.
std::string workerCommand(const CommonOptions& common);

/// Returns the devices of the worker, or the one of them that --device names. Errors: "NoDevice" if there is no such
/// device, or with --device none; else the worker's.
Result<std::vector<gpu::DeviceInfo>> devicesThere(gpu::Worker& worker, const CommonOptions& common);

/// Returns where figures of devices come from, without starting a worker: the assets and the user's folder.
document::DeviceSources deviceSources(const std::filesystem::path& assets);

/// Returns the device that predictions are for: that of --model, or else the one here, or else that of the recorded
/// results. Errors as those of document::knownDevice.
Result<model::Device> modelDevice(const Setup& setup, const CommonOptions& common, document::Bench& bench);

/// Returns the architecture of the device of --model, "sm_75"; empty without --model. Errors as those of `modelDevice`.
Result<std::string> modelArchitecture(const Setup& setup, const CommonOptions& common);

/// Collects remarks on what schedules say and kernels don't do, and prints them as notes on stderr: each once, with the
/// number of the step at which it first came up.
class KernelRemarks {
 public:
  void add(int step, const std::vector<device::Remark>& remarks);
  void add(int step, const document::KernelText& kernel);
  /// Adds remarks on a step. Those on a step that breaks the program are printed as warnings, with what to do instead.
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

/// Returns remarks as JSON, each with its kind ("breaks" or "no_effect"), code, text and remedy.
nlohmann::ordered_json jsonOf(const std::vector<lower::StepRemark>& remarks);

/// Declares the positional arguments TARGET and SCHEDULE of a verb, one word or two, and its option --size.
void addTarget(CLI::App& command, TargetWords& target);

/// Returns a check for options that name a file to write: the word must not be empty.
CLI::Validator aName();

/// Returns a check for options that are the number of a step: digits that fit into an int.
CLI::Validator stepNumber();
/// Returns a check for options that are a time in seconds: more than 0, and at most a day.
CLI::Validator seconds();

/// Declares the flag --allow-tf32, with which float32 may be multiplied with fewer digits than it has.
void addAllowTf32(CLI::App& command, bool& allowed);

/// A row of a table of states.
struct Row {
  int node = 0;
  std::string chapter;  // title, for the first state of a chapter
};
/// Returns the rows of a target: for a lesson the states of all chapters in their order, branches included, or else the
/// path to the last state.
std::vector<Row> rowsOf(const document::Target& target, const std::string& language);

/// Returns the state with the number `step` on the path to the end of the chapter with that id; without a chapter, on
/// the path to the last state of the target. A `step` of −1 stands for the last state of that path. Error
/// "NoSuchTarget".
Result<int> nodeOf(const document::Target& target, const std::string& chapter, int step);

}  // namespace loom::cli
