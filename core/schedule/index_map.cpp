#include "core/schedule/index_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/arith/int_set.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/refuse.h"
#include "core/schedule/slices.h"
#include "core/script/index_map_graph.h"

namespace loom::schedule {
namespace {

using namespace ir;
using script::StepValue;
using Kind = StepValue::Kind;

Failure checkFailed(Message message) { return refuse("InternalError", std::move(message), {}, Forbids::Tvm); }

Failure wrong(const StepValue& v) {
  return fail("TypeError", message("{} is no index that a lambda can give", printValue(v)), Forbids::Input);
}

// The lambda's starred parameter, a tuple in Python; without a name there is none.
struct Rest {
  std::string name;
  std::vector<Var> inputs;

  // Returns the inputs of an expression that stands for such a tuple, `rest` or `rest[1:]`; nothing for any other.
  // Error "TypeError" or "ValueError" for slices that Python does not take.
  Result<std::optional<std::vector<Var>>> of(const StepValue& v) const {
    if (v.is(Kind::Name) && !name.empty() && v.text == name) return inputs;
    if (!v.is(Kind::Slice)) return std::nullopt;
    auto whole = of(v.items[0]);
    if (!whole || !*whole) return whole;
    std::optional<std::int64_t> bounds[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const StepValue& bound = v.items[i + 1];
      if (bound.is(Kind::Int)) bounds[i] = bound.integer;
      if (!bounds[i] && !bound.is(Kind::None)) return wrong(v);
    }
    if (bounds[2] == 0) return fail("ValueError", message("The step of a slice is not 0"), Forbids::Input);
    std::vector<Var> taken;
    for (std::size_t i : slicePositions((*whole)->size(), bounds[0], bounds[1], bounds[2]))
      taken.push_back((**whole)[i]);
    return taken;
  }
};

// Evaluates a lambda's body. Numbers become constants at once: what Python would compute of two of them, folding does.
class Body {
 public:
  Body(const StepValue& lambda, const IndexMap& map, const Rest& rest) : lambda_(lambda), map_(map), rest_(rest) {}

  Result<Expr> value(const StepValue& v) const {
    switch (v.kind) {
      case Kind::Int:
      case Kind::Bool: {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        const bool isShort = v.integer <= kMost && v.integer >= -kMost - 1;
        return intImm(v.integer, DType::Int(isShort ? 32 : 64));
      }
      case Kind::Float: return floatImm(v.real, DType::Float(32));
      case Kind::Typed: return typed(v);
      case Kind::Name: return named(v);
      case Kind::Negate: {
        auto a = value(v.items[0]);
        if (!a) return a;
        return fold(ExprKind::Mul, *a, constant((*a)->dtype, -1));
      }
      case Kind::Binary: return binary(v);
      case Kind::Index: return indexed(v);
      default: return wrong(v);
    }
  }

 private:
  Result<Expr> typed(const StepValue& v) const {
    const auto type = DType::parse(v.text);
    auto a = v.items.size() == 1 ? value(v.items[0]) : Result<Expr>(wrong(v));
    if (!type || !a) return wrong(v);
    if (const auto* number = asInt(*a))
      return type->isFloat() ? floatImm(double(number->value), *type) : intImm(number->value, *type);
    if ((*a)->kind != ExprKind::FloatImm) return cast(*type, *a);
    const double real = as<FloatImmNode>(*a)->value;
    return type->isFloat() ? floatImm(real, *type) : intImm(std::int64_t(real), *type);
  }

  Result<Expr> named(const StepValue& v) const {
    for (std::size_t i = 0; i < lambda_.parameters.size() && i < map_.inputs.size(); ++i)
      if (lambda_.parameters[i] == v.text) return Expr(map_.inputs[i]);
    return wrong(v);
  }

