#include "tests/gui/bench.h"

#include <unistd.h>

#include <utility>

#include "tests/gui/kept_window.h"

// What the test engine asks in each frame in place of its own function (app/CMakeLists.txt): its watchdog may end a test.
bool loomIsDebuggerPresent() { return false; }

namespace loom::window {
namespace {

constexpr int kMostFrames = 100000;

}  // namespace

void Bench::SetUp() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            ("tileloom-gui-" + std::to_string(getpid()) + "-" + info->test_suite_name() + "-" + info->name());
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  start();
}

void Bench::TearDown() {
  stop();
  std::filesystem::remove_all(folder_);
}

void Bench::restart(const std::function<void(WorkbenchOptions&)>& change) {
  stop();
  start(change);
}

std::string Bench::ownCommand() { return "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "'"; }

void Bench::start(const std::function<void(WorkbenchOptions&)>& change) {
  HostOptions window{"Tileloom under test", 1600, 1000, false};
  window.showFrames = false;  // drawing them would be a fifth of the tests' time
  auto host = openHost(window);
  ASSERT_TRUE(host) << host.error().message.english();
  host_ = std::move(*host);
  WorkbenchOptions options{folder_, text::Language::kEnglish, {}, "tensor_core"};
  options.model.assets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";
  options.model.bench.assets = options.model.assets;
  options.model.bench.device = "none";
  options.model.dataFolder = folder_ / "data";
  prepare(options);
  if (change) change(options);
  workbench_ = std::make_unique<Workbench>(*host_, options);
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigSavedSettings = false;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

void Bench::stop() {
  if (engine_ == nullptr) {
    return;
  }
  ImGuiTestEngine_Stop(engine_);
  workbench_.reset();
  for (const std::string& misuse : host_->takeMisuses()) ADD_FAILURE() << "Dear ImGui says of " << misuse;
  host_.reset();  // ends Dear ImGui's context, which the engine must outlive
  ImGuiTestEngine_DestroyContext(engine_);
  engine_ = nullptr;
}

void Bench::drive(void (*script)(ImGuiTestContext*)) {
  ASSERT_NE(engine_, nullptr) << "no window was opened";
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, info->test_suite_name(), info->name());
  test->TestFunc = script;
  test->UserData = workbench_.get();
  ImGuiTestEngine_QueueTest(engine_, test);
  for (int i = 0; i < kMostFrames && !ImGuiTestEngine_IsTestQueueEmpty(engine_); ++i) {
    host_->waitForEvents(0);
    Image picture;
    const auto use = std::exchange(withNextPicture, nullptr);
    workbench_->frame(use ? &picture : nullptr);
    if (use) use(picture);
    ImGuiTestEngine_PostSwap(engine_);
  }
  Image last;
  workbench_->frame(&last);  // what a script ends with is drawn, too
  ImGuiTestEngine_PostSwap(engine_);
  EXPECT_TRUE(ImGuiTestEngine_IsTestQueueEmpty(engine_)) << "the script did not end";
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success);
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

}  // namespace loom::window
