#include "core/model/fragment_code.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "core/compile/compile.h"
#include "core/model/probed.h"
#include "core/sass/data_movement.h"
#include "tests/model/programs.h"

namespace loom::model::fragment_code_test {
namespace {

using layout::Operand;

std::vector<FragmentKind> kindsOf(ir::DType element, ir::DType sum, std::initializer_list<std::array<int, 3>> shapes) {
  std::vector<FragmentKind> kinds;
  for (auto [m, n, k] : shapes) {
    for (Operand operand : {Operand::A, Operand::B})
      for (bool rowMajor : {true, false}) kinds.push_back({operand, m, n, k, element, rowMajor});
    kinds.push_back({Operand::Accumulator, m, n, k, sum});
    if (sum != element && element == ir::DType::Float(16)) kinds.push_back({Operand::Accumulator, m, n, k, element});
  }
  return kinds;
}

const ir::DType kHalf = ir::DType::Float(16), kFloat = ir::DType::Float(32);

const FragmentKind kHalfSums{Operand::Accumulator};

std::vector<FragmentKind> squares() { return kindsOf(kHalf, kFloat, {{16, 16, 16}}); }

std::vector<sass::Kernel> recorded(const std::string& name) {
  auto kernels = sass::parse(readText("tests/model/fragments/" + name + ".sass"));
  EXPECT_TRUE(kernels) << name;
  return kernels ? *kernels : std::vector<sass::Kernel>{};
}

void expectSame(const layout::Layout& one, const layout::Layout& other) {
  ASSERT_EQ(one.inputs(), other.inputs());
  ASSERT_EQ(one.outputs(), other.outputs());
  for (std::int64_t i = 0; i < one.size(); ++i) {
    const layout::Point at = layout::pointAt(one.inputs(), i);
    ASSERT_EQ(one.apply(at).value(), other.apply(at).value()) << one.text() << "\n" << other.text();
  }
}

// Each element of the tile in one lane, register and place only.
void expectWhole(const layout::Layout& layout, const FragmentKind& kind) {
  ASSERT_EQ(layout.size(), std::int64_t{kind.rows()} * kind.columns()) << kind.name() << ": " << layout.text();
  std::set<layout::Point> seen;
  for (std::int64_t i = 0; i < layout.size(); ++i)
    seen.insert(layout.apply(layout::pointAt(layout.inputs(), i)).value());
  EXPECT_EQ(std::int64_t(seen.size()), layout.size()) << kind.name();
}

// What the machine code of sm_90a says is what an H200 and an H100 have shown.
TEST(FragmentCode, IsWhatTheDeviceShowed) {
  const auto kernels = recorded("sm_90a");
  const auto probed = loadProbeResults(std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets").value();
  int compared = 0;
  for (const ProbeResults& p : probed) {
    if (p.major != 9) continue;
    for (const FragmentKind& kind : squares()) {
      auto shown = fragmentLayout(p, kind);
      if (!shown) continue;
      auto code = fragmentOfCode(kernels, kind);
      ASSERT_TRUE(code) << code.error().message.english();
      expectSame(*code, *shown);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8) << "operands and accumulators of each of the two devices";
}

TEST(FragmentCode, OfRecordedArchitecturesIsWhole) {
  for (const char* architecture : {"sm_75", "sm_80", "sm_90a"}) {
    const auto kernels = recorded(architecture);
    for (const FragmentKind& kind : squares()) {
      auto code = fragmentOfCode(kernels, kind);
      ASSERT_TRUE(code) << architecture << ": " << code.error().message.english();
      expectWhole(*code, kind);
      expectSame(*code, layout::wmmaFragmentSeen(kind.operand, kind == kHalfSums));
    }
  }
}

// A tile's element that goes elsewhere is another layout, or none.
TEST(FragmentCode, TellsAChangedLoad) {
  const std::string text = readText("tests/model/fragments/sm_80.sass");
  const FragmentKind a{Operand::A};
  const std::size_t kernel = text.find(".text." + a.kernelName()), next = text.find(".text.", kernel + 1);
  auto changed = [&](const std::string& what, const std::string& by) {
    std::string code = text.substr(kernel, next - kernel);
    EXPECT_TRUE(std::regex_search(code, std::regex(what))) << code;
    auto kernels = sass::parse(std::regex_replace(code, std::regex(what), by, std::regex_constants::format_first_only));
    return fragmentOfCode(kernels.value(), a);
  };
  const layout::Layout right = fragmentOfCode(recorded("sm_80"), a).value();
  auto moved = changed("\\+0x100\\]", "+0x110]");  // rows 8 to 15 are read from columns 8 to 15
  EXPECT_TRUE(!moved || moved->text() != right.text());
  auto odd = changed("\\+0x100\\]", "+0x101]");
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, "SassUnknown") << "half an element";
  auto outside = changed("SR_LANEID", "SR_CLOCKLO");
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().message.english().find("isn't followed"), std::string::npos)
      << outside.error().message.english();
  auto branches = changed("IMAD.SHL.U32 [^;]*;", "BRA `(.L_x_9);");
  ASSERT_FALSE(branches);
  EXPECT_EQ(branches.error().code, "SassUnknown");
}

TEST(FragmentCode, AnAccumulatorStoredOtherwiseThanLoadedIsAnError) {
  const FragmentKind sums{Operand::Accumulator, 16, 16, 16, kFloat};
  std::string text = readText("tests/model/fragments/sm_80.sass");
  const std::size_t store = text.find("_stored", text.find(".text." + sums.kernelName()));
  const std::size_t at = text.find("+0x200]", store);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 7, "+0x220]");
  auto code = fragmentOfCode(sass::parse(text).value(), sums);
  ASSERT_FALSE(code);
}

TEST(FragmentCode, WhatIsMissingIsSaid) {
  EXPECT_EQ(fragmentOfCode({}, FragmentKind{}).error().code, "SassUnknown");
  EXPECT_FALSE(fragmentProbeText({{Operand::A, 8, 8, 32, ir::DType::Int(4)}})) << "wmma calls these experimental";
}

TEST(FragmentCode, AStatementsFragmentIsFound) {
  const device::Program program = tensorCore();
  const KernelAccesses all = accessesOf(program.kernels.front());
  std::set<std::string> names;
  for (const Access& access : all.accesses) {
    auto kind = fragmentKindOf(*all.kernel, access);
    EXPECT_EQ(bool(kind), access.tile.has_value());
    if (kind) names.insert(kind->name());
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"matrix_a of m16n16k16, float16, row_major",
                                   "matrix_b of m16n16k16, float16, col_major", "accumulator of m16n16k16, float32"}));
}

