#include "core/script/printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/ir/build.h"

namespace loom::script::printer_test {
namespace {

using namespace ir;
using ir::Parameter;

const DType kInt = DType::Int(32);
const DType kHalf = DType::Float(16);
const DType kFloat = DType::Float(32);

Stmt loop(Var v, Expr extent, Stmt body, ForKind kind = ForKind::Serial, std::string thread = "", Annotations a = {}) {
  auto n = std::make_shared<ForNode>();
  n->id = {0, 100};
  n->var = std::move(v);
  n->min = intImm(0);
  n->extent = std::move(extent);
  n->forKind = kind;
  n->thread = std::move(thread);
  n->annotations = std::move(a);
  n->body = std::move(body);
  return n;
}

BufferRegion point(const Buffer& b, const std::vector<Expr>& at) {
  BufferRegion r{b, {}};
  for (const Expr& e : at) r.region.push_back({e, intImm(1)});
  return r;
}

IterVar iter(Var v, std::int64_t extent, IterType type = IterType::Spatial) {
  return {std::move(v), {intImm(0), intImm(extent)}, type};
}

Module moduleOf(std::vector<Parameter> params, std::vector<Buffer> allocs, Stmt body, bool isPublic = true) {
  auto root = std::make_shared<BlockNode>();
  root->name = "root";
  root->allocs = std::move(allocs);
  root->body = std::move(body);
  auto f = std::make_shared<FunctionNode>();
  f->name = "main";
  f->params = std::move(params);
  if (isPublic) f->attrs["global_symbol"] = {stringImm("main")};
  f->body = std::static_pointer_cast<const BlockRealizeNode>(realize({}, boolImm(true), root));
  return Module{{f}, {}};
}

std::string bodyOf(const std::string& text) {
  auto at = text.find("    def main");
  return at == std::string::npos ? text : text.substr(text.find('\n', at) + 1);
}

struct Matmul {
  Buffer x = makeBuffer({0, 1}, "X", kHalf, {intImm(64), intImm(64)});
  Buffer y = makeBuffer({0, 2}, "Y", kHalf, {intImm(64), intImm(64)});
  Buffer z = makeBuffer({0, 3}, "Z", kFloat, {intImm(64), intImm(64)});
  Var i = makeVar("i"), j = makeVar("j"), k = makeVar("k"), vi = makeVar("vi"), vj = makeVar("vj"), vk = makeVar("vk");

