#include "core/compile/program_key.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "core/compile/compile.h"

namespace loom::compile::program_key_test {
namespace {

// One program in the parts that its key is made of.
struct Parts {
  codegen::Source source;
  std::vector<std::string> options = {"--std=c++17"};
  std::string key() const { return programKey(source, options); }
};

codegen::TensorMapArgument map() { return {"A_map", 0, {512, 16}, {16, 1}, {64, 16}, 64}; }

Parts parts() {
  Parts p;
  p.source.text = "// C\nextern \"C\" __global__ void main_kernel(float* A) {\n  A[0] = 1.0f;\n}\n";
  codegen::KernelLaunch launch;
  launch.name = "main_kernel";
  launch.grid = {32, 32, 1};
  launch.block = {16, 16, 1};
  launch.arguments = {0, 1};
  p.source.launches = {launch, launch};
  p.source.launches[1].name = "main_kernel_1";
  codegen::GlobalBuffer a;
  a.name = "A";
  a.dtype = ir::DType::Float(32);
  a.shape = {512, 16};
  p.source.buffers = {a, a};
  p.source.buffers[1].name = "T";
  p.source.buffers[1].temporary = true;
  return p;
}

// Programs that differ in one thing alone, which the text doesn't tell: a time of one is no other's.
TEST(ProgramKey, TellsProgramsOfOneTextApart) {
  using Change = std::function<void(Parts&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"nothing", [](Parts&) {}},
      {"the text", [](Parts& p) { p.source.text.insert(p.source.text.find("1.0f"), "1.0f + "); }},
      {"the grid's x", [](Parts& p) { p.source.launches[0].grid[0] = 64; }},
      {"the grid's y", [](Parts& p) { p.source.launches[0].grid[1] = 128; }},
      {"the grid's axes",
       [](Parts& p) {
         p.source.launches[0].grid = {32, 1, 32};
       }},
      {"the second launch's grid", [](Parts& p) { p.source.launches[1].grid[1] = 128; }},
      {"the block",
       [](Parts& p) {
         p.source.launches[0].block = {256, 1, 1};
       }},
      {"dynamic shared memory", [](Parts& p) { p.source.launches[0].dynamicSharedBytes = 49152; }},
      {"the order of launches", [](Parts& p) { std::swap(p.source.launches[0].name, p.source.launches[1].name); }},
      {"one launch less", [](Parts& p) { p.source.launches.pop_back(); }},
      {"one launch more", [](Parts& p) { p.source.launches.push_back(p.source.launches[0]); }},
      {"a map", [](Parts& p) { p.source.launches[0].maps = {map()}; }},
      {"its buffer",
       [](Parts& p) {
         p.source.launches[0].maps = {map()};
         p.source.launches[0].maps[0].buffer = 1;
       }},
      {"its box",
       [](Parts& p) {
         p.source.launches[0].maps = {map()};
         p.source.launches[0].maps[0].box = {128, 16};
       }},
      {"its swizzle",
       [](Parts& p) {
         p.source.launches[0].maps = {map()};
         p.source.launches[0].maps[0].swizzle = 0;
       }},
      {"its strides",
       [](Parts& p) {
         p.source.launches[0].maps = {map()};
         p.source.launches[0].maps[0].strides = {32, 1};
       }},
      {"its extents",
       [](Parts& p) {
         p.source.launches[0].maps = {map()};
         p.source.launches[0].maps[0].extents = {256, 16};
       }},
      {"the arguments' order",
       [](Parts& p) {
         p.source.launches[0].arguments = {1, 0};
       }},
      {"a parameter's shape",
       [](Parts& p) {
         p.source.buffers[0].shape = {2048, 16};
       }},
      {"its dimensions",
       [](Parts& p) {
         p.source.buffers[0].shape = {512, 4, 4};
       }},
      {"its order",
       [](Parts& p) {
         p.source.buffers[0].shape = {16, 512};
       }},
      {"its dtype", [](Parts& p) { p.source.buffers[0].dtype = ir::DType::Int(32); }},
      {"its strides",
       [](Parts& p) {
         p.source.buffers[0].strides = {32, 1};
       }},
      {"its offset", [](Parts& p) { p.source.buffers[0].start = 16; }},
      {"the temporary's size",
       [](Parts& p) {
         p.source.buffers[1].shape = {1024, 16};
       }},
      {"no temporary", [](Parts& p) { p.source.buffers.pop_back(); }},
      {"a parameter in its place", [](Parts& p) { p.source.buffers[1].temporary = false; }},
      {"an option", [](Parts& p) { p.options.push_back("--use_fast_math"); }},
      {"its value", [](Parts& p) { p.options.push_back("--maxrregcount=32"); }},
      {"another value", [](Parts& p) { p.options.push_back("--maxrregcount=64"); }},
      {"one option of two", [](Parts& p) { p.options = {"--std=c++17\noption 15 --use_fast_math"}; }},
  };
  std::map<std::string, const char*> seen;
  for (const auto& [what, change] : changes) {
    Parts p = parts();
    change(p);
    const auto [at, isNew] = seen.emplace(p.key(), what);
    EXPECT_TRUE(isNew) << what << " and " << at->second << " are one";
  }
}

TEST(ProgramKey, IsOneForWhatDecidesNothing) {
  const std::string key = parts().key();
  EXPECT_TRUE(std::regex_match(key, std::regex("[0-9a-f]{32}"))) << key;
  Parts commented = parts();
  commented.source.text = "\n// made by split, step 1\n" + commented.source.text;
  EXPECT_EQ(commented.key(), key);
  Parts lines = parts();
  lines.source.lines.resize(7);
  lines.source.buffers[0].read = true;
  EXPECT_EQ(lines.key(), key);
}

// They are written into files: another version must find what this one kept.
TEST(ProgramKey, IsTheSameOnEveryMachine) { EXPECT_EQ(parts().key(), "423df1cf6e9ef4f960d4d6743daeb7ce"); }

TEST(CompileOptions, AreWhatTheRequestAsksFor) {
  Request r;
  r.options = {"--use_fast_math"};
  r.lineInfo = false;
  EXPECT_EQ(optionsOf(r), (std::vector<std::string>{"--std=c++17", "--use_fast_math"}));
  r.lineInfo = true;
  EXPECT_EQ(optionsOf(r).size(), 3u);
}

}  // namespace
}  // namespace loom::compile::program_key_test
