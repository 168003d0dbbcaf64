#include "core/schedule/reducer.h"

#include <algorithm>
#include <unordered_map>

#include "core/ir/equal.h"
#include "core/ir/limits.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// ---- The combiners that are known, in the order in which they are tried ----

Reducer ofOne(const Reducer& parameters, ExprKind kind, Expr identity) {
  Reducer made = parameters;
  made.combined = {binary(kind, made.left[0], made.right[0])};
  made.identity = {std::move(identity)};
  return made;
}

// The pair (index, value) whose value is `better` than the other's, by >=, >, <= or <. A strict comparison leaves equal
// values to the lower index.
Reducer argument(const Reducer& parameters, ExprKind better, Expr worst) {
  Reducer made = parameters;
  const Expr i = made.left[0], x = made.left[1], j = made.right[0], y = made.right[1];
  const Expr isBetter = binary(better, x, y);
  const bool isStrict = better == ExprKind::GT || better == ExprKind::LT;
  const Expr first = isStrict ? binary(ExprKind::Or, isBetter,
                                       binary(ExprKind::And, binary(ExprKind::EQ, x, y), binary(ExprKind::LT, i, j)))
                              : isBetter;
  made.combined = {select(first, i, j), select(isBetter, x, y)};
  made.identity = {constant(i->dtype, -1), std::move(worst)};
  return made;
}

std::vector<Reducer> knownReducers(const std::vector<DType>& types) {
  Reducer parameters;
  for (std::size_t i = 0; i < types.size(); ++i) {
    parameters.left.push_back(makeVar("x" + std::to_string(i), types[i]));
    parameters.right.push_back(makeVar("y" + std::to_string(i), types[i]));
  }
  if (types.size() == 1) {
    const DType type = types[0];
    return {ofOne(parameters, ExprKind::Add, constant(type, 0)), ofOne(parameters, ExprKind::Mul, constant(type, 1)),
            ofOne(parameters, ExprKind::Min, greatestValue(type)), ofOne(parameters, ExprKind::Max, leastValue(type))};
  }
  if (types.size() != 2) return {};
  Reducer sums = parameters;
  for (std::size_t i = 0; i < 2; ++i) {
    sums.combined.push_back(binary(ExprKind::Add, sums.left[i], sums.right[i]));
    sums.identity.push_back(constant(types[i], 0));
  }
  return {sums, argument(parameters, ExprKind::GE, leastValue(types[1])),
          argument(parameters, ExprKind::GT, leastValue(types[1])),
          argument(parameters, ExprKind::LE, greatestValue(types[1])),
          argument(parameters, ExprKind::LT, greatestValue(types[1]))};
}

// ---- Whether expressions are a combiner of something ----

// `e` is the pattern with each of its variables in place of one expression, which is added to `found`.
bool matches(const Expr& pattern, const Expr& e, VarMap& found) {
  if (pattern->kind == ExprKind::Var) {
    const auto [known, isNew] = found.try_emplace(as<VarNode>(pattern), e);
    return isNew || structuralEqual(known->second, e);
  }
  if (pattern->kind != e->kind) return false;
  if (pattern->kind == ExprKind::Select) {
    const auto *wanted = as<SelectNode>(pattern), *given = as<SelectNode>(e);
    return matches(wanted->condition, given->condition, found) && matches(wanted->yes, given->yes, found) &&
           matches(wanted->no, given->no, found);
  }
  const BinaryNode *wanted = asBinary(pattern, pattern->kind), *given = asBinary(e, pattern->kind);
  return matches(wanted->a, given->a, found) && matches(wanted->b, given->b, found);
}

bool isConstant(const Expr& e) { return asInt(e) != nullptr || e->kind == ExprKind::FloatImm; }

