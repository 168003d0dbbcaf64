#include "core/arith/block_access.h"

#include <gtest/gtest.h>

#include "core/ir/build.h"
#include "core/ir/equal.h"

namespace loom::arith {
namespace {

using namespace ir;

class BlockAccessTest : public testing::Test {
 protected:
  Buffer buffer(const std::string& name, std::vector<std::int64_t> extents) {
    std::vector<Expr> shape;
    for (auto e : extents) shape.push_back(intImm(e));
    Buffer b = makeBuffer(Id{1, ++ordinal_}, name, DType::Float(32), shape);
    known_[b->data.get()] = b;
    return b;
  }

  Block block(Stmt body, Stmt init = nullptr) {
    BlockNode b;
    b.id = Id{1, ++ordinal_};
    b.name = "X";
    b.body = std::move(body);
    b.init = std::move(init);
    return std::make_shared<const BlockNode>(b);
  }

  Stmt loop(const Var& var, std::int64_t extent, Stmt body) {
    ForNode n;
    n.id = Id{1, ++ordinal_};
    n.var = var;
    n.min = intImm(0);
    n.extent = intImm(extent);
    n.body = std::move(body);
    return std::make_shared<const ForNode>(n);
  }

  // "A[0:4, i:1]"
  static void expectRegion(const BufferRegion& region, const Buffer& buffer, std::vector<Range> ranges) {
    EXPECT_EQ(region.buffer, buffer);
    ASSERT_EQ(region.region.size(), ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_TRUE(structuralEqual(region.region[i].min, ranges[i].min)) << "dimension " << i;
      EXPECT_TRUE(structuralEqual(region.region[i].extent, ranges[i].extent)) << "dimension " << i;
    }
  }
  static Range point(const Expr& e) { return {e, intImm(1)}; }
  static Range whole(std::int64_t n) { return {intImm(0), intImm(n)}; }

