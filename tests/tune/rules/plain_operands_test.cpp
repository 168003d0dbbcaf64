// Products whose operands are read by quotients of iterators, or at places that another buffer holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "core/tune/rules/contraction.h"
#include "core/tune/rules/operands_made_plain.h"
#include "tests/tune/rules/drawn_schedules.h"

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

// An image that grows to twice its rows and columns: of each pixel four, by filters of their own.
const std::string kGrown = functionOf(
    R"(X: T.Buffer((2, 32, 9, 9), "float16"), F: T.Buffer((32, 24, 2, 2), "float16"), Y: T.Buffer((2, 24, 18, 18), "float32"))",
    R"(    for n, c, h, w, r in T.grid(2, 24, 18, 18, 32):
        with T.block("Y"):
            vn, vc, vh, vw, vr = T.axis.remap("SSSSR", [n, c, h, w, r])
            with T.init():
                Y[vn, vc, vh, vw] = T.float32(0)
            Y[vn, vc, vh, vw] = Y[vn, vc, vh, vw] + T.Cast("float32", X[vn, vr, vh // 2, vw // 2]) * T.Cast("float32", F[vr, vc, vh % 2, vw % 2])
)");

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
      {"grown", kGrown},
      {"with itself", withItself("float32")},
      {"halves with themselves", withItself("float16")}};
  for (const auto& [name, text] : programs) {
    const schedule::State state = programState(text);
    const RulePlan plan = planOf(state);
    for (const Sketch& sketch : plan.sketches) {
      SCOPED_TRACE(fmt::format("{}, {}", name, sketch.name));
      EXPECT_THAT(sketch.name, AnyOf(HasSubstr("CUDA cores"), HasSubstr("mma")));
      expectDrawnAreMembers(state, sketch, 3);
    }
  }
}

// Each pixel of the larger image would be a product of its own, of 2 × 24 results, where the pixels of the smaller one
// are rows and the places in each of them columns.
TEST(PlainOperands, MakeABatchOfQuotientsOneProduct) {
  const schedule::State state = programState(kGrown);
  const PreparedProgram made = madePlain(state, document::environment());
  const auto product = contractionOf(made.state, blocksByName(made.state)->at("Y")).contraction;
  ASSERT_TRUE(product);
  EXPECT_EQ(product->b0, 1);
  EXPECT_EQ(product->m, 2 * 9 * 9);
  EXPECT_EQ(product->n, 24 * 4);
  const RulePlan plan = planOf(state);
  EXPECT_THAT(plan.sketches.front().name, HasSubstr("mma"));
}

