#include "core/gpu/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// The matrices of a product.
enum Side { kD, kA, kB };

// An iterator of the block: the dimension of each matrix that it indexes; -1: none.
struct Axis {
  Expr extent;
  std::array<int, 3> dimensions;
  bool indexes(Side side) const { return dimensions[side] >= 0; }
};

// A product's matrices, and what indexes them. An iterator is of the rows if it indexes D and A, of the columns if it
// indexes D and B, of the batch if it indexes all three; each kind in the order of D's dimensions. There are rows.
struct Indexed {
  std::array<const BufferNode*, 3> buffers;
  std::vector<Axis> rows, columns, batch;
  Axis sum;
};

// D = A · B as Dᵀ = Bᵀ · Aᵀ.
void transpose(Indexed& p) {
  std::swap(p.buffers[kA], p.buffers[kB]);
  std::swap(p.rows, p.columns);
  std::swap(p.sum.dimensions[kA], p.sum.dimensions[kB]);
  for (std::vector<Axis>* axes : {&p.rows, &p.columns, &p.batch})
    for (Axis& axis : *axes) std::swap(axis.dimensions[kA], axis.dimensions[kB]);
}

std::optional<Indexed> indexedProduct(const Function& f) {
  const SoleBlock sole = soleBlock(f);
  const BlockNode* block = sole.realize ? sole.realize->block.get() : nullptr;
  if (!block || block->body->kind != StmtKind::Store) return std::nullopt;
  const auto& store = *as<StoreNode>(block->body);
  if (!beginsWithZero(*block, store) || !runsOnceEach(sole)) return std::nullopt;
  auto* sum = asBinary(store.value, ExprKind::Add);
  if (!sum) return std::nullopt;
  auto* before = asLoad(sum->a);
  auto* product = asBinary(sum->b, ExprKind::Mul);
  if (!before || before->buffer != store.buffer || !product ||
      !std::ranges::equal(before->indices, store.indices, ExprEqual()))
    return std::nullopt;
  auto *x = operand(product->a), *y = operand(product->b);
  if (!x || !y || x->buffer->dtype != y->buffer->dtype) return std::nullopt;
  Indexed p;
  p.buffers = {store.buffer.get(), x->buffer.get(), y->buffer.get()};
  const std::vector<Expr>* indices[] = {&store.indices, &x->indices, &y->indices};
  std::size_t indexed = 0;  // dimensions
  for (const IterVar& iter : block->iters) {
    Axis axis{iter.domain.extent, {-1, -1, -1}};
    for (const Side side : {kD, kA, kB}) {
      const auto found = std::ranges::find_if(*indices[side], [&](const Expr& e) { return e == Expr(iter.var); });
      if (found == indices[side]->end()) continue;
      axis.dimensions[side] = int(found - indices[side]->begin());
      ++indexed;
    }
    const bool ofA = axis.indexes(kA), ofB = axis.indexes(kB);
    if (iter.type == IterType::Reduce) {
      if (p.sum.extent || axis.indexes(kD) || !ofA || !ofB) return std::nullopt;
      p.sum = axis;
    } else if (axis.indexes(kD) && (ofA || ofB)) {
      (ofA && ofB ? p.batch : ofA ? p.rows : p.columns).push_back(axis);
    } else {
      return std::nullopt;
    }
  }
  // An index that is no iterator, or an iterator that indexes two dimensions.
  if (indexed != indices[kD]->size() + indices[kA]->size() + indices[kB]->size()) return std::nullopt;
  const auto ofD = [](const Axis& axis) { return axis.dimensions[kD]; };
  for (std::vector<Axis>* axes : {&p.rows, &p.columns, &p.batch}) std::ranges::sort(*axes, {}, ofD);
  if (!p.sum.extent || (p.rows.empty() && p.columns.empty())) return std::nullopt;
  if (p.rows.empty() || (!p.columns.empty() && ofD(p.columns.back()) < ofD(p.rows.back()))) transpose(p);
  return p;
}

// Sets the types and the buffers' positions among the parameters; false if one is none.
bool setTypes(const Function& f, const Indexed& p, Matmul& m) {
  m.input = p.buffers[kA]->dtype;
  m.output = m.accumulator = p.buffers[kD]->dtype;
  m.a = m.b = m.d = -1;
  int at = 0;
  for (const Parameter& parameter : f->params) {
    if (!parameter.buffer) continue;
    if (parameter.buffer.get() == p.buffers[kA]) m.a = at;
    if (parameter.buffer.get() == p.buffers[kB]) m.b = at;
    if (parameter.buffer.get() == p.buffers[kD]) m.d = at;
    ++at;
  }
  return m.a >= 0 && m.b >= 0 && m.d >= 0;
}

