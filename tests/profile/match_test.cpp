#include "core/profile/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.h"

namespace loom::profile::match_test {
namespace {

using testing::HasSubstr;

std::string why(const StallProfile& profile, const sass::Kernel& sass) {
  auto same = matches(profile, sass);
  if (same) return "";
  EXPECT_EQ(same.error().code, "OtherCode");
  return same.error().message.english();
}

TEST(Match, NcusTextIsNvdisasms) { EXPECT_EQ(why(scaleProfile(), scaleSass()), ""); }

TEST(Match, AnotherOperandIsFoundAndNamed) {
  sass::Kernel sass = scaleSass();
  sass.instructions[13].operands = "R4, R0, -0xc000000, RZ";
  EXPECT_EQ(why(scaleProfile(), sass),
            "the profile is of other machine code: its instruction 14 is \"IADD3 R4, R0, -0xd000000, RZ\", here it is "
            "\"IADD3 R4, R0, -0xc000000, RZ\"");
}

TEST(Match, AnotherGuardIsFound) {
  sass::Kernel sass = scaleSass();
  ASSERT_EQ(sass.instructions[16].guard, "!P0");
  sass.instructions[16].guard = "P0";
  EXPECT_THAT(why(scaleProfile(), sass), HasSubstr("its instruction 17 is"));
}

TEST(Match, AnotherTargetIsFound) {
  sass::Kernel sass = scaleSass();
  ASSERT_EQ(sass.instructions[16].target, 0x150);
  sass.instructions[16].target = 0x160;
  EXPECT_THAT(why(scaleProfile(), sass), HasSubstr("its instruction 17 is"));
}

TEST(Match, MoreOrLessCodeIsFound) {
  StallProfile cut = scaleProfile();
  cut.instructions.resize(50);
  EXPECT_EQ(why(cut, scaleSass()), "the profile has 50 instructions, the machine code 53");
  sass::Kernel shorter = scaleSass();
  shorter.instructions.pop_back();
  EXPECT_EQ(why(scaleProfile(), shorter), "the profile has 64 instructions, the machine code 52");
}

TEST(Match, AnotherKernelIsFound) {
  sass::Kernel sass = scaleSass();
  sass.name = "main_kernel";
  EXPECT_EQ(why(scaleProfile(), sass), "the profile is of kernel scale_kernel, this is main_kernel");
}

TEST(Match, TheReuseCacheIsntPartOfIt) {
  sass::Kernel sass = scaleSass();
  sass.instructions[4].operands = "R5.reuse, R5, UR4, R0.reuse";
  StallProfile profile = scaleProfile();
  profile.instructions[4].text = "IMAD R5, R5, UR4, R0";
  EXPECT_EQ(why(profile, sass), "");
}

TEST(Places, LinesAndLoopsShareOutAllSamples) {
  const StallProfile profile = scaleProfile();
  sass::Kernel sass = scaleSass();
  // The kernel has no loop: made up, instructions 10 to 20 around 12 to 14.
  sass.loops = {{sass.instructions[10].address, sass.instructions[20].address, -1, 7},
                {sass.instructions[12].address, sass.instructions[14].address, 0, 8}};
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    sass.instructions[n].line = n < 12 ? 3 : 4;
    sass.instructions[n].loop = n >= 12 && n <= 14 ? 1 : n >= 10 && n <= 20 ? 0 : -1;
  }
  std::int64_t code = 0, inner = 0, outer = 0, first = 0;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const std::int64_t samples = profile.instructions[n].stalls.samples;
    code += samples;
    if (n < 12) first += samples;
    if (n >= 12 && n <= 14) inner += samples;
    if (n >= 10 && n <= 20) outer += samples;
  }
  const auto lines = stallsByLine(profile, sass);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].line, 4);
  EXPECT_EQ(lines[1].stalls.samples, first);
  EXPECT_EQ(lines[0].stalls.samples, code - first);
  EXPECT_EQ(lines[1].instructions, 12);
  const auto loops = stallsByLoop(profile, sass);
  ASSERT_EQ(loops.size(), 3U);
  EXPECT_EQ(loops[0].loop, 0);
  EXPECT_EQ(loops[0].with.samples, outer);
  EXPECT_EQ(loops[0].own.samples, outer - inner);
  EXPECT_EQ(loops[1].loop, 1);
  EXPECT_EQ(loops[1].with.samples, inner);
  EXPECT_EQ(loops[2].loop, -1);
  EXPECT_EQ(loops[2].with.samples, code - outer);
}

}  // namespace
}  // namespace loom::profile::match_test