  Result<Expr> indexed(const StepValue& v) const {
    const auto whole = rest_.of(v.items[0]);
    if (!whole) return Failure(whole.error());
    if (!*whole || !v.items[1].is(Kind::Int)) return wrong(v);
    const auto at = indexPosition((*whole)->size(), v.items[1].integer);
    if (!at) return fail("IndexError", message("{}: there are {} indices", printValue(v), (*whole)->size()));
    return Expr((**whole)[*at]);
  }

  Result<Expr> binary(const StepValue& v) const {
    auto a = value(v.items[0]), b = value(v.items[1]);
    if (!a) return a;
    if (!b) return b;
    const auto operators = script::indexOperators();
    const auto op =
        std::find_if(operators.begin(), operators.end(), [&](const auto& known) { return known.text == v.text; });
    if (op == operators.end()) return wrong(v);
    const bool divides = op->kind == ExprKind::FloorDiv || op->kind == ExprKind::FloorMod;
    if (!matchTypes(*a, *b) || (divides && !(*a)->dtype.isIntegral())) return wrong(v);
    if (divides && isConst(*b, 0)) return checkFailed(message("{} divides by zero", printValue(v)));
    if (op->kind) return fold(*op->kind, *a, *b);
    if (!(*a)->dtype.isIntegral()) return wrong(v);
    return call((*a)->dtype, std::string(op->name), {*a, *b});
  }

  const StepValue& lambda_;
  const IndexMap& map_;
  const Rest& rest_;
};

// Replaces variables and folds again, as operators do on what stands there then.
class Folder : public Mutator {
 public:
  explicit Folder(const VarMap& map) : map_(map) {}
  using Mutator::rewrite;

 protected:
  Expr rewriteVar(const Expr& e) override {
    const auto it = map_.find(asVar(e));
    return it == map_.end() ? e : it->second;
  }
  Expr rewriteBinary(const Expr& e) override {
    const auto* n = as<BinaryNode>(e);
    Expr a = rewrite(n->a), b = rewrite(n->b);
    return a == n->a && b == n->b ? e : fold(n->kind, a, b);
  }
  Expr rewriteCall(const Expr& e) override {
    const auto* n = as<CallNode>(e);
    std::vector<Expr> args;
    for (const Expr& arg : n->args) args.push_back(rewrite(arg));
    if (args == n->args) return e;
    if (args.size() == 2) matchTypes(args[0], args[1]);
    const DType type = n->dtype.isIntegral() && args.size() == 2 ? args[0]->dtype : n->dtype;
    return call(type, n->op, std::move(args));
  }

