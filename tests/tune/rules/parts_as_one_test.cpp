// Programs whose parts don't go together as each is fastest: some parts take other tiles, or rules take all as one.
#include <gtest/gtest.h>

#include <array>
#include <regex>

#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan_of_parts.h"
#include "core/tune/rules/program_parts.h"
#include "tests/schedules/schedule_text.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::parts_as_one_test {
namespace {

// Where warps of mma.sync multiply, the two products and the rows between them can't be scheduled one after the other:
// rules then take the whole program, in which two blocks read what one of them copies.
TEST(PartsAsOne, CopyForTheirOwnReaders) {
  const schedule::State state = programState(tests::programText("attention_of_parts"));
  const model::Device device = deviceNamed("a100_80");
  const auto plan = sketchOf(state, device, ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, device, document::environment());
  ASSERT_TRUE(built) << built.error().message;
  expectRight(state, built->front().state, built->front().lines);
}

// Where a part's elements are shared out to threads by quotients of a loop, primitives can't tell any more that others
// write all of what is read: lines of products come before them. Of 80 steps along k tensor cores take 16 at a time.
TEST(PartsAsOne, OfManySizesGoTogether) {
  for (const std::string size : {"40", "48", "80", "96", "104", "192"}) {
    SCOPED_TRACE(size);
    const std::string text = std::regex_replace(tests::programText("attention_of_parts"), std::regex("\\b64\\b"), size);
    const schedule::State state = programState(text);
    const model::Device device = deviceNamed("h200");
    const auto plan = sketchOf(state, device, ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    for (const SketchPart& part : partsOf(plan->sketches.front()))
      EXPECT_EQ(part.sketch.find("CUDA"), std::string::npos) << part.blocks.front() << ": " << part.sketch;
    const auto built = buildAll(*plan, state, device, document::environment());
    ASSERT_TRUE(built) << built.error().message;
    if (size != "192") expectRight(state, built->front().state, built->front().lines);
  }
}

// Three products one after another, called as a product's operands are: 1 × 1, 3 × 3 with zeros around, and 1 × 1, of
// 196 pixels, which are no multiple of 16. All of them are multiplied by tensor cores.
const std::string kBottleneck = R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((4, 64, 14, 14), "float16"), A: T.Buffer((32, 64), "float16"), B: T.Buffer((32, 32, 3, 3), "float16"), C: T.Buffer((64, 32), "float16"), Y: T.Buffer((4, 64, 14, 14), "float16")):
    a = T.alloc_buffer((4, 32, 14, 14), "float32")
    ra = T.alloc_buffer((4, 32, 14, 14), "float16")
    b = T.alloc_buffer((4, 32, 14, 14), "float32")
    rb = T.alloc_buffer((4, 32, 14, 14), "float16")
    c = T.alloc_buffer((4, 64, 14, 14), "float32")
    for n, o, h, w, k in T.grid(4, 32, 14, 14, 64):
        with T.block("a"):
            vn, vo, vh, vw, vk = T.axis.remap("SSSSR", [n, o, h, w, k])
            with T.init():
                a[vn, vo, vh, vw] = T.float32(0)
            a[vn, vo, vh, vw] = a[vn, vo, vh, vw] + T.Cast("float32", X[vn, vk, vh, vw]) * T.Cast("float32", A[vo, vk])
    for n, o, h, w in T.grid(4, 32, 14, 14):
        with T.block("ra"):
            vn, vo, vh, vw = T.axis.remap("SSSS", [n, o, h, w])
            ra[vn, vo, vh, vw] = T.Cast("float16", T.max(a[vn, vo, vh, vw], T.float32(0)))
    for n, o, h, w, k, r, s in T.grid(4, 32, 14, 14, 32, 3, 3):
        with T.block("b"):
            vn, vo, vh, vw, vk, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, k, r, s])
            with T.init():
                b[vn, vo, vh, vw] = T.float32(0)
            b[vn, vo, vh, vw] = b[vn, vo, vh, vw] + T.Cast("float32", T.if_then_else(1 <= vh + vr and vh + vr < 15 and 1 <= vw + vs and vw + vs < 15, ra[vn, vk, vh + vr - 1, vw + vs - 1], T.float16(0))) * T.Cast("float32", B[vo, vk, vr, vs])
    for n, o, h, w in T.grid(4, 32, 14, 14):
        with T.block("rb"):
            vn, vo, vh, vw = T.axis.remap("SSSS", [n, o, h, w])
            rb[vn, vo, vh, vw] = T.Cast("float16", T.max(b[vn, vo, vh, vw], T.float32(0)))
    for n, o, h, w, k in T.grid(4, 64, 14, 14, 32):
        with T.block("c"):
            vn, vo, vh, vw, vk = T.axis.remap("SSSSR", [n, o, h, w, k])
            with T.init():
                c[vn, vo, vh, vw] = T.float32(0)
            c[vn, vo, vh, vw] = c[vn, vo, vh, vw] + T.Cast("float32", rb[vn, vk, vh, vw]) * T.Cast("float32", C[vo, vk])
    for n, o, h, w in T.grid(4, 64, 14, 14):
        with T.block("Y"):
            vn, vo, vh, vw = T.axis.remap("SSSS", [n, o, h, w])
            Y[vn, vo, vh, vw] = T.Cast("float16", T.max(c[vn, vo, vh, vw] + T.Cast("float32", X[vn, vo, vh, vw]), T.float32(0)))
)";

