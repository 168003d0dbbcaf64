#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/session/view_makers.h"
#include "core/document/bench.h"

namespace loom::session {

/// The options of a session, which owns the open program and everything known of it. A state is the program after some
/// steps of its schedule.
struct Options {
  std::filesystem::path assets;      ///< folder of lessons, intrinsics, devices and recorded results
  document::BenchOptions bench;      ///< options of measuring and compiling
  std::filesystem::path dataFolder;  ///< folder for recovery copies, stall samples and measured GPU rates; empty: none
  std::function<void()> wake;        ///< called from background threads when `Session::poll` has work; empty: none
  bool measureAll = false;           ///< whether to measure every state as soon as its program is made
  bool check = false;                ///< whether to execute the user's own states on the CPU and check their results
  /// Makes the views of panels together with programs and models. The session knows no view: the window hands in those
  /// of `viewMakers` (app/panels/view/view_makers.h) when it makes the session (Workbench, app/window/shell.cpp). Where
  /// its functions are empty, programs and models come without such views.
  ViewMakers views;
  std::string model;  ///< id or name of the device to choose for the model at first; empty, or unknown: none
};

}  // namespace loom::session
