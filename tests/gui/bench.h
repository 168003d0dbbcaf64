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

/// What a script wants to be done with the picture of the next frame, once that has ended; null: nothing. Popups don't
/// outlive the script.
inline std::function<void(const Image&)> withNextPicture;

/// A workbench in a real window, driven by Dear ImGui Test Engine. Its settings live in a folder of the test's own.
class Bench : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs `script` by mouse and keyboard between the frames and fails the test where one of its checks fails.
  void drive(void (*script)(ImGuiTestContext*));

  /// Closes the workbench and starts it again on the same settings folder, with options changed.
  void restart(const std::function<void(WorkbenchOptions&)>& change = {});

  /// What the tests of a kind change of the options: none has a device.
  virtual void prepare(WorkbenchOptions&) {}
  /// The program of the tests, as a shell has it.
  static std::string ownCommand();

  Workbench& workbench() { return *workbench_; }
  Host& host() { return *host_; }
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
