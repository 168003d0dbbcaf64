// Products whose operands are read by quotients of iterators, or at places that another buffer holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "core/tune/rules/operands_made_plain.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::plain_operands_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

std::string functionOf(const std::string& parameters, const std::string& body) {
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main({}):
{})",
                     parameters, body);
}

// A convolution of groups: 2 of 8 channels, each to 24, as libraries write it; `type` of images and filters.
std::string groups(const std::string& type) {
  return functionOf(
      fmt::format(
          R"(X: T.Buffer((2, 16, 14, 14), "{0}"), F: T.Buffer((48, 8, 3, 3), "{0}"), Y: T.Buffer((2, 48, 14, 14), "float32"))",
          type),
      fmt::format(R"(    padded = T.alloc_buffer((2, 16, 16, 16), "{0}")
    for n, c, h, w in T.grid(2, 16, 16, 16):
        with T.block("padded"):
            vn, vc, vh, vw = T.axis.remap("SSSS", [n, c, h, w])
            padded[vn, vc, vh, vw] = T.if_then_else(1 <= vh and vh < 15 and 1 <= vw and vw < 15, X[vn, vc, vh - 1, vw - 1], T.{0}(0))
    for n, co, h, w, ci, r, s in T.grid(2, 48, 14, 14, 8, 3, 3):
        with T.block("Y"):
            vn, vco, vh, vw, vci, vr, vs = T.axis.remap("SSSSRRR", [n, co, h, w, ci, r, s])
            with T.init():
                Y[vn, vco, vh, vw] = T.float32(0)
            Y[vn, vco, vh, vw] = Y[vn, vco, vh, vw] + T.Cast("float32", padded[vn, vco // 24 * 8 + vci, vh + vr, vw + vs]) * T.Cast("float32", F[vco, vci, vr, vs])
)",
                  type));
}

// The same by channels last, read without padding, with an iterator for groups where it is written.
const std::string kGroupsLast = functionOf(
    R"(X: T.Buffer((2, 12, 12, 32), "float16"), F: T.Buffer((3, 3, 16, 64), "float16"), Y: T.Buffer((2, 10, 10, 64), "float32"))",
    R"(    for n, h, w, g, co, r, s, ci in T.grid(2, 10, 10, 2, 32, 3, 3, 16):
        with T.block("Y"):
            vn, vh, vw, vg, vco, vr, vs, vci = T.axis.remap("SSSSSRRR", [n, h, w, g, co, r, s, ci])
            with T.init():
                Y[vn, vh, vw, vg * 32 + vco] = T.float32(0)
            Y[vn, vh, vw, vg * 32 + vco] = Y[vn, vh, vw, vg * 32 + vco] + T.Cast("float32", X[vn, vh + vr, vw + vs, vg * 16 + vci]) * T.Cast("float32", F[vr, vs, vci, vg * 32 + vco])
)");

// Rows of both factors at places that buffers hold.
const std::string kGathered = functionOf(
    R"(A: T.Buffer((90, 64), "float32"), I: T.Buffer((48,), "int32"), B: T.Buffer((70, 64), "float32"), J: T.Buffer((32,), "int32"), C: T.Buffer((48, 32), "float32"))",
    R"(    for i, j, k in T.grid(48, 32, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[I[vi], vk] * B[J[vj], vk]
)");

// Rows of one factor for tensor cores, and what becomes of the result.
const std::string kGatheredRows = functionOf(
    R"(A: T.Buffer((90, 64), "float16"), I: T.Buffer((48,), "int32"), W: T.Buffer((64, 64), "float16"), b: T.Buffer((64,), "float32"), Y: T.Buffer((48, 64), "float16"))",
    R"(    s = T.alloc_buffer((48, 64), "float32")
    for i, j, k in T.grid(48, 64, 64):
        with T.block("s"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                s[vi, vj] = T.float32(0)
            s[vi, vj] = s[vi, vj] + T.Cast("float32", A[I[vi], vk]) * T.Cast("float32", W[vj, vk])
    for i, j in T.grid(48, 64):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = T.Cast("float16", T.max(s[vi, vj] + b[vj], T.float32(0)))
)");

// A matrix with its own transpose.
std::string withItself(const std::string& type) {
  return functionOf(fmt::format(R"(X: T.Buffer((64, 96), "{}"), C: T.Buffer((64, 64), "float32"))", type),
                    R"(    for i, j, k in T.grid(64, 64, 96):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", X[vj, vk])
)");
}

RulePlan planOf(const schedule::State& state) {
  auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  if (!plan) throw std::runtime_error(plan.error().message.english());
  return std::move(*plan);
}

TEST(PlainOperands, AreMadeOfQuotientsAndGatheredRows) {
  const std::vector<std::pair<const char*, std::string>> programs = {
      {"groups", groups("float32")},
      {"groups of halves", groups("float16")},
      {"groups last", kGroupsLast},
      {"gathered", kGathered},
      {"gathered rows", kGatheredRows},
      {"gathered rows and zeros", std::regex_replace(kGatheredRows, std::regex("48"), "45")},
      {"with itself", withItself("float32")},
      {"halves with themselves", withItself("float16")}};
  for (const auto& [name, text] : programs) {
    const schedule::State state = programState(text);
    const RulePlan plan = planOf(state);
    for (const Sketch& sketch : plan.sketches) {
      SCOPED_TRACE(fmt::format("{}, {}", name, sketch.name));
      EXPECT_THAT(sketch.name, AnyOf(HasSubstr("CUDA cores"), HasSubstr("mma")));
      const auto diagram = Diagram::of(sketch.space);
      ASSERT_TRUE(diagram) << diagram.error().message;
      const PinnedCounts counts(*diagram);
      Random random(3);
      for (int n = 0; n < 3; ++n) {
        const auto lines = linesOf(sketch, *counts.draw(random));
        ASSERT_TRUE(lines) << lines.error().message;
        const auto made = madeByLines(state, *lines, document::environment());
        ASSERT_TRUE(made) << made.error().message << "\n" << *lines;
        const Membership in = membershipOf(sketch.space, decisionsOf(sketch, state, made->state));
        EXPECT_TRUE(in.isMember.value_or(false)) << *lines;
        if (n == 0) expectRight(state, made->state, *lines);
      }
    }
  }
}

// Of a depthwise convolution whose channels have two results each, a tile would have two rows.
TEST(PlainOperands, LeaveWhatHasNoTiles) {
  const schedule::State state = programState(functionOf(
      R"(X: T.Buffer((8, 34, 34), "float32"), F: T.Buffer((16, 3, 3), "float32"), Y: T.Buffer((16, 32, 32), "float32"))",
      R"(    for c, h, w, r, s in T.grid(16, 32, 32, 3, 3):
        with T.block("Y"):
            vc, vh, vw, vr, vs = T.axis.remap("SSSRR", [c, h, w, r, s])
            with T.init():
                Y[vc, vh, vw] = T.float32(0)
            Y[vc, vh, vw] = Y[vc, vh, vw] + X[vc // 2, vh + vr, vw + vs] * F[vc, vr, vs]
)"));
  for (const Sketch& sketch : planOf(state).sketches)
    for (const SketchLine& line : sketch.lines) EXPECT_THAT(line.text, Not(HasSubstr("transform_block_layout")));
  EXPECT_TRUE(madePlain(state, document::environment()).lines.empty());
}

// A copy of what a convolution reads, zeros around it, would read outside: it has no tiles.
TEST(PlainOperands, LeaveWhatIsReadUnderACondition) {
  const auto expectAllRight = [](const schedule::State& state) {
    const auto built = buildAll(planOf(state), state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    for (const Built& b : *built) expectRight(state, b.state, b.lines);
  };
  expectAllRight(programState(functionOf(
      R"(X: T.Buffer((10, 10, 16), "float16"), F: T.Buffer((24, 3, 3, 16), "float16"), Y: T.Buffer((10, 10, 24), "float32"))",
      R"(    for h, w, co, r, s, ci in T.grid(10, 10, 24, 3, 3, 16):
        with T.block("Y"):
            vh, vw, vco, vr, vs, vci = T.axis.remap("SSSRRR", [h, w, co, r, s, ci])
            with T.init():
                Y[vh, vw, vco] = T.float32(0)
            Y[vh, vw, vco] = Y[vh, vw, vco] + T.if_then_else(1 <= vh + vr and vh + vr < 11 and 1 <= vw + vs and vw + vs < 11, T.Cast("float32", X[vh + vr - 1, vw + vs - 1, vci]), T.float32(0)) * T.Cast("float32", F[vco, vr, vs, vci])
)")));
  // Rows at half the index, two of them zeros.
  expectAllRight(programState(functionOf(
      R"(X: T.Buffer((64, 64), "float32"), Y: T.Buffer((128, 64), "float32"), C: T.Buffer((128, 128), "float32"))",
      R"(    for i, j, k in T.grid(128, 128, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.if_then_else(vi >= 2, X[vi // 2 - 1, vk], T.float32(0)) * Y[vj, vk]
)")));
}

}  // namespace
}  // namespace loom::tune::plain_operands_test
