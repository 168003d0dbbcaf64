#include "app/panels/thread_binding/view/fragment.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/model/programs.h"

namespace loom::session::thread_binding_fragment_view_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

const PtxFragment& named(const std::string& name) {
  return *std::ranges::find_if(ptxFragments(), [&](const PtxFragment& f) { return f.name() == name; });
}

// Figures of the PTX ISA for mma.m16n8k16: lane 26 is group 6, thread 2 of it.
TEST(FragmentView, EachElementHasItsLaneRegisterAndHalf) {
  const FragmentPicture a = fragmentPicture(named("mma.m16n8k16: A"));
  EXPECT_EQ(a.rows, 16);
  EXPECT_EQ(a.columns, 16);
  const auto& cell = a.at(0, 14, 5);
  EXPECT_EQ(cell.lane, 26);
  EXPECT_EQ(cell.number, 1);
  EXPECT_EQ(cell.part, 1);
  EXPECT_EQ(a.elementText(14, 5), "A[14, 5]");
  EXPECT_THAT(a.heldBy(26),
              ElementsAre(FragmentPicture::Held{0, 0, "A[6, 4:6]"}, FragmentPicture::Held{1, 0, "A[14, 4:6]"},
                          FragmentPicture::Held{2, 0, "A[6, 12:14]"}, FragmentPicture::Held{3, 0, "A[14, 12:14]"}));
  const FragmentPicture b = fragmentPicture(named("mma.m16n8k16: B"));
  EXPECT_EQ(b.columns, 8);
  EXPECT_THAT(b.heldBy(26),
              ElementsAre(FragmentPicture::Held{0, 0, "B[4:6, 6]"}, FragmentPicture::Held{1, 0, "B[12:14, 6]"}));
}

TEST(FragmentView, ASumInFloat32FillsItsRegister) {
  const FragmentPicture c = fragmentPicture(named("mma.m16n8k16: C, D in f32"));
  EXPECT_EQ(c.registers, 4);
  EXPECT_EQ(c.at(0, 14, 5).lane, 26);
  EXPECT_EQ(c.at(0, 14, 5).number, 3);
  EXPECT_EQ(c.at(0, 14, 5).part, -1);
  EXPECT_EQ(fragmentPicture(named("mma.m16n8k16: C, D in f16")).at(0, 14, 5).number, 1);
}

TEST(FragmentView, LdmatrixSaysWhoGivesARowsAddressAndWhoReceivesIt) {
  const FragmentPicture x4 = fragmentPicture(named("ldmatrix.x4"));
  EXPECT_EQ(x4.matrices, 4);
  EXPECT_EQ(x4.addressOf(1, 6), 14);
  EXPECT_EQ(x4.at(1, 6, 5).lane, 26) << "two neighbours of row lane / 4";
  EXPECT_EQ(x4.at(1, 6, 5).number, 1);
  EXPECT_THAT(x4.heldBy(26)[1], (FragmentPicture::Held{1, 1, "[6, 4:6]"}));
  const FragmentPicture trans = fragmentPicture(named("ldmatrix.x2.trans"));
  EXPECT_EQ(trans.addressOf(1, 6), 14) << "addresses are of rows, transposed or not";
  EXPECT_THAT(trans.heldBy(26)[1], (FragmentPicture::Held{1, 1, "[4:6, 6]"}));
}

TEST(FragmentView, EveryTableGivesEachElementToOneLane) {
  for (const PtxFragment& f : ptxFragments()) {
    const FragmentPicture picture = fragmentPicture(f);
    std::set<std::tuple<int, int, int>> holders;
    for (const auto& cell : picture.cells) {
      EXPECT_GE(cell.lane, 0) << f.name();
      holders.insert({cell.lane, cell.number, cell.part});
    }
    EXPECT_EQ(holders.size(), picture.cells.size()) << f.name();
  }
}

TEST(FragmentView, ALayoutThatNobodyKnowsSaysSo) {
  const auto picture = fragmentPicture(layout::wmmaFragment(16, 16), layout::Operand::A);
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().code, "LayoutUndefined");
}

// The lesson's last state for sm_90: sixteen loads of four matrices, 32 products.
TEST(FragmentView, InstructionsAreCountedInTheMachineCode) {
  const auto kernels = sass::parse(model::readText("tests/gui/tensor_core.sass"));
  ASSERT_TRUE(kernels);
  const OpcodeCounts counts = matrixInstructions(kernels->front());
  EXPECT_THAT(counts, testing::UnorderedElementsAre(Pair("LDSM.16.M88.4", 16), Pair("HMMA.16816.F32", 32)));
  auto made = [&](const std::string& name) {
    return std::ranges::any_of(counts, [&](const auto& c) { return named(name).isMadeBy(c.first); });
  };
  EXPECT_TRUE(made("ldmatrix.x4"));
  EXPECT_FALSE(made("ldmatrix.x1")) << "its opcode is how that of four begins";
  EXPECT_FALSE(made("ldmatrix.x4.trans"));
  EXPECT_TRUE(made("mma.m16n8k16: A"));
  EXPECT_TRUE(made("mma.m16n8k16: C, D in f32"));
  EXPECT_FALSE(made("mma.m16n8k16: C, D in f16"));
}

}  // namespace
}  // namespace loom::session::thread_binding_fragment_view_test
