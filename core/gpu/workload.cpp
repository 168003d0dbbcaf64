#include "core/gpu/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/arith/iter_map.h"
#include "core/codegen/expression.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/equal.h"
#include "core/ir/packed.h"

namespace loom::gpu {
namespace {

using namespace ir;

// The load below any casts.
const LoadNode* operand(const Expr& e) {
  const ExprNode* node = e.get();
  Expr at = e;
  while (node->kind == ExprKind::Cast) {
    at = as<CastNode>(at)->value;
    node = at.get();
  }
  return asLoad(at);
}

// The function's only block below its root, and the loops around it.
struct SoleBlock {
  const BlockRealizeNode* realize = nullptr;
  arith::VarRanges loops;
};

SoleBlock soleBlock(const Function& f) {
  SoleBlock sole;
  Stmt s = f->body->block->body;
  for (const ForNode* loop = asFor(s); loop; loop = asFor(s)) {
    sole.loops.set(loop->var, {loop->min, loop->extent});
    s = loop->body;
  }
  sole.realize = asRealize(s);
  return sole;
}

// Whether the loops run the block exactly once for each value of its iterators.
bool runsOnceEach(const SoleBlock& sole) {
  const auto& [realize, loops] = sole;
  arith::Analyzer analyzer;
  try {
    const auto map = arith::detectIterMap(realize->values, loops, realize->predicate, arith::IterMapLevel::Bijective,
                                          analyzer, false);
    if (!map) return false;
    for (std::size_t i = 0; i < realize->values.size(); ++i) {
      const Range& domain = realize->block->iters[i].domain;
      const arith::IterSumNode& sum = *map.indices[i];
      const bool whole = sum.args.size() == 1 && isConst(sum.args[0]->scale, 1) &&
                         analyzer.canProveEqual(sum.args[0]->extent, domain.extent);
      if (!whole || !isConst(domain.min, 0) || !isConst(sum.base, 0)) return false;
    }
    return true;
  } catch (const std::domain_error&) {  // an iterator divided by 0
    return false;
  }
}

// Whether the block begins its sums with 0.
bool beginsWithZero(const BlockNode& block, const StoreNode& sum) {
  if (!block.init || block.init->kind != StmtKind::Store) return false;
  const auto& init = *as<StoreNode>(block.init);
  return init.buffer == sum.buffer && std::ranges::equal(init.indices, sum.indices, ExprEqual()) && isZero(init.value);
}

bool isVar(const Expr& e, const IterVar& iter) { return e == Expr(iter.var); }

}  // namespace

std::optional<SymbolicMatmul> recognizeSymbolicMatmul(const Function& f) {
  const SoleBlock sole = soleBlock(f);
  const BlockNode* block = sole.realize ? sole.realize->block.get() : nullptr;
  if (!block || block->iters.size() != 3 || block->body->kind != StmtKind::Store) return std::nullopt;
  const auto& store = *as<StoreNode>(block->body);
  if (!beginsWithZero(*block, store) || !runsOnceEach(sole)) return std::nullopt;
  auto* sum = asBinary(store.value, ExprKind::Add);
  if (!sum || store.indices.size() != 2) return std::nullopt;
  auto* before = asLoad(sum->a);
  auto* product = asBinary(sum->b, ExprKind::Mul);
  if (!before || before->buffer != store.buffer || !product ||
      !std::ranges::equal(before->indices, store.indices, ExprEqual()))
    return std::nullopt;
  const IterVar *row = nullptr, *column = nullptr, *reduce = nullptr;
  for (const IterVar& iter : block->iters) {
    if (iter.type == IterType::Reduce && !reduce) {
      reduce = &iter;
    } else if (isVar(store.indices[0], iter)) {
      row = &iter;
    } else if (isVar(store.indices[1], iter)) {
      column = &iter;
    }
  }
  if (!row || !column || !reduce || row == column) return std::nullopt;
  auto *x = operand(product->a), *y = operand(product->b);
  if (!x || !y || x->indices.size() != 2 || y->indices.size() != 2) return std::nullopt;
  auto uses = [](const LoadNode* l, const IterVar& iter) {
    return isVar(l->indices[0], iter) || isVar(l->indices[1], iter);
  };
  if (uses(x, *column)) std::swap(x, y);
  if (!uses(x, *row) || !uses(x, *reduce) || !uses(y, *column) || !uses(y, *reduce)) return std::nullopt;
  if (x->buffer->dtype != y->buffer->dtype) return std::nullopt;
  SymbolicMatmul s;
  Matmul& m = s.types;
  m.aTransposed = isVar(x->indices[0], *reduce);
  m.bTransposed = isVar(y->indices[1], *reduce);
  s.m = row->domain.extent;
  s.n = column->domain.extent;
  s.k = reduce->domain.extent;
  m.input = x->buffer->dtype;
  m.output = m.accumulator = store.buffer->dtype;
  m.a = m.b = m.d = -1;
  int at = 0;
  for (const Parameter& p : f->params) {
    if (!p.buffer) continue;
    if (p.buffer == x->buffer) m.a = at;
    if (p.buffer == y->buffer) m.b = at;
    if (p.buffer == store.buffer) m.d = at;
    ++at;
  }
  if (m.a < 0 || m.b < 0 || m.d < 0) return std::nullopt;
  const std::pair<SymbolicMatmul::Places*, const BufferNode*> matrices[] = {
      {&s.a, x->buffer.get()}, {&s.b, y->buffer.get()}, {&s.d, store.buffer.get()}};
  for (const auto& [places, buffer] : matrices) {
    *places = {buffer->elemOffset, buffer->strides.empty() ? buffer->shape[1] : buffer->strides[0],
               buffer->strides.empty() ? intImm(1) : buffer->strides[1]};
  }
  if (m.aTransposed) std::swap(s.a.row, s.a.column);
  if (m.bTransposed) std::swap(s.b.row, s.b.column);
  return s;
}

std::optional<Matmul> recognizeMatmul(const Function& f) {
  const auto s = recognizeSymbolicMatmul(f);
  if (!s || !asInt(s->m) || !asInt(s->n) || !asInt(s->k)) return std::nullopt;
  Matmul m = s->types;
  m.m = asInt(s->m)->value;
  m.n = asInt(s->n)->value;
  m.k = asInt(s->k)->value;
  std::vector<const BufferNode*> buffers;
  for (const Parameter& p : f->params)
    if (p.buffer) buffers.push_back(p.buffer.get());
  const std::pair<std::optional<MatrixPlaces>*, int> matrices[] = {{&m.ownA, m.a}, {&m.ownB, m.b}, {&m.ownD, m.d}};
  for (const auto& [own, buffer] : matrices) {
    const auto layout = elementLayout(*buffers[std::size_t(buffer)]);
    if (!layout || layout->lowest() < 0) return std::nullopt;
    if (!layout->compact()) *own = MatrixPlaces{layout->start, layout->strides[0], layout->strides[1]};
  }
  return m;
}

Matmul multipliedAs(Matmul matmul, const codegen::Source& source) {
  matmul.factorDigits = source.factorDigits;
  return matmul;
}

namespace {

MatrixPlaces seen(MatrixPlaces stored, bool transposed) {
  if (transposed) std::swap(stored.row, stored.column);
  return stored;
}

}  // namespace

MatrixPlaces Matmul::placesA() const {
  return seen(ownA.value_or(MatrixPlaces{0, aTransposed ? m : k, 1}), aTransposed);
}
MatrixPlaces Matmul::placesB() const {
  return seen(ownB.value_or(MatrixPlaces{0, bTransposed ? k : n, 1}), bTransposed);
}
MatrixPlaces Matmul::placesD() const { return ownD.value_or(MatrixPlaces{0, n, 1}); }

namespace {

// What of the reference hangs on the sizes, as C++.
struct ReferenceText {
  std::string parameters, count, columns, depth, a, b;
};

// The element of a matrix. Of those that share bytes (ir/packed.h) its bits, and their sign.
std::string elementText(DType t, const char* name, const std::string& index) {
  if (!isPacked(t)) return fmt::format("{}[{}]", name, index);
  const int per = perByte(t), bits = t.bits;
  const std::string byte = fmt::format("{}[({}) / {}]", name, index, per),
                    place = fmt::format("({}) % {} * {}", index, per, bits);
  if (t.isUInt()) return fmt::format("({} >> {} & {})", byte, place, (1 << bits) - 1);
  return fmt::format("(int(unsigned({}) << ({} - {})) >> {})", byte, 32 - bits, place, 32 - bits);
}

std::string reference(const Matmul& m, const ReferenceText& t) {
  std::string include;
  if (m.input.isFloat() && m.input.bits == 8) include = "#include <cuda_fp8.h>\n";
  if (m.input.isFloat() && m.input.bits == 16)
    include = m.input.code == DType::Code::BFloat ? "#include <cuda_bf16.h>\n" : "#include <cuda_fp16.h>\n";
  std::string wide = m.input.isFloat() && m.input.bits < 32 ? "double(float({}))" : "double({})";
  std::string text = include;
  text += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__(256) reference(const {0}* A, const {0}* B, double* D, double* "
      "S{1}) "
      "{{\n",
      isPacked(m.input) ? "unsigned char" : codegen::typeName(m.input), t.parameters);
  text += fmt::format("  long long at = blockIdx.x * 256ll + threadIdx.x;\n  if (at >= {}) return;\n", t.count);
  text += fmt::format("  long long i = at / {0}, j = at % {0};\n  double sum = 0, size = 0;\n", t.columns);
  text += fmt::format("  for (long long p = 0; p < {}; ++p) {{\n", t.depth);
  text += fmt::format("    double product = {} * {};\n", fmt::format(fmt::runtime(wide), t.a),
                      fmt::format(fmt::runtime(wide), t.b));
  text += "    sum += product;\n    size += fabs(product);\n  }\n  D[at] = sum;\n  S[at] = size;\n}\n";
  return text;
}

}  // namespace

std::string symbolicReferenceSource(const Matmul& types) {
  return reference(types,
                   {", long long M, long long N, long long K, long long aStart, long long aRow, long long aColumn, "
                    "long long bStart, long long bRow, long long bColumn",
                    "M * N", "N", "K", elementText(types.input, "A", "aStart + i * aRow + p * aColumn"),
                    elementText(types.input, "B", "bStart + p * bRow + j * bColumn")});
}

std::string referenceSource(const Matmul& m) {
  auto term = [](const char* index, std::int64_t stride) {
    return stride == 1 ? std::string(index) : fmt::format("{} * {}", index, stride);
  };
  // The larger stride first, as one writes it.
  auto element = [&](const char* name, const MatrixPlaces& at, const char* row, const char* column) {
    const std::string r = term(row, at.row), c = term(column, at.column);
    return elementText(
        m.input, name,
        (at.start ? fmt::format("{} + ", at.start) : "") + (at.row >= at.column ? r + " + " + c : c + " + " + r));
  };
  return reference(m, {"", fmt::format("{}ll", m.m * m.n), std::to_string(m.n), std::to_string(m.k),
                       element("A", m.placesA(), "i", "p"), element("B", m.placesB(), "p", "j")});
}

}  // namespace loom::gpu
