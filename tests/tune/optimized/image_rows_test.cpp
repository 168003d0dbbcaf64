// Convolutions over rows of images, whose channels stand before them: neighbours in memory are those of the result, and
// vectors of the filter go over its three dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::image_rows_test {
namespace {

using testing::ElementsAre;

// The convolution with the filter as the first factor.
std::string filterFirst() {
  std::string text = tests::programText("channels_first_convolution");
  const auto exchange = [&](const std::string& one, const std::string& other) {
    const std::size_t at = text.rfind(one), behind = text.rfind(other);
    text.replace(behind, other.size(), one);
    text.replace(at, one.size(), other);
  };
  exchange("X[vn, vc, vh + vr, vw + vs]", "W[vo, vc, vr, vs]");
  return text;
}

TEST(ImageRows, AreColumns) {
  const schedule::State state = programState(tests::programText("channels_first_convolution"));
  const Contraction c = *contractionOf(state, state.tree().childBlocks(state.tree().root(0)).front()).contraction;
  EXPECT_TRUE(c.reversed);
  EXPECT_EQ(c.a.buffer, "W");
  EXPECT_THAT(c.rows, ElementsAre(1));
  EXPECT_THAT(c.columns, ElementsAre(0, 2, 3));
  EXPECT_TRUE(c.a.reductionIsLast);
  EXPECT_FALSE(c.b.reductionIsLast);
  EXPECT_EQ(c.a.aligned, 8);  // of 216 elements
}

// c, r and s are one number along k, and the filter's elements lie by it.
TEST(ImageRows, TheFilterIsCopiedInVectors) {
  const OnHopper on(tests::programText("channels_first_convolution"), "wmma");
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
  EXPECT_THAT(built.front().kernel.source.text,
              testing::ContainsRegex("cp_async_16[a-z_0-9]*\\(&?W_reindex_pad_shared"));
}

TEST(ImageRows, OfEverySpaceAreKernelsAndRight) {
  for (const auto& [text, sketch] : {std::pair(tests::programText("channels_first_convolution"), "wmma"),
                                     std::pair(filterFirst(), "wmma"), std::pair(filterFirst(), "mma.sync")}) {
    const OnHopper on(text, sketch);
    expectKernels(on, sketch, 37, 2, [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
      expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
    });
  }
}

// Few results with long sums, zeros around the image: a second kernel adds what blocks of their own summed of some
// channels.
TEST(ImageRows, AreSummedInPartsWhereResultsAreFew) {
  const OnHopper on(R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((1, 256, 7, 7), "float16"), W: T.Buffer((64, 256, 3, 3), "float16"), Y: T.Buffer((1, 64, 7, 7), "float32")):
    for n, o, h, w, c, r, s in T.grid(1, 64, 7, 7, 256, 3, 3):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", T.if_then_else(1 <= vh + vr and vh + vr < 8 and 1 <= vw + vs and vw + vs < 8, X[vn, vc, vh + vr - 1, vw + vs - 1], T.float16(0))) * T.Cast("float32", W[vo, vc, vr, vs])
)",
                    "mma.sync, k in 8 parts");
  expectKernels(on, on.name, 41, 2);
}

}  // namespace
}  // namespace loom::tune::image_rows_test