 private:
  const VarMap& map_;
};

Failure wrongCount(const IndexMap& map, std::size_t given) {
  return checkFailed(message("the index map takes {} indices, and there are {}", map.inputs.size(), given));
}

std::vector<Range> fromZero(const std::vector<Expr>& shape) {
  std::vector<Range> ranges;
  for (const Expr& extent : shape) ranges.push_back({zero(extent->dtype), extent});
  return ranges;
}

arith::VarRanges inputsOver(const IndexMap& map, const std::vector<Range>& ranges) {
  arith::VarRanges inputs;
  for (std::size_t i = 0; i < ranges.size(); ++i) inputs.set(map.inputs[i], ranges[i]);
  return inputs;
}

}  // namespace

Result<IndexMap> indexMapOf(const StepValue& lambda, std::optional<std::size_t> dimensions, DType type) {
  IndexMap map;
  Rest rest;
  StepValue named = lambda;
  named.parameters.clear();
  for (const std::string& name : lambda.parameters) {
    if (name.starts_with("*")) {
      if (!dimensions || name.starts_with("**"))
        return fail("AssertionError", message("A lambda over *args needs a known number of dimensions"),
                    Forbids::Input);
      rest.name = name.substr(1);
      const std::size_t others = lambda.parameters.size() - 1;
      for (std::size_t i = 0; i + others < *dimensions; ++i) {
        map.inputs.push_back(makeVar(fmt::format("{}_{}", rest.name, i), type));
        rest.inputs.push_back(map.inputs.back());
        named.parameters.push_back(map.inputs.back()->name);
      }
      continue;
    }
    map.inputs.push_back(makeVar(name, type));
    named.parameters.push_back(name);
  }
  const Body body(named, map, rest);
  // Tuples of a starred parameter are passed on, as `(*rest,)` or `rest`.
  std::vector<StepValue> items;
  const StepValue& found = lambda.items.at(0);
  const bool isList = found.is(Kind::Tuple) || found.is(Kind::List);
  for (const StepValue& item : isList ? found.items : std::vector<StepValue>{found}) {
    const bool isStar = item.is(Kind::Star);
    const auto inputs = rest.of(isStar ? item.items[0] : item);
    if (!inputs) return Failure(inputs.error());
    if (!*inputs || (isList && !isStar)) {
      items.push_back(item);
      continue;
    }
    for (const Var& input : **inputs) items.push_back(script::stepName(input->name));
  }
  for (const StepValue& item : items) {
    if (isList && script::isAxisSeparator(item)) {
      map.separators.push_back(int(map.outputs.size()));
      continue;
    }
    if (isList && item.is(Kind::Float))
      return fail("TypeError", message("{} is no index that a lambda can give", printValue(item)), Forbids::Input);
    auto value = body.value(item);
    if (!value) return Failure(value.error());
    map.outputs.push_back(std::move(*value));
  }
  return map;
}

DType indexTypeOf(const BlockNode& block) {
  if (!block.iters.empty()) return block.iters.front().var->dtype;
  for (const auto* regions : {&block.reads, &block.writes})
    for (const BufferRegion& region : *regions)
      if (!region.region.empty()) return region.region.front().min->dtype;
  return DType::Int(64);
}

StepValue lambdaOf(const IndexMap& map) {
  StepValue lambda;
  lambda.kind = Kind::Lambda;
  for (const Var& input : map.inputs) lambda.parameters.push_back(input->name);
  std::vector<StepValue> items;
  std::size_t separator = 0;
  for (std::size_t i = 0; i <= map.outputs.size(); ++i) {
    for (; separator < map.separators.size() && map.separators[separator] == int(i); ++separator)
      items.push_back(script::stepName(std::string(script::kAxisSeparator)));
    if (i < map.outputs.size()) items.push_back(script::stepExpression(map.outputs[i]));
  }
  lambda.items = {script::stepTuple(std::move(items))};
  return lambda;
}

Result<IndexMap> withTypesOf(const IndexMap& map, const std::vector<Expr>& values) {
  if (values.size() != map.inputs.size()) return wrongCount(map, values.size());
  IndexMap typed = map;
  VarMap replaced;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const DType type = values[i]->dtype;
    if (type != values[0]->dtype) return checkFailed(message("the indices of one buffer differ in dtype"));
    if (type == map.inputs[i]->dtype) continue;
    typed.inputs[i] = makeVar(map.inputs[i]->name, type);
    replaced[map.inputs[i].get()] = typed.inputs[i];
  }
  if (replaced.empty()) return typed;
  for (Expr& output : typed.outputs) {
    const auto* number = asInt(output);
    output = number ? intImm(number->value, values[0]->dtype) : Folder(replaced).rewrite(output);
  }
  return typed;
}

Result<std::vector<Expr>> mapIndices(const IndexMap& map, const std::vector<Expr>& indices, arith::Analyzer& analyzer) {
  if (indices.size() != map.inputs.size()) return wrongCount(map, indices.size());
  VarMap replaced;
  for (std::size_t i = 0; i < indices.size(); ++i) replaced[map.inputs[i].get()] = indices[i];
  std::vector<Expr> mapped;
  Folder folder(replaced);
  for (const Expr& output : map.outputs) mapped.push_back(analyzer.simplify(folder.rewrite(output)));
  return mapped;
}

