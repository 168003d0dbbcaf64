// Products with two or three rows, columns or steps, which tiles reach beyond: points in space, images of three
// colours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/rules/drawn_schedules.h"

namespace loom::tune::thin_products_test {
namespace {

using testing::Contains;
using testing::StartsWith;

// Squares of the distances of points in space.
const std::string kPoints = R"(from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((96, 3), "float32"), B: T.Buffer((80, 3), "float32"), C: T.Buffer((96, 80), "float32")):
    for i, j, k in T.grid(96, 80, 3):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + (A[vi, vk] - B[vj, vk]) * (A[vi, vk] - B[vj, vk])
)";

// Three colours of an image, zeros around it, and what becomes of them.
const std::string kColours = R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((1, 16, 14, 15), "float16"), W: T.Buffer((3, 16, 3, 3), "float16"), Y: T.Buffer((1, 3, 14, 15), "float16")):
    s = T.alloc_buffer((1, 3, 14, 15), "float32")
    for n, o, h, w, c, r, q in T.grid(1, 3, 14, 15, 16, 3, 3):
        with T.block("s"):
            vn, vo, vh, vw, vc, vr, vq = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, q])
            with T.init():
                s[vn, vo, vh, vw] = T.float32(0)
            s[vn, vo, vh, vw] = s[vn, vo, vh, vw] + T.Cast("float32", T.if_then_else(1 <= vh + vr and vh + vr < 15 and 1 <= vw + vq and vw + vq < 16, X[vn, vc, vh + vr - 1, vw + vq - 1], T.float16(0))) * T.Cast("float32", W[vo, vc, vr, vq])
    for n, o, h, w in T.grid(1, 3, 14, 15):
        with T.block("Y"):
            vn, vo, vh, vw = T.axis.remap("SSSS", [n, o, h, w])
            Y[vn, vo, vh, vw] = T.Cast("float16", T.max(s[vn, vo, vh, vw], T.float32(0)))
)";

std::vector<std::string> namesOf(const RulePlan& plan) {
  std::vector<std::string> names;
  for (const Sketch& sketch : plan.sketches) names.push_back(sketch.name);
  return names;
}

TEST(ThinProducts, HaveTilesAndThreadsWithout) {
  for (const auto& [text, name] : {std::pair(kPoints, "points"), std::pair(kColours, "colours"),
                                   std::pair(productText(2, 96, 128, "[n, k]", "float32", "float32"), "two rows"),
                                   std::pair(productText(96, 3, 64, "[k, n]", "float16", "float32"), "three columns"),
                                   std::pair(productText(64, 96, 2, "[n, k]", "int8", "int32"), "two steps")}) {
    const schedule::State state = programState(text);
    for (const char* device : {"h200", "a100_80"}) {
      const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(plan) << name << ": " << plan.error().message;
      EXPECT_THAT(namesOf(*plan), Contains(kThreads)) << name;
      EXPECT_THAT(namesOf(*plan), Contains(StartsWith("CUDA cores"))) << name;
      for (const Sketch& sketch : plan->sketches) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", name, device, sketch.name));
        expectDrawnAreMembers(state, sketch, 5);
      }
    }
  }
}

// Long sums of few results are cut into parts, too.
TEST(ThinProducts, AreSummedInParts) {
  const schedule::State state = programState(productText(3, 512, 8192, "[n, k]", "float32", "float32"));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(namesOf(*plan), Contains(StartsWith("CUDA cores, k in slices, k in")));
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  for (const Built& b : *built) expectRight(state, b.state, b.lines);
}

}  // namespace
}  // namespace loom::tune::thin_products_test
