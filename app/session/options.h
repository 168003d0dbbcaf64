#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/session/view_makers.h"
#include "core/document/bench.h"

namespace loom::session {

/// What a session is made with.
struct Options {
  std::filesystem::path assets;      ///< lessons, intrinsics, recorded results
  document::BenchOptions bench;      ///< without a worker command nothing is measured
  std::filesystem::path dataFolder;  ///< for autosave; empty: none
  std::function<void()> wake;        ///< called from other threads when `Session::poll` has something to take
  bool measureAll = false;           ///< measure every state as soon as its kernel is there
  bool check = false;                ///< execute the user's own states on the CPU, beside the original program
  ViewMakers views;                  ///< makes panels' views along with what they are of
  std::string model;                 ///< id or name of the device that the model answers for at first; empty: as none
                                     ///< is chosen
};

}  // namespace loom::session
