#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/window/image.h"
#include "app/window/shell.h"

namespace loom::window {

/// A function that a script sets to get the picture of the next frame: `drive` empties it before the frame and calls it
/// once, after the frame; empty: none. A script needs it for pictures of popups, which close when the script ends.
inline std::function<void(const Image&)> withNextPicture;

/// A test fixture with the workbench (the whole GUI) in a real window, without a GPU, that Dear ImGui Test Engine
/// drives. The lesson "tensor_core" is being opened at first. Settings and data are kept in a temporary folder.
class Bench : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs `script`, which uses mouse and keyboard through its context and finds the workbench by `workbenchOf`
  /// (script.h), and draws frames until it ends. The test fails if a check in the script fails, or if it doesn't end
  /// within 100000 frames. A test may run several scripts, one after another.
  void drive(void (*script)(ImGuiTestContext*));

  /// Closes the workbench with its window and starts another with the same folder. Its options are made by `prepare`
  /// and then, unless it is empty, changed by `change`, for this start alone. References to the former workbench and
  /// host end.
  void restart(const std::function<void(WorkbenchOptions&)>& change = {});

  /// Changes the options with which each workbench of the fixture starts. By default there is no device and no
  /// compiler.
  virtual void prepare(WorkbenchOptions&) {}
  /// Returns the path of this test program, quoted for a shell.
  static std::string ownCommand();

  Workbench& workbench() { return *workbench_; }
  Host& host() { return *host_; }
  /// Returns the temporary folder, which is removed after the test.
  const std::filesystem::path& folder() const { return folder_; }

 private:
  void start(const std::function<void(WorkbenchOptions&)>& change = {});
  void stop();

  std::filesystem::path folder_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Workbench> workbench_;
  ImGuiTestEngine* engine_ = nullptr;
};

}  // namespace loom::window
