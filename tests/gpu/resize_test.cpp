// A product at other sizes: what changes, what stays, what is refused.
#include "core/gpu/resize.h"

#include <gtest/gtest.h>

#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::gpu::resize_test {
namespace {

// C[j, i] of K-major operands, loops in another order than the axes.
std::string productOf(const std::string& m, const std::string& n, const std::string& k,
                      const std::string& in = "float16", const std::string& out = "float32") {
  const bool cast = in != out;
  auto operand = [&](const std::string& e) { return cast ? "T.Cast(\"" + out + "\", " + e + ")" : e; };
  return tests::programText("product_over_columns", {{"M", m},
                                                     {"N", n},
                                                     {"K", k},
                                                     {"IN", in},
                                                     {"OUT", out},
                                                     {"A", operand("A[vi, vk]")},
                                                     {"B", operand("B[vj, vk]")}});
}

ir::Function function(const std::string& text) {
  auto module = script::parseModule(text, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  return module->functions.front();
}

std::string printed(const ir::Function& f) { return script::print(ir::Module{{f}, {}}).text; }

TEST(HistoryOnOtherFunction, IsWhatTheFunctionOfThatSizeIs) {
  const auto made = resized(function(productOf("64", "48", "32")), {1000, 24, 7, {}, {}});
  ASSERT_TRUE(made) << made.error().message.english();
  EXPECT_EQ(printed(*made), printed(function(productOf("1000", "24", "7"))));
  const auto m = recognizeMatmul(*made);
  ASSERT_TRUE(m);
  EXPECT_EQ(m->m, 1000);
  EXPECT_EQ(m->n, 24);
  EXPECT_EQ(m->k, 7);
  EXPECT_TRUE(m->bTransposed);
}

TEST(HistoryOnOtherFunction, CastsWhereTheSumHasAnotherType) {
  const auto wide = function(productOf("64", "48", "32"));
  const auto f32 = ir::DType::Float(32), i8 = ir::DType::Int(8), i32 = ir::DType::Int(32);
  EXPECT_EQ(printed(*resized(wide, {64, 48, 32, f32, f32})),
            printed(function(productOf("64", "48", "32", "float32", "float32"))));
  EXPECT_EQ(printed(*resized(function(productOf("64", "48", "32", "float32", "float32")), {8, 8, 8, i8, i32})),
            printed(function(productOf("8", "8", "8", "int8", "int32"))));
}

TEST(HistoryOnOtherFunction, KeepsTheIdsThatAScheduleKnows) {
  const auto before = function(productOf("64", "48", "32"));
  const auto after = *resized(before, {128, 128, 128, {}, {}});
  const auto* a = ir::asFor(before->body->block->body);
  const auto* b = ir::asFor(after->body->block->body);
  while (a && b) {
    EXPECT_EQ(a->id, b->id);
    EXPECT_EQ(a->var->name, b->var->name);
    a = ir::asFor(a->body), b = ir::asFor(b->body);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(before->params[i].buffer->id, after->params[i].buffer->id);
}

TEST(HistoryOnOtherFunction, TheSameSizeIsTheSameProgram) {
  const auto before = function(productOf("64", "48", "32"));
  EXPECT_EQ(printed(*resized(before, {64, 48, 32, {}, {}})), printed(before));
}

TEST(HistoryOnOtherFunction, RefusesWhatIsNoProductOrHasNoSuchSize) {
  const auto copy = function(tests::programText("vector_copy", {{"N", 8}, {"TYPE", "float32"}}));
  EXPECT_EQ(resized(copy, {8, 8, 8, {}, {}}).error().code, "NotAProduct");
  const auto fine = function(productOf("64", "48", "32"));
  EXPECT_EQ(resized(fine, {0, 8, 8, {}, {}}).error().code, "ValueError");
  const auto large = resized(fine, {65536, 65536, 8, {}, {}});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().message.english(), "C has 4294967296 elements; a buffer holds at most 2147483647");
  // What has been tiled already has no row that is one loop.
  std::string tiled = productOf("64", "48", "32");
  auto replace = [&](const std::string& what, const std::string& by) {
    tiled.replace(tiled.find(what), what.size(), by);
  };
  replace("for k, i, j in T.grid(32, 64, 48)", "for k, i0, i1, j in T.grid(32, 4, 16, 48)");
  replace("vk, vi, vj = T.axis.remap(\"RSS\", [k, i, j])",
          R"(vk = T.axis.reduce(32, k)
            vi = T.axis.spatial(64, i0 * 16 + i1)
            vj = T.axis.spatial(48, j))");
  const auto refused = resized(function(tiled), {8, 8, 8, {}, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.english(),
            "the product has no other sizes: its loops aren't its rows, columns and sum");
}

TEST(Product, IsOnlyWhatSumsEveryProductOnceFromZero) {
  const std::string fine = productOf("64", "48", "32");
  ASSERT_TRUE(recognizeMatmul(function(fine)));
  auto with = [&](const std::string& what, const std::string& by) {
    std::string text = fine;
    const auto at = text.find(what);
    if (at == std::string::npos) throw std::runtime_error("no " + what + " in " + text);
    return recognizeMatmul(function(text.replace(at, what.size(), by)));
  };
  const std::string bound = "vk, vi, vj = T.axis.remap(\"RSS\", [k, i, j])";
  const std::string rest = "\n            vi = T.axis.spatial(64, i)\n            vj = T.axis.spatial(48, j)";
  EXPECT_TRUE(with(bound, "vk = T.axis.reduce(32, k)" + rest));
  EXPECT_FALSE(with("T.float32(0)", "T.float32(1)")) << "another beginning";
  EXPECT_FALSE(with(bound, bound + "\n            T.where(k < 31)")) << "a product is left out";
  EXPECT_FALSE(with(bound, "vk = T.axis.reduce(32, k // 2)" + rest)) << "products are added twice";
  EXPECT_FALSE(with(bound, "vk = T.axis.reduce(64, k)" + rest)) << "the loop ends before the sum";
}

TEST(Sizes, AreReadAsTheyAreTyped) {
  auto text = [](const std::string& typed) {
    std::string all;
    const auto read = readSizes(typed);
    if (!read) return read.error().code;
    for (const ProductSize& size : *read) all += (all.empty() ? "" : " ") + sizeText(size);
    return all;
  };
  EXPECT_EQ(text("512..8192"), "512 1024 2048 4096 8192");
  EXPECT_EQ(text("1024, 2048x512x1024; 1024"), "1024 2048×512×1024");
  EXPECT_EQ(text("2048×512×1024，64"), "2048×512×1024 64");
  EXPECT_EQ(text("3..20"), "3 6 12");
  for (const char* bad : {"", " , ", "0", "-4", "12x3", "1x2x3x4", "a", "8..4", "1..", "99999999999", "1.5"})
    EXPECT_EQ(text(bad), "ValueError") << bad;
  EXPECT_FALSE(readSizes("1 2 3", 2));
}

TEST(Types, AreAPairOfElementTypes) {
  EXPECT_EQ(readTypes("float16/float32")->first, ir::DType::Float(16));
  EXPECT_EQ(readTypes("int8/int32")->second, ir::DType::Int(32));
  EXPECT_EQ(readTypes("float32")->second, ir::DType::Float(32));
  for (const char* bad : {"", "float16/", "/float32", "bool/int32", "half/float", "float32x4/float32"})
    EXPECT_FALSE(readTypes(bad)) << bad;
}

}  // namespace
}  // namespace loom::gpu::resize_test