// Rows, columns, terms of the sums or products of a batch: their number, and the stride in each matrix, 0 where they
// don't index it.
struct Span {
  std::int64_t extent = 1;
  std::array<std::int64_t, 3> strides{};
  std::array<int, 3> dimensions{};
};
using Layouts = std::array<ElementLayout, 3>;

Span spanOf(const Axis& axis, const Layouts& layouts) {
  Span span{asInt(axis.extent)->value, {}, axis.dimensions};
  for (const Side side : {kD, kA, kB})
    if (axis.indexes(side)) span.strides[side] = layouts[side].strides[std::size_t(axis.dimensions[side])];
  return span;
}

// Neighbours in D that lie in all matrices as one iterator would count as that.
std::vector<Span> spansOf(const std::vector<Axis>& axes, const Layouts& layouts) {
  std::vector<Span> spans;
  for (const Axis& axis : axes) {
    Span inner = spanOf(axis, layouts);
    if (inner.extent == 1) continue;
    bool areOne = !spans.empty();
    for (const Side side : {kD, kA, kB})
      areOne = areOne && spans.back().strides[side] == inner.strides[side] * inner.extent;
    if (areOne) {
      inner.extent *= spans.back().extent;
      spans.pop_back();
    }
    spans.push_back(inner);
  }
  if (spans.empty() && !axes.empty()) spans.push_back(spanOf(axes.front(), layouts));
  return spans;
}

}  // namespace

std::optional<SymbolicMatmul> recognizeSymbolicMatmul(const Function& f) {
  auto p = indexedProduct(f);
  if (!p || !p->batch.empty() || p->rows.size() > 1 || p->columns.size() > 1) return std::nullopt;
  if (p->columns.empty()) transpose(*p);  // a vector is a row
  SymbolicMatmul s;
  if (!setTypes(f, *p, s.types)) return std::nullopt;
  const Axis row = p->rows.empty() ? Axis{intImm(1), {-1, -1, -1}} : p->rows[0], column = p->columns[0], sum = p->sum;
  s.types.aTransposed = sum.dimensions[kA] < row.dimensions[kA];
  s.types.bTransposed = sum.dimensions[kB] > column.dimensions[kB];
  s.m = row.extent;
  s.n = column.extent;
  s.k = sum.extent;
  const auto places = [&](Side side, const Axis& first, const Axis& second) {
    const BufferNode& buffer = *p->buffers[side];
    const auto stride = [&](int dimension) -> Expr {
      if (dimension < 0) return intImm(0);
      if (!buffer.strides.empty()) return buffer.strides[std::size_t(dimension)];
      return std::size_t(dimension) + 1 == buffer.shape.size() ? intImm(1) : buffer.shape[1];
    };
    return SymbolicMatmul::Places{buffer.elemOffset, stride(first.dimensions[side]), stride(second.dimensions[side])};
  };
  s.a = places(kA, row, sum);
  s.b = places(kB, sum, column);
  s.d = places(kD, row, column);
  return s;
}

