#include "core/gpu/workload.h"

#include <fmt/format.h>

#include "core/codegen/expression.h"
#include "core/ir/element_layout.h"
#include "core/ir/equal.h"

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

std::optional<std::int64_t> extentOf(const IterVar& iter) {
  auto* n = asInt(iter.domain.extent);
  return n ? std::optional(n->value) : std::nullopt;
}

const BlockNode* soleBlock(const Function& f) {
  Stmt s = f->body->block->body;
  while (auto* loop = asFor(s)) s = loop->body;
  auto* realize = asRealize(s);
  return realize ? realize->block.get() : nullptr;
}

bool isVar(const Expr& e, const IterVar& iter) { return e == Expr(iter.var); }

}  // namespace

std::optional<Matmul> recognizeMatmul(const Function& f) {
  const BlockNode* block = soleBlock(f);
  if (!block || block->iters.size() != 3 || !block->init || block->body->kind != StmtKind::Store) return std::nullopt;
  const auto& store = *as<StoreNode>(block->body);
  auto* sum = asBinary(store.value, ExprKind::Add);
  if (!sum || store.indices.size() != 2) return std::nullopt;
  auto* before = asLoad(sum->a);
  auto* product = asBinary(sum->b, ExprKind::Mul);
  if (!before || before->buffer != store.buffer || !product) return std::nullopt;
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
  Matmul m;
  m.aTransposed = isVar(x->indices[0], *reduce);
  m.bTransposed = isVar(y->indices[1], *reduce);
  auto rows = extentOf(*row), columns = extentOf(*column), depth = extentOf(*reduce);
  if (!rows || !columns || !depth) return std::nullopt;
  m.m = *rows;
  m.n = *columns;
  m.k = *depth;
  m.input = x->buffer->dtype;
  m.output = m.accumulator = store.buffer->dtype;
  m.a = m.b = m.d = -1;
  for (std::size_t i = 0; i < f->params.size(); ++i) {
    if (f->params[i].buffer == x->buffer) m.a = int(i);
    if (f->params[i].buffer == y->buffer) m.b = int(i);
    if (f->params[i].buffer == store.buffer) m.d = int(i);
  }
  if (m.a < 0 || m.b < 0 || m.d < 0) return std::nullopt;
  const std::pair<std::optional<MatrixPlaces>*, const BufferNode*> matrices[] = {
      {&m.ownA, x->buffer.get()}, {&m.ownB, y->buffer.get()}, {&m.ownD, store.buffer.get()}};
  for (const auto& [own, buffer] : matrices) {
    const auto layout = elementLayout(*buffer);
    if (!layout || layout->lowest() < 0) return std::nullopt;
    if (!layout->compact()) *own = MatrixPlaces{layout->start, layout->strides[0], layout->strides[1]};
  }
  return m;
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

std::string referenceSource(const Matmul& m) {
  std::string include =
      m.input.bits == 16 && m.input.isFloat()
          ? (m.input.code == DType::Code::BFloat ? "#include <cuda_bf16.h>\n" : "#include <cuda_fp16.h>\n")
          : "";
  std::string wide = m.input.isFloat() && m.input.bits < 32 ? "double(float({}))" : "double({})";
  auto term = [](const char* index, std::int64_t stride) {
    return stride == 1 ? std::string(index) : fmt::format("{} * {}", index, stride);
  };
  // The larger stride first, as one writes it.
  auto element = [&](const char* name, const MatrixPlaces& at, const char* row, const char* column) {
    const std::string r = term(row, at.row), c = term(column, at.column);
    return fmt::format("{}[{}{}]", name, at.start ? fmt::format("{} + ", at.start) : "",
                       at.row >= at.column ? r + " + " + c : c + " + " + r);
  };
  std::string a = element("A", m.placesA(), "i", "p");
  std::string b = element("B", m.placesB(), "p", "j");
  std::string text = include;
  text += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__(256) reference(const {0}* A, const {0}* B, double* D, double* S) "
      "{{\n",
      codegen::typeName(m.input));
  text += fmt::format("  long long at = blockIdx.x * 256ll + threadIdx.x;\n  if (at >= {}ll) return;\n", m.m * m.n);
  text += fmt::format("  long long i = at / {0}, j = at % {0};\n  double sum = 0, size = 0;\n", m.n);
  text += fmt::format("  for (long long p = 0; p < {}; ++p) {{\n", m.k);
  text += fmt::format("    double product = {} * {};\n", fmt::format(fmt::runtime(wide), a),
                      fmt::format(fmt::runtime(wide), b));
  text += "    sum += product;\n    size += fabs(product);\n  }\n  D[at] = sum;\n  S[at] = size;\n}\n";
  return text;
}

}  // namespace loom::gpu