// The value that a combiner of one buffer combines with what the buffer holds, in either order, from a constant on at
// which parts may begin, too: this is the reducer's identity then. Nothing: the reducer does something else.
std::optional<std::vector<Expr>> valueInParts(Reducer& reducer, const std::vector<Expr>& initial,
                                              const std::vector<Expr>& held, const std::vector<Expr>& stored) {
  if (stored.size() != 1 || !isConstant(initial[0])) return {};
  const ExprKind kind = reducer.combined[0]->kind;
  const BinaryNode* given = asBinary(stored[0], kind);
  const bool repeats = kind == ExprKind::Min || kind == ExprKind::Max;
  if (given == nullptr || (!repeats && !structuralEqual(reducer.identity[0], initial[0]))) return {};
  reducer.identity = initial;
  if (structuralEqual(given->a, held[0])) return std::vector{given->b};
  if (structuralEqual(given->b, held[0])) return std::vector{given->a};
  return {};
}

// The values that `stored` combines with what the buffers hold, if the reducer does that and starts with `initial`.
std::optional<std::vector<Expr>> combinedValues(const Reducer& reducer, const std::vector<Expr>& initial,
                                                const std::vector<Expr>& held, const std::vector<Expr>& stored) {
  VarMap found;
  std::vector<Expr> values;
  for (std::size_t i = 0; i < stored.size(); ++i)
    if (!structuralEqual(reducer.identity[i], initial[i]) || !matches(reducer.combined[i], stored[i], found)) return {};
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (!structuralEqual(found.at(reducer.left[i].get()), held[i])) return {};
    values.push_back(found.at(reducer.right[i].get()));
  }
  return values;
}

// Whether a value that is combined depends on what one of the buffers holds: then it is no part of its own.
bool readsAny(const std::vector<Buffer>& buffers, const std::vector<Expr>& values) {
  const auto isHeld = [&](const VarNode* data) {
    return std::ranges::any_of(buffers, [&](const Buffer& b) { return b->data.get() == data; });
  };
  return std::ranges::any_of(values, [&](const Expr& value) { return usesVar(value, isHeld); });
}

// ---- The stores of a block ----

Failure notApplicable(const BlockNode& block, Message why) {
  return refuse("RFactorNotApplicableError",
                message("The block \"{}\" is no reduction that can be taken apart: {}", block.name, std::move(why)),
                {block.id});
}

using Stores = std::vector<const StoreNode*>;

Result<Stores> initialStores(const BlockNode& block) {
  Stores stores;
  for (const Stmt& s : asArray(block.init)) {
    if (s->kind != StmtKind::Store) return notApplicable(block, message("its init has statements that are not stores"));
    const auto* store = as<StoreNode>(s);
    if (std::any_of(stores.begin(), stores.end(), [&](auto* other) { return other->buffer == store->buffer; }))
      return notApplicable(block, message("its init stores to {} twice", store->buffer->name));
    stores.push_back(store);
  }
  return stores;
}

// The stores of the body with their values: those of `let`s before them, which see the old contents of all buffers.
Result<std::vector<std::shared_ptr<const StoreNode>>> updates(const BlockNode& block, std::size_t buffers) {
  std::vector<std::shared_ptr<const StoreNode>> stores(buffers);
  if (block.body->kind == StmtKind::Store) {
    if (buffers != 1)
      return refuse("InternalError",
                    message("The block \"{}\" has more stores in its init than in its body", block.name), {block.id},
                    Forbids::Tvm);
    return std::vector{std::static_pointer_cast<const StoreNode>(block.body)};
  }
  std::vector<const LetStmtNode*> lets;
  Stmt body = block.body;
  for (; body->kind == StmtKind::Let; body = lets.back()->body) {
    const auto* let = as<LetStmtNode>(body);
    if (std::any_of(lets.begin(), lets.end(), [&](auto* other) { return other->var == let->var; }))
      return notApplicable(block, message("it names a value twice"));
    lets.push_back(let);
  }
  if (lets.size() != buffers)
    return notApplicable(block, message("it has {} stores in its init, but names {} values before its own stores",
                                        buffers, lets.size()));
  const std::vector<Stmt> rest = asArray(body);
  if (rest.size() != buffers)
    return notApplicable(block, message("it has {} stores in its init, but {} statements", buffers, rest.size()));
  for (const Stmt& s : rest) {
    if (s->kind != StmtKind::Store) return notApplicable(block, message("it has statements that are not stores"));
    const auto* store = as<StoreNode>(s);
    const auto let = std::find_if(lets.begin(), lets.end(), [&](auto* l) { return Expr(l->var) == store->value; });
    if (let == lets.end())
      return notApplicable(block, message("it stores to {} what is not named before", store->buffer->name));
    auto& slot = stores[std::size_t(let - lets.begin())];
    if (slot) return notApplicable(block, message("it stores one value twice"));
    const auto isSame = [&](const auto& other) { return other && other->buffer == store->buffer; };
    if (std::any_of(stores.begin(), stores.end(), isSame))
      return notApplicable(block, message("it stores to {} twice", store->buffer->name));
    slot = edit(*store, [&](StoreNode& n) { n.value = (*let)->value; });
  }
  return stores;
}

