// A product is the same in whatever form a program writes it, and of one matrix with itself, too: it gets the same
// instructions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::product_forms_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Form {
  const char* name;
  std::string parameters;  // of the function: operands
  std::string value;       // what is stored; F(…) is a cast to the type of the sum
  std::string reads;       // the block's; "": it says nothing
  std::string in = "float16", out = "float32";

  // 64 × 80 × 64, or as the operands say.
  std::string text(int m = 64, int n = 80, int k = 64) const {
    const auto typed = [&](std::string text) {
      for (std::size_t at; (at = text.find("F(")) != std::string::npos;)
        text.replace(at, 2, "T.Cast(\"" + out + "\", ");
      for (std::size_t at; (at = text.find("IN")) != std::string::npos;) text.replace(at, 2, "\"" + in + "\"");
      return text;
    };
    const std::string says =
        reads.empty() ? "" : fmt::format("            T.reads({})\n            T.writes(C[vi, vj])\n", reads);
    return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main({0}, C: T.Buffer(({1}, {2}), "{3}")):
    for i, j, k in T.grid({1}, {2}, {4}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
{5}            with T.init():
                C[vi, vj] = {6}
            C[vi, vj] = {7}
)",
                       typed(parameters), m, n, out, k, says, out == "int32" ? "0" : "T." + out + "(0)", typed(value));
  }
};

const std::string kByColumns = "A: T.Buffer((64, 64), IN), B: T.Buffer((80, 64), IN)",
                  kByRows = "A: T.Buffer((64, 64), IN), B: T.Buffer((64, 80), IN)",
                  kInOrder = "C[vi, vj] + F(A[vi, vk]) * F(B[vj, vk])";

const std::vector<Form> kForms = {
    {"in order", kByColumns, kInOrder, ""},
    {"second first", kByColumns, "C[vi, vj] + F(B[vj, vk]) * F(A[vi, vk])", ""},
    {"sum last", kByColumns, "F(A[vi, vk]) * F(B[vj, vk]) + C[vi, vj]", ""},
    {"second first, sum last, by rows", kByRows, "F(B[vk, vj]) * F(A[vi, vk]) + C[vi, vj]", ""},
    {"reads reversed", kByColumns, kInOrder, "B[vj, vk], A[vi, vk]"},
    {"reads the result", kByColumns, kInOrder, "C[vi, vj], A[vi, vk], B[vj, vk]"},
    {"reads rows", kByColumns, kInOrder, "A[vi, 0:64], B[0:80, 0:64]"},
    {"second first, reads in order", kByColumns, "C[vi, vj] + F(B[vj, vk]) * F(A[vi, vk])", "A[vi, vk], B[vj, vk]"},
    {"bytes, second first", kByColumns, "C[vi, vj] + F(B[vj, vk]) * F(A[vi, vk])", "", "int8", "int32"},
    {"halves, second first", kByColumns, "C[vi, vj] + B[vj, vk] * A[vi, vk]", "", "float16", "float16"},
};

std::vector<Built> built(const schedule::State& state, const char* device) {
  const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
  if (!plan) throw std::runtime_error(plan.error().message.english());
  auto all = buildAll(*plan, state, deviceNamed(device), document::environment());
  if (!all) throw std::runtime_error(all.error().message.english());
  return std::move(*all);
}

bool anyHas(const std::vector<Built>& all, const std::string& text) {
  return std::ranges::any_of(all, [&](const Built& b) { return b.lines.find(text) != std::string::npos; });
}

TEST(ProductForms, HaveTheSameInstructions) {
  for (const Form& form : kForms) {
    SCOPED_TRACE(form.name);
    const schedule::State state = programState(form.text());
    const std::vector<Built> onHopper = built(state, "h200"), onA100 = built(state, "a100_80");
    EXPECT_EQ(anyHas(onHopper, "\"wgmma_m64"), form.out != "float16");
    EXPECT_TRUE(anyHas(onA100, "\"mma_ldmatrix"));
    EXPECT_TRUE(anyHas(onA100, "\"wmma_sync"));
    expectRight(state, onA100.front().state, onA100.front().lines);
  }
}