// The kernels as they are compiled here, for every architecture that this compiler knows.
TEST(FragmentCode, CompiledHereIsFollowed) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit || !toolkit->nvdisasm) GTEST_SKIP() << "needs NVRTC and nvdisasm";
  auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message.english();
  const std::initializer_list<std::array<int, 3>> shapes{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  std::vector<FragmentKind> kinds = kindsOf(kHalf, kFloat, shapes);
  const std::vector<FragmentKind> bytes = kindsOf(ir::DType::Int(8), ir::DType::Int(32), shapes);
  kinds.insert(kinds.end(), bytes.begin(), bytes.end());
  const std::string text = fragmentProbeText(kinds).value();
  const std::string shown = readText("tests/model/fragments/h200.txt");
  for (const std::string architecture : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"}) {
    auto binary = (*compiler)->compile({text, architecture, false, {}});
    ASSERT_TRUE(binary) << architecture << ": " << binary.error().message.english();
    const std::string sass = compile::disassemble(*toolkit, *binary).value();
    const auto kernels = sass::parse(sass).value();
    for (const FragmentKind& kind : kinds) {
      auto code = fragmentOfCode(kernels, kind);
      ASSERT_TRUE(code) << architecture << ", " << kind.name() << ": " << code.error().message.english();
      expectWhole(*code, kind);
      const std::string line = fmt::format("{}: {}\n", kind.kernelName(), code->text());
      EXPECT_TRUE(architecture != "sm_90a" || shown.find(line) != std::string::npos) << line;
      FragmentKind row = kind;
      row.rowMajor = true;
      expectSame(*code, fragmentOfCode(kernels, row).value());  // whichever way the tile lies in memory
      if (kind.m != 16 || kind.element.isInt()) continue;
      expectSame(*code, layout::wmmaFragmentSeen(kind.operand, kind == kHalfSums));
    }
  }
}

}  // namespace
}  // namespace loom::model::fragment_code_test