  std::vector<Parameter> params() const {
    auto handle = [](const char* name) { return makeVar(name, DType::Handle()); };
    return {{handle("a"), x}, {handle("b"), y}, {handle("c"), z}};
  }
  Stmt block(std::vector<Expr> values, Expr predicate = boolImm(true)) const {
    auto b = std::make_shared<BlockNode>();
    b->id = {0, 9};
    b->name = "Z";
    b->iters = {iter(vi, 64), iter(vj, 64), iter(vk, 64, IterType::Reduce)};
    b->reads = {point(x, {vi, vk}), point(y, {vj, vk})};
    b->writes = {point(z, {vi, vj})};
    b->init = store(z, floatImm(0, kFloat), {vi, vj});
    b->body = store(z, load(z, {vi, vj}) + cast(kFloat, load(x, {vi, vk})) * cast(kFloat, load(y, {vj, vk})), {vi, vj});
    return realize(std::move(values), std::move(predicate), b);
  }
};

TEST(Printer, PrintsTheMatrixMultiplicationAsTvmDoes) {
  Matmul m;
  Script s = print(moduleOf(
      m.params(), {}, loop(m.i, intImm(64), loop(m.j, intImm(64), loop(m.k, intImm(64), m.block({m.i, m.j, m.k}))))));
  EXPECT_EQ(s.text, R"(# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((64, 64), "float16"), Y: T.Buffer((64, 64), "float16"), Z: T.Buffer((64, 64), "float32")):
        # with T.block("root"):
        for i, j, k in T.grid(64, 64, 64):
            with T.block("Z"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(X[vi, vk], Y[vj, vk])
                T.writes(Z[vi, vj])
                with T.init():
                    Z[vi, vj] = T.float32(0.0)
                Z[vi, vj] = Z[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", Y[vj, vk]))");
}

TEST(Printer, SpansPointAtTheTextOfTheirThing) {
  Matmul m;
  Script s = print(moduleOf(
      m.params(), {}, loop(m.i, intImm(64), loop(m.j, intImm(64), loop(m.k, intImm(64), m.block({m.i, m.j, m.k}))))));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= s.text.size();) {
    auto end = std::min(s.text.find('\n', at), s.text.size());
    lines.push_back(s.text.substr(at, end - at));
    at = end + 1;
  }
  std::vector<std::string> loads, stores, loops, buffers, blocks;
  for (const Span& span : s.spans) {
    if (span.line0 != span.line1) continue;
    auto& line = lines.at(static_cast<std::size_t>(span.line0));
    std::string text =
        line.substr(static_cast<std::size_t>(span.col0), static_cast<std::size_t>(span.col1 - span.col0));
    if (span.what == Span::What::Load) loads.push_back(text);
    if (span.what == Span::What::Store) stores.push_back(text);
    if (span.what == Span::What::Loop) loops.push_back(text);
    if (span.what == Span::What::Buffer) buffers.push_back(text);
    if (span.what == Span::What::Block) blocks.push_back(text);
  }
  EXPECT_EQ(loads, (std::vector<std::string>{"Z[vi, vj]", "X[vi, vk]", "Y[vj, vk]"}));
  EXPECT_EQ(stores, (std::vector<std::string>{"Z[vi, vj]", "Z[vi, vj]"}));
  EXPECT_EQ(loops, (std::vector<std::string>{"i", "j", "k"}));
  EXPECT_EQ(buffers, (std::vector<std::string>{"X", "Y", "Z"}));
  EXPECT_EQ(blocks, (std::vector<std::string>{"T.block(\"root\")", "T.block(\"Z\")"}));
  auto body =
      std::find_if(s.spans.begin(), s.spans.end(), [](const Span& x) { return x.what == Span::What::BlockBody; });
  ASSERT_NE(body, s.spans.end());
  EXPECT_EQ(body->line0, 9);
  EXPECT_EQ(body->line1, 15);
  EXPECT_EQ(body->id, (Id{0, 9}));
}

TEST(Printer, RemapsRunsOnlyWhereTheLoopIsTheWholeDomain) {
  Matmul m;
  Var i0 = makeVar("i_0"), i1 = makeVar("i_1");
  Stmt block = m.block({Expr(i0) * 16 + i1, m.j, m.k}, lt(Expr(i0) * 16 + i1, intImm(60)));
  Script s = print(moduleOf(m.params(), {},
                            loop(i0, intImm(4),
                                 loop(i1, intImm(16), loop(m.j, intImm(64), loop(m.k, intImm(63), block)),
                                      ForKind::ThreadBinding, "threadIdx.x"))));
  EXPECT_THAT(s.text, testing::HasSubstr(R"(        # with T.block("root"):
        for i_0 in range(4):
            for i_1 in T.thread_binding(16, thread="threadIdx.x"):
                for j, k in T.grid(64, 63):
                    with T.block("Z"):
                        vi = T.axis.spatial(64, i_0 * 16 + i_1)
                        vj = T.axis.spatial(64, j)
                        vk = T.axis.reduce(64, k)
                        T.where(i_0 * 16 + i_1 < 60)
                        T.reads(X[vi, vk], Y[vj, vk])
)"));
}

TEST(Printer, DeclaresVariablesThatSomePrimitivesLeaveUndefined) {
  // cache_inplace leaves the bindings of a copy with iteration variables of the block beside it.
  Buffer x = makeBuffer({0, 1}, "X", kFloat, {intImm(64)});
  Buffer local = makeBuffer({0, 2}, "X_local", kFloat, {intImm(64)}, "local");
  Var i = makeVar("i"), vi = makeVar("vi"), ax = makeVar("ax0"), v0 = makeVar("v0");
  auto copy = std::make_shared<BlockNode>();
  copy->name = "X_local";
  copy->iters = {iter(v0, 64)};
  copy->reads = {point(x, {v0})};
  copy->writes = {point(local, {v0})};
  copy->body = store(local, load(x, {v0}), {v0});
  auto use = std::make_shared<BlockNode>();
  use->name = "X";
  use->iters = {iter(vi, 64)};
  use->body = store(x, load(local, {vi}), {vi});
  Stmt body =
      loop(i, intImm(64),
           seq({loop(ax, intImm(1), realize({Expr(vi) + ax}, boolImm(true), copy)), realize({i}, boolImm(true), use)}));
  EXPECT_EQ(bodyOf(print(moduleOf({{makeVar("a", DType::Handle()), x}}, {local}, body)).text),
            R"(        # with T.block("root"):
        X_local = T.alloc_buffer((64,), scope="local")
        for i in range(64):
            vi = T.int32()
            for ax0 in range(1):
                with T.block("X_local"):
                    v0 = T.axis.spatial(64, vi + ax0)
                    T.reads(X[v0])
                    T.writes(X_local[v0])
                    X_local[v0] = X[v0]
            with T.block("X"):
                vi = T.axis.spatial(64, i)
                T.reads()
                T.writes()
                X[vi] = X_local[vi])");
}

TEST(Printer, DefinesSymbolicShapesBeforeTheBufferAndInlinesStrides) {
  Var a = makeVar("a", DType::Handle()), b = makeVar("b", DType::Handle());
  Var m = makeVar("m"), k = makeVar("k", DType::Int(64)), s0 = makeVar("s0"), s1 = makeVar("s1"), o = makeVar("o");
  auto first = std::make_shared<BufferNode>(*makeBuffer({0, 1}, "A", kHalf, {m, k}, "shared.dyn"));
  first->strides = {s0, s1};
  first->elemOffset = o;
  first->dataAlignment = 128;
  first->offsetFactor = 16;
  auto second = std::make_shared<BufferNode>(*makeBuffer({0, 2}, "B", kFloat, {m, Expr(m) * 2}));
  second->strides = {s0, intImm(1)};
  Stmt body =
      seq({evaluate(first->data), evaluate(Expr(o) + s1 + s0),
           loop(makeVar("i"), intImm(4), evaluate(call(DType::Void(), "tvm_storage_sync", {stringImm("shared")})),
                ForKind::ThreadBinding, "threadIdx.x", {{"q", {intImm(1)}}})});
  Module module = moduleOf({{a, first}, {b, second}}, {makeBuffer({0, 5}, "C.l", kFloat, {intImm(4)})}, body, false);
  EXPECT_THAT(print(module).text, testing::EndsWith(R"(    @T.prim_func(private=True)
    def main(a: T.handle, b: T.handle):
        m, k = T.int32(), T.int64()
        A = T.match_buffer(a, (m, k), "float16", strides=("s0", "s1"), scope="shared.dyn", align=128, offset_factor=16)
        B = T.match_buffer(b, (m, m * 2), strides=(A.strides[0], 1))
        # with T.block("root"):
        C_l = T.alloc_buffer((4,))
        T.evaluate(A.data)
        T.evaluate(A.elem_offset + A.strides[1] + A.strides[0])
        for i in T.thread_binding(4, thread="threadIdx.x", annotations={"q": 1}):
            T.tvm_storage_sync("shared"))"));
}

TEST(Printer, NamesAreUniqueInsideTheirScopeOnly) {
  Buffer b = makeBuffer({0, 1}, "i", kFloat, {intImm(4)});
  auto each = [&](const char* name) {
    Var v = makeVar(name);
    return loop(v, intImm(4), store(b, floatImm(1, kFloat), {v}));
  };
  EXPECT_EQ(bodyOf(print(moduleOf({}, {b}, seq({each("i"), each("i"), each("T"), each("a.b")}))).text),
            R"(        # with T.block("root"):
        i = T.alloc_buffer((4,))
        for i_1 in range(4):
            i[i_1] = T.float32(1.0)
        for i_1 in range(4):
            i[i_1] = T.float32(1.0)
        for T_1 in range(4):
            i[T_1] = T.float32(1.0)
        for a_b in range(4):
            i[a_b] = T.float32(1.0))");
}

TEST(Printer, LetAndAttrShrinkOnlyAtTheEndOfABody) {
  Var n = makeVar("n"), x = makeVar("x");
  auto attribute = [&](Stmt body) {
    auto a = std::make_shared<AttrNode>();
    a->node = intImm(0);
    a->key = "pragma";
    a->value = intImm(1);
    a->body = std::move(body);
    return a;
  };
  auto let = std::make_shared<LetStmtNode>();
  let->var = x;
  let->value = Expr(n) + 1;
  let->body = seq({attribute(evaluate(x)), attribute(evaluate(n))});
  Stmt branch =
      ifThen(lt(n, intImm(1)), evaluate(n), ifThen(lt(intImm(2), n), evaluate(call(DType::Void(), "ret", {n}))));
  Stmt body = seq({Stmt(let), loop(makeVar("i"), intImm(2), Stmt(let)), branch});
  EXPECT_EQ(bodyOf(print(moduleOf({{n, nullptr}}, {makeBuffer({0, 1}, "A", kFloat, {})}, body)).text),
            R"(        # with T.block("root"):
        A = T.alloc_buffer(())
        with T.LetStmt(n + 1) as x:
            with T.attr(0, "pragma", 1):
                T.evaluate(x)
            T.attr(0, "pragma", 1)
            T.evaluate(n)
        for i in range(2):
            x: T.int32 = n + 1
            with T.attr(0, "pragma", 1):
                T.evaluate(x)
            T.attr(0, "pragma", 1)
            T.evaluate(n)
        if n < 1:
            T.evaluate(n)
        else:
            if 2 < n:
                return n)");
}

TEST(Printer, AnnotationsKeepHowTheirNumbersWereWritten) {
  Annotations a;
  a["typed"] = {floatImm(0.5, kFloat), true};
  a["plain"] = {floatImm(0.1, kFloat)};
  a["flag"] = {boolImm(true)};
  a["typed_flag"] = {boolImm(true), true};
  a["list"] = {AnnotationList{
      {intImm(1)}, {stringImm("x\ty\"q\\ \x01\xC3\xA9")}, {Annotations{{"b", {intImm(3, DType::Int(64)), true}}}}}};
  EXPECT_EQ(
      printAnnotation({a}),
      R"({"flag": True, "list": [1, "x\ty\"q\\ \x01\xC3\xA9", {"b": T.int64(3)}], "plain": 0.10000000000000001, "typed": T.float32(0.5), "typed_flag": T.bool(True)})");
}

TEST(Printer, ParenthesesFollowPython) {
  Expr x = makeVar("x"), y = makeVar("y.z");
  auto node = [](ExprKind k, Expr a, Expr b) { return binary(k, std::move(a), std::move(b)); };
  EXPECT_EQ(printExpr(x + y * 2 - (x - y) - 1), "x + y_z * 2 - (x - y_z) - 1");
  EXPECT_EQ(printExpr(x * (y * x)), "x * (y_z * x)");
  EXPECT_EQ(printExpr(x * y * x), "x * y_z * x");
  EXPECT_EQ(printExpr((x + y) * x), "(x + y_z) * x");
  EXPECT_EQ(printExpr(andOf(lt(x, y), orOf(lt(x, y), lt(y, x)))), "x < y_z and (x < y_z or y_z < x)");
  EXPECT_EQ(printExpr(notOf(notOf(lt(x, y)))), "not not x < y_z");
  EXPECT_EQ(printExpr(notOf(andOf(lt(x, y), lt(y, x)))), "not (x < y_z and y_z < x)");
  EXPECT_EQ(printExpr(node(ExprKind::Sub, y, intImm(-3))), "y_z - -3");
  EXPECT_EQ(printExpr(floordiv(x, intImm(4)) + floormod(x, intImm(4))), "x // 4 + x % 4");
}

TEST(Printer, OperatorsThatWouldFoldAreCalls) {
  Expr x = makeVar("x"), y = makeVar("y");
  EXPECT_EQ(printExpr(binary(ExprKind::Add, intImm(1), intImm(2))), "T.Add(1, 2)");
  EXPECT_EQ(printExpr(binary(ExprKind::Mul, x, intImm(1))), "T.Mul(x, 1)");
  EXPECT_EQ(printExpr(binary(ExprKind::Div, x, y)), "T.Div(x, y)");
  EXPECT_EQ(printExpr(binary(ExprKind::Mod, x, y)), "T.truncmod(x, y)");
  EXPECT_EQ(printExpr(binary(ExprKind::And, lt(x, y), boolImm(true))), "T.And(x < y, T.bool(True))");
  EXPECT_EQ(printExpr(minOf(x, maxOf(y, x))), "T.min(x, T.max(y, x))");
  Expr f = makeVar("f", kFloat);
  EXPECT_EQ(printExpr(binary(ExprKind::Div, f, f)), "f / f");
}

TEST(Printer, Literals) {
  EXPECT_EQ(printExpr(intImm(3, DType::Int(64))), "T.int64(3)");
  EXPECT_EQ(printExpr(floatImm(1e30, kFloat)), "T.float32(1000000000000000019884624838656.0)");
  EXPECT_EQ(printExpr(floatImm(0.1, kHalf)), "T.float16(0.10000000000000001)");
  EXPECT_EQ(printExpr(floatImm(-0.0, kFloat)), "T.float32(-0.0)");
  EXPECT_EQ(printExpr(floatImm(std::numeric_limits<double>::infinity(), kFloat)), "T.float32(\"inf\")");
  EXPECT_EQ(printExpr(call(kInt, "call_extern", {stringImm("foo"), intImm(1)})),
            "T.call_extern(\"int32\", \"foo\", 1)");
  EXPECT_EQ(printExpr(call(kHalf, "type_annotation", {})), "T.type_annotation(\"float16\")");
  EXPECT_EQ(printExpr(ramp(makeVar("x"), intImm(1), 4)), "T.Ramp(x, 1, 4)");
}

TEST(Printer, VectorIndicesAreSlices) {
  Buffer b = makeBuffer({0, 1}, "A", kFloat, {intImm(64), intImm(64)});
  Expr x = makeVar("x");
  EXPECT_EQ(printExpr(load(b, {x, ramp(x, intImm(1), 8)})), "A[x, x:x + 8]");
  EXPECT_EQ(printExpr(load(b, {x, ramp(x, intImm(2), 8)})), "A[x, x:x + 16:2]");
  EXPECT_EQ(printRegion({b, {{x * 16, intImm(16)}, {intImm(0), intImm(64)}}}), "A[x * 16:x * 16 + 16, 0:64]");
}

TEST(Printer, TheOtherDialectDiffersInNamesOnly) {
  Matmul m;
  Script s = print(moduleOf(m.params(), {makeBuffer({0, 7}, "t", kFloat, {intImm(4)})},
                            loop(m.i, intImm(64), m.block({m.i, m.i, m.i}))),
                   Dialect::STir);
  EXPECT_THAT(s.text, testing::StartsWith(R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((64, 64), "float16"))"));
  EXPECT_NE(s.text.find("        # with T.sblock(\"root\"):\n        t = T.sblock_alloc_buffer((4,))\n"),
            std::string::npos)
      << s.text;
  EXPECT_NE(s.text.find("with T.sblock(\"Z\"):"), std::string::npos);
}

TEST(Printer, SymbolicShapesOfTheOtherDialectStandInQuotesUntilTheyAreDefined) {
  auto handle = [](const char* name) { return makeVar(name, DType::Handle()); };
  Var m = makeVar("m"), k = makeVar("k"), n = makeVar("n"), s0 = makeVar("s0");
  Buffer a = makeBuffer({0, 1}, "A", kHalf, {m, k}, "shared");
  auto b = std::make_shared<BufferNode>(*makeBuffer({0, 2}, "B", kFloat, {m, Expr(m) * 2, Expr(n) * 2}));
  b->strides = {s0, intImm(8), intImm(1)};
  Module module =
      moduleOf({{handle("a"), a}, {handle("b"), b}, {n, nullptr}}, {}, loop(makeVar("i"), intImm(4), evaluate(n)));
  EXPECT_THAT(print(module, Dialect::STir).text, testing::HasSubstr(R"(
    def main(A: T.Buffer(("m", "k"), "float16", scope="shared"), B: T.Buffer((m, m * 2, "n * 2"), "float32", strides=("s0", 8, 1)), n: T.int32):
        m, k = T.int32(), T.int32()
)"));
}

}  // namespace
}  // namespace loom::script::printer_test