Result<std::vector<Range>> mapRanges(const IndexMap& map, const std::vector<Range>& ranges, arith::Analyzer& analyzer) {
  if (ranges.size() != map.inputs.size()) return wrongCount(map, ranges.size());
  const auto inputs = inputsOver(map, ranges);
  const auto iterators =
      arith::detectIterMap(map.outputs, inputs, boolImm(true), arith::IterMapLevel::NoCheck, analyzer, false);
  std::vector<Range> mapped;
  for (const arith::IterSum& index : iterators.indices) {
    // The terms are independent, so the extent of the largest is that of the sum.
    Expr extent;
    for (const arith::IterSplit& term : index->args) {
      Expr one = term->extent * term->scale;
      extent = extent ? maxOf(extent, one) : one;
    }
    mapped.push_back({index->base, extent ? extent : intImm(1)});
  }
  if (!iterators) {
    const auto sets = arith::asIntSets(inputs);
    for (const Expr& output : map.outputs) {
      const auto set = arith::evalSet(output, sets);
      if (!set.min() || !set.max()) return checkFailed(message("the range of an output of the index map is not known"));
      mapped.push_back({analyzer.simplify(set.min()), analyzer.simplify(set.max() - set.min() + 1)});
    }
  }
  int bits = ranges.empty() ? 32 : 0;
  for (const Range& range : ranges) bits = std::max(bits, int(range.extent->dtype.bits));
  for (Range& range : mapped) range = {cast(DType::Int(bits), range.min), cast(DType::Int(bits), range.extent)};
  return mapped;
}

Result<std::vector<Expr>> mapShape(const IndexMap& map, const std::vector<Expr>& shape, arith::Analyzer& analyzer) {
  const auto ranges = mapRanges(map, fromZero(shape), analyzer);
  if (!ranges) return Failure(ranges.error());
  std::vector<Expr> mapped;
  for (const Range& range : *ranges) {
    if (!isConst(range.min, 0)) return checkFailed(message("an output of the index map does not begin at 0"));
    mapped.push_back(range.extent);
  }
  return mapped;
}

Result<Inverse> inverseOf(const IndexMap& map, const std::vector<Range>& ranges, arith::IterMapLevel level,
                          arith::Analyzer& analyzer) {
  if (ranges.size() != map.inputs.size()) return wrongCount(map, ranges.size());
  Inverse inverse;
  std::vector<Expr> axes;
  for (std::size_t i = 0; i < map.outputs.size(); ++i) {
    inverse.map.inputs.push_back(makeVar(fmt::format("axis{}", i), map.outputs[i]->dtype));
    axes.push_back(inverse.map.inputs.back());
  }
  const auto iterators =
      arith::detectIterMap(map.outputs, inputsOver(map, ranges), boolImm(true), level, analyzer, false);
  if (!iterators.errors.empty())
    return refuse("RuntimeError", message("the index map is no sum of its iterators"), {}, Forbids::Tvm);
  const auto expressions = arith::inverseAffineIterMap(iterators.indices, axes);
  if (!expressions) return Failure(expressions.error());
  VarMap inTermsOfAxes;
  for (const auto& [var, value] : *expressions) inTermsOfAxes[var.get()] = value;
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    const Expr* value = expressions->find(map.inputs[i].get());
    if (!value && !isConst(ranges[i].extent, 1))
      return refuse("KeyError", message("the index map loses its input \"{}\"", map.inputs[i]->name), {}, Forbids::Tvm);
    inverse.map.outputs.push_back(analyzer.simplify(value ? *value : ranges[i].min));
  }
  const auto reached = mapRanges(map, ranges, analyzer);
  if (!reached) return Failure(reached.error());
  arith::Analyzer ofAxes;
  for (std::size_t i = 0; i < reached->size(); ++i) ofAxes.bind(inverse.map.inputs[i], (*reached)[i]);
  // Divisions nested in each other take more than the usual number of steps.
  inverse.padding = ofAxes.simplify(substitute(iterators.paddingPredicate, inTermsOfAxes), 10);
  if (level == arith::IterMapLevel::Bijective && !analyzer.canProve(notOf(inverse.padding)))
    return checkFailed(message("the index map is not bijective"));
  return inverse;
}

}  // namespace loom::schedule
