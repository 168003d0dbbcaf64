// Products of many factors: operands of rows' side and of columns' side, as many buffers each as there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/compile/compile.h"
#include "core/tune/rules/contraction.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/schedules/schedule_text.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::sides_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A block C that combines elements with its result over all of a loop nest.
struct Sum {
  const char* parameters;
  const char* extents;    // of the loops
  const char* kinds;      // "SSR" of the iterators
  const char* iterators;  // their names
  const char* result;     // "C[i, j]"
  const char* init;
  const char* value;  // what it becomes
};

std::string textOf(const Sum& s) {
  std::string loops;
  for (const char* at = s.iterators; *at != 0; ++at) {
    if (at == s.iterators || at[-1] == ' ') loops += "l_";
    loops += *at;
  }
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main({}):
    for {} in T.grid({}):
        with T.block("C"):
            {} = T.axis.remap("{}", [{}])
            with T.init():
                {} = {}
            {} = {}
)",
                     s.parameters, loops, s.extents, s.iterators, s.kinds, loops, s.result, s.init, s.result, s.value);
}

const Sum kMttkrp = {
    R"(X: T.Buffer((64, 12, 20), "float32"), B: T.Buffer((12, 32), "float32"), D: T.Buffer((20, 32), "float32"), C: T.Buffer((64, 32), "float32"))",
    "64, 32, 12, 20",
    "SSRR",
    "i, r, j, k",
    "C[i, r]",
    "T.float32(0)",
    "C[i, r] + X[i, j, k] * B[j, r] * D[k, r]"};
const Sum kBilinear = {
    R"(X: T.Buffer((48, 16), "float32"), W: T.Buffer((32, 16, 8), "float32"), Y: T.Buffer((48, 8), "float32"), C: T.Buffer((48, 32), "float32"))",
    "48, 32, 16, 8",
    "SSRR",
    "b, o, i, j",
    "C[b, o]",
    "T.float32(0)",
    "C[b, o] + X[b, i] * W[o, i, j] * Y[b, j]"};
// Three spatial axes, none of which two operands share.
const Sum kPolyadic = {
    R"(A: T.Buffer((12, 16), "float32"), B: T.Buffer((10, 16), "float32"), D: T.Buffer((24, 16), "float32"), C: T.Buffer((12, 10, 24), "float32"))",
    "12, 10, 24, 16",
    "SSSR",
    "i, j, l, k",
    "C[i, j, l]",
    "T.float32(0)",
    "C[i, j, l] + A[i, k] * B[j, k] * D[l, k]"};
// Extents that no tile divides; operands by k first.
const Sum kOdd = {
    R"(X: T.Buffer((7, 37), "float32"), B: T.Buffer((9, 7, 37), "float32"), D: T.Buffer((9, 53), "float32"), C: T.Buffer((37, 53), "float32"))",
    "37, 53, 7, 9",
    "SSRR",
    "i, r, j, k",
    "C[i, r]",
    "T.float32(0)",
    "C[i, r] + X[j, i] * B[k, j, i] * D[k, r]"};
// A weight of each row and k, one of each k, one of each column.
const Sum kWeighted = {
    R"(A: T.Buffer((64, 48), "float32"), B: T.Buffer((32, 48), "float32"), W: T.Buffer((64, 48), "float32"), U: T.Buffer((48,), "float32"), V: T.Buffer((32,), "float32"), C: T.Buffer((64, 32), "float32"))",
    "64, 32, 48",
    "SSR",
    "i, j, k",
    "C[i, j]",
    "T.float32(0)",
    "C[i, j] + A[i, k] * B[j, k] * W[i, k] * U[k] * V[j]"};
const Sum kHalves = {
    R"(X: T.Buffer((32, 8, 16), "float16"), B: T.Buffer((8, 48), "float16"), D: T.Buffer((16, 48), "float16"), C: T.Buffer((32, 48), "float32"))",
    "32, 48, 8, 16",
    "SSRR",
    "i, r, j, k",
    "C[i, r]",
    "T.float32(0)",
    "C[i, r] + T.Cast(\"float32\", X[i, j, k]) * T.Cast(\"float32\", B[j, r]) * T.Cast(\"float32\", D[k, r])"};
const Sum kIntegers = {
    R"(X: T.Buffer((2, 32, 16), "int8"), W: T.Buffer((2, 24, 16), "int8"), S: T.Buffer((2, 32, 16), "int8"), C: T.Buffer((2, 32, 24), "int32"))",
    "2, 32, 24, 16",
    "SSSR",
    "b, i, j, k",
    "C[b, i, j]",
    "0",
    "C[b, i, j] + T.Cast(\"int32\", X[b, i, k]) * T.Cast(\"int32\", W[b, j, k]) * T.Cast(\"int32\", S[b, i, k])"};
