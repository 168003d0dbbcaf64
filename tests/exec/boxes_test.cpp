// Boxes of the copy engine by hand: what lies outside of a matrix, swizzled lines, and stores with what they need
// before and after.
#include <gmock/gmock.h>

#include "core/device/operation.h"
#include "tests/exec/device_programs.h"

namespace loom::exec::boxes_test {
namespace {

using dev::SyncDoes;
using dev::Token;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Finding::Kind;

constexpr std::int64_t kRows = 6, kColumns = 40, kLine = 32, kBoxRows = 8;

// 64 threads; boxes of 8 lines of 32 floats, 128 bytes, of a matrix of 6 × 40.
struct Boxes : Bench {
  ir::Buffer shared = allocate("tile", dev::Memory::Shared, kBoxRows* kLine);
  int swizzle = 0;

  explicit Boxes(std::int64_t outputs) : Bench(kRows * kColumns, outputs, 1, {64, 1, 1}) {
    dev::Mbarrier barrier;
    barrier.buffer = flat("full", 1, "shared", ir::DType::UInt(64));
    dev::Allocation a;
    a.buffer = barrier.buffer;
    a.memory = dev::Memory::Shared;
    a.elements = 1;
    kernel().allocations.push_back(a);
    kernel().mbarriers = {barrier};
    for (const ir::Buffer& b : {in, out}) {
      dev::TensorMap map;
      map.buffer = b;
      map.extents = {kRows, kColumns};
      map.strides = {kColumns, 1};
      map.box = {kBoxRows, kLine};
      kernel().maps.push_back(map);
    }
  }
  dev::Stmt one(dev::Stmt s) { return onlyIf(ir::eq(thread(), intImm(0)), std::move(s)); }
  dev::Stmt sync(SyncDoes does, Token token, std::int64_t bytes = 0) {
    auto s = std::make_shared<dev::SyncNode>();
    s->does = does;
    s->token = token;
    s->bytes = bytes;
    if (token == Token::Transfers && does != SyncDoes::Fence) {
      s->barrier = 0;
      s->slot = does == SyncDoes::Initialise ? ir::Expr() : ir::Expr(intImm(0));
    }
    return s;
  }
  dev::Stmt box(const char* name, std::int64_t row, std::int64_t column) {
    auto n = std::make_shared<dev::OperationNode>();
    const bool loads = std::string(name) == "tma.load";
    n->row = dev::findOperation(name);
    n->map = loads ? 0 : 1;
    const dev::BufferPlace tile{shared, {intImm(0)}, 1, true, {kBoxRows, kLine}},
        matrix{loads ? in : out, {intImm(row * kColumns + column)}, 1, true, {kBoxRows, kLine}};
    n->places = loads ? std::vector{tile, matrix} : std::vector{matrix, tile};
    n->values = {intImm(loads ? kLine : kColumns),
                 intImm(loads ? kColumns : kLine),
                 intImm(column),
                 intImm(row),
                 intImm(swizzle ? kBoxRows * kLine : 0),
                 intImm(swizzle)};
    if (loads) {
      n->barrier = 0;
      n->slot = intImm(0);
    }
    return n;
  }
  std::vector<dev::Stmt> loaded(std::int64_t row, std::int64_t column) {
    return {
        one(sync(SyncDoes::Initialise, Token::Transfers)), dev::barrier(),
        one(dev::seq({sync(SyncDoes::Expect, Token::Transfers, kBoxRows * kLine * 4), box("tma.load", row, column)})),
        sync(SyncDoes::Wait, Token::Transfers)};
  }
  // Each thread writes four elements of the tile.
  dev::Stmt fill() {
    const ir::Var i = ir::makeVar("i");
    return loop(i, 4, store(shared, thread() * 4 + i, ir::cast(ir::DType::Float(32), thread() * 4 + i)));
  }
};

TEST(Boxes, AreZerosOutsideOfTheMatrix) {
  for (const int swizzle : {0, 128, 64, 32}) {
    Boxes b(kBoxRows * kLine);
    b.swizzle = swizzle;
    std::vector<dev::Stmt> body = b.loaded(2, 16);
    const ir::Var i = ir::makeVar("i");
    body.push_back(loop(i, 4, store(b.out, b.thread() * 4 + i, b.load(b.shared, b.thread() * 4 + i))));
    const Bench::Outcome o = b.run(body);
    EXPECT_THAT(o.findings, IsEmpty()) << describe(o.findings.front()).english();
    for (int r = 0; r < kBoxRows; ++r) {
      for (int c = 0; c < kLine; ++c) {
        // PTX ISA, "Swizzling modes": pieces of 16 bytes of 8, 4 or 2 change places by bits of the line of 128 bytes.
        const int piece = swizzle == 0 ? c / 4 : c / 4 ^ (r & (swizzle / 16 - 1));
        const bool inside = 2 + r < kRows && 16 + c < kColumns;
        const double expected = inside ? Bench::input().at((2 + r) * kColumns + 16 + c).f : 0;
        EXPECT_EQ(o.out[std::size_t(r * kLine + piece * 4 + c % 4)], expected) << swizzle << ": " << r << ", " << c;
      }
    }
  }
}

TEST(Boxes, AreStoredWithinTheMatrix) {
  Boxes b(kRows * kColumns);
  const dev::Stmt stored = b.one(dev::seq({b.box("tma.store", 1, 16), b.sync(SyncDoes::Commit, Token::BulkStores),
                                           b.sync(SyncDoes::Wait, Token::BulkStores)})),
                  fence = b.sync(SyncDoes::Fence, Token::Transfers);
  const Bench::Outcome o = b.run({b.fill(), fence, dev::barrier(), stored, dev::barrier(), b.fill()});
  EXPECT_THAT(o.findings, IsEmpty()) << describe(o.findings.front()).english();
  for (std::int64_t e = 0; e < kRows * kColumns; ++e) {
    const std::int64_t r = e / kColumns - 1, c = e % kColumns - 16;
    const bool inside = r >= 0 && c >= 0 && c < kLine;
    EXPECT_EQ(o.written[std::size_t(e)], inside) << e;
    if (inside) {
      EXPECT_EQ(o.out[std::size_t(e)], double(r * kLine + c)) << e;
    }
  }
  const auto first = [&](std::vector<dev::Stmt> body) {
    const Bench::Outcome found = b.run(std::move(body));
    return found.findings.empty() ? std::string() : describe(found.findings.front()).english();
  };
  EXPECT_THAT(first({b.fill(), dev::barrier(), stored}),
              HasSubstr("missing fence: an asynchronous operation of thread (0, 0, 0) reads tile[0]"));
  EXPECT_THAT(first({b.fill(), fence, stored}), HasSubstr("race inside a block: thread (0, 0, 0) reads tile[4]"));
  const dev::Stmt started = b.one(dev::seq({b.box("tma.store", 1, 16), b.sync(SyncDoes::Commit, Token::BulkStores)}));
  EXPECT_THAT(first({b.fill(), fence, dev::barrier(), started, dev::barrier(), b.fill()}),
              HasSubstr("overwritten too early: thread (0, 0, 0) writes tile[0]"));
}

}  // namespace
}  // namespace loom::exec::boxes_test
