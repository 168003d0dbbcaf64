#include "core/tune/rules/contraction.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/arith/analyzer.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"
#include "core/schedule/reducer.h"
#include "core/tune/rules/linear_index.h"
#include "core/tune/rules/update.h"

namespace loom::tune {

namespace {

using namespace ir;

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

// The iterators of indices in the order in which elements lie, the one whose neighbours stand side by side last: each
// is an index, or one digit of it, as g and c of g * 32 + c. Nothing: some index is something else, or an iterator is
// in two of them.
std::optional<std::vector<int>> orderOf(const BlockNode& block, const std::vector<Expr>& indices) {
  std::vector<int> order;
  for (const Expr& index : indices) {
    const auto sum = linearIndex(block, index);
    if (!sum || sum->constant != 0) return std::nullopt;
    std::vector<int> digits;
    for (int n = 0; n < int(block.iters.size()); ++n)
      if (sum->names(n)) digits.push_back(n);
    std::ranges::sort(digits, std::greater(), [&](int n) { return sum->of[std::size_t(n)]; });
    std::int64_t below = 1;
    for (const int n : std::vector(digits.rbegin(), digits.rend())) {
      if (sum->of[std::size_t(n)] != below) return std::nullopt;
      below *= constantOr(block.iters[std::size_t(n)].domain.extent, 1);
    }
    if (digits.empty()) return std::nullopt;
    order.insert(order.end(), digits.begin(), digits.end());
  }
  std::vector<int> sorted = order;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end() ? std::optional(order) : std::nullopt;
}

// Whether an element may lie outside of its buffer, where a condition keeps it from being read: copies have none.
bool mayLieOutside(const BlockNode& block, const LoadNode& load) {
  arith::Analyzer analyzer;
  for (const IterVar& iter : block.iters) analyzer.bind(iter.var, iter.domain);
  for (std::size_t d = 0; d < load.indices.size(); ++d) {
    const arith::ConstIntBound all = analyzer.constIntBound(load.indices[d]);
    const std::int64_t extent = constantOr(load.buffer->shape[d], 0);  // 0: a symbol's, to which iterators go
    if (all.min < 0 || (extent > 0 && all.max >= extent)) return true;
  }
  return false;
}

// The number that a sum begins at; nothing: something else.
std::optional<double> numberOf(const Stmt& init) {
  if (!init || init->kind != StmtKind::Store) return std::nullopt;
  const Expr& value = as<StoreNode>(init)->value;  // a cast of 0 is none that an intrinsic fills in
  if (const auto* number = asInt(value)) return double(number->value);
  return value->kind == ExprKind::FloatImm ? std::optional(as<FloatImmNode>(value)->value) : std::nullopt;
}

// The iterator that an index goes through element by element: it is that iterator, to which multiples of others and a
// constant may be added. Nothing else.
struct Neighbours {
  int iterator = -1;
  std::int64_t step = 0;  // that divides what is added; 0: nothing is
};
Neighbours neighboursOf(const BlockNode& block, const Expr& index) {
  const auto sum = linearIndex(block, index);
  if (!sum) return {};
  Neighbours found{-1, sum->constant};
  for (int n = 0; n < int(block.iters.size()); ++n) {
    const std::int64_t times = sum->of[std::size_t(n)];
    if (times != 1) {
      found.step = std::gcd(found.step, times);
    } else if (found.iterator >= 0) {
      return {};
    } else {
      found.iterator = n;
    }
  }
  return found;
}

// How many neighbours along the last dimension an aligned access may take: those of the iterator that is its index,
// where every row of the buffer is a multiple of them long. Of an index to which something is added, those of the last
// iterator of the kind along which copies go, a sum in parts or the channels of a group.
std::int64_t alignedOf(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices,
                       const Buffer& buffer, const std::vector<int>& along) {
  const Neighbours last = neighboursOf(block, indices.back());
  if (last.iterator < 0) return 1;
  if (last.step > 0 && (along.empty() || along.back() != last.iterator)) return 1;
  const std::int64_t row = constantOr(buffer->shape.back(), 1);
  return std::gcd(std::gcd(c.extents[std::size_t(last.iterator)], last.step), std::gcd(row, std::int64_t(64)));
}

// The one iterator that an index is, of those that take several values; -1: it is none, or something else.
int onlyIteratorOf(const Contraction& c, const BlockNode& block, const Expr& index) {
  const auto sum = linearIndex(block, index);
  if (!sum || sum->constant != 0) return -1;
  int found = -1;
  for (int n = 0; n < int(block.iters.size()); ++n) {
    if (!sum->names(n) || c.extents[std::size_t(n)] == 1) continue;
    if (found >= 0 || sum->of[std::size_t(n)] != 1) return -1;
    found = n;
  }
  return found;
}

std::vector<int> ofSeveralValues(const Contraction& c, std::vector<int> iterators) {
  std::erase_if(iterators, [&](int n) { return c.extents[std::size_t(n)] == 1; });
  return iterators;
}

// ProductOperand::pitch of a buffer with `outer` as rows and `inner` within them.
std::int64_t pitchOf(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices,
                     const Buffer& buffer, const std::vector<int>& outer, const std::vector<int>& inner) {
  std::vector<int> order;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const std::int64_t extent = constantOr(buffer->shape[d], 0);
    if (extent == 1) continue;
    const int n = onlyIteratorOf(c, block, indices[d]);
    if (n < 0 || extent != c.extents[std::size_t(n)]) return 0;
    order.push_back(n);
  }
  const std::vector<int> first = ofSeveralValues(c, outer), last = ofSeveralValues(c, inner);
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

bool isProductOfTwo(const Expr& value) {
  const auto* product = asBinary(value, ExprKind::Mul);
  return product && asLoad(withoutCasts(product->a, 1)) && asLoad(withoutCasts(product->b, 1));
}

// ProductOperand::left
std::vector<int> leftOf(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices) {
  const auto isOne = [&](int n) { return c.extents[std::size_t(n)] == 1; };
  std::vector<int> left;
  for (const int n : iteratorsIn(block, indices)) {
    const bool adds = std::ranges::all_of(indices, [&](const Expr& index) {
      const std::set<int> named = iteratorsIn(block, {index});
      return !named.contains(n) || !std::ranges::all_of(named, isOne);
    });
    if (isOne(n) && adds) left.push_back(n);
  }
  return left;
}

// Whether neighbours of an operand whose last index moves both with its own iterators and with sums, as a convolution
// over rows of an image does, are rather those of its own: more of them stand side by side. Matrix instructions of
// bytes take them along k alone.
bool goesAlong(const Contraction& c, const std::set<int>& last, const std::vector<int>& own, const DType& type) {
  const auto runOf = [&](const std::vector<int>& iterators) {
    const bool moves = !iterators.empty() && last.contains(iterators.back());
    return moves ? c.extents[std::size_t(iterators.back())] : 1;
  };
  return type.bits >= 16 && runOf(own) > runOf(c.sums);
}

bool has(const std::vector<int>& all, int n) { return std::ranges::find(all, n) != all.end(); }
bool haveAny(const std::vector<int>& all, const std::set<int>& some) {
  return std::ranges::any_of(some, [&](int n) { return has(all, n); });
}

// Whether vectors may go along an operand whose kinds of iterators become one each: its neighbours in memory are those
// of the iterator that goes fastest.
bool goesFastest(const Contraction& c, const BlockNode& block, const std::vector<Expr>& indices) {
  const int last = neighboursOf(block, indices.back()).iterator;
  return std::ranges::any_of(std::initializer_list<const std::vector<int>*>{&c.rows, &c.columns, &c.sums},
                             [&](const auto* kind) { return !kind->empty() && kind->back() == last; });
}

// An operand that lies along `own` iterators, of rows or of columns, and sums.
ProductOperand operandOf(const Contraction& c, const BlockNode& block, const LoadNode& load, int read,
                         const std::vector<int>& own) {
  ProductOperand o;
  o.buffer = load.buffer->name;
  o.dtype = load.buffer->dtype;
  o.read = read;
  const std::set<int> last = iteratorsIn(block, {load.indices.back()});
  o.reductionIsLast = haveAny(c.sums, last) && !goesAlong(c, last, own, o.dtype);
  o.aligned = !c.uneven || goesFastest(c, block, load.indices)
                  ? alignedOf(c, block, load.indices, load.buffer, o.reductionIsLast ? c.sums : own)
                  : 1;
  o.pitch = o.reductionIsLast ? pitchOf(c, block, load.indices, load.buffer, own, c.sums)
                              : pitchOf(c, block, load.indices, load.buffer, c.sums, own);
  o.left = leftOf(c, block, load.indices);
  // Of several dimensions that are rows together, vectors go from one to the next.
  if (o.reductionIsLast && o.pitch > 0)
    o.aligned = std::max(o.aligned, std::gcd(std::gcd(extentOf(c, c.sums), o.pitch), std::int64_t(64)));
  return o;
}

FurtherOperand furtherOf(const Contraction& c, const BlockNode& block, const LoadNode& load) {
  const std::set<int> in = iteratorsIn(block, load.indices);
  FurtherOperand o;
  o.ofBatch = haveAny(c.batch, in), o.ofRows = haveAny(c.rows, in);
  o.ofColumns = haveAny(c.columns, in), o.ofSums = haveAny(c.sums, in);
  static_cast<ProductOperand&>(o) = operandOf(c, block, load, readOf(block, load), o.ofRows ? c.rows : c.columns);
  return o;
}

// What a step along k reads for each result, as a part of an element, of tiles of so many rows and columns: what the
// choice of two sides for a product of many factors is about.
constexpr double kRowsOfTile = 64;
double readsOf(const Contraction& c) {
  const double ofRows = 1 / std::min(double(c.n), kRowsOfTile), ofColumns = 1 / std::min(double(c.m), kRowsOfTile);
  double reads = ofRows + ofColumns;
  for (const FurtherOperand& o : c.further)
    if (o.ofSums && (o.ofRows || o.ofColumns)) reads += !o.ofColumns ? ofRows : !o.ofRows ? ofColumns : 1;
  return reads;
}

// Makes those iterators of a kind the batch that stand before k in their operand while others stand behind it, and
// returns whether there are any.
bool takeApart(Contraction& c, const BlockNode& block, std::vector<int>& own, const LoadNode& load) {
  std::vector<int> before, behind;
  bool isBehind = false;
  for (const Expr& index : load.indices) {
    const int n = onlyIteratorOf(c, block, index);
    isBehind |= n >= 0 && has(c.sums, n);
    if (n >= 0 && has(own, n)) (isBehind ? behind : before).push_back(n);
  }
  if (before.empty() || behind.empty()) return false;
  std::erase_if(own, [&](int n) { return has(before, n); });
  std::ranges::sort(before);
  c.batch = std::move(before);
  return true;
}

// The contraction of two of the elements that a block reads; `c` has what doesn't depend on which they are, and says
// whether they, and further elements, may lack some iterators.
ContractionOrNot ofOperands(Contraction c, const BlockNode& block, const StoreNode& store,
                            const std::vector<const LoadNode*>& elements, std::size_t one, std::size_t other,
                            bool byParts = false) {
  const LoadNode *first = elements[one], *second = elements[other];
  const std::set<int> inFirst = iteratorsIn(block, first->indices), inSecond = iteratorsIn(block, second->indices);
  const std::set<int> written = iteratorsIn(block, store.indices);
  bool oneEach = true;
  const LoadNode *a = first, *b = second;
  std::set<int> inA = inFirst, inB = inSecond;
  // Columns are what stands last in C, where neighbours are stored together; an operand of columns that is read first
  // is B all the same.
  const std::vector<int> inOrder = orderOf(block, store.indices).value();
  for (const int n : std::vector(inOrder.rbegin(), inOrder.rend())) {
    const bool ofFirst = inFirst.contains(n), ofSecond = inSecond.contains(n);
    if (ofFirst == ofSecond) continue;
    if (ofFirst) std::swap(a, b), std::swap(inA, inB), c.reversed = c.multiplies;
    break;
  }
  const auto isRead = [&](int n) {
    return std::ranges::any_of(elements, [&](const LoadNode* l) { return iteratorsIn(block, l->indices).contains(n); });
  };
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
    } else if (c.extents[i] == 1 || c.uneven) {
      c.rows.push_back(n);
    } else {
      return {{}, message("{} of {} indexes no operand", block.iters[i].var->name, block.name)};
    }
    if (c.uneven && c.extents[i] > 1 && !isRead(n))
      return {{}, message("{} of {} indexes no operand", block.iters[i].var->name, block.name)};
  }
  if (c.sums.empty()) return {{}, message("{} sums nothing up", block.name)};
  if ((!oneEach && !c.uneven) || c.rows.empty() || c.columns.empty() || !haveAny(c.sums, inA) || !haveAny(c.sums, inB))
    return {{}, message("an operand of {} is read once for each result: nothing is used again", block.name)};
  const bool isBatch = byParts && c.batch.empty(), ofB = isBatch && takeApart(c, block, c.columns, *b),
             ofA = isBatch && !ofB && takeApart(c, block, c.rows, *a);
  if (byParts && !ofA && !ofB) return {};
  c.accumulator = store.buffer->dtype;
  c.result = store.buffer->name;
  c.resultAligned = alignedOf(c, block, store.indices, store.buffer, c.columns);
  c.b0 = extentOf(c, c.batch), c.m = extentOf(c, c.rows), c.n = extentOf(c, c.columns), c.k = extentOf(c, c.sums);
  c.a = operandOf(c, block, *a, readOf(block, *a), c.rows), c.b = operandOf(c, block, *b, readOf(block, *b), c.columns);
  c.a.lacksBatch = ofB, c.b.lacksBatch = ofA;
  c.resultPitch = pitchOf(c, block, store.indices, store.buffer, c.rows, c.columns);
  c.plain = !c.uneven && !byParts && c.batch.size() <= 1 && c.rows.size() == 1 && c.columns.size() == 1 &&
            c.sums.size() == 1 &&
            (!c.multiplies ||
             std::ranges::is_permutation(
                 block.reads, std::vector<const LoadNode*>{first, second}, {},
                 [](const BufferRegion& r) { return r.buffer; }, [](const LoadNode* l) { return l->buffer; }));
  const auto together = [&](int x, int y) {
    std::vector<int> all = c.batch;
    all.push_back(x), all.push_back(y);
    return all;
  };
  const auto liesBy = [&](const LoadNode& l, int x) {
    const int k = c.sums.front();
    return isOne(block, l.indices, together(x, k)) || isOne(block, l.indices, together(k, x));
  };
  if (c.plain) {
    std::vector<int> order = together(c.rows[0], c.columns[0]);
    const bool result = isOne(block, store.indices, order);
    order.push_back(c.sums[0]);
    c.plain = result && liesBy(*a, c.rows[0]) && liesBy(*b, c.columns[0]) && std::ranges::is_sorted(order) &&
              order.front() == 0;
  }
  for (const LoadNode* load : elements) {
    if (load == first || load == second) continue;
    c.further.push_back(furtherOf(c, block, *load));
    const FurtherOperand& o = c.further.back();
    const bool simple = std::ranges::all_of(load->indices, [&](const Expr& i) { return iteratorOf(block, i) >= 0; });
    const bool even = c.plain && simple && (!o.isOnSide() || liesBy(*load, (o.ofRows ? c.rows : c.columns)[0]));
    if (!even && !c.uneven)
      return {{}, message("{} reads {} by more than single iterators", block.name, load->buffer->name)};
    if (c.uneven && o.ofRows && o.ofColumns && o.ofSums)
      return {{}, message("{} is read once for each result of {}: nothing is used again", o.buffer, block.name)};
  }
  return {c, {}};
}

