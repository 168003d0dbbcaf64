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
  /// Returns the environment to apply steps with. It points to `intrinsics`: this object must outlive it and stay in
  /// its place.
  schedule::Environment environment() const { return {&intrinsics}; }
};

/// Finds the assets and reads the intrinsics. Errors: "NoAssets" if there is no folder of assets; "NoSuchFile",
/// "ParseError" or "ValueError" if its files of intrinsics can't be read.
Result<Setup> openSetup();

/// The words that the user gave for a verb's arguments TARGET and SCHEDULE (`words`) and its options --size (`sizes`),
/// each the values of one of the function's numbers, "n=1000,1024".
/// A target is what a verb opens: a lesson (a function with chapters of text and schedule steps), a saved document, a
/// function with or without a schedule, or a record of a tuner's database.
struct TargetWords {
  std::vector<std::string> words, sizes;
};

/// Opens a target and sets its sizes. Prints notes on stderr about what was ignored, and about sizes that have default
/// values. The target doesn't refer to `setup`, which may end before it. Errors: "NoSuchTarget" if a word names nothing
/// that can be opened, "ValueError" for a size that the function doesn't take, and what is wrong with the target's
/// files.
Result<document::Target> openTarget(const TargetWords& target, const Setup& setup);

/// Returns the choices for which states are to be shown, one after another; a choice has one value for each of the
/// function's symbolic sizes and scalars. They are the combinations of the values that the user gave, with defaults for
/// the others; the choice that only serves to check results at a second default (SizeChoice::onlyChecked) isn't among
/// them. A function without symbols has one empty choice.
std::vector<document::SizeChoice> shownSizes(const document::Target& target);

/// Returns the language of the output: "zh" if the option --lang begins so, "en" for any other one; without --lang by
/// the first of the environment variables LC_ALL, LC_MESSAGES and LANG that isn't empty; "en" if all are.
std::string languageOf(const CommonOptions& common);

/// Returns the options of a Bench (which compiles kernels, measures them and looks up stored results) by the common
/// options. They are copies: a Bench doesn't refer to `setup`. Without `measuring`, the Bench has no worker and
/// measures nothing.
document::BenchOptions benchOptions(const Setup& setup, const CommonOptions& common, bool measuring);

/// Returns whether the user asked for a device, so that its absence is an error: by --device with an ordinal, or by
/// --worker without --device none.
bool wantsDevice(const CommonOptions& common);

/// Returns the shell command that starts this program as a worker, the process that runs kernels on the device.
std::string ownWorkerCommand();

/// Returns the shell command that starts the worker: that of --worker, or else `ownWorkerCommand`.
std::string workerCommand(const CommonOptions& common);

/// Returns the devices that a worker reports, or the one of them that --device names by its ordinal; with --device, the
/// result isn't empty. Errors: "NoDevice" if none has that ordinal, or with --device none; otherwise why the worker
/// can't be started or doesn't answer, or what it says of its devices ("NoDevice" where it has none).
Result<std::vector<gpu::DeviceInfo>> devicesThere(gpu::Worker& worker, const CommonOptions& common);

/// Returns where figures of devices come from, without starting a worker: the assets and the user's folder.
document::DeviceSources deviceSources(const std::filesystem::path& assets);

/// Returns the device that predictions are for: that of --model, or else the GPU of `bench`, whose worker is started
/// for this if it has one, or else that of the first recording (document::Bench::recordings), or else NVIDIA H200.
/// Returns an error if that device's description isn't found or can't be read.
Result<model::Device> modelDevice(const Setup& setup, const CommonOptions& common, document::Bench& bench);

/// Returns the architecture of the device of --model, "sm_75"; empty without --model. Returns an error if the device's
/// description isn't found or can't be read.
Result<std::string> modelArchitecture(const Setup& setup, const CommonOptions& common);

/// Collects remarks on what schedules say and kernels don't do, and prints each of them once, with the number of the
/// step with which it was added first. A remark that a step breaks the program is printed for each such step.
class KernelRemarks {
 public:
  /// Adds remarks on the kernel of the state after `step` steps.
  void add(int step, const std::vector<device::Remark>& remarks);
  /// Adds the remarks that `kernel` has, on the state after `step` steps; none if the state is no kernel.
  void add(int step, const document::KernelText& kernel);
  /// Adds remarks on the step with the number `step`. Remarks that the step breaks the program are printed as warnings,
  /// with what to do instead.
  void add(int step, const std::vector<lower::StepRemark>& remarks);
  /// Prints the remarks as notes and warnings on stderr.
  void print() const;

 private:
  struct One {
    int step;
    std::string text;
    bool breaks = false;
  };
  std::vector<One> all_;
};

/// Returns remarks as a JSON array of objects with the kind ("breaks" or "no_effect"), code, text and remedy.
nlohmann::ordered_json jsonOf(const std::vector<lower::StepRemark>& remarks);

/// Declares the positional arguments TARGET and SCHEDULE of a verb, one word or two, and its options --size and
/// --record (the number of a record in a tuner's database, which is added to TARGET as "#N"). Parsing the command line
/// fills `target`, which must outlive it.
void addTarget(CLI::App& command, TargetWords& target);

/// Returns a check for options that name a file to write: the word must not be empty.
CLI::Validator aName();

/// Returns a check for options that are the number of a step: a whole number from 0 on that fits into an int.
CLI::Validator stepNumber();
/// Returns a check for options that are a time in seconds: more than 0, and at most a day.
CLI::Validator seconds();

/// Declares the flag --allow-tf32, which permits multiplication of float32 as tf32 and sets `allowed`.
void addAllowTf32(CLI::App& command, bool& allowed);

/// A row of a table of states. A state is the program after the schedule steps that lead to it.
struct Row {
  int node = 0;         // index of the state in the history
  std::string chapter;  // title of the lesson's chapter that begins with this state; empty: none does
};
/// Returns the rows of a target, each state once. The first is the start. For a lesson, saved as a document or not, the
/// states of all chapters follow in their order, branches included. For a function, and for everything that was saved
/// as a document, the states of the path to the current one follow. `language` ("en" or "zh") is that of chapters'
/// titles.
std::vector<Row> rowsOf(const document::Target& target, const std::string& language);

/// Returns the index of the state after `step` steps on the path to the end of the chapter with the id `chapter`. If
/// `chapter` is empty, the path is that to the end of the last chapter of a lesson, or to the current state of a
/// function or a saved document, also of one that was made from a lesson. A negative `step` stands for the last state
/// of the path. Error: "NoSuchTarget" if there is no such chapter or no such step.
Result<int> nodeOf(const document::Target& target, const std::string& chapter, int step);

}  // namespace loom::cli