// Where zeros along k would count, k is cut into divisors.
const Sum kSquares = {
    R"(A: T.Buffer((64, 6, 6), "float32"), B: T.Buffer((6, 32), "float32"), D: T.Buffer((64, 6), "float32"), E: T.Buffer((6, 32), "float32"), C: T.Buffer((64, 32), "float32"))",
    "64, 32, 6, 6",
    "SSRR",
    "i, j, k, l",
    "C[i, j]",
    "T.float32(0)",
    "C[i, j] + (A[i, k, l] * B[k, j] - D[i, l] - E[l, j] + T.float32(1)) * (A[i, k, l] * B[k, j] - D[i, l] - E[l, j] + "
    "T.float32(1))"};
const Sum kMasked = {
    R"(A: T.Buffer((48, 6, 8), "float32"), B: T.Buffer((6, 32), "float32"), D: T.Buffer((8, 32), "float32"), C: T.Buffer((48, 32), "float32"))",
    "48, 32, 6, 8",
    "SSRR",
    "i, j, k, l",
    "C[i, j]",
    "T.float32(0)",
    "C[i, j] + T.Select(k * 8 + l <= i, A[i, k, l] * B[k, j] * D[l, j], T.float32(0))"};
const Sum kLeast = {
    R"(A: T.Buffer((32, 30), "float32"), B: T.Buffer((30, 64), "float32"), D: T.Buffer((32, 30), "float32"), C: T.Buffer((32, 64), "float32"))",
    "32, 64, 30",
    "SSR",
    "i, j, k",
    "C[i, j]",
    "T.float32(1e30)",
    "T.min(C[i, j], A[i, k] + B[k, j] + D[i, k])"};
// A sum along an iterator of one operand alone.
const Sum kOneSided = {
    R"(A: T.Buffer((64, 10, 4), "float32"), B: T.Buffer((10, 32), "float32"), C: T.Buffer((64, 32), "float32"))",
    "64, 32, 10, 4",
    "SSRR",
    "i, j, k, l",
    "C[i, j]",
    "T.float32(0)",
    "C[i, j] + A[i, k, l] * B[k, j]"};
// Windows of an image, a factor of each channel's position in the window.
const Sum kWindows = {
    R"(X: T.Buffer((4, 18, 18), "float32"), W: T.Buffer((32, 4, 3, 3), "float32"), G: T.Buffer((3, 3, 32), "float32"), C: T.Buffer((16, 16, 32), "float32"))",
    "16, 16, 32, 4, 3, 3",
    "SSSRRR",
    "h, w, o, c, r, s",
    "C[h, w, o]",
    "T.float32(0)",
    "C[h, w, o] + X[c, h + r, w + s] * W[o, c, r, s] * G[r, s, o]"};

const std::vector<std::pair<const char*, const Sum*>> kSums = {
    {"mttkrp", &kMttkrp},     {"bilinear", &kBilinear}, {"polyadic", &kPolyadic},  {"odd", &kOdd},
    {"weighted", &kWeighted}, {"halves", &kHalves},     {"integers", &kIntegers},  {"squares", &kSquares},
    {"masked", &kMasked},     {"least", &kLeast},       {"one-sided", &kOneSided}, {"windows", &kWindows}};

RulePlan planOf(const schedule::State& state, const char* device = "h200") {
  auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
  if (!plan) throw std::runtime_error(plan.error().message.english());
  return std::move(*plan);
}

ContractionOrNot foundIn(const Sum& sum) {
  const schedule::State state = programState(textOf(sum));
  for (const schedule::Tree::Node& node : state.tree().nodes())
    if (node.isBlock && node.parent != schedule::Tree::kNone) return contractionOf(state, node.id);
  throw std::runtime_error("no block");
}

Contraction productIn(const Sum& sum) { return foundIn(sum).contraction.value(); }

// The sides that read least: rows and columns are iterators of the block, the others' buffers stand beside A and B.
TEST(Sides, AreFoundByTheIteratorsOfOperands) {
  const Contraction polyadic = productIn(kPolyadic);
  EXPECT_THAT(polyadic.rows, ElementsAre(0, 1));
  EXPECT_THAT(polyadic.columns, ElementsAre(2));
  EXPECT_EQ(polyadic.further.size(), 1U);
  const Contraction weighted = productIn(kWeighted);
  EXPECT_FALSE(weighted.uneven);
  EXPECT_THAT(decisionPrefixes(weighted), ElementsAre("a2", "", ""));
  const Contraction bilinear = productIn(kBilinear);
  EXPECT_TRUE(bilinear.uneven);
  EXPECT_EQ(bilinear.b.buffer, "W");
  EXPECT_THAT(decisionPrefixes(bilinear), ElementsAre("a2"));
  EXPECT_EQ(productIn(kOneSided).k, 40);
}

