#include "core/tune/rules/contraction.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/ir/equal.h"
#include "core/ir/visit.h"

namespace loom::tune {

namespace {

using namespace ir;

const Expr& withoutCast(const Expr& e) { return e->kind == ExprKind::Cast ? as<CastNode>(e)->value : e; }

// Which of the block's iterators an expression names.
std::set<int> iteratorsIn(const BlockNode& block, const std::vector<Expr>& indices) {
  std::set<int> found;
  struct Names : Visitor {
    std::set<const VarNode*> all;
    void visitVar(const VarNode& v) override { all.insert(&v); }
  } names;
  for (const Expr& index : indices) names.visit(index);
  for (std::size_t n = 0; n < block.iters.size(); ++n)
    if (names.all.contains(block.iters[n].var.get())) found.insert(int(n));
  return found;
}

int iteratorOf(const BlockNode& block, const Expr& index) {
  for (std::size_t n = 0; n < block.iters.size(); ++n)
    if (index.get() == block.iters[n].var.get()) return int(n);
  return -1;
}

bool beginsAtZero(const Stmt& init) {
  if (!init || init->kind != StmtKind::Store) return false;
  const Expr& value = as<StoreNode>(init)->value;  // a cast of 0 is none that an intrinsic fills in
  if (const auto* number = asInt(value)) return number->value == 0;
  return value->kind == ExprKind::FloatImm && as<FloatImmNode>(value)->value == 0;
}

// The iterator that an index goes through element by element: it is that iterator, or adds to it another one of which
// each step is as many elements. Nothing else.
struct Neighbours {
  int iterator = -1;
  std::int64_t step = 0;  // of the other one; 0: there is none
};
Neighbours neighboursOf(const BlockNode& block, const Expr& index) {
  if (const int n = iteratorOf(block, index); n >= 0) return {n, 0};
  const auto* sum = asBinary(index, ExprKind::Add);
  for (const auto& [one, other] :
       sum ? std::vector{std::pair(sum->a, sum->b), std::pair(sum->b, sum->a)} : std::vector<std::pair<Expr, Expr>>{}) {
    const auto* product = asBinary(other, ExprKind::Mul);
    const auto* step = product ? asInt(product->b) : nullptr;
    const int n = iteratorOf(block, one);
    if (n >= 0 && step && step->value > 0 && iteratorOf(block, product->a) >= 0) return {n, step->value};
  }
  return {};
}

// How many neighbours along the last dimension an aligned access may take: those of the iterator that is its index,
// where every row of the buffer is a multiple of them long. Of a sum in parts, those of a part.
std::int64_t alignedOf(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices,
                       const Buffer& buffer) {
  const Neighbours last = neighboursOf(block, indices.back());
  if (last.iterator < 0) return 1;
  if (last.step > 0 && (c.sums.size() != 1 || c.sums.front() != last.iterator)) return 1;
  const std::int64_t row = constantOr(buffer->shape.back(), 1);
  return std::gcd(std::gcd(c.extents[std::size_t(last.iterator)], last.step), std::gcd(row, std::int64_t(64)));
}

// ProductOperand::pitch of a buffer with `first` as rows and `last` within them.
std::int64_t pitchOf(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices,
                     const Buffer& buffer, const std::vector<int>& first, const std::vector<int>& last) {
  std::vector<int> order;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const int n = iteratorOf(block, indices[d]);
    if (n < 0 || constantOr(buffer->shape[d], 0) != c.extents[std::size_t(n)]) return 0;
    order.push_back(n);
  }
  const auto rows = std::search(order.begin(), order.end(), first.begin(), first.end());
  if (!buffer->strides.empty() || first.empty() || rows == order.end() || order.size() < first.size() + last.size() ||
      !std::equal(last.rbegin(), last.rend(), order.rbegin()))
    return 0;
  std::int64_t pitch = 1;
  for (auto at = rows + std::ptrdiff_t(first.size()); at != order.end(); ++at) pitch *= c.extents[std::size_t(*at)];
  return pitch;
}

// The iterators of a kind one after another, in an operand that has them in this order as its last or first dimensions.
bool isOne(const BlockNode& block, const std::vector<Expr>& indices, std::vector<int> wanted) {
  if (indices.size() != wanted.size()) return false;
  for (std::size_t n = 0; n < indices.size(); ++n)
    if (iteratorOf(block, indices[n]) != wanted[n]) return false;
  return true;
}

std::int64_t extentOf(const Contraction& c, const std::vector<int>& iterators) {
  std::int64_t product = 1;
  for (int n : iterators) product *= c.extents[std::size_t(n)];
  return product;
}

}  // namespace

