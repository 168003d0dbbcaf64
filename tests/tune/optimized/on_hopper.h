// Sketches (schedules that rules make of a program, with open decisions) of products by warpgroups on Hopper, and
// whether the kernels of schedules drawn from them are right and compile.
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

// Returns NVRTC, which is loaded in the first call; null if it isn't installed.
inline const compile::Compiler* nvrtc() {
  static const std::shared_ptr<const compile::Compiler> loaded = [] {
    const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
    const auto compiler = toolkit ? compile::Compiler::load(*toolkit) : Failure(toolkit.error());
    return compiler ? *compiler : nullptr;
  }();
  return loaded.get();
}

// Compiles a kernel for the H200 (sm_90a). Returns the error; how many bytes of registers are spilled; or the log if it
// has a warning, or one of ptxas's remarks C75… about wgmma and warpgroups' registers, such as that it serializes
// products. Returns "" if there is none of these, and without NVRTC.
inline std::string compiled(const document::KernelText& kernel) {
  if (nvrtc() == nullptr) return "";
  const auto binary =
      nvrtc()->compile(compile::requestFor(compile::Text(kernel.source), deviceNamed("h200").architecture()));
  if (!binary) return binary.error().message.english();
  for (const compile::KernelResources& k : binary->kernels)
    if (k.spillStores > 0) return fmt::format("{} bytes spilled with {} registers", k.spillStores, k.registers);
  // Kernels that start copies early declare a variable of mbarrier phases that they don't use; that warning is ignored.
  std::stringstream log(binary->log);
  for (std::string line; std::getline(log, line);)
    if ((line.find("warning #") != std::string::npos && line.find("_phases\" was declared") == std::string::npos) ||
        line.find("C75") != std::string::npos)
      return binary->log;
  return "";
}

// A program, the sketches that rules make of it for the H200, and one of these, chosen by its name.
struct OnHopper {
  schedule::State state;       // the program before any step
  RulePlan plan;               // the sketches
  std::string name = "wgmma";  // name of the chosen sketch
  // Opens a TVMScript text and applies the rules. Throws if the text can't be read or no rule fits.
  explicit OnHopper(const std::string& text, const RuleChoices& choices = {})
      : state(programState(text)), plan(sketchOf(state, deviceNamed("h200"), ruleLibrary(), {}, choices).value()) {}
  OnHopper(const std::string& text, const char* sketch) : OnHopper(text) { name = sketch; }

  // Returns the index of the chosen sketch in `plan.sketches`; −1 if there is none.
  int index() const {
    const auto found = std::ranges::find(plan.sketches, name, &Sketch::name);
    return found == plan.sketches.end() ? -1 : int(found - plan.sketches.begin());
  }
  // Returns the chosen sketch; throws std::out_of_range if there is none.
  const Sketch& sketch() const { return plan.sketches.at(std::size_t(index())); }
};

// Draws schedules at random, by `seed`, from the space of the chosen sketch, each with the same probability, and
// expects each to make a kernel. The space must have more than 40 schedules. The first drawn schedule and every fourth
// after it are compiled; the first `executed` drawn are executed on the CPU and compared with the unscheduled program.
// `look`, which may be empty, is called for each kernel with the values of the decisions and the step lines. Draws 4
// schedules, or as many as the environment variable TILELOOM_DRAWS says; if that is set, prints how many made no kernel
// or failed when compiled. `what` names the program in messages.
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

// Expects that the chosen sketch's space has a schedule with the values `read` of decisions, by name, which were read
// back from a schedule; `lines` are its step lines, for the message.
inline void expectMember(const OnHopper& on, const std::map<std::string, std::int64_t>& read,
                         const std::string& lines) {
  EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << lines;
}

}  // namespace loom::tune