// Where both operands have the quotient, as heads do that share keys, a batch is left.
TEST(PlainOperands, LeaveABatchThatStaysOne) {
  const schedule::State state = programState(functionOf(
      R"(X: T.Buffer((8, 32, 16), "float32"), F: T.Buffer((16, 16, 24), "float32"), Y: T.Buffer((16, 32, 24), "float32"))",
      R"(    for b, i, j, k in T.grid(16, 32, 24, 16):
        with T.block("Y"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                Y[vb, vi, vj] = T.float32(0)
            Y[vb, vi, vj] = Y[vb, vi, vj] + X[vb // 2, vi, vk] * F[vb, vk, vj]
)"));
  EXPECT_TRUE(madePlain(state, document::environment()).lines.empty());
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

// Convolutions with zeros around images, by channels first and last, of groups of rows, and transposed; weights with
// scales, and of 8 bits; what is left out of a triangle.
const std::string kZerosAround = functionOf(
    R"(X: T.Buffer((2, 16, 12, 11), "float16"), F: T.Buffer((24, 16, 3, 3), "float16"), Y: T.Buffer((2, 24, 12, 11), "float32"))",
    R"(    for n, o, h, w, c, r, s in T.grid(2, 24, 12, 11, 16, 3, 3):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", T.if_then_else(1 <= vh + vr and vh + vr < 13 and 1 <= vw + vs and vw + vs < 12, X[vn, vc, vh + vr - 1, vw + vs - 1], T.float16(0))) * T.Cast("float32", F[vo, vc, vr, vs])
)");
const std::string kZerosAroundLast = functionOf(
    R"(X: T.Buffer((10, 10, 16), "float16"), F: T.Buffer((24, 3, 3, 16), "float16"), Y: T.Buffer((10, 10, 24), "float32"))",
    R"(    for h, w, co, r, s, ci in T.grid(10, 10, 24, 3, 3, 16):
        with T.block("Y"):
            vh, vw, vco, vr, vs, vci = T.axis.remap("SSSRRR", [h, w, co, r, s, ci])
            with T.init():
                Y[vh, vw, vco] = T.float32(0)
            Y[vh, vw, vco] = Y[vh, vw, vco] + T.if_then_else(1 <= vh + vr and vh + vr < 11 and 1 <= vw + vs and vw + vs < 11, T.Cast("float32", X[vh + vr - 1, vw + vs - 1, vci]), T.float32(0)) * T.Cast("float32", F[vco, vr, vs, vci])
)");
const std::string kZerosAroundGroups = functionOf(
    R"(X: T.Buffer((2, 16, 40), "float16"), F: T.Buffer((32, 8, 5), "float16"), Y: T.Buffer((2, 32, 40), "float32"))",
    R"(    for n, o, w, c, s in T.grid(2, 32, 40, 8, 5):
        with T.block("Y"):
            vn, vo, vw, vc, vs = T.axis.remap("SSSRR", [n, o, w, c, s])
            with T.init():
                Y[vn, vo, vw] = T.float32(0)
            Y[vn, vo, vw] = Y[vn, vo, vw] + T.Cast("float32", T.Select(2 <= vw + vs and vw + vs < 42, X[vn, vo // 16 * 8 + vc, vw + vs - 2], T.float16(0))) * T.Cast("float32", F[vo, vc, vs])
)");
const std::string kTransposed = functionOf(
    R"(X: T.Buffer((2, 16, 9, 8), "float16"), F: T.Buffer((16, 24, 4, 4), "float16"), Y: T.Buffer((2, 24, 18, 16), "float32"))",
    R"(    for n, o, h, w, c, r, s in T.grid(2, 24, 18, 16, 16, 4, 4):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", T.if_then_else(0 <= vh + 1 - vr and (vh + 1 - vr) % 2 == 0 and (vh + 1 - vr) // 2 < 9 and 0 <= vw + 1 - vs and (vw + 1 - vs) % 2 == 0 and (vw + 1 - vs) // 2 < 8, X[vn, vc, (vh + 1 - vr) // 2, (vw + 1 - vs) // 2], T.float16(0))) * T.Cast("float32", F[vc, vo, vr, vs])
)");
const std::string kScaledWeights = functionOf(
    R"(A: T.Buffer((48, 64), "float16"), Q: T.Buffer((80, 64), "int8"), s: T.Buffer((80, 2), "float16"), C: T.Buffer((48, 80), "float32"))",
    R"(    for i, j, k in T.grid(48, 80, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", T.Cast("float16", Q[vj, vk]) * s[vj, vk // 32])
)");
std::string castWeights(const char* a, const char* q, const char* casts) {
  const auto castTo = [&](const char* element) {
    return *casts ? fmt::format("T.Cast(\"{}\", {})", casts, element) : element;
  };
  return functionOf(
      fmt::format(R"(A: T.Buffer((48, 64), "{}"), Q: T.Buffer((64, 80), "{}"), C: T.Buffer((48, 80), "{}"))", a, q,
                  *casts ? casts : a),
      fmt::format(R"(    for i, j, k in T.grid(48, 80, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{0}(0)
            C[vi, vj] = C[vi, vj] + {1} * {2}
)",
                  *casts ? casts : a, castTo("A[vi, vk]"),
                  *casts ? castTo("Q[vk, vj]") : fmt::format("T.Cast(\"{}\", Q[vk, vj])", a)));
}
const std::string kTriangle = functionOf(
    R"(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 48), "float16"), C: T.Buffer((64, 48), "float32"))",
    R"(    for i, j, k in T.grid(64, 48, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", T.if_then_else(vk <= vi, A[vi, vk], T.float16(0))) * T.Cast("float32", B[vk, vj])
)");
// Padded by a block that no primitive inlines.
const std::string kPaddedByBranches = functionOf(
    R"(X: T.Buffer((2, 16, 12, 12), "float16"), F: T.Buffer((24, 16, 3, 3), "float16"), Y: T.Buffer((2, 24, 12, 12), "float32"))",
    R"(    padded = T.alloc_buffer((2, 16, 14, 14), "float16")
    for n, c, h, w in T.grid(2, 16, 14, 14):
        with T.block("padded"):
            vn, vc, vh, vw = T.axis.remap("SSSS", [n, c, h, w])
            if 1 <= vh and vh < 13 and 1 <= vw and vw < 13:
                padded[vn, vc, vh, vw] = X[vn, vc, vh - 1, vw - 1]
            else:
                padded[vn, vc, vh, vw] = T.float16(0)
    for n, o, h, w, c, r, s in T.grid(2, 24, 12, 12, 16, 3, 3):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", padded[vn, vc, vh + vr, vw + vs]) * T.Cast("float32", F[vo, vc, vr, vs])
)");

// What factors are made of is computed on the way to tensor cores, on each device that has them for float16.
TEST(PlainOperands, AreMadeOfWhatFactorsAreMadeOf) {
  const std::vector<std::pair<const char*, std::string>> programs = {
      {"zeros around", kZerosAround},
      {"zeros around, channels last", kZerosAroundLast},
      {"groups", kZerosAroundGroups},
      {"transposed", kTransposed},
      {"scaled weights", kScaledWeights},
      {"triangle", kTriangle},
      {"weights of 8 bits", castWeights("float16", "int8", "")},
      {"padded by branches", kPaddedByBranches}};
  for (const auto& [name, text] : programs) {
    const schedule::State state = programState(text);
    for (const char* device : {"h200", "a100_80", "t4"}) {
      SCOPED_TRACE(fmt::format("{}, {}", name, device));
      const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(plan) << plan.error().message;
      const auto built = buildAll(*plan, state, deviceNamed(device), document::environment());
      ASSERT_TRUE(built) << built.error().message;
      for (const Built& b : *built) {
        EXPECT_THAT(b.lines, HasSubstr("tensorize"));
        expectRight(state, b.state, b.lines);
      }
    }
  }
}

// Elements of 8 bits that both become longer are copied as they lie.
TEST(PlainOperands, OfEightBitsStayShort) {
  for (const char* type : {"int8", "uint8"})
    for (const char* sum : {"int32", "float32"})
      EXPECT_TRUE(madePlain(programState(castWeights(type, type, sum)), document::environment()).lines.empty());
}

// On CUDA cores, too: rows at half the index, two of them zeros.
TEST(PlainOperands, OfCudaCoresAreMadeOfWhatFactorsAreMadeOf) {
  const schedule::State state = programState(functionOf(
      R"(X: T.Buffer((64, 64), "float32"), Y: T.Buffer((128, 64), "float32"), C: T.Buffer((128, 128), "float32"))",
      R"(    for i, j, k in T.grid(128, 128, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.if_then_else(vi >= 2, X[vi // 2 - 1, vk], T.float32(0)) * Y[vj, vk]
)"));
  const auto built = buildAll(planOf(state), state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  for (const Built& b : *built) {
    EXPECT_THAT(b.lines, HasSubstr("shared"));
    expectRight(state, b.state, b.lines);
  }
}

// A condition that isn't on indices of the element: copies would read it where it isn't to be read.
TEST(PlainOperands, LeaveWhatIsReadUnderAnotherCondition) {
  const schedule::State state = programState(functionOf(
      R"(X: T.Buffer((32, 60), "float16"), F: T.Buffer((64, 5, 60), "float16"), Y: T.Buffer((32, 64), "float32"))",
      R"(    for h, o, r, c in T.grid(32, 64, 5, 60):
        with T.block("Y"):
            vh, vo, vr, vc = T.axis.remap("SSRR", [h, o, r, c])
            with T.init():
                Y[vh, vo] = T.float32(0)
            Y[vh, vo] = Y[vh, vo] + T.Cast("float32", T.if_then_else(vh < 28 or vr == 0, X[vh + vr, vc], T.float16(0))) * T.Cast("float32", F[vo, vr, vc])
)"));
  EXPECT_TRUE(madePlain(state, document::environment()).lines.empty());
  const RulePlan plan = planOf(state);
  const auto row = std::ranges::find(plan.rows, "R3", [](const PlanRow& r) { return std::string(r.number); });
  ASSERT_NE(row, plan.rows.end());
  EXPECT_EQ(row->why.english(), "Y reads X where a condition says that it may");
  const auto built = buildAll(plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  for (const Built& b : *built) expectRight(state, b.state, b.lines);
}

// A kernel of its own would compute a factor also where the block isn't executed: beyond the buffer, or with a divisor
// that is 0 there; and it would copy from places that a condition on them excludes.
TEST(PlainOperands, LeaveWhatOnlyAGuardKeepsInside) {
  constexpr const char* kBuffers =
      R"(X: T.Buffer((250, 64), "float16"), D: T.Buffer((250, 64), "int32"), I: T.Buffer((256,), "int32"), W: T.Buffer((64, 128), "float16"), Y: T.Buffer((256, 128), "float32"))";
  const auto with = [&](const std::string& guard, const std::string& factor) {
    return programState(functionOf(kBuffers, R"(    for i, j, k in T.grid(256, 128, 64):
        with T.block("Y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
)" + guard + R"(            with T.init():
                Y[vi, vj] = T.float32(0)
            Y[vi, vj] = Y[vi, vj] + T.Cast("float32", )" +
                                                 factor + R"() * T.Cast("float32", W[vk, vj])
)"));
  };
  for (const auto& [guard, factor] :
       {std::pair("            T.where(i < 250)\n", "X[vi, vk] * T.float16(2)"),
        {"", "T.if_then_else(5 <= vi and vi < 255 and vj < 100, X[vi - 5, vk] * T.float16(2), T.float16(0))"},
        {"            T.where(i < 250 and j < 100)\n", "T.Cast(\"float16\", 7 // D[vi, vk])"},
        {"", "T.if_then_else(0 <= I[vi] and I[vi] < 250 and vj < 100, X[I[vi], vk], T.float16(0))"}}) {
    SCOPED_TRACE(factor);
    const schedule::State state = with(guard, factor);
    EXPECT_TRUE(madePlain(state, document::environment()).lines.empty());
    if (std::string_view(factor).find('I') != std::string_view::npos || *guard != 0) continue;
    const auto built = buildAll(planOf(state), state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    for (const Built& b : *built) expectRight(state, b.state, b.lines);
  }
}

}  // namespace
}  // namespace loom::tune::plain_operands_test
