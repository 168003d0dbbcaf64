// Sketches of products by warpgroups, and whether their kernels compile.
#pragma once

#include <cstdlib>
#include <sstream>

#include "core/compile/compile.h"
#include "tests/tune/rules/products.h"

namespace loom::tune {

inline const compile::Compiler* nvrtc() {
  static const std::shared_ptr<const compile::Compiler> loaded = [] {
    const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
    const auto compiler = toolkit ? compile::Compiler::load(*toolkit) : Failure(toolkit.error());
    return compiler ? *compiler : nullptr;
  }();
  return loaded.get();
}

// What NVRTC says of a kernel for sm_90a; empty: it compiles, and no register is spilled.
inline std::string compiled(const document::KernelText& kernel) {
  if (nvrtc() == nullptr) return "";
  const auto binary =
      nvrtc()->compile(compile::requestFor(compile::Text(kernel.source), deviceNamed("h200").architecture()));
  if (!binary) return binary.error().message.english();
  for (const compile::KernelResources& k : binary->kernels)
    if (k.spillStores > 0) return fmt::format("{} bytes spilled with {} registers", k.spillStores, k.registers);
  // Who asks early waits for phases that it counts by its turns: the variable of the barrier's phases stays unused.
  std::stringstream log(binary->log);
  for (std::string line; std::getline(log, line);)
    if ((line.find("warning #") != std::string::npos && line.find("_phases\" was declared") == std::string::npos) ||
        line.find("C75") != std::string::npos)
      return binary->log;
  return "";
}

// Returns the value of TILELOOM_DRAWS, how many schedules to draw of each space; nothing where it isn't set.
inline std::optional<int> drawsAsked() {
  const char* given = std::getenv("TILELOOM_DRAWS");
  return given ? std::optional(std::max(1, std::atoi(given))) : std::nullopt;
}

struct OnHopper {
  schedule::State state;
  RulePlan plan;
  explicit OnHopper(const std::string& text, const RuleChoices& choices = {})
      : state(programState(text)), plan(sketchOf(state, deviceNamed("h200"), ruleLibrary(), {}, choices).value()) {}

  int index() const {
    const auto found = std::ranges::find(plan.sketches, "wgmma", &Sketch::name);
    return found == plan.sketches.end() ? -1 : int(found - plan.sketches.begin());
  }
  const Sketch& sketch() const { return plan.sketches.at(std::size_t(index())); }
};

}  // namespace loom::tune