  KnownBuffers known_;
  std::uint32_t ordinal_ = 0;
  Var i_ = makeVar("i"), j_ = makeVar("j");
};

TEST_F(BlockAccessTest, ElementwiseReadsAndWritesPoints) {
  Buffer a = buffer("A", {8}), b = buffer("B", {8});
  auto access = blockAccess(block(store(b, load(a, {i_}), {i_})), known_);
  ASSERT_EQ(access.reads.size(), 1u);
  ASSERT_EQ(access.writes.size(), 1u);
  expectRegion(access.reads[0], a, {point(i_)});
  expectRegion(access.writes[0], b, {point(i_)});
}

TEST_F(BlockAccessTest, LoopsInsideAreRelaxed) {
  Buffer a = buffer("A", {8, 8}), b = buffer("B", {8});
  auto access = blockAccess(block(loop(j_, 4, store(b, load(a, {i_, j_}), {i_}))), known_);
  expectRegion(access.reads.at(0), a, {point(i_), whole(4)});
  expectRegion(access.writes.at(0), b, {point(i_)});
}

TEST_F(BlockAccessTest, AccessesOfOneBufferAreUnitedInOrderOfFirstUse) {
  Buffer a = buffer("A", {8}), b = buffer("B", {8}), c = buffer("C", {8});
  Expr value = load(b, {i_}) + load(a, {i_}) + load(a, {Expr(i_) + 1});
  auto access = blockAccess(block(store(c, value, {i_})), known_);
  ASSERT_EQ(access.reads.size(), 2u);
  EXPECT_EQ(access.reads[0].buffer, b);
  expectRegion(access.reads[1], a, {{i_, intImm(2)}});
}

TEST_F(BlockAccessTest, WithAnInitTheAccumulatorIsNotReported) {
  Buffer a = buffer("A", {8}), c = buffer("C", {8});
  Stmt body = store(c, load(c, {i_}) + load(a, {i_}), {i_});
  EXPECT_EQ(blockAccess(block(body), known_).reads.size(), 2u);
  auto access = blockAccess(block(body, store(c, floatImm(0, DType::Float(32)), {i_})), known_);
  ASSERT_EQ(access.reads.size(), 1u);
  EXPECT_EQ(access.reads[0].buffer, a);
}

TEST_F(BlockAccessTest, UnknownBuffersAreNotReported) {
  Buffer a = buffer("A", {8}), b = buffer("B", {8});
  known_.erase(a->data.get());
  auto access = blockAccess(block(store(b, load(a, {i_}), {i_})), known_);
  EXPECT_TRUE(access.reads.empty());
  EXPECT_EQ(access.writes.size(), 1u);
}

TEST_F(BlockAccessTest, ChildBlocksCountByTheirSignature) {
  Buffer a = buffer("A", {64}), b = buffer("B", {64});
  Var v = makeVar("v");
  BlockNode child;
  child.id = Id{1, ++ordinal_};
  child.name = "child";
  child.iters = {{v, whole(64), IterType::Spatial}};
  child.reads = {{a, {{v, intImm(2)}}}};
  child.writes = {{b, {point(v)}}};
  child.body = evaluate(intImm(0));
  Stmt body = loop(i_, 4, realize({Expr(j_) * 4 + Expr(i_)}, boolImm(true), std::make_shared<const BlockNode>(child)));
  auto access = blockAccess(block(body), known_);
  expectRegion(access.reads.at(0), a, {{Expr(j_) * 4, intImm(5)}});
  expectRegion(access.writes.at(0), b, {{Expr(j_) * 4, intImm(4)}});
}

TEST_F(BlockAccessTest, EscapingPointersAreOpaqueAndWhole) {
  Buffer a = buffer("A", {8, 4}), b = buffer("B", {8});
  Stmt body = seq({evaluate(call(DType::Handle(), "call_extern", {a->data})), store(b, load(a, {i_, i_}), {i_})});
  auto access = blockAccess(block(body), known_);
  ASSERT_EQ(access.opaque.size(), 1u);
  expectRegion(access.opaque[0], a, {whole(8), whole(4)});
  EXPECT_EQ(access.reads.size(), 1u);
  auto both = blockReadWrite(block(body), known_);
  ASSERT_EQ(both.reads.size(), 1u);
  expectRegion(both.reads[0], a, {whole(8), whole(4)});
  ASSERT_EQ(both.writes.size(), 2u);
  EXPECT_EQ(both.writes[0].buffer, b);
  EXPECT_EQ(both.writes[1].buffer, a);
  EXPECT_TRUE(both.opaque.empty());
}

TEST_F(BlockAccessTest, AccessPointersSayWhatTheyDo) {
  Buffer a = buffer("A", {8}), b = buffer("B", {8});
  auto pointer = [&](const Buffer& x, int mask) {
    return call(DType::Handle(), "tvm_access_ptr", {intImm(0), x->data, intImm(0), intImm(8), intImm(mask)});
  };
  auto access =
      blockAccess(block(evaluate(call(DType::Int(32), "call_extern", {pointer(a, 1), pointer(b, 2)}))), known_);
  expectRegion(access.reads.at(0), a, {whole(8)});
  expectRegion(access.writes.at(0), b, {whole(8)});
  EXPECT_TRUE(access.opaque.empty());
}

TEST_F(BlockAccessTest, ViewsCountForTheirSource) {
  Buffer a = buffer("A", {8, 8}), b = buffer("B", {8});
  Buffer view = makeBuffer(Id{1, ++ordinal_}, "V", DType::Float(32), {intImm(4)});
  BlockNode node = *block(store(b, load(view, {intImm(3)}), {i_}));
  node.matches = {{view, {a, {point(i_), {intImm(2), intImm(4)}}}}};
  auto access = blockAccess(std::make_shared<const BlockNode>(node), known_);
  expectRegion(access.reads.at(0), a, {point(i_), point(intImm(5))});
}

TEST_F(BlockAccessTest, AConditionOnALoopNarrowsItsRegion) {
  Buffer a = buffer("A", {16}), b = buffer("B", {16});
  Stmt guarded = ifThen(lt(i_, intImm(10)), store(b, load(a, {i_}), {i_}));
  auto access = blockAccess(block(loop(i_, 16, guarded)), known_);
  expectRegion(access.reads.at(0), a, {whole(10)});
  Expr chosen = ifThenElse(ge(i_, intImm(3)), load(a, {i_}), floatImm(0, DType::Float(32)));
  access = blockAccess(block(loop(i_, 16, store(b, chosen, {i_}))), known_);
  expectRegion(access.reads.at(0), a, {{intImm(3), intImm(13)}});
  expectRegion(access.writes.at(0), b, {whole(16)});
}

TEST_F(BlockAccessTest, AConditionOnSeveralVariablesNarrowsNothing) {
  Buffer a = buffer("A", {16}), b = buffer("B", {16});
  Expr condition = andOf(ge(i_, intImm(3)), lt(j_, makeVar("n")));
  Stmt guarded = ifThen(condition, store(b, load(a, {i_}), {i_}));
  auto access = blockAccess(block(loop(i_, 16, loop(j_, 16, guarded))), known_);
  expectRegion(access.reads.at(0), a, {whole(16)});
}

TEST_F(BlockAccessTest, AnUnboundedIndexTouchesTheWholeDimension) {
  Buffer a = buffer("A", {8}), b = buffer("B", {8}), index = makeBuffer(Id{1, 99}, "P", DType::Int(32), {intImm(8)});
  auto access = blockAccess(block(loop(j_, 8, store(b, load(a, {load(index, {j_})}), {j_}))), known_);
  expectRegion(access.reads.at(0), a, {whole(8)});
}

}  // namespace
}  // namespace loom::arith
