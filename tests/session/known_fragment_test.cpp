#include "app/session/known_fragment.h"

#include <gtest/gtest.h>

#include "app/panels/thread_binding/view/fragment.h"
#include "tests/model/programs.h"

namespace loom::session::known_fragment_test {
namespace {

const std::vector<model::ProbeResults> kSeen =
    model::loadProbeResults(std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets").value();
const model::FragmentKind kA{layout::Operand::A}, kSums{layout::Operand::Accumulator};

// Gives recorded machine code for whatever is compiled, and counts.
struct Recorded {
  std::string architecture;
  int compiled = 0;
  ProbeCompiler compiler() {
    return [this](const std::string&) -> Result<ProbeCode> {
      ++compiled;
      return ProbeCode{model::readText("tests/model/fragments/" + architecture + ".sass"), "NVRTC 13.0"};
    };
  }
};

Result<ProbeCode> none(const std::string&) {
  return fail("NoNvrtc", verbatim("there is no compiler"), Forbids::Environment);
}

TEST(FragmentLayout, IsWhatADeviceOfTheArchitectureShowed) {
  Recorded code{"sm_90a"};
  const FragmentLayout known = fragmentOn("sm_90a", kA, kSeen, code.compiler());
  ASSERT_TRUE(known.layout) << known.layout.error().message.english();
  EXPECT_EQ(code.compiled, 0);
  EXPECT_NE(known.note.english().find("NVIDIA H200 (sm_90)"), std::string::npos) << known.note;
}

TEST(FragmentLayout, OfAnotherArchitectureIsThatOfItsOwnMachineCode) {
  for (const char* architecture : {"sm_75", "sm_80"}) {
    Recorded code{architecture};
    const FragmentLayout known = fragmentOn(architecture, kA, kSeen, code.compiler());
    ASSERT_TRUE(known.layout) << known.layout.error().message.english();
    EXPECT_EQ(code.compiled, 1);
    EXPECT_NE(known.note.english().find(std::string("made for ") + architecture + " by NVRTC 13.0"), std::string::npos);
    EXPECT_EQ(known.note.english().find("H200"), std::string::npos) << "another's name";
    const auto picture = fragmentPicture(*known.layout, layout::Operand::A).value();
    EXPECT_EQ(picture.at(0, 14, 5).lane, 26);
    EXPECT_EQ(picture.at(0, 14, 5).number, 1);
    EXPECT_EQ(picture.at(0, 14, 5).part, 1);
  }
}

TEST(FragmentLayout, CodeThatIsNotFollowedSaysSoAndShowsNoOther) {
  auto compile = [](const std::string&) -> Result<ProbeCode> {
    return ProbeCode{
        ".target sm_80\n.text.matrix_a_16x16x16_float16_row:\n/*0000*/ WARPGROUP.ARRIVE ;\n"
        "/*0010*/ CALL.REL.NOINC `(.L_x_1) ;\n/*0020*/ EXIT ;\n",
        "NVRTC 13.0"};
  };
  const FragmentLayout known = fragmentOn("sm_80", kA, kSeen, compile);
  ASSERT_FALSE(known.layout);
  EXPECT_TRUE(known.note.empty());
  EXPECT_NE(known.layout.error().message.english().find("probe kernel for sm_80 doesn't tell it: CALL.REL.NOINC"),
            std::string::npos)
      << known.layout.error().message.english();
}

TEST(FragmentLayout, WithoutACompilerIsWhatCodeWasSeenToHave) {
  const FragmentLayout known = fragmentOn("sm_80", kSums, kSeen, none);
  ASSERT_TRUE(known.layout);
  EXPECT_EQ(known.note, layout::wmmaSeenNote());
  model::FragmentKind bytes = kA;
  bytes.element = ir::DType::Int(8);
  const FragmentLayout unknown = fragmentOn("sm_80", bytes, kSeen, none);
  ASSERT_FALSE(unknown.layout) << "of 8-bit operands nothing is shipped";
  EXPECT_NE(unknown.layout.error().message.english().find("there is no compiler"), std::string::npos);
  EXPECT_FALSE(fragmentOn("sm_70", kSums, kSeen, none).layout) << "Volta has another";
}

TEST(FragmentLayout, ShapesHaveTheirOwnPictures) {
  EXPECT_EQ(wmmaFragments().size(), 12u);
  EXPECT_EQ(wmmaName(wmmaFragments()[0]), "wmma.m16n16k16: A");
  EXPECT_EQ(wmmaName(wmmaFragments()[11]), "wmma.m8n32k16: C, D in f16");
}

}  // namespace
}  // namespace loom::session::known_fragment_test
