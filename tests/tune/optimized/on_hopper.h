// Sketches of products by warpgroups, and whether their kernels compile.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>

#include "core/compile/compile.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
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

struct OnHopper {
  schedule::State state;
  RulePlan plan;
  std::string name = "wgmma";  // of the sketch that is meant
  explicit OnHopper(const std::string& text, const RuleChoices& choices = {})
      : state(programState(text)), plan(sketchOf(state, deviceNamed("h200"), ruleLibrary(), {}, choices).value()) {}
  OnHopper(const std::string& text, const char* sketch) : OnHopper(text) { name = sketch; }

  int index() const {
    const auto found = std::ranges::find(plan.sketches, name, &Sketch::name);
    return found == plan.sketches.end() ? -1 : int(found - plan.sketches.begin());
  }
  const Sketch& sketch() const { return plan.sketches.at(std::size_t(index())); }
};

// Draws schedules of the space of products by warpgroups, all alike: 4, or as many as TILELOOM_DRAWS says, which prints
// how many failed of `what`. Each is to be a kernel; every fourth is compiled, the first `executed` are run, and `look`
// sees each kernel with its values and lines.
inline void expectKernels(
    const OnHopper& on, const std::string& what, std::uint64_t seed, int executed,
    const std::function<void(const Assignment&, const std::string&, const MadeByLines&)>& look = {}) {
  ASSERT_GE(on.index(), 0) << what;
  const auto diagram = Diagram::of(on.sketch().space);
  ASSERT_TRUE(diagram) << diagram.error().message;
  ASSERT_GT(diagram->count(), 40U) << what;
  const char* given = std::getenv("TILELOOM_DRAWS");
  const int draws = given ? std::max(1, std::atoi(given)) : 4;
  const PinnedCounts counts(*diagram);
  Random random(seed);
  std::map<std::string, int> failed;
  for (int n = 0; n < draws; ++n) {
    const Assignment drawn = *counts.draw(random);
    const std::string lines = linesOf(on.sketch(), drawn).value();
    const auto made = madeByLines(on.state, lines, document::environment());
    std::string problem = made ? "" : made.error().message.english();
    if (made && n % 4 == 0) problem = compiled(made->kernel);
    if (!problem.empty() && ++failed[problem.substr(0, 200)] == 1) ADD_FAILURE() << problem << "\n" << lines;
    if (made && n < executed) expectRight(on.state, made->state, lines);
    if (made && look) look(drawn, lines, *made);
  }
  if (!given) return;
  int all = 0;
  for (const auto& [problem, count] : failed) all += count;
  std::printf("%s: %d of %d failed, %s schedules\n", what.c_str(), all, draws, digitsOf(diagram->count()).c_str());
  std::fflush(stdout);
}

// Whether what is read of a schedule's state is of the space.
inline void expectMember(const OnHopper& on, const std::map<std::string, std::int64_t>& read,
                         const std::string& lines) {
  EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << lines;
}

}  // namespace loom::tune