// What the block says that it reads needn't stand in the order of its sum.
TEST(Sides, KnowOperandsByTheReadsOfTheBlock) {
  std::string text = tests::programText("product", {{"M", 64}, {"N", 64}, {"K", 64}});
  const std::string init = "            with T.init():";
  text.insert(text.find(init), "            T.reads(B[vk, vj], A[vi, vk])\n            T.writes(C[vi, vj])\n");
  const schedule::State state = programState("from tvm.script import tir as T\n" + text);
  for (const schedule::Tree::Node& node : state.tree().nodes()) {
    if (!node.isBlock || node.parent == schedule::Tree::kNone) continue;
    const Contraction product = contractionOf(state, node.id).contraction.value();
    EXPECT_TRUE(product.plain);
    EXPECT_EQ(product.a.buffer, "A");
    EXPECT_EQ(product.a.read, 1);
    EXPECT_EQ(product.b.read, 0);
  }
}

TEST(Sides, RefuseWhatIsReadOnceForEachResult) {
  // W has all of rows, columns and sums; X and Y lie on one side.
  const Sum weights = {
      R"(X: T.Buffer((32, 16), "float32"), W: T.Buffer((32, 24, 16), "float32"), Y: T.Buffer((32, 8), "float32"), C: T.Buffer((32, 24), "float32"))",
      "32, 24, 16, 8",
      "SSRR",
      "b, o, i, j",
      "C[b, o]",
      "T.float32(0)",
      "C[b, o] + X[b, i] * W[b, o, i] * Y[b, j]"};
  EXPECT_THAT(foundIn(weights).reason.english(), HasSubstr("nothing is used again"));
  const Sum dense = {
      R"(X: T.Buffer((32, 16, 8), "float32"), Y: T.Buffer((24, 16), "float32"), W: T.Buffer((32, 24, 16, 8), "float32"), C: T.Buffer((32, 24), "float32"))",
      "32, 24, 16, 8",
      "SSRR",
      "b, o, i, j",
      "C[b, o]",
      "T.float32(0)",
      "C[b, o] + X[b, i, j] * Y[o, i] * W[b, o, i, j]"};
  EXPECT_FALSE(foundIn(dense).contraction);
  // An iterator of the result that no operand has.
  const Sum apart = {
      R"(X: T.Buffer((32, 16), "float32"), Y: T.Buffer((24, 16), "float32"), W: T.Buffer((24, 16), "float32"), C: T.Buffer((32, 24, 4), "float32"))",
      "32, 24, 4, 16",
      "SSSR",
      "i, j, l, k",
      "C[i, j, l]",
      "T.float32(0)",
      "C[i, j, l] + X[i, k] * Y[j, k] * W[j, k]"};
  EXPECT_THAT(foundIn(apart).reason.english(), HasSubstr("indexes no operand"));
}

// Schedules drawn alike, or TILELOOM_DRAWS of each sketch, every tenth of which is then compiled, replay, are kernels
// and members of the space by what their states tell. One of each is run.
TEST(Sides, DrawKernelsOfManyFactors) {
  const char* given = std::getenv("TILELOOM_DRAWS");
  const int draws = given ? std::max(1, std::atoi(given)) : 1;
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  const auto compiler =
      given && toolkit ? compile::Compiler::load(*toolkit) : Result<std::shared_ptr<const compile::Compiler>>(nullptr);
  for (const auto& [name, sum] : kSums) {
    const schedule::State state = programState(textOf(*sum));
    const RulePlan plan = planOf(state);
    ASSERT_THAT(plan.sketches.front().name, testing::AnyOf(HasSubstr("CUDA cores"), HasSubstr("mma"))) << name;
    for (const Sketch& sketch : plan.sketches) {
      SCOPED_TRACE(fmt::format("{}, {}", name, sketch.name));
      const auto diagram = Diagram::of(sketch.space);
      ASSERT_TRUE(diagram) << diagram.error().message;
      ASSERT_GT(diagram->count(), 10U);
      const PinnedCounts counts(*diagram);
      Random random(5);
      int failed = 0;
      for (int n = 0; n < draws; ++n) {
        const auto written = linesOf(sketch, *counts.draw(random));
        ASSERT_TRUE(written) << written.error().message;
        const std::string& lines = *written;
        const auto made = madeByLines(state, lines, document::environment());
        if (!made) {
          if (++failed == 1) ADD_FAILURE() << made.error().message << "\n" << lines;
          continue;
        }
        const Membership in = membershipOf(sketch.space, decisionsOf(sketch, state, made->state));
        if (!in.isMember.value_or(false) && ++failed == 1)
          ADD_FAILURE() << (in.exclusions.empty() ? message("not in its space") : in.exclusions.front().words) << "\n"
                        << lines;
        if (n == 0) expectRight(state, made->state, lines);
        if (compiler && *compiler && n % 10 == 0) {
          const auto binary = (*compiler)->compile(compile::requestFor(compile::Text(made->kernel.source), "sm_90a"));
          if (!binary && ++failed == 1) ADD_FAILURE() << binary.error().message << "\n" << lines;
        }
      }
      if (given)
        std::printf("%s, %s: %d of %d failed\n", name, sketch.name.c_str(), failed, draws), std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace loom::tune::sides_test