TEST(PartsAsOne, OfAChainOfConvolutionsGoToTensorCores) {
  const schedule::State state = programState(kBottleneck);
  for (const char* device : {"h200", "a100_80", "t4"}) {
    SCOPED_TRACE(device);
    const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed(device), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    for (const Built& b : *built) expectRight(state, b.state, b.lines);
    const std::string& lines = built->front().lines;
    std::size_t products = 0;
    for (std::size_t at = 0; (at = lines.find("_fill_", at)) != std::string::npos; ++at) ++products;
    EXPECT_EQ(products, 3U) << lines;
  }
}

// Tiles of both products reach beyond their axes, and what one stores under a condition the other one reads: primitives
// that ask whether it has all been written come first. Each product is then scheduled as it is by itself.
TEST(PartsAsOne, OfSizesThatNoTileDividesAreAsFastAsAlone) {
  for (const char* device : {"h200", "a100_80", "t4"}) {
    for (const auto& [m, n, k, l] : {std::array{60, 60, 60, 60}, {120, 100, 56, 88}, {40, 36, 24, 20}}) {
      SCOPED_TRACE(fmt::format("{}: {} {} {} {}", device, m, n, k, l));
      const schedule::State state =
          programState(tests::programText("products_in_a_row", {{"M", m}, {"N", n}, {"K", k}, {"L", l}}));
      double alone = 0;
      for (const schedule::State& part : partsOf(state)) {
        const auto plan = sketchOf(part, deviceNamed(device), ruleLibrary());
        ASSERT_TRUE(plan) << plan.error().message;
        alone +=
            buildAll(*plan, part, deviceNamed(device), document::environment()).value().front().microseconds.value();
      }
      const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(plan) << plan.error().message;
      for (const SketchPart& part : partsOf(plan->sketches.front()))
        EXPECT_EQ(part.sketch.find("CUDA"), std::string::npos) << part.blocks.front() << ": " << part.sketch;
      const auto built = buildAll(*plan, state, deviceNamed(device), document::environment());
      ASSERT_TRUE(built) << built.error().message;
      EXPECT_LE(built->front().microseconds.value(), 1.02 * alone);
      for (const Built& b : *built) expectRight(state, b.state, b.lines);
    }
  }
}

// Decisions about a block that is no product are named after it, and not as those about a product's operands are.
TEST(PartsAsOne, TellDecisionsApartByNames) {
  EXPECT_EQ(decisionPrefix("largest"), "largest.");
  EXPECT_EQ(decisionPrefix("ab"), "ab.");
  for (const char* name : {"a", "b2", "c", "i", "j", "k"}) EXPECT_EQ(decisionPrefix(name), std::string(name) + "_.");
}

}  // namespace
}  // namespace loom::tune::parts_as_one_test
