#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "core/document/pointer.h"

namespace CLI {
class App;
}

namespace loom::cli {

/// The values of the options that every verb has.
struct CommonOptions {
  bool json = false;  ///< --json: print one JSON object per line instead of text
  /// --device: "none", the ordinal of the device to measure on, or "auto": device 0, or, for `tileloom tune`, all GPUs
  /// of this machine if they are of one model.
  std::string device = "auto";
  std::string model;   ///< --model: name of the device to predict for; empty: the one that measures
  std::string lang;    ///< --lang: "en" or "zh"; empty: the language of the environment variables
  std::string worker;  ///< --worker: shell command of the process that runs kernels; empty: this program
};

/// What the window is to do: open a file for the user, or write pictures and end. Paths are as the user typed them. A
/// state is the program after some steps of its schedule, given by its index in the history.
struct WorkbenchRequest {
  std::optional<std::string> file;         ///< lesson, saved document or function; nothing: the Tensor Core lesson
  std::optional<std::string> screenshots;  ///< folder to write pictures (PNG) into, without the user; nothing: none
  bool frames = false;                     ///< with `screenshots`: also measure and print frame times
  int width = 1600, height = 1000;         ///< size of the window in screen coordinates
  /// With `screenshots`: the panels, or parts of panels, to write pictures of, cut out of the window; empty: pictures
  /// of the whole window.
  std::vector<document::Pointer> panels;
  /// With `panels`: indices of the states to show; empty: the ends of the chapters, or, of a program without chapters,
  /// the current state.
  std::vector<int> states;
  std::string theme = "dark";  ///< with `panels`: "dark", "light" or "contrast"
  bool check = false;          ///< with `panels`: print where text is cut, covered or faint; write only such pictures
  int scalePercent = 100;      ///< with `panels`: scale of the window in percent
  int beside = -1;             ///< with `panels` or `frames`: index of a state to draw beside those shown; −1: none
  int trials = 0;              ///< with `panels`: schedules that a search measures before the pictures; 0: no search
};

/// A function that opens the window and returns the program's exit status when the window is closed. `main` passes it
/// to `run`, so that the command line needs no GUI library.
using Workbench = std::function<ExitStatus(const WorkbenchRequest&, const CommonOptions&)>;

/// What a verb gets besides its own options: the common options, and the function that opens the window. The object
/// outlives every action.
struct Context {
  CommonOptions common;
  Workbench workbench;
};

/// A function that runs a verb, once its options have been parsed, and returns the program's exit status.
using Action = std::function<ExitStatus()>;

/// A verb of the command line: a function `declare` in a file of this folder, declared in verb_list.h, and one row in
/// `verbs()`. Small verbs share a file: machine.cpp has those about the machine and the list of lessons.
struct Verb {
  const char* name;     ///< the word on the command line
  const char* summary;  ///< what the verb does, as `--help` says it
  /// Adds the verb's own options to `command` and returns the action that runs the verb once the command line has been
  /// parsed. `context.common` has its values only when the action runs.
  Action (*declare)(CLI::App& command, const Context& context);
};

/// Returns all verbs in the order in which `--help` lists them.
std::span<const Verb> verbs();

/// Parses the command line, runs the verb, or opens the window by `workbench` if no verb is given, and returns the
/// program's exit status: that of the verb or of the window, or else kUsage if the command line is wrong, kUnreadable
/// if the file or the device of --model doesn't exist or memory runs out, kCannotWrite if stdout can't be written, and
/// kMistake after another exception.
ExitStatus run(int argc, const char* const* argv, Workbench workbench);

}  // namespace loom::cli
