#include "core/schedule/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/undeclared.h"
#include "core/schedule/out_of_bounds.h"

namespace loom::schedule {
namespace {

// Pairs of a function before and after, of those that the step changed; a new function has none before.
template <class F>
void forEachChanged(const State& before, const State& after, F f) {
  if (&before.program() == &after.program()) return;
  for (const ir::Function& now : after.module().functions) {
    const ir::Function* then = nullptr;
    for (const ir::Function& old : before.module().functions)
      if (old->name == now->name) then = &old;
    if (!then || *then != now) f(then, now);
  }
}

void undeclared(const ir::Function* before, const ir::Function& after, std::vector<Error>& all) {
  const auto now = ir::undeclaredVariables(after);
  if (now.empty()) return;
  const auto then = before ? ir::undeclaredVariables(*before) : std::vector<ir::Undeclared>{};
  // A later step may make the block, or the variable, anew.
  auto known = [&](const ir::Undeclared& u) {
    return std::any_of(then.begin(), then.end(),
                       [&](const ir::Undeclared& t) { return t.var == u.var || t.var->name == u.var->name; });
  };
  for (const ir::Undeclared& u : now) {
    if (known(u)) continue;
    auto same =
        std::find_if(all.begin(), all.end(), [&](const Error& e) { return e.numbers.at("block") == u.blockName; });
    if (same != all.end()) {
      same->numbers["variables"] += ", " + u.var->name;
    } else {
      Error e;
      e.code = "UndeclaredVariable";
      e.subjects = {u.block};
      e.numbers = {{"block", u.blockName}, {"variables", u.var->name}};
      e.remedy = message("sch.decompose_reduction(…) before it: the init block has no guard of the reduction's then");
      all.push_back(std::move(e));
    }
  }
  for (Error& e : all) {
    e.message = message(
        "block {} uses {}, which no loop around it declares any more: TVM accepts this step, but no "
        "program is left that could be run",
        e.numbers.at("block"), e.numbers.at("variables"));
  }
}

void outOfBounds(const ir::Function* before, const ir::Function& after, std::vector<Error>& all) {
  const auto now = accessesOutOfBounds(after);
  if (now.empty()) return;
  const auto then = before ? accessesOutOfBounds(*before) : std::vector<OutOfBounds>{};
  for (const OutOfBounds& o : now) {
    auto same = [&](const OutOfBounds& t) { return t.bufferName == o.bufferName && t.writes == o.writes; };
    if (std::any_of(then.begin(), then.end(), same)) continue;
    Error e;
    e.code = "OutOfBounds";
    e.subjects = {o.block, o.buffer};
    e.message =
        o.writes
            ? message(
                  "from here on block {} writes {} at index {} of dimension {}, which has {} elements: TVM accepts "
                  "this step, but no guard keeps the access inside",
                  o.blockName, o.bufferName, o.index, o.dimension, o.extent)
            : message(
                  "from here on block {} reads {} at index {} of dimension {}, which has {} elements: TVM accepts "
                  "this step, but no guard keeps the access inside",
                  o.blockName, o.bufferName, o.index, o.dimension, o.extent);
    all.push_back(std::move(e));
  }
}

}  // namespace

std::optional<Error> takesMeaning(const State& before, const State& after) {
  std::vector<Error> all;
  forEachChanged(before, after, [&](const ir::Function* then, const ir::Function& now) { undeclared(then, now, all); });
  if (all.empty()) return std::nullopt;
  return all.front();
}

std::vector<Error> warnings(const State& before, const State& after) {
  std::vector<Error> all, accesses;
  forEachChanged(before, after, [&](const ir::Function* then, const ir::Function& now) {
    undeclared(then, now, all);
    outOfBounds(then, now, accesses);
  });
  for (Error& e : accesses) all.push_back(std::move(e));
  return all;
}

}  // namespace loom::schedule