std::optional<Matmul> recognizeMatmul(const Function& f) {
  auto p = indexedProduct(f);
  if (!p) return std::nullopt;
  Layouts layouts;
  for (const Side side : {kD, kA, kB}) {
    const auto layout = elementLayout(*p->buffers[side]);
    if (!layout || layout->lowest() < 0) return std::nullopt;
    layouts[side] = *layout;
  }
  // A vector is a row, which cuBLASLt multiplies without minding where the next one would begin; where D has gaps, a
  // column, because a row of D has none.
  if (p->columns.empty() && layouts[kD].strides[std::size_t(p->rows.back().dimensions[kD])] == 1) {
    transpose(*p);
    std::swap(layouts[kA], layouts[kB]);
  }
  const auto isConstant = [](const Axis& axis) { return asInt(axis.extent) != nullptr; };
  for (const std::vector<Axis>* axes : {&p->rows, &p->columns, &p->batch})
    if (!std::ranges::all_of(*axes, isConstant)) return std::nullopt;
  if (!isConstant(p->sum)) return std::nullopt;
  std::vector<Span> rows = spansOf(p->rows, layouts), columns = spansOf(p->columns, layouts),
                    batches = spansOf(p->batch, layouts);
  const Span sum = spanOf(p->sum, layouts);
  std::erase_if(batches, [](const Span& span) { return span.extent == 1; });
  // Rows of rows, or columns of columns, that don't count as one: some of them count products, whose other factor is
  // the same. Of columns those do whose neighbours in D have gaps between them, of others the fewer.
  for (std::vector<Span>* spans : {&rows, &columns}) {
    if (spans->size() != 2 || !batches.empty()) continue;
    auto counting = std::ranges::min_element(*spans, {}, &Span::extent);
    const auto isApart = [](const Span& span) { return span.strides[kD] != 1; };
    if (spans == &columns && std::ranges::count_if(*spans, isApart) == 1)
      counting = std::ranges::find_if(*spans, isApart);
    batches.push_back(*counting);
    spans->erase(counting);
  }
  if (rows.size() > 1 || columns.size() > 1 || batches.size() > 1) return std::nullopt;
  const Span* row = rows.empty() ? nullptr : &rows[0];
  const Span* column = columns.empty() ? nullptr : &columns[0];
  const Span* batch = batches.empty() ? nullptr : &batches[0];
  Matmul m;
  if (!setTypes(f, *p, m)) return std::nullopt;
  m.m = row ? row->extent : 1;
  m.n = column ? column->extent : 1;
  m.k = sum.extent;
  m.batch = batch ? batch->extent : 1;
  // A row with gaps is a column without.
  m.aTransposed = row ? sum.dimensions[kA] < row->dimensions[kA] : sum.strides[kA] != 1;
  m.bTransposed = column && sum.dimensions[kB] > column->dimensions[kB];
  const auto own = [&](Side side, const MatrixPlaces& usual, const Span* first, const Span* second,
                       bool transposed) -> std::optional<MatrixPlaces> {
    MatrixPlaces places{layouts[side].start, first ? first->strides[side] : usual.row,
                        second ? second->strides[side] : usual.column, batch ? batch->strides[side] : 0};
    const auto differs = [](const Span* span, std::int64_t is, std::int64_t usually) {
      return span && span->extent != 1 && is != usually;
    };
    if (places.start == 0 && !differs(first, places.row, usual.row) && !differs(second, places.column, usual.column) &&
        !differs(batch, places.batch, usual.batch))
      return std::nullopt;
    if (transposed) std::swap(places.row, places.column);
    return places;
  };
  m.ownA = own(kA, m.placesA(), row, &sum, m.aTransposed);
  m.ownB = own(kB, m.placesB(), &sum, column, m.bTransposed);
  m.ownD = own(kD, m.placesD(), row, column, false);
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

// One matrix after the other, each row by row.
MatrixPlaces withoutGaps(std::int64_t columns, std::int64_t elements, std::int64_t batch) {
  return {0, columns, 1, batch > 1 ? elements : 0};
}

}  // namespace

MatrixPlaces Matmul::placesA() const {
  return seen(ownA.value_or(withoutGaps(aTransposed ? m : k, m * k, batch)), aTransposed);
}
MatrixPlaces Matmul::placesB() const {
  return seen(ownB.value_or(withoutGaps(bTransposed ? k : n, k * n, batch)), bTransposed);
}
MatrixPlaces Matmul::placesD() const { return ownD.value_or(withoutGaps(n, m * n, batch)); }

namespace {

// What of the reference hangs on the sizes, as C++. `indices` are those of D's element `at`: i, j and, of a batch, z.
struct ReferenceText {
  std::string parameters, count, indices, depth, a, b;
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
  text += fmt::format("  long long {};\n  double sum = 0, size = 0;\n", t.indices);
  text += fmt::format("  for (long long p = 0; p < {}; ++p) {{\n", t.depth);
  text += fmt::format("    double product = {} * {};\n", fmt::format(fmt::runtime(wide), t.a),
                      fmt::format(fmt::runtime(wide), t.b));
  text += "    sum += product;\n    size += fabs(product);\n  }\n  D[at] = sum;\n  S[at] = size;\n}\n";
  return text;
}

}  // namespace

std::string symbolicReferenceSource(const Matmul& types) {
  return reference(
      types, {", long long M, long long N, long long K, long long aStart, long long aRow, long long aColumn, "
              "long long bStart, long long bRow, long long bColumn",
              "M * N", "i = at / N, j = at % N", "K", elementText(types.input, "A", "aStart + i * aRow + p * aColumn"),
              elementText(types.input, "B", "bStart + p * bRow + j * bColumn")});
}

std::string referenceSource(const Matmul& m) {
  auto term = [](const char* index, std::int64_t stride) {
    return stride == 1 ? std::string(index) : fmt::format("{} * {}", index, stride);
  };
  // The larger stride first, as one writes it.
  auto element = [&](const char* name, const MatrixPlaces& at, const char* row, const char* column) {
    const std::string r = term(row, at.row), c = term(column, at.column);
    return elementText(m.input, name,
                       (at.start ? fmt::format("{} + ", at.start) : "") +
                           (at.batch ? term("z", at.batch) + " + " : "") +
                           (at.row >= at.column ? r + " + " + c : c + " + " + r));
  };
  const std::string indices = m.batch == 1
                                  ? fmt::format("i = at / {0}, j = at % {0}", m.n)
                                  : fmt::format("z = at / {}, i = at / {} % {}, j = at % {}", m.m * m.n, m.n, m.m, m.n);
  return reference(m, {"", fmt::format("{}ll", m.results()), indices, std::to_string(m.k),
                       element("A", m.placesA(), "i", "p"), element("B", m.placesB(), "p", "j")});
}

}  // namespace loom::gpu
