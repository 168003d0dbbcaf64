// Every case of the oracle that uses primitives we have: each step's text is TVM's to the byte, each refusal has TVM's
// code and line. The rest is skipped by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/intrin/intrinsic.h"
#include "core/ir/verify.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedule/primitives_of_tvm.h"

namespace loom::schedule::golden_test {
namespace {

namespace fs = std::filesystem;
const fs::path kCases = fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases";

std::string readText(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> caseNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kCases)) {
    std::string name = fs::relative(entry.path(), kCases).generic_string();
    constexpr std::string_view kSuffix = ".sched.py";
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix))
      names.push_back(name.substr(0, name.size() - kSuffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void collectPrimitives(const script::StepValue& value, std::set<std::string>& names,
                       std::set<std::string>& intrinsics) {
  if (value.is(script::StepValue::Kind::Call)) {
    names.insert(value.text);
    if (value.text == "tensorize") {
      if (value.items.size() > 1) intrinsics.insert(value.items[1].text);
      for (const auto& keyword : value.keywords) {
        if (keyword.name == "tensor_intrin") intrinsics.insert(keyword.value.text);
      }
    }
  }
  for (const auto& item : value.items) collectPrimitives(item, names, intrinsics);
  for (const auto& keyword : value.keywords) collectPrimitives(keyword.value, names, intrinsics);
}

const intrin::Library& library() {
  static const intrin::Library kLibrary = [] {
    auto loaded = intrin::Library::load(fs::path(TILELOOM_SOURCE_DIR) / "assets/intrinsics");
    return loaded ? *loaded : intrin::Library{};
  }();
  return kLibrary;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsAndRefusesAsTvmDoes) {
  auto file = [&](const char* suffix) { return kCases / (GetParam() + suffix); };
  auto calls = script::parseSchedule(readText(file(".sched.py")), GetParam());
  ASSERT_TRUE(calls) << calls.error().message.english();
  std::set<std::string> primitives, intrinsics;
  for (const auto& call : *calls) collectPrimitives(call.value, primitives, intrinsics);
  static const std::set<std::string> missing = missingPrimitives();
  for (const auto& name : primitives) {
    if (findInstruction(name)) continue;
    ASSERT_TRUE(missing.contains(name)) << name << " is neither in the table nor a primitive of TVM";
    GTEST_SKIP() << "not yet applied: " << name;
  }
  bool refused = fs::exists(file(".error.txt"));
  for (const auto& name : intrinsics) {
    if (!refused && !library().find(name)) GTEST_SKIP() << "intrinsic not yet known: " << name;
  }

  auto module = script::parseModule(readText(file(".func.py")), GetParam());
  ASSERT_TRUE(module) << module.error().message.english();
  auto state = State::create(std::move(*module));
  ASSERT_TRUE(state) << state.error().message.english();
  Environment environment{&library()};
  Replay done = replay(*state, *calls, environment);

  std::istringstream wanted(readText(file(".steps.txt")));
  std::string text;
  // TVM's own result reads a buffer that is gone, or a loop.
  bool isSound = GetParam() != "quirks/reverse_compute_inline_forgets_consumer" &&
                 GetParam() != "quirks/transform_layout_keeps_reordered_iterators";
  // Laid out anew within a tile, TVM's regions of the blocks around name iterators of the blocks inside.
  const auto dangling = GetParam().starts_with("tensorize/mma_") ? ir::Dangling::InRegions : ir::Dangling::Refused;
  for (const auto& step : done.steps) {
    text += "# step " + std::to_string(step.line) + ": " + step.source + "\n" + step.script.text + "\n";
    auto broken = ir::verify(step.state.module(), dangling);
    EXPECT_EQ(!broken, isSound) << "line " << step.line << ": " << broken.value_or("");
  }
  EXPECT_EQ(text, wanted.str());

  if (!refused) {
    EXPECT_FALSE(done.refusal) << done.refusal->code << " line " << done.refusal->place.line << ": "
                               << done.refusal->message.english();
    return;
  }
  ASSERT_TRUE(done.refusal) << "TVM: " << readText(file(".error.txt"));
  std::string ours = "error[" + done.refusal->code + "] line " + std::to_string(done.refusal->place.line) + ":";
  std::string theirs = readText(file(".error.txt"));
  EXPECT_EQ(ours, theirs.substr(0, theirs.find(':') + 1)) << done.refusal->message.english() << "\nTVM: " << theirs;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(caseNames()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Golden, FindsTheCases) { EXPECT_GT(caseNames().size(), 300u); }

}  // namespace
}  // namespace loom::schedule::golden_test
