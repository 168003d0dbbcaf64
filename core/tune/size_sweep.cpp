#include "core/tune/size_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/model.h"
#include "core/schedule/predicate_share.h"

namespace loom::tune {
namespace {

void conjuncts(const ir::Expr& e, std::vector<ir::Expr>& into) {
  if (const auto* both = ir::asBinary(e, ir::ExprKind::And)) {
    conjuncts(both->a, into);
    conjuncts(both->b, into);
  } else {
    into.push_back(e);
  }
}

// Conditions on loops of their own hold independently: trying each alone takes a few runs where trying all takes their
// product.
std::optional<double> shareOfAll(const ir::Expr& predicate, const schedule::Tree& tree, int index) {
  std::vector<ir::Expr> parts;
  conjuncts(predicate, parts);
  std::set<const ir::VarNode*> seen;
  double share = 1;
  for (const ir::Expr& part : parts) {
    std::set<const ir::VarNode*> own;
    ir::forEachExpr(part, [&](const ir::Expr& e) {
      if (const auto* var = ir::asVar(e)) own.insert(var);
    });
    const bool shared = std::any_of(own.begin(), own.end(), [&](const auto* var) { return seen.count(var) != 0; });
    if (shared) return schedule::shareOf(predicate, tree, index);
    seen.insert(own.begin(), own.end());
    const auto one = schedule::shareOf(part, tree, index);
    if (!one) return std::nullopt;
    share *= *one;
  }
  return share;
}

std::vector<Guard> guardsOf(const schedule::State& state) {
  std::vector<Guard> guards;
  const auto& nodes = state.tree().nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].isBlock) continue;
    const auto& realize = *ir::as<ir::BlockRealizeNode>(nodes[i].stmt);
    if (ir::isTrue(realize.predicate)) continue;
    Guard guard{realize.block->name, shareOfAll(realize.predicate, state.tree(), int(i))};
    if (guard.share && *guard.share >= 1) continue;  // it always holds
    guards.push_back(std::move(guard));
  }
  return guards;
}

}  // namespace

const gpu::Outcome* SweptState::measured() const { return executed() ? nullptr : timed.measured(); }
void SweptState::takeCompiled(const SweptState& compiled) {
  if (compiled.compileProblem) compileProblem = compiled.compileProblem;
  if (!compiled.kernel) return;
  registers = compiled.registers;
  spillBytes = compiled.spillBytes;
  if (compiled.predicted || !predicted) unpredicted = compiled.unpredicted;
  if (compiled.predicted) predicted = compiled.predicted;
}
bool SweptState::executed() const { return timed.result && timed.result->origin == gpu::ResultOrigin::Executed; }

SweptSize sweptSize(const document::History& history, const std::vector<int>& nodes, const gpu::ProductSize& size,
                    const schedule::Environment& environment) {
  SweptSize made;
  made.product.m = size.m, made.product.n = size.n, made.product.k = size.k;
  made.product.input = size.input;
  made.product.output = made.product.accumulator = size.output;
  const auto& functions = history.node(0).state.module().functions;
  if (functions.size() != 1) {
    made.problem =
        fail("NotAProduct", message("only a function that is one product of two matrices has other sizes")).value();
    return made;
  }
  auto function = gpu::resized(functions.front(), size);
  if (!function) {
    made.problem = function.error();
    return made;
  }
  made.product = gpu::recognizeMatmul(*function).value();
  auto states = document::HistoryOnOtherFunction::create(history, *function, environment);
  if (!states) {
    made.problem = states.error();
    return made;
  }
  for (int node : nodes) {
    SweptState swept;
    swept.node = node;
    swept.number = history.node(node).number;
    if (const auto state = states->at(node)) {
      swept.kernel = std::make_shared<const document::KernelText>(document::makeKernel(*state));
      swept.guards = guardsOf(*state);
    } else {
      swept.refusal = state.error();
      swept.refusedNumber = history.node(state.error().node).number;
    }
    made.states.push_back(std::move(swept));
  }
  return made;
}

void predict(SweptState& state, const Result<model::Device>& device, const compile::Binary* binary,
             const Result<std::string>* sass) {
  if (!state.kernel || !state.kernel->program) return;
  if (!device) {
    state.unpredicted = device.error().message;
    return;
  }
  Result<std::vector<sass::Kernel>> code = fail("NoSass", Message());
  if (sass && *sass) code = sass::parse(**sass);
  if (binary) {
    state.registers = state.spillBytes = 0;
    for (const auto& k : binary->kernels) {
      state.registers = std::max(state.registers, k.registers);
      state.spillBytes += k.spillStores + k.spillLoads;
    }
  }
  SweptState::Prediction all{0, true, {}};
  state.unpredicted = {};
  state.flops = 0;
  for (const device::Kernel& kernel : state.kernel->program->kernels) {
    model::Machine machine{nullptr, nullptr, &state.kernel->source};
    if (binary) {
      for (const auto& r : binary->kernels)
        if (r.name == kernel.name) machine.resources = &r;
    }
    if (code) {
      for (const auto& s : *code)
        if (s.name == kernel.name) machine.sass = &s;
    }
    const model::KernelModel made = model::modelOf(kernel, *device, machine);
    state.flops += made.roofline.flops;
    for (const model::Roof& roof : made.roofline.roofs) {
      // Of several kernels the one that multiplies.
      if (roof.compute && (!state.peak || made.roofline.flops * 2 > state.flops))
        state.peak = SweptState::Peak{roof.name, roof.rate};
    }
    if (!made.estimate) {
      state.unpredicted = made.estimate.error().message;
      continue;
    }
    all.microseconds += made.estimate->microseconds;
    all.asCompiled &= made.estimate->asCompiled;
    all.how = made.estimate->how;
  }
  if (state.unpredicted.empty()) {
    state.predicted = all;
  } else {
    state.predicted.reset();
  }
}

bool checkedOnCpu(const gpu::Matmul& product) { return product.flops() <= 2.0 * 256 * 256 * 256; }

std::vector<SweptNote> notesOf(const SweptSize& size, const SweptState& state) {
  using Kind = SweptNote::Kind;
  std::vector<SweptNote> notes;
  if (state.refusal) {
    notes.push_back({Kind::kRefused, state.refusal->error.message, ""});
    return notes;
  }
  if (state.kernel && state.kernel->problem) {
    notes.push_back({Kind::kNoKernel, state.kernel->problem->message, ""});
    return notes;
  }
  if (state.compileProblem) notes.push_back({Kind::kNotCompiled, state.compileProblem->message, ""});
  if (state.timed.result && !state.timed.measured()) {
    const gpu::Outcome& outcome = state.timed.result->outcome;
    using Status = gpu::Outcome::Status;
    const Kind kind = outcome.status == Status::Wrong      ? Kind::kWrong
                      : outcome.status == Status::Deadline ? Kind::kTooSlow
                                                           : Kind::kFailed;
    notes.push_back({kind, outcome.message, ""});
  }
  for (const Guard& guard : state.guards) {
    notes.push_back(
        {Kind::kGuards, guard.share ? verbatim(fmt::format("{:.3g}", 100 * *guard.share)) : Message(), guard.block});
  }
  const double extra = state.flops / size.product.flops();
  if (state.flops > 0 && extra > 1.001) notes.push_back({Kind::kExtra, verbatim(fmt::format("{:.3g}", extra)), ""});
  if (!state.unpredicted.empty()) notes.push_back({Kind::kUnpredicted, state.unpredicted, ""});
  return notes;
}

}  // namespace loom::tune
