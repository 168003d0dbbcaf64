// What TVM 0.22's dlight makes of products, sums and element-wise functions by default: each of its schedules is a
// kernel that computes the function, and CUDA compiles it.
#include <gmock/gmock.h>

#include <filesystem>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::dlight_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(std::string(TILELOOM_SOURCE_DIR) + "/tests/oracle/cases/dlight")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".sched.py")) names.push_back("tests/oracle/cases/dlight/" + name.substr(0, name.size() - 9));
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Dlight, ItsSchedulesAreKernelsThatComputeTheFunction) {
  Options options;
  options.sample = false;
  ASSERT_GE(cases().size(), 12U);
  for (const std::string& name : cases()) {
    SCOPED_TRACE(name);
    const std::string function = readText(name + ".func.py");
    const ir::Function f = scheduled(function, readText(name + ".sched.py"));
    auto report = Checker::create(parse(function), options).value().check(f);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << describe(*report);
    EXPECT_FALSE(report->inOrder) << report->inOrder->message.english();
  }
}

// Annotations without effect are those that TVM drops, too: dlight asks for pragma_vectorize, which no pass of TVM
// reads, and pads the rows of what became a parameter.
TEST(Dlight, ItsAnnotationsHaveTheirEffect) {
  for (const std::string& name : cases()) {
    SCOPED_TRACE(name);
    const auto program = lower::lower(scheduled(readText(name + ".func.py"), readText(name + ".sched.py")));
    ASSERT_TRUE(program) << program.error().message.english();
    for (const device::Remark& r : program->remarks) {
      const std::string text = r.text.english();
      if (text.find("has no effect") == std::string::npos) continue;
      EXPECT_THAT(text, testing::ContainsRegex("pragma_vectorize|buffer_dim_align|double_buffer_scope"));
    }
    for (const device::Kernel& k : program->kernels) {
      for (const device::Allocation& a : k.allocations)
        EXPECT_TRUE(a.memory != device::Memory::Local || a.bytes() <= 1024) << a.buffer->name << " is of all threads";
    }
  }
}

TEST(Dlight, ItsKernelsAreCompiled) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  for (const std::string& name : cases()) {
    SCOPED_TRACE(name);
    const auto program = lower::lower(scheduled(readText(name + ".func.py"), readText(name + ".sched.py")));
    ASSERT_TRUE(program) << program.error().message.english();
    const std::string cuda = codegen::generate(*program).text;
    auto binary = (*compiler)->compile({cuda, "sm_80", false, {}});
    EXPECT_TRUE(binary) << binary.error().message.english() << cuda;
  }
}

}  // namespace
}  // namespace loom::exec::dlight_test