// Each product is rounded, or of bytes wraps around, before it is added: tensor cores add it as it is, and the sums
// would be others than the program says, although no check of small whole numbers can tell.
TEST(ProductForms, WhoseProductsAreCastAreLeftToCudaCores) {
  const std::string byColumns = "C[vi, vj] + F(A[vi, vk] * B[vj, vk])";
  for (const Form& form :
       std::vector<Form>{{"halves", kByColumns, byColumns, ""},
                         {"halves, second first, by rows", kByRows, "C[vi, vj] + F(B[vk, vj] * A[vi, vk])", ""},
                         {"bfloat16, sum last", kByColumns, "F(A[vi, vk] * B[vj, vk]) + C[vi, vj]", "", "bfloat16"},
                         {"to a narrower sum", kByColumns, byColumns, "", "float32", "float16"},
                         {"eighths", kByColumns, byColumns, "", "float8_e4m3fn"},
                         {"bytes", kByColumns, byColumns, "", "int8", "int32"}}) {
    const schedule::State state = programState(form.text());
    for (const char* device : {"h200", "a100_80", "t4"}) {
      SCOPED_TRACE(fmt::format("{} on {}", form.name, device));
      const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(plan) << plan.error().message.english();
      const auto said = [](const PlanRow& row) { return row.why.english(); };
      EXPECT_THAT(plan->rows,
                  testing::Contains(testing::ResultOf(
                      said, HasSubstr(fmt::format("C casts each product from {} to {} before it adds it, and matrix "
                                                  "instructions add products as exactly as they are",
                                                  form.in, form.out)))));
      const std::vector<Built> all = built(state, device);
      for (const Built& b : all) EXPECT_THAT(b.lines, Not(HasSubstr("mma")));
      expectRight(state, all.front().state, all.front().lines);
    }
  }
}

// X · Xᵀ, Xᵀ · X and X · X: a copy that is computed on the way to shared memory, or copied from where X lies.
TEST(ProductForms, OfAMatrixWithItselfAreTiled) {
  const std::string tall = "X: T.Buffer((128, 64), IN)", wide = "X: T.Buffer((64, 128), IN)",
                    square = "X: T.Buffer((128, 128), IN)";
  struct Case {
    Form form;
    int k;
  };
  const std::vector<Case> cases = {
      {{"rows", tall, "C[vi, vj] + F(X[vi, vk]) * F(X[vj, vk])", ""}, 64},
      {{"columns", wide, "C[vi, vj] + F(X[vk, vi]) * F(X[vk, vj])", ""}, 64},
      {{"both", square, "C[vi, vj] + F(X[vi, vk]) * F(X[vk, vj])", ""}, 128},
      {{"named twice", tall, "C[vi, vj] + F(X[vi, vk]) * F(X[vj, vk])", "X[vi, vk], X[vj, vk]"}, 64},
      {{"single", tall, "C[vi, vj] + X[vi, vk] * X[vj, vk]", "", "float32"}, 64},
      {{"single by columns", wide, "C[vi, vj] + X[vk, vi] * X[vk, vj]", "", "float32"}, 64},
      {{"distances", tall, "C[vi, vj] + (X[vi, vk] - X[vj, vk]) * (X[vi, vk] - X[vj, vk])", "", "float32"}, 64},
  };
  for (const auto& [form, k] : cases) {
    const schedule::State state = programState(form.text(128, 128, k));
    for (const char* device : {"h200", "a100_80"}) {
      SCOPED_TRACE(fmt::format("{} on {}", form.name, device));
      const std::vector<Built> all = built(state, device);
      const bool onTensorCores = form.in == "float16", isHopper = std::string_view(device) == "h200";
      EXPECT_TRUE(anyHas(all, !onTensorCores ? "\"shared.dyn\"" : isHopper ? "\"wgmma_m64" : "\"mma_ldmatrix"));
      for (const Built& b : all) EXPECT_THAT(b.lines, HasSubstr("sch.annotate(b, \"tileloom.place\", 1)"));
      expectRight(state, all.front().state, all.front().lines);
    }
  }
}

}  // namespace
}  // namespace loom::tune::product_forms_test