// The two of all elements for which it is least that a step along k reads, where neighbours of C are columns.
ContractionOrNot ofSides(Contraction c, const BlockNode& block, const StoreNode& store,
                         const std::vector<const LoadNode*>& elements) {
  c.uneven = true;
  ContractionOrNot best;
  std::pair<bool, double> least;
  for (std::size_t one = 0; one < elements.size(); ++one) {
    for (std::size_t other = one + 1; other < elements.size(); ++other) {
      ContractionOrNot made = ofOperands(c, block, store, elements, one, other);
      if (!made.contraction) {
        if (best.reason.empty()) best.reason = std::move(made.reason);
        continue;
      }
      const bool turned = !has(made.contraction->columns, orderOf(block, store.indices)->back());
      const std::pair<bool, double> cost = {turned, readsOf(*made.contraction)};
      if (!best.contraction || cost < least) best.contraction = std::move(made.contraction), least = cost;
    }
  }
  return best;
}

ContractionOrNot readBlock(const schedule::State& state, Id id, bool byParts) {
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
  const auto update = updateOf(store);
  if (!update) return {{}, message("{} combines nothing with what it writes", block.name)};
  if (!numberOf(block.init)) return {{}, message("{} does not begin at a number", block.name)};
  const auto elements = elementsOf(update->value);
  if (!elements) return {{}, message("{} reads a buffer at several places, or where another one says", block.name)};
  for (const LoadNode* load : *elements)
    if (mayLieOutside(block, *load))
      return {{}, message("{} reads {} where a condition says that it may", block.name, load->buffer->name)};
  if (elements->size() < 2 || elements->size() != block.reads.size())
    return {{}, message("{} reads {} buffers", block.name, elements->size())};
  if (!orderOf(block, store.indices))
    return {{}, message("an index of what {} writes is neither an iterator nor several one after another", block.name)};
  const bool sumsPairs = elements->size() == 2 && update->combiner == ExprKind::Add && numberOf(block.init) == 0.0;
  c.multiplies = sumsPairs && isProductOfTwo(update->value);
  const Expr& inner = withoutCasts(update->value, 1);
  if (sumsPairs && inner != update->value && isProductOfTwo(inner)) c.castFrom = inner->dtype;
  c.sumFirst = c.multiplies && !update->isFirst;
  c.instructions = instructionsOf(*update);
  c.hasParts = (c.multiplies && !c.sumFirst) || schedule::reductionOf(block);
  c.takesZeros = c.multiplies || ((update->combiner == ExprKind::Add || update->combiner == ExprKind::Sub) &&
                                  isZeroOfZeros(update->value));
  // The first two that are used again each.
  for (std::size_t one = 0; one < elements->size(); ++one)
    for (std::size_t other = one + 1; other < elements->size(); ++other)
      if (auto made = ofOperands(c, block, store, *elements, one, other, byParts); made.contraction) return made;
  if (byParts) return {};
  return ofSides(c, block, store, *elements);
}

}  // namespace

ContractionOrNot contractionOf(const schedule::State& state, Id block) { return readBlock(state, block, false); }

std::optional<Contraction> contractionByParts(const schedule::State& state, Id block) {
  return readBlock(state, block, true).contraction;
}

std::string Contraction::order() const {
  return std::string(sumFirst ? "_sum_first" : "") + (reversed ? "_commuted" : "");
}

Message Contraction::whyNoProduct() const {
  if (!castFrom) return message("what {} takes on is no product of two elements", name);
  return message(
      "{} casts each product from {} to {} before it adds it, and matrix instructions add products as exactly "
      "as they are: their sums would be other ones",
      name, castFrom->str(), accumulator.str());
}

std::optional<Contraction> productOf(const schedule::State& state, Id block) {
  auto found = contractionOf(state, block).contraction;
  return found && found->multiplies ? std::move(found) : std::nullopt;
}

std::optional<Contraction> lastContraction(const schedule::State& state) {
  std::optional<Contraction> last;
  for (const schedule::Tree::Node& node : state.tree().nodes())
    if (node.isBlock && node.parent != schedule::Tree::kNone)
      if (auto found = contractionOf(state, node.id).contraction) last = std::move(found);
  return last;
}

}  // namespace loom::tune
