#include "core/device/effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/device/build.h"
#include "core/device/operations/families.h"
#include "core/ir/build.h"
#include "core/layout/fragment_scope.h"

namespace loom::device::effects_test {
namespace {

using ir::intImm;

const DType kFloat = DType::Float(32);

std::string textOf(const Effects& effects) {
  std::string text;
  for (const MemoryEffect& e : effects.memory)
    text += (text.empty() ? "" : ", ") + std::string(e.writes() ? "writes " : "reads ") + e.place.buffer->name;
  return text;
}

TEST(Effects, OfAStoreAreItsLoadsAndThenItself) {
  const Buffer a = ir::makeBuffer(Id{9, 1}, "A", kFloat, {intImm(8)}),
               b = ir::makeBuffer(Id{9, 2}, "B", kFloat, {intImm(8)});
  const Buffer i = ir::makeBuffer(Id{9, 3}, "I", DType::Int(32), {intImm(8)});
  StoreNode store;
  store.to = {b, {ir::load(i, {intImm(0)})}};
  store.value = ir::load(a, {intImm(1)});
  Effects effects = effectsOf(std::make_shared<StoreNode>(store));
  EXPECT_EQ(textOf(effects), "reads I, reads A, writes B");
  EXPECT_TRUE(effects.memory.back().repeatable);
  EXPECT_EQ(effects.group, Group::Thread);
  store.value = store.value + ir::load(b, {intImm(0)});
  EXPECT_FALSE(effectsOf(std::make_shared<StoreNode>(store)).memory.back().repeatable) << "it adds to what is there";
}

TEST(Effects, OfABranchOfIfThenElseHappenUnderItsCondition) {
  const Buffer a = ir::makeBuffer(Id{9, 1}, "A", kFloat, {intImm(8)}),
               b = ir::makeBuffer(Id{9, 2}, "B", kFloat, {intImm(8)});
  const Var n = ir::makeVar("n");
  StoreNode store;
  store.to = {b, {intImm(0)}};
  store.value = ir::ifThenElse(ir::lt(n, intImm(4)), ir::load(a, {n}), ir::load(b, {intImm(0)}));
  const Effects effects = effectsOf(std::make_shared<StoreNode>(store));
  ASSERT_EQ(effects.memory.size(), 3U);
  ASSERT_EQ(effects.memory[0].conditions.size(), 1U);
  EXPECT_TRUE(effects.memory[0].conditions[0].second);
  EXPECT_FALSE(effects.memory[1].conditions[0].second);
  EXPECT_TRUE(effects.memory[2].conditions.empty());
}

// What is asked for alone is what effects have, in the same order.
TEST(Effects, HaveTheAccessesThatAreAskedForAlone) {
  const Buffer a = ir::makeBuffer(Id{9, 1}, "A", kFloat, {intImm(8)}),
               b = ir::makeBuffer(Id{9, 2}, "B", kFloat, {intImm(8)});
  const Buffer i = ir::makeBuffer(Id{9, 3}, "I", DType::Int(32), {intImm(8)});
  const Var n = ir::makeVar("n");
  StoreNode store;
  store.to = {b, {ir::load(i, {intImm(0)})}};
  store.value = ir::ifThenElse(ir::lt(ir::load(i, {n}), intImm(4)), ir::load(a, {ir::load(i, {intImm(1)})}),
                               ir::load(b, {intImm(0)}));
  OperationNode copy;
  copy.row = findOperation("cp.async.16");
  copy.places = {{b, {n}, 4}, {a, {ir::load(i, {n})}, 4}};
  IfNode branch;
  branch.condition = ir::lt(ir::load(i, {n}), intImm(4));
  for (const Stmt& s : {Stmt(std::make_shared<StoreNode>(store)), Stmt(std::make_shared<OperationNode>(copy)),
                        Stmt(std::make_shared<IfNode>(branch)), barrier()}) {
    const Effects effects = effectsOf(s);
    std::size_t met = 0;
    forEachAccess(s, [&](const BufferAccess& access) {
      ASSERT_LT(met, effects.memory.size());
      const MemoryEffect& e = effects.memory[met++];
      EXPECT_EQ(access.buffer, e.place.buffer);
      EXPECT_EQ(access.lanes, e.place.lanes);
      EXPECT_EQ(access.writes, e.writes());
      EXPECT_EQ(access.inBlock, e.inBlock != nullptr);
    });
    EXPECT_EQ(met, effects.memory.size());
  }
}

TEST(Effects, OfABarrierAreTheBlocks) {
  const Effects effects = effectsOf(barrier());
  EXPECT_EQ(effects.group, Group::Block);
  EXPECT_EQ(effects.signals, std::vector{Token::BlockBarrier});
  EXPECT_EQ(effects.awaits, effects.signals);
  EXPECT_TRUE(meetsBlock(effects));
  EXPECT_FALSE(meetsBlock(effectsOf(std::make_shared<SeqNode>())));
}

TEST(Tokens, EachHasItsRow) {
  for (std::size_t i = 0; i < kTokens.size(); ++i) {
    const TokenRow& row = kTokens[i];
    const SyncTexts* waits = row.find(SyncDoes::Wait);
    ASSERT_TRUE(waits);
    SCOPED_TRACE(std::string(waits->print));
    EXPECT_EQ(row.token, Token(i)) << "in the order of the enumerators";
    for (const SyncTexts& s : row.statements) EXPECT_EQ(s.text.empty(), s.print.empty());
    auto wait = std::make_shared<SyncNode>();
    wait->token = row.token;
    const Effects effects = effectsOf(wait);
    EXPECT_EQ(effects.group, row.group);
    EXPECT_EQ(effects.awaits, std::vector{row.token});
    EXPECT_EQ(effects.signals.size(), row.byArrival ? 1U : 0U);
    // What no arrival completes is counted: by groups that are committed, or by the phases of mbarriers.
    const bool groups = row.find(SyncDoes::Commit) != nullptr, phases = row.find(SyncDoes::Expect) != nullptr;
    EXPECT_EQ(int(row.byArrival) + int(groups) + int(phases), 1);
    if (row.ofSources) {
      EXPECT_TRUE(groups) << "who waits for sources counts what it has started";
    }
    EXPECT_EQ(waits->text.find("{allow}") != std::string_view::npos, groups);
    EXPECT_EQ(waits->text.find("{slot}") != std::string_view::npos, phases);
    if (!groups) continue;
    wait->does = SyncNode::Does::Commit;
    EXPECT_EQ(effectsOf(wait).signals, std::vector{row.token});
    EXPECT_TRUE(effectsOf(wait).awaits.empty());
  }
}

// A statement of the row, on buffers named as its operands.
std::shared_ptr<OperationNode> statementOf(const OperationRow& row) {
  auto n = std::make_shared<OperationNode>();
  n->row = &row;
  for (const OperandRow& operand : row.operands)
    n->places.push_back({ir::makeBuffer(Id{9, 1}, std::string(operand.name), kFloat, {intImm(512)},
                                        operand.inMemory() ? "shared" : "wmma.accumulator"),
                         {intImm(0)},
                         1,
                         true});
  for (std::size_t i = 0; i < row.values.size(); ++i) n->values.push_back(intImm(16));
  return n;
}

// Of a product's operand, as its first combination of elements has it.
DType elementOf(const OperationRow& row, const OperandRow& operand) {
  const ProductTypes& types = row.products.front();
  return operand.name == "d" ? types.result : operand.name == "c" ? types.summand : types.factors;
}

TEST(Operations, EachRowIsCompleteAndItsEffectsAreThoseOfItsOperands) {
  std::set<std::string_view> names;
  for (const OperationFamily* family : operationFamilies()) {
    for (const OperationRow& row : family->rows) {
      SCOPED_TRACE(std::string(row.name));
      EXPECT_TRUE(names.insert(row.name).second) << "a name of its own";
      EXPECT_EQ(findOperation(row.name), &row);
      ASSERT_TRUE(row.run);
      if (isBeside(row.agent)) {
        EXPECT_TRUE(row.completes) << "who works beside the threads tells when it is done";
        EXPECT_TRUE(row.group == Group::Warpgroup || row.operands.front().boxed)
            << "the executor knows the times of boxes and of a warpgroup's products alone: Warp::begin of "
               "core/exec/beside.cpp is to learn those of spans";
      }
      const auto n = statementOf(row);
      const Effects effects = effectsOf(n);
      EXPECT_EQ(effects.row, &row);
      ASSERT_EQ(effects.memory.size(), row.operands.size());
      bool written = false;
      for (const MemoryEffect& e : effects.memory) {
        EXPECT_FALSE(written && !e.writes()) << "reads come before writes";
        written |= e.writes();
        const OperandRow& operand = row.operands[std::size_t(e.operand)];
        ASSERT_EQ(e.tile.has_value(), !operand.isSpan());
        EXPECT_EQ(e.completes, row.completes);
        if (!e.tile) continue;
        EXPECT_EQ(e.tile->rows * e.tile->columns, row.tile.elements(e.tile->operand));
        EXPECT_EQ(e.tile->leading != nullptr, operand.inMemory());
      }
      EXPECT_TRUE(written);
      EXPECT_GE(row.since, 50) << "the oldest GPUs that have it";
      for (const ElementSince& later : row.later) EXPECT_GT(later.since, row.since);
      if (!row.call.empty()) {  // else lowering makes them
        EXPECT_TRUE(isOperation(row.call));
        // The two tables of who executes a call agree.
        EXPECT_EQ(groupOf(row.call), row.group);
        EXPECT_EQ(intrin::groupOf(row.call).value_or(Group::Thread), row.group);
      }
      // What the executor has room for, and how other rooms find operands.
      EXPECT_LE(row.operands.size(), kMostOperands);
      EXPECT_LE(row.values.size(), kMostValues);
      const OperandRow* registers = nullptr;
      for (const OperandRow& operand : row.operands) {
        // Tiles are a group's, spans each thread's own; a byte is the smallest element.
        const int threads = row.group == Group::Thread ? 1 : 32;
        EXPECT_LE(std::size_t(operand.bytes * threads), kMostTileElements);
        if (!operand.inMemory() && !registers) registers = &operand;
        if (row.group == Group::Thread) {
          EXPECT_TRUE((operand.isSpan() || operand.boxed) && operand.inMemory());
          continue;
        }
        // A warpgroup multiplies what is in shared memory.
        const bool warpgroup = row.group == Group::Warpgroup;
        const bool factor = operand.name == "a" || operand.name == "b";
        EXPECT_EQ(operand.name == "m" || (warpgroup && factor), operand.inMemory());
        if (!operand.isSpan()) {
          // Each of its four warps computes a quarter of the rows.
          const int warps = warpgroup && operand.operand != Operand::B ? 4 : 1;
          const int elements = row.tile.elements(operand.operand) / warps;
          EXPECT_GT(elements, 0);
          EXPECT_LE(std::size_t(elements), kMostTileElements);
          EXPECT_EQ(operand.leading >= 0 && std::size_t(operand.leading) < row.values.size(), operand.inMemory());
        }
        if (operand.held) {
          const DType element = row.multiplies()         ? elementOf(row, operand)
                                : operand.dtypes.empty() ? kFloat
                                                         : operand.dtypes.front();
          if (operand.isSpan()) {
            EXPECT_EQ(row.tile.elements(operand.operand) * element.bytes(), operand.bytes * threads) << operand.name;
          }
          EXPECT_EQ(operand.held(operand.operand, element).outputs()[0].extent, row.tile.rows(operand.operand));
          // A warpgroup's sum is of equal parts of a few columns, one after the other.
          const std::int64_t columns = operand.held(operand.operand, element).outputs()[1].extent;
          EXPECT_EQ(warpgroup ? row.tile.columns(operand.operand) % columns : columns,
                    warpgroup ? 0 : row.tile.columns(operand.operand));
        }
      }
      if (row.group != Group::Thread) {
        ASSERT_TRUE(registers);
        EXPECT_EQ(registers->name, "d");
      }
      if (row.multiplies()) {
        for (const char* name : {"d", "a", "b", "c"}) EXPECT_GE(row.find(name), 0) << name;
      }
      // Each operand and value is named in both texts.
      const auto named = [](const BufferPlace& p) { return "<" + p.buffer->name + ">"; };
      // A map stands for the matrix in global memory that it tells of.
      const auto number = [](int) { return std::string("<to><from>"); };
      const OperandTexts texts{named,  named, named, named, [](const Expr&) { return std::string("<value>"); },
                               number, number};
      for (std::string_view text : {row.text, row.print}) {
        const std::string made = filled(text, *n, texts);
        EXPECT_EQ(made.find("{d}"), std::string::npos) << made;
        for (const OperandRow& operand : row.operands) {
          // wgmma adds to the registers that it writes.
          if (row.agent == Agent::TensorCore && operand.name == "c" && text == row.text) continue;
          EXPECT_THAT(made, testing::HasSubstr("<" + std::string(operand.name) + ">"));
        }
      }
    }
  }
  EXPECT_GE(names.size(), 12U);
}

TEST(Operations, ATextBeginsWithWhatItsStatementsNeed) {
  const Stmt product = statementOf(*findOperation("wmma.mma")), fill = statementOf(*findOperation("wmma.fill.a"));
  EXPECT_THAT(preamblesOf(seq({barrier(), fill, product})),
              testing::ElementsAre(testing::StartsWith("#include <mma.h>\n")));
  EXPECT_TRUE(preamblesOf(barrier()).empty());
}

// A call on a fragment is one family's, and in it one row's.
TEST(Operations, NoTwoRowsAreReadFromTheSameCall) {
  for (const OperationFamily* family : operationFamilies()) {
    for (const OperationRow& row : family->rows) {
      if (row.call.empty()) continue;  // lowering makes them
      for (const OperationFamily* other : operationFamilies()) {
        if (other != family && other->has(row.call)) {
          ASSERT_TRUE(family->fragments && other->fragments) << row.name;
          EXPECT_NE(family->fragments->name, other->fragments->name) << row.name;
        }
      }
      for (const OperationRow& other : family->rows) {
        if (&other == &row || other.call != row.call) continue;
        bool differs = row.operands.size() != other.operands.size() || row.tile != other.tile;
        for (std::size_t i = 0; !differs && i < row.operands.size(); ++i) {
          const OperandRow &a = row.operands[i], &b = other.operands[i];
          // Of a sum that is wider a row takes columns.
          differs = a.operand != b.operand || a.bytes != b.bytes || (a.first < 0) != (b.first < 0) ||
                    (a.inMemory() && a.rowMajor != b.rowMajor) ||
                    (!a.dtypes.empty() && std::ranges::none_of(a.dtypes, [&](DType t) { return b.takes(t); }));
        }
        auto shared = [&](const ProductTypes& p) {
          return std::ranges::any_of(other.products, [&](const ProductTypes& q) {
            return p.factors == q.factors && p.summand == q.summand && p.result == q.result;
          });
        };
        if (row.multiplies()) differs = differs || std::ranges::none_of(row.products, shared);
        EXPECT_TRUE(differs) << row.name << " and " << other.name;
      }
    }
  }
}

TEST(Operations, ScopesSayWhichFragmentsHaveOperations) {
  for (const layout::FragmentScope& scope : layout::fragmentScopes()) {
    const FragmentFamily* family = familyOf(scope.name);
    ASSERT_EQ(family != nullptr, scope.operations) << scope.name;
    if (scope.operations) {
      EXPECT_EQ(family->name, scope.family());
    }
    EXPECT_EQ(layout::scopeOf(scope.family(), scope.operand), scope.name);
  }
  for (const char* other : {"global", "shared", "local", "warp", "wmma", "wmma.matrix_c"})
    EXPECT_FALSE(layout::isFragmentScope(other)) << other;
}

TEST(Operations, ProductsAreThoseOfMatrices) {
  const DType half = DType::Float(16), single = DType::Float(32), byte = DType::UInt(8), word = DType::Int(32);
  for (const ProductTile& t : {ProductTile{16, 16, 16}, ProductTile{32, 8, 16}, ProductTile{8, 32, 16}}) {
    const OperationRow* found = findProduct(t, half, single);
    ASSERT_TRUE(found);
    EXPECT_EQ(findProduct(t, DType::BFloat(16), single), found);
    EXPECT_EQ(findProduct(t, byte, word), found);
    EXPECT_EQ(findProduct(t, byte, single), nullptr);
    const OperationRow& mma = *found;
    const auto size = [&](Operand o) { return std::size_t(t.elements(o)); };
    std::vector<double> a(size(Operand::A)), b(size(Operand::B)), c(size(Operand::Accumulator)), d(c.size(), -1);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = double(i % 7) - 3;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = double(i % 5) - 2;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = double(i % 3);
    mma.run(
        std::array<TileView, 4>{
            {{d.data(), t.m, t.n}, {a.data(), t.m, t.k}, {b.data(), t.k, t.n}, {c.data(), t.m, t.n}}},
        {});
    for (int m = 0; m < t.m; ++m) {
      for (int n = 0; n < t.n; ++n) {
        double sum = c[std::size_t(m * t.n + n)];
        for (int k = 0; k < t.k; ++k) sum += a[std::size_t(m * t.k + k)] * b[std::size_t(k * t.n + n)];
        EXPECT_EQ(d[std::size_t(m * t.n + n)], sum) << m << ", " << n;
      }
    }
    EXPECT_EQ(mma.flops(), 2.0 * 16 * 16 * 16);
  }
}

}  // namespace
}  // namespace loom::device::effects_test
