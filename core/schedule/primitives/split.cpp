// split(loop, factors): one loop becomes a nest of as many loops as there are factors.
//
//   for i in 100: B[i]      →      for i_0 in 7: for i_1 in 16: where(i_0*16 + i_1 < 100) B[i_0*16 + i_1]
//
// At most one factor may be None; it becomes ceil(extent / product of the others). Every block directly below gets a
// predicate unless it is provably superfluous or not wanted. Legal for loops that start at 0 and have neither
// annotation nor thread.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/ir/build.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

Result<std::vector<ir::Expr>> completeFactors(const List& given, const ir::ForNode& loop, Id id) {
  arith::Analyzer analyzer;
  std::vector<ir::Expr> factors;
  ir::Expr product = ir::intImm(1);
  int inferred = -1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].isNone()) {
      if (inferred != -1) {
        return refuse("NotSingleInferFactorError", message("Only one factor may be left open"), {id});
      }
      inferred = static_cast<int>(i);
      factors.push_back(nullptr);
      continue;
    }
    ir::Expr factor;
    if (auto* number = given[i].as<std::int64_t>()) factor = ir::intImm(*number);
    if (auto* truth = given[i].as<bool>()) factor = ir::intImm(*truth ? 1 : 0);
    if (auto* expr = given[i].as<ir::Expr>()) factor = *expr;
    if (auto* handle = given[i].as<Handle>()) factor = std::get<ExprRef>(*handle).value;
    if (auto* number = ir::asInt(factor); number && number->value <= 0) {
      auto failure =
          refuse("NonPositiveFactorError", message("factors[{}] is {}; factors are positive", i, number->value), {id});
      failure.value().parameter = "factors";
      return failure;
    }
    if (auto* number = ir::asInt(factor);
        number && loop.extent->dtype.bits == 32 && number->value > std::numeric_limits<std::int32_t>::max()) {
      auto failure =
          refuse("InternalError",
                 message("factors[{}] is {}; the loop counts in {}", i, number->value, loop.extent->dtype.str()), {id},
                 Forbids::Tvm);
      failure.value().parameter = "factors";
      return failure;
    }
    if (factor->dtype.bits > loop.extent->dtype.bits) factor = ir::cast(loop.extent->dtype, factor);
    product = product * factor;
    factors.push_back(std::move(factor));
  }
  bool overflows = false;  // the product that TVM's folding gives has lost its upper digits
  std::int64_t exact = 1;
  for (const ir::Expr& factor : factors) {
    auto* number = factor ? ir::asInt(factor) : nullptr;
    if (factor) overflows = overflows || !number || __builtin_mul_overflow(exact, number->value, &exact);
  }
  const bool allKnown =
      std::all_of(factors.begin(), factors.end(), [](const ir::Expr& f) { return !f || ir::asInt(f); });
  const bool beyond =
      allKnown && product->dtype.bits == 32 && (overflows || exact > std::numeric_limits<std::int32_t>::max());
  const Message tooMuch =
      message("The factors' product is more than {} holds, in which the loop counts", product->dtype.str());
  if (inferred != -1) {
    if (beyond) return refuse("InternalError", tooMuch, {id}, Forbids::Tvm);
    factors[inferred] = analyzer.simplify(ir::floordiv(loop.extent + product - 1, product));
  } else if (!analyzer.canProve(ir::ge(product, loop.extent))) {
    auto* extent = ir::asInt(loop.extent);
    auto* covered = ir::asInt(product);
    auto failure =
        refuse("WrongFactorError", message("The product of the factors does not reach the loop's extent"), {id});
    failure.value().parameter = "factors";
    if (given.empty()) {
      failure.value().message = message("There is no factor");
    } else if (covered && (overflows || exact != covered->value)) {
      failure.value().message = tooMuch;
    } else if (extent && covered) {
      failure.value().message =
          message("The factors' product is {}, less than the loop's extent {}", covered->value, extent->value);
      failure.value().numbers = {{"product", std::to_string(covered->value)},
                                 {"extent", std::to_string(extent->value)}};
    }
    return failure;
  } else if (beyond) {  // what is left of it by chance reaches the extent
    return refuse("InternalError", tooMuch, {id}, Forbids::Tvm);
  }
  return factors;
}

Result<Handles> split(Draft& draft, const Arguments& arguments) {
  Id id = arguments.loop("loop");
  auto loop = draft.tree().loop(id);
  auto factors = completeFactors(*arguments["factors"].as<List>(), *loop, id);
  if (!factors) return tl::unexpected(factors.error());
  if (auto ok = checkNoAnnotationOrThread(draft.program(), id); !ok) return tl::unexpected(ok.error());
  arith::Analyzer analyzer;
  if (auto ok = checkLoopStartsWithZero(draft.program(), id, analyzer); !ok) return tl::unexpected(ok.error());

  // The loop would be gone, and TVM's simplification of the bindings takes nothing but a loop.
  if (factors->empty() && !ir::asFor(loop->body)) {
    auto failure = fail("TypeError", message("There is no factor"), Forbids::Tvm);
    failure.value().parameter = "factors";
    return failure;
  }

  int bits = loop->var->dtype.bits;
  for (const auto& factor : *factors) bits = std::max<int>(bits, factor->dtype.bits);
  ir::DType dtype = ir::DType::Int(bits);
  ir::Expr value = ir::zero(dtype);
  std::vector<ir::Var> vars;
  for (std::size_t i = 0; i < factors->size(); ++i) {
    auto var = ir::makeVar(fmt::format("{}_{}", loop->var->name, i), dtype);
    value = value * (*factors)[i] + ir::Expr(var);
    analyzer.bind(var, ir::Range{ir::zero(dtype), ir::cast(dtype, (*factors)[i])});
    vars.push_back(std::move(var));
  }
  ir::Stmt nest = substituteLoopVars(loop->body, {{loop->var, value}});
  ir::Expr inside = ir::lt(value, loop->extent);
  if (!arguments.flag("disable_predication") && !analyzer.canProve(inside, arith::Strength::SymbolicBound)) {
    nest = appendPredicate(nest, inside);
  }
  Handles made;
  for (std::size_t i = 0; i < factors->size(); ++i) made.push_back(LoopRef{draft.newId()});
  for (std::size_t i = factors->size(); i-- > 0;) {
    Id madeId = std::get<LoopRef>(made[i]).id;
    nest = serialLoop(madeId, vars[i], (*factors)[i], nest);
    draft.origin(madeId, {id});
  }
  draft.replace(id, simplifyBindings(nest, draft.program(), id, arguments.flag("preserve_unit_iters")));
  return made;
}

}  // namespace

Instruction splitInstruction() {
  return {"split",
          "Split",
          "loops",
          {{"loop", ParameterType::Loop, {}, "", "the loop to cut", "要拆分的循环"},
           {"factors",
            ParameterType::Factors,
            {},
            "iterations",
            "extents of the new loops, outermost first; one may be None",
            "新循环的长度，由外到内；可有一个为 None"},
           {"preserve_unit_iters", ParameterType::Bool, Value{true}, "", "keep loops of one iteration in the bindings",
            "在绑定中保留长度为 1 的循环"},
           {"disable_predication", ParameterType::Bool, Value{false}, "",
            "omit the guard where the factors do not divide", "不整除时也不加边界条件"}},
          Instruction::Results::Loops,
          split,
          "Cut a loop into a nest of shorter loops.",
          "把一个循环拆分成若干层嵌套的短循环。"};
}

}  // namespace loom::schedule
