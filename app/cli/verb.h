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

/// What every verb understands.
struct CommonOptions {
  bool json = false;            ///< one JSON object per line instead of text
  std::string device = "auto";  ///< auto, none, or an ordinal
  std::string model;            ///< name of the device that the model answers for; empty: the one in use
  std::string lang;             ///< en or zh; empty: from the environment
  std::string worker;           ///< command that starts the worker elsewhere; empty: this program
};

/// What the window is asked to do. Paths are as the user typed them.
struct WorkbenchRequest {
  std::optional<std::string> file;         ///< a document or a function; none: the Tensor Core lesson
  std::optional<std::string> screenshots;  ///< drive the panels and write PNGs here, then end
  bool frames = false;                     ///< with screenshots: print frame times
  int width = 1600, height = 1000;         ///< of the window, with screenshots
  /// With screenshots: pictures of these panels and parts instead, cut out of the window.
  std::vector<document::Pointer> panels;
  std::vector<int> states;     ///< of the program, for `panels`; empty: where its chapters end
  std::string theme = "dark";  ///< of `panels`, as is the scale
  bool check = false;          ///< of `panels`: look for cut, covered and faint text instead
  int scalePercent = 100;
  int beside = -1;  ///< of `panels`: a state that is drawn beside each; −1: none
};

/// Opens the window and returns when it is closed. Handed in by main, so that the command line needs no GUI library.
using Workbench = std::function<ExitStatus(const WorkbenchRequest&, const CommonOptions&)>;

/// What a verb gets beside its own options. Outlives every action.
struct Context {
  CommonOptions common;
  Workbench workbench;
};

using Action = std::function<ExitStatus()>;

/// A verb of the command line: one file in this folder and one row in `verbs()`.
struct Verb {
  const char* name;
  const char* summary;
  /// Adds the verb's own options to `command` and returns what to run when the line has been parsed. `context.common`
  /// is filled in by then, not before.
  Action (*declare)(CLI::App& command, const Context& context);
};

/// Returns all verbs in the order in which `--help` lists them.
std::span<const Verb> verbs();

/// Parses the command line and runs it. Usage errors go to stderr with status 64.
ExitStatus run(int argc, const char* const* argv, Workbench workbench);

}  // namespace loom::cli
