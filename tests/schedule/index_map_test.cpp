// Index maps: lambdas as they are evaluated, and their way back.
#include "core/schedule/index_map.h"

#include <gtest/gtest.h>

#include <set>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/schedule/instruction.h"
#include "core/script/index_map_graph.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::index_map_test {
namespace {

script::StepValue lambda(const std::string& text) {
  auto lines = script::parseSchedule("x = " + text, "map.py");
  EXPECT_TRUE(lines) << text << ": " << lines.error().message.english();
  return lines->front().value;
}

Result<IndexMap> mapOf(const std::string& text, std::optional<std::size_t> dimensions = {}) {
  return indexMapOf(lambda(text), dimensions, ir::DType::Int(32));
}

std::vector<ir::Range> box(const std::vector<std::int64_t>& extents) {
  std::vector<ir::Range> ranges;
  for (std::int64_t extent : extents) ranges.push_back({ir::intImm(0), ir::intImm(extent)});
  return ranges;
}

using Point = std::vector<std::int64_t>;

Point at(const IndexMap& map, const Point& point, arith::Analyzer& analyzer) {
  std::vector<ir::Expr> indices;
  for (std::int64_t x : point) indices.push_back(ir::intImm(x));
  const auto outputs = mapIndices(map, indices, analyzer).value();
  Point mapped;
  for (const ir::Expr& e : outputs) mapped.push_back(ir::constantOr(e, -1));
  return mapped;
}

struct Layout {
  const char* lambda;
  std::int64_t rows, columns;
  std::vector<std::int64_t> shape;  // of what it maps them to
  bool isPadded = false;
};

class IndexMapInverse : public testing::TestWithParam<Layout> {};

// Goes from each point there and back, and finds padding just where no point arrives.
TEST_P(IndexMapInverse, LeadsBackFromEveryPointAndKnowsThePadding) {
  const Layout& layout = GetParam();
  const IndexMap map = mapOf(layout.lambda).value();
  arith::Analyzer analyzer;
  const auto shape = mapShape(map, {ir::intImm(layout.rows), ir::intImm(layout.columns)}, analyzer);
  ASSERT_TRUE(shape);
  Point extents;
  for (const ir::Expr& extent : *shape) extents.push_back(ir::constantOr(extent, -1));
  EXPECT_EQ(extents, layout.shape);
  const auto inverse = inverseOf(map, box({layout.rows, layout.columns}), arith::IterMapLevel::NoCheck, analyzer);
  ASSERT_TRUE(inverse) << inverse.error().message.english();
  EXPECT_EQ(!ir::isFalse(inverse->padding), layout.isPadded) << script::printExpr(inverse->padding);

  std::set<Point> reached;
  for (std::int64_t i = 0; i < layout.rows; ++i) {
    for (std::int64_t j = 0; j < layout.columns; ++j) {
      const Point there = at(map, {i, j}, analyzer);
      EXPECT_TRUE(reached.insert(there).second) << i << ", " << j;
      ASSERT_EQ(at(inverse->map, there, analyzer), (Point{i, j}));
    }
  }
  Point point(layout.shape.size(), 0);
  for (std::size_t d = 0; d < point.size();) {
    ir::VarMap axes;
    for (std::size_t k = 0; k < point.size(); ++k) axes[inverse->map.inputs[k].get()] = ir::intImm(point[k]);
    const ir::Expr padding = analyzer.simplify(ir::substitute(inverse->padding, axes));
    ASSERT_EQ(ir::isTrue(padding), !reached.contains(point)) << script::printExpr(padding);
    for (d = 0; d < point.size() && ++point[d] == layout.shape[d]; ++d) point[d] = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, IndexMapInverse,
    testing::Values(
        Layout{"lambda i, j: (j, i)", 5, 7, {7, 5}}, Layout{"lambda i, j: i * 7 + j", 5, 7, {35}},
        Layout{"lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2)",
               32,
               16,
               {2, 1, 32, 8}},
        Layout{"lambda i, j: (i // 4, j, i % 4)", 10, 3, {3, 3, 4}, true},
        Layout{"lambda i, j: (i // 4, j // 3, i % 4, j % 3)", 10, 7, {3, 3, 4, 3}, true},
        Layout{"lambda i, j: ((i + 3) // 8, j, (i + 3) % 8)", 10, 2, {2, 2, 8}, true}));

TEST(IndexMap, IsEvaluatedAsPythonDoes) {
  EXPECT_EQ(printValue(lambdaOf(mapOf("lambda i, j: [16 * 2 // 4 + i, j * 1, -i]").value())),
            "lambda i, j: (8 + i, j, i * -1,)");
  EXPECT_EQ(printValue(lambdaOf(mapOf("lambda i, *rest: (*rest, i)", 3).value())),
            "lambda i, rest_0, rest_1: (rest_0, rest_1, i,)");
  EXPECT_EQ(printValue(lambdaOf(mapOf("lambda *x: x", 2).value())), "lambda x_0, x_1: (x_0, x_1,)");
  EXPECT_EQ(printValue(lambdaOf(mapOf("lambda i: i ^ (i >> 3 & 7)").value())), "lambda i: (i ^ i >> 3 & 7,)");
  const IndexMap parted = mapOf("lambda i, j: (i, tir.IndexMap.AXIS_SEPARATOR, j)").value();
  EXPECT_EQ(parted.separators, (std::vector<int>{1}));
  EXPECT_EQ(parted.outputs.size(), 2U);
}

TEST(IndexMap, RefusesWhatIsNoIndex) {
  EXPECT_EQ(mapOf("lambda i: (i, 0.5)").error().code, "TypeError");
  EXPECT_EQ(mapOf("lambda i: i // 0").error().code, "InternalError");
  EXPECT_EQ(mapOf("lambda i: (i, 'x')").error().code, "TypeError");
  EXPECT_EQ(mapOf("lambda *i: i").error().code, "AssertionError");
  arith::Analyzer analyzer;
  const IndexMap two = mapOf("lambda i, j: (j, i)").value();
  EXPECT_EQ(mapIndices(two, {ir::intImm(1)}, analyzer).error().code, "InternalError");
  EXPECT_EQ(mapShape(mapOf("lambda i: i + 1").value(), {ir::intImm(8)}, analyzer).error().code, "InternalError");
  const auto error = [&](const char* text, arith::IterMapLevel level) {
    return inverseOf(mapOf(text).value(), box({8, 8}), level, analyzer).error().code;
  };
  EXPECT_EQ(error("lambda i, j: (i * i, j)", arith::IterMapLevel::NoCheck), "RuntimeError");
  EXPECT_EQ(error("lambda i, j: i", arith::IterMapLevel::NoCheck), "KeyError");
  EXPECT_EQ(error("lambda i, j: (i // 2, j)", arith::IterMapLevel::Bijective), "RuntimeError");
}

TEST(IndexMap, IsAGraphInTraces) {
  const auto there = lambda("lambda i, j: (i // 16 - j * 2 + 1, j % 3, T.int64(7), T.float32(0.5),)");
  const std::string graph = script::writeIndexMapGraph(there);
  EXPECT_TRUE(script::isSavedGraph(graph));
  const auto two = lambda("lambda i, j: (j, i % 4, 0,)");
  const auto back = script::readIndexMapGraph(script::writeIndexMapGraph(two));
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_EQ(printValue(*back), printValue(two));
  EXPECT_FALSE(script::readIndexMapGraph("{\"nodes\""));
  EXPECT_FALSE(script::readIndexMapGraph(R"({"root": 1, "nodes": [{"type_key": ""}, {"type_key": "ffi.Array"}]})"));
}

// What a form offers for a map is tried; a refused one says why.
TEST(IndexMap, FormsOfferMapsThatFitTheBufferOrTheIterators) {
  const auto module = script::parseModule(tests::programText("chain", {}), "chain");
  ASSERT_TRUE(module) << module.error().message.english();
  const State state = State::create(*module).value();
  Id block;
  for (const Tree::Node& node : state.tree().nodes())
    if (node.isBlock && state.tree().block(node.id)->name == "B") block = node.id;
  ASSERT_TRUE(block);
  const Value b{Handle(BlockRef{block})}, written{List{Value{std::string("write")}, Value{std::int64_t{0}}}};
  const auto offered = [&](const char* primitive, const std::vector<Value>& before) {
    std::vector<std::string> texts;
    for (const Candidate& c : candidates(state, *findInstruction(primitive), before, Environment{}))
      texts.push_back(c.text + (c.refusal ? ": " + c.refusal->code : ""));
    return texts;
  };
  const auto layouts = offered("transform_layout", {b, written});
  EXPECT_EQ(layouts, (std::vector<std::string>{
                         "lambda i, j: (j, i)", "lambda i, j: (i, j)", "lambda i, j: (i // 8, j // 8, i % 8, j % 8)",
                         "lambda i, j: (i // 16, j // 16, i % 16, j % 16): TransformationIntroducesPaddingError"}));
  EXPECT_EQ(offered("transform_block_layout", {b}).front(), "lambda i, j: (j, i)");
  EXPECT_EQ(offered("reindex_cache_read", {b, Value{std::int64_t{0}}, Value{std::string("shared")}}).front(),
            "lambda i, j: (j, i)");
  EXPECT_EQ(offered("pad_einsum", {b}).front(), "[8, 8]");
  EXPECT_EQ(offered("set_axis_separator", {b, written}), std::vector<std::string>{"[1]"});
  EXPECT_EQ(offered("reindex", {b}), (std::vector<std::string>{"A", "B"}));
}

}  // namespace
}  // namespace loom::schedule::index_map_test