ContractionOrNot contractionOf(const schedule::State& state, Id id) {
  const Block held = state.tree().block(id);
  const BlockNode& block = *held;
  Contraction c;
  c.block = id;
  c.name = block.name;
  for (const IterVar& iter : block.iters) {
    const std::int64_t extent = constantOr(iter.domain.extent, 0);
    if (extent < 1) return {{}, message("the extent of {} is no number", iter.var->name)};
    c.iterators.push_back(iter.var->name);
    c.extents.push_back(extent);
  }
  if (block.body->kind != StmtKind::Store) return {{}, message("{} is no single store", block.name)};
  const auto& store = *as<StoreNode>(block.body);
  const auto* sum = asBinary(store.value, ExprKind::Add);
  const auto isResult = [&](const Expr& e) {
    const auto* load = asLoad(e);
    return load && load->buffer == store.buffer &&
           std::ranges::equal(load->indices, store.indices,
                              [](const Expr& a, const Expr& b) { return structuralEqual(a, b); });
  };
  if (!sum || !isResult(sum->a)) return {{}, message("{} does not add to what it writes", block.name)};
  if (!beginsAtZero(block.init)) return {{}, message("the sum of {} does not begin at 0", block.name)};
  const auto* product = asBinary(sum->b, ExprKind::Mul);
  const auto* first = product ? asLoad(withoutCast(product->a)) : nullptr;
  const auto* second = product ? asLoad(withoutCast(product->b)) : nullptr;
  if (!first || !second) return {{}, message("what {} adds is no product of two elements", block.name)};
  if (first->buffer == second->buffer) return {{}, message("both factors of {} are of one buffer", block.name)};
  if (block.reads.size() != 2) return {{}, message("{} reads {} buffers", block.name, block.reads.size())};

  const std::set<int> inFirst = iteratorsIn(block, first->indices), inSecond = iteratorsIn(block, second->indices);
  const std::set<int> written = iteratorsIn(block, store.indices);
  bool oneEach = true;
  const LoadNode *a = first, *b = second;
  std::set<int> inA = inFirst, inB = inSecond;
  // Rows are what stands first in C; an operand of columns that is read first is B all the same.
  for (const Expr& index : store.indices) {
    const int n = iteratorOf(block, index);
    if (n < 0) return {{}, message("an index of what {} writes is no iterator by itself", block.name)};
    const bool one = inFirst.contains(n), other = inSecond.contains(n);
    if (one == other) continue;
    if (other) std::swap(a, b), std::swap(inA, inB), c.reversed = true;
    break;
  }
  for (std::size_t i = 0; i < block.iters.size(); ++i) {
    const int n = int(i);
    const bool ofA = inA.contains(n), ofB = inB.contains(n), ofC = written.contains(n);
    if (block.iters[i].type == IterType::Reduce) {
      if (!ofA || !ofB) oneEach = false;
      c.sums.push_back(n);
    } else if (block.iters[i].type != IterType::Spatial || !ofC) {
      return {{}, message("{} of {} is no iterator of a sum", block.iters[i].var->name, block.name)};
    } else if (ofA && ofB) {
      c.batch.push_back(n);
    } else if (ofA || ofB) {
      (ofA ? c.rows : c.columns).push_back(n);
    } else if (c.extents[i] == 1) {
      c.rows.push_back(n);
    } else {
      return {{}, message("{} of {} indexes no operand", block.iters[i].var->name, block.name)};
    }
  }
  if (c.sums.empty()) return {{}, message("{} sums nothing up", block.name)};
  if (!oneEach) return {{}, message("{} sums along an iterator of one operand alone", block.name)};
  if (c.rows.empty() || c.columns.empty())
    return {{}, message("an operand of {} is read once for each result: nothing is used again", block.name)};
  c.accumulator = store.buffer->dtype;
  c.result = store.buffer->name;
  c.resultAligned = alignedOf(c, block, store.indices, store.buffer);
  if (sum->b->dtype != c.accumulator)
    return {{}, message("the product is {} and the sum {}", sum->b->dtype.str(), c.accumulator.str())};
  c.b0 = extentOf(c, c.batch), c.m = extentOf(c, c.rows), c.n = extentOf(c, c.columns), c.k = extentOf(c, c.sums);

  const auto operand = [&](const LoadNode& load) {
    ProductOperand o;
    o.buffer = load.buffer->name;
    o.dtype = load.buffer->dtype;
    const std::set<int> last = iteratorsIn(block, {load.indices.back()});
    o.reductionIsLast = std::ranges::any_of(c.sums, [&](int n) { return last.contains(n); });
    o.aligned = alignedOf(c, block, load.indices, load.buffer);
    const std::vector<int>& own = &load == a ? c.rows : c.columns;
    o.pitch = o.reductionIsLast ? pitchOf(c, block, load.indices, load.buffer, own, c.sums)
                                : pitchOf(c, block, load.indices, load.buffer, c.sums, own);
    return o;
  };
  c.a = operand(*a), c.b = operand(*b);
  c.resultPitch = pitchOf(c, block, store.indices, store.buffer, c.rows, c.columns);

  c.plain = c.batch.size() <= 1 && c.rows.size() == 1 && c.columns.size() == 1 && c.sums.size() == 1 &&
            std::ranges::equal(block.reads, std::vector<const LoadNode*>{first, second},
                               [](const BufferRegion& r, const LoadNode* l) { return r.buffer == l->buffer; });
  if (c.plain) {
    const std::vector<int>& batch = c.batch;
    const auto with = [&](int x, int y) {
      std::vector<int> all = batch;
      all.push_back(x), all.push_back(y);
      return all;
    };
    const int m = c.rows[0], n = c.columns[0], k = c.sums[0];
    const auto either = [&](const LoadNode& l, int x) {
      return isOne(block, l.indices, with(x, k)) || isOne(block, l.indices, with(k, x));
    };
    std::vector<int> order = with(m, n);
    order.push_back(k);
    c.plain = isOne(block, store.indices, with(m, n)) && either(*a, m) && either(*b, n) &&
              std::ranges::is_sorted(order) && order.front() == 0;
  }
  return {c, {}};
}

}  // namespace loom::tune