bool sameExprs(arith::Analyzer& analyzer, const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Expr& x, const Expr& y) { return analyzer.canProveEqual(x, y); });
}

Result<Reduction> reductionOf(const BlockNode& block, bool inParts);

}  // namespace

std::vector<Expr> Reducer::combine(const std::vector<Expr>& x, const std::vector<Expr>& y) const {
  VarMap map;
  for (std::size_t i = 0; i < left.size(); ++i) {
    map[left[i].get()] = x[i];
    map[right[i].get()] = y[i];
  }
  std::vector<Expr> results;
  for (const Expr& e : combined) results.push_back(substitute(e, map));
  return results;
}

Result<Reduction> reductionOf(const BlockNode& block) { return reductionOf(block, false); }
Result<Reduction> reductionInParts(const BlockNode& block) { return reductionOf(block, true); }

namespace {

Result<Reduction> reductionOf(const BlockNode& block, bool inParts) {
  if (block.init == nullptr) return notApplicable(block, message("it has no init"));
  const auto inits = initialStores(block);
  if (!inits) return Failure(inits.error());
  const auto stores = updates(block, inits->size());
  if (!stores) return Failure(stores.error());

  Reduction made;
  made.indices = stores->front()->indices;
  const Buffer& first = stores->front()->buffer;
  arith::Analyzer analyzer;
  std::vector<Expr> initial, held, stored;
  std::vector<DType> types;
  for (const auto& store : *stores) {
    const auto init = std::find_if(inits->begin(), inits->end(), [&](auto* i) { return i->buffer == store->buffer; });
    if (init == inits->end())
      return notApplicable(block, message("its init does not store to {}", store->buffer->name));
    if (!sameExprs(analyzer, store->buffer->shape, first->shape))
      return notApplicable(block, message("{} and {} differ in shape", first->name, store->buffer->name));
    if (!sameExprs(analyzer, store->indices, made.indices) || !sameExprs(analyzer, (*init)->indices, made.indices))
      return notApplicable(block, message("its stores go to elements of different indices"));
    made.buffers.push_back(store->buffer);
    initial.push_back((*init)->value);
    held.push_back(load(store->buffer, store->indices));
    stored.push_back(store->value);
    types.push_back(store->value->dtype);
  }
  for (Reducer& reducer : knownReducers(types)) {
    auto values = combinedValues(reducer, initial, held, stored);
    if (!values && inParts) values = valueInParts(reducer, initial, held, stored);
    if (!values || (inParts && readsAny(made.buffers, *values))) continue;
    made.values = std::move(*values);
    made.reducer = std::move(reducer);
    return made;
  }
  return refuse(
      "NoMatchedReducerError",
      message("The block \"{}\" combines values neither by a sum, product, minimum or maximum from its identity "
              "on, nor by a sum, argmax or argmin of pairs",
              block.name),
      {block.id});
}

}  // namespace

}  // namespace loom::schedule
