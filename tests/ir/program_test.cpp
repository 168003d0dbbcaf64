#include <gtest/gtest.h>

#include <functional>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/verify.h"
#include "core/ir/visit.h"

using namespace loom::ir;
using loom::ir::Id;

namespace {

// for i in range(n): with block("B"): vi = spatial(n, i); B[vi] = A[vi] + 1
struct Program {
  IdSource ids{0};
  Buffer a = makeBuffer(ids.next(), "A", DType::Float(32), {intImm(16)});
  Buffer b = makeBuffer(ids.next(), "B", DType::Float(32), {intImm(16)});
  Var i = makeVar("i"), vi = makeVar("vi");
  Function f;

  explicit Program(std::function<void(BlockNode&)> change = nullptr) {
    BlockNode block;
    block.id = ids.next();
    block.name = "B";
    block.iters = {{vi, {intImm(0), intImm(16)}, IterType::Spatial}};
    block.reads = {{a, {{vi, intImm(1)}}}};
    block.writes = {{b, {{vi, intImm(1)}}}};
    block.body = store(b, load(a, {vi}) + floatImm(1, DType::Float(32)), {vi});
    if (change) change(block);
    auto loop = std::make_shared<ForNode>();
    loop->id = ids.next();
    loop->var = i;
    loop->min = intImm(0);
    loop->extent = intImm(16);
    loop->body = realize({i}, boolImm(true), std::make_shared<const BlockNode>(block));
    BlockNode root;
    root.id = ids.next();
    root.name = "root";
    root.body = loop;
    FunctionNode fn;
    fn.name = "main";
    fn.params = {{makeVar("a", DType::Handle()), a}, {makeVar("b", DType::Handle()), b}};
    fn.body = realize({}, boolImm(true), std::make_shared<const BlockNode>(root));
    f = std::make_shared<const FunctionNode>(fn);
  }
};

TEST(Equal, IgnoresNamesAndIdentityOfWhatIsBound) {
  Program p, q;
  EXPECT_TRUE(structuralEqual(p.f, q.f));
  EXPECT_FALSE(structuralEqual(Stmt(p.f->body), Stmt(q.f->body)));  // the buffers are free in the body alone
}

TEST(Equal, SeesEveryDifference) {
  Program p;
  std::function<void(BlockNode&)> changes[] = {
      [](BlockNode& b) { b.name = "C"; },
      [](BlockNode& b) { b.iters[0].type = IterType::Reduce; },
      [](BlockNode& b) { b.iters[0].domain.extent = intImm(8); },
      [](BlockNode& b) { b.reads.clear(); },
      [](BlockNode& b) { b.annotations["k"] = {intImm(1)}; },
      [](BlockNode& b) { b.init = b.body; },
      [](BlockNode& b) {
        b.allocs.push_back(makeBuffer({7, 7}, "X", DType::Int(8), {intImm(1)}));
      },
  };
  for (const auto& change : changes) EXPECT_FALSE(structuralEqual(p.f, Program(change).f));
}

TEST(Equal, FreeVariablesAreThemselvesOnly) {
  Expr x = makeVar("x"), y = makeVar("x");
  EXPECT_TRUE(structuralEqual(x + 1, x + 1));
  EXPECT_FALSE(structuralEqual(x + 1, y + 1));
  EXPECT_FALSE(structuralEqual(intImm(1), intImm(1, DType::Int(64))));
  EXPECT_FALSE(structuralEqual(Expr(intImm(1)), Expr(nullptr)));
}

TEST(Equal, LetsAreComparedUpToTheirVariable) {
  Var x = makeVar("x"), y = makeVar("y");
  Expr a = std::make_shared<LetNode>(x, intImm(1), Expr(x) + 1),
       b = std::make_shared<LetNode>(y, intImm(1), Expr(y) + 1);
  EXPECT_TRUE(structuralEqual(a, b));
  EXPECT_EQ(structuralHash(a), structuralHash(b));
}

TEST(Hash, AgreesWithEquality) {
  Program p;
  Expr x = p.i;
  EXPECT_EQ(structuralHash(load(p.a, {x + 1})), structuralHash(load(p.a, {x + 1})));
  EXPECT_NE(structuralHash(x + 1), structuralHash(x + 2));
}

TEST(Mutator, ReturnsTheSameNodeWhenNothingChanges) {
  Program p;
  Mutator m;
  EXPECT_EQ(m.rewrite(Stmt(p.f->body)), Stmt(p.f->body));
  EXPECT_EQ(substitute(Stmt(p.f->body), VarMap{}), Stmt(p.f->body));
}

TEST(Substitute, KeepsTheShapeOfTheTree) {
  Var x = makeVar("x");
  Expr e = substitute(Expr(x) + 5, VarMap{{x.get(), intImm(0)}});
  EXPECT_EQ(e->kind, ExprKind::Add);
}

TEST(Substitute, ReachesShapesOfBuffers) {
  Var n = makeVar("n");
  auto buffer = makeBuffer({0, 1}, "A", DType::Float(32), {n});
  Expr e = substitute(load(buffer, {intImm(0)}), VarMap{{n.get(), intImm(4)}});
  EXPECT_TRUE(isConst(asLoad(e)->buffer->shape[0], 4));
}

TEST(ReplaceBuffers, ReplacesEveryUse) {
  Program p;
  auto local = makeBuffer({0, 9}, "A_local", DType::Float(16), {intImm(16)}, "local");
  Stmt s = replaceBuffers(Stmt(p.f->body), {{p.a.get(), local}});
  int uses = 0;
  forEachExpr(s, [&](const Expr& e) {
    if (auto* l = asLoad(e)) uses += l->buffer == local && e->dtype == DType::Float(16);
  });
  EXPECT_EQ(uses, 1);
  EXPECT_EQ(asRealize(as<ForNode>(asRealize(s)->block->body)->body)->block->reads[0].buffer, local);
}

TEST(UsesVar, CountsDataPointers) {
  Program p;
  EXPECT_TRUE(usesVar(Stmt(p.f->body), [&](const VarNode* v) { return v == p.a->data.get(); }));
  EXPECT_FALSE(usesVar(Stmt(p.f->body), [](const VarNode*) { return false; }));
}

TEST(ForEachStmt, SkipsWhatIsRefused) {
  Program p;
  int seen = 0;
  forEachStmt(p.f->body, [&](const Stmt& s) { return ++seen, s->kind != StmtKind::For; });
  EXPECT_EQ(seen, 2);
}

TEST(Verify, AcceptsASoundProgram) { EXPECT_EQ(verify(Program().f), std::nullopt); }

struct Broken {
  const char* what;
  std::function<void(BlockNode&)> change;
  const char* words;
};

TEST(Verify, NamesTheBrokenRule) {
  Var stranger = makeVar("stranger");
  Buffer unknown = makeBuffer({3, 1}, "U", DType::Float(32), {intImm(1)});
  const Broken cases[] = {
      {"variable", [&](BlockNode& b) { b.body = evaluate(stranger); }, "stranger is used out of scope"},
      {"values", [](BlockNode& b) { b.iters.clear(); }, "0 iteration variables and 1 values"},
      {"buffer", [&](BlockNode& b) { b.body = store(unknown, floatImm(0, DType::Float(32)), {intImm(0)}); },
       "U is neither parameter"},
      {"rank", [](BlockNode& b) { b.body = evaluate(load(b.reads[0].buffer, {})); }, "rank 1 has 0 indices"},
      {"region", [](BlockNode& b) { b.reads[0].region.clear(); }, "0 ranges for rank 1"},
      {"operands", [](BlockNode& b) { b.body = evaluate(binary(ExprKind::Add, intImm(1), intImm(1, DType::Int(64)))); },
       "int32 and int64"},
      {"stored", [](BlockNode& b) { b.body = store(b.writes[0].buffer, intImm(1), {intImm(0)}); }, "int32 is stored"},
      {"ids",
       [](BlockNode& b) {
         b.allocs = {makeBuffer({0, 1}, "X", DType::Int(8), {intImm(1)})};
       },
       "another one has"},
      {"no id", [](BlockNode& b) { b.id = {}; }, "without an id"},
      {"sequence",
       [](BlockNode& b) {
         auto s = std::make_shared<SeqNode>();
         s->stmts = {b.body};
         b.body = s;
       },
       "fewer than two"},
      {"region variable", [&](BlockNode& b) { b.reads[0].region[0].min = stranger; }, "stranger is used"},
  };
  for (const auto& c : cases) {
    auto problem = verify(Program(c.change).f);
    ASSERT_TRUE(problem) << c.what;
    EXPECT_NE(problem->find(c.words), std::string::npos) << c.what << ": " << *problem;
  }
}

TEST(Verify, MayAcceptDanglingVariablesInRegionsOnly) {
  Var stranger = makeVar("stranger");
  Program region([&](BlockNode& b) { b.reads[0].region[0].min = stranger; });
  EXPECT_EQ(verify(region.f, Dangling::InRegions), std::nullopt);
  Program body([&](BlockNode& b) { b.body = evaluate(stranger); });
  EXPECT_TRUE(verify(body.f, Dangling::InRegions));
}

}  // namespace
