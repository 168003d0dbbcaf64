// Where elements lie: footprints by strides and offset, and the way back from a place to an element.
#include "core/ir/element_layout.h"

#include <gtest/gtest.h>

#include "core/ir/build.h"

namespace loom::ir::element_layout_test {
namespace {

Buffer buffer(std::vector<Expr> shape, std::vector<Expr> strides, Expr offset = intImm(0)) {
  BufferNode node = *makeBuffer(Id{0, 1}, "A", DType::Float(32), std::move(shape));
  node.strides = std::move(strides);
  node.elemOffset = std::move(offset);
  return std::make_shared<const BufferNode>(std::move(node));
}
ElementLayout layout(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, std::int64_t offset = 0) {
  std::vector<Expr> extents, steps;
  for (auto e : shape) extents.push_back(intImm(e));
  for (auto s : strides) steps.push_back(intImm(s));
  return elementLayout(*buffer(extents, steps, intImm(offset))).value();
}

TEST(ElementLayout, FootprintEndsBehindTheLastElement) {
  EXPECT_EQ(layout({4, 4}, {}).footprint(), 16);
  EXPECT_EQ(layout({4, 4}, {8, 1}).footprint(), 28) << "the last row has no gap behind it";
  EXPECT_EQ(layout({4, 4}, {1, 4}, 16).footprint(), 32);
  EXPECT_EQ(layout({4, 4}, {0, 1}).footprint(), 4);
  EXPECT_EQ(layout({}, {}, 3).footprint(), 4);
  EXPECT_EQ(layout({4, 0}, {8, 1}, 7).footprint(), 0) << "no elements need no memory";
}

TEST(ElementLayout, PlacesLeadBackToElementsAndGapsToNone) {
  const auto rows = layout({3, 4}, {8, 1}, 2);
  EXPECT_EQ(rows.indicesOf(rows.offsetOf({2, 3})), (std::vector<std::int64_t>{2, 3}));
  EXPECT_FALSE(rows.indicesOf(1)) << "before the first element";
  EXPECT_FALSE(rows.indicesOf(2 + 4)) << "between two rows";
  EXPECT_FALSE(rows.indicesOf(2 + 24)) << "behind the last row";
  const auto columns = layout({3, 4}, {1, 3});
  for (std::int64_t at = 0; at < 12; ++at) EXPECT_EQ(columns.offsetOf(columns.indicesOf(at).value()), at);
}

TEST(ElementLayout, SharedPlacesAreToldFromOwnOnes) {
  EXPECT_TRUE(layout({4, 4}, {8, 1}).nested());
  EXPECT_TRUE(layout({4, 1, 4}, {4, 0, 1}).nested()) << "a single index goes nowhere";
  EXPECT_FALSE(layout({4, 4}, {0, 1}).nested());
  EXPECT_FALSE(layout({4, 4}, {3, 1}).nested());
  EXPECT_TRUE(layout({4, 4}, {4, 1}).compact());
  EXPECT_FALSE(layout({4, 4}, {4, 1}, 1).compact());
  EXPECT_FALSE(layout({4, 4}, {1, 4}).compact());
}

TEST(ElementLayout, NoneWhereSomethingIsUnknownOrTooLarge) {
  const Expr n = makeVar("n");
  EXPECT_FALSE(elementLayout(*buffer({n}, {})));
  EXPECT_FALSE(elementLayout(*buffer({intImm(4)}, {n})));
  EXPECT_FALSE(elementLayout(*buffer({intImm(4)}, {}, n)));
  EXPECT_FALSE(elementLayout(*buffer({intImm(-4)}, {})));
  const auto wide = [](std::int64_t v) { return intImm(v, DType::Int(64)); };
  EXPECT_FALSE(elementLayout(*buffer({wide(1ll << 40), wide(1ll << 40)}, {})));
  EXPECT_FALSE(elementLayout(*buffer({wide(4), wide(1ll << 40)}, {wide(1), wide(1ll << 40)})));
  EXPECT_EQ(layout({2}, {-8}, 4).lowest(), -4);
}

}  // namespace
}  // namespace loom::ir::element_layout_test
