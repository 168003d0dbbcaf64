// Registers, spills and shared memory of each state: compiled beside measurements, the shown state first.
#include <fmt/format.h>

#include <algorithm>

#include "app/session/parts.h"

namespace loom::workbench {

namespace {
// At a time: what waits can still be overtaken by the state that the user goes to.
constexpr std::size_t kBatch = 4;
}  // namespace

void Workbench::Parts::wantCompiled(int node) {
  auto d = programs.find(node);
  if (noCompiler || d == programs.end() || d->second->kernel.problem || compiled.count(node) != 0) return;
  if (!compileAsked.insert(node).second) return;
  uncompiled.push_back(node);
  ++compileTotal;
}

std::string Workbench::Parts::architecture() const {
  if (!device.chosen.empty()) return chosenArchitecture;
  return device.here && !device.here->cpu ? device.here->architecture() : "";
}

std::string Workbench::Parts::compiledFor(const std::string& wanted) {
  return wanted.empty() ? compiler->architecture() : wanted;
}

void Workbench::Parts::compileSome() {
  if (!device.known || compiling > 0 || uncompiled.empty()) return;
  auto now = std::find(uncompiled.begin(), uncompiled.end(), target->history.current());
  if (now != uncompiled.end()) std::rotate(uncompiled.begin(), now, now + 1);
  const std::size_t count = std::min(kBatch, uncompiled.size());
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (std::size_t i = 0; i < count; ++i) states.emplace_back(uncompiled[i], programs[uncompiled[i]]);
  uncompiled.erase(uncompiled.begin(), uncompiled.begin() + static_cast<std::ptrdiff_t>(count));
  compiling = static_cast<int>(count);
  compilingQueue->submit(
      [this, states, tag = opened, round = compileRound, here = architecture(), finishHere = finishForDevice()] {
        if (const auto& found = compiler->compiler(); !found) {
          const bool cancelled = found.error().code == "Cancelled";
          finishFor(tag, [this, cancelled, round, why = found.error()] {
            if (!cancelled) compilerProblem = why;
            if (round == compileRound) endCompiling(!cancelled);
          });
          return;
        }
        std::vector<std::string> sources;
        for (const auto& [node, d] : states) sources.push_back(d->kernel.source.text);
        compiler->compileAll(sources, compiledFor(here), [&](std::size_t i, const Result<compile::Binary>& binary) {
          finishHere([this, node = states[i].first, binary, round] {
            if (round == compileRound) {
              --compiling;
              ++compileDone;
            }
            if (!binary && binary.error().code == "Cancelled") {
              compileAsked.erase(node);  // asked again when the user comes to it
            } else {
              compiled.insert_or_assign(node, binary);
            }
          });
        });
      });
}

void Workbench::Parts::endCompiling(bool forGood) {
  noCompiler = noCompiler || forGood;
  for (int node : uncompiled) compileAsked.erase(node);
  uncompiled.clear();
  compiling = compileDone = compileTotal = 0;
  ++compileRound;
}

void Workbench::Parts::dropCompiling() {
  std::erase_if(fragments, [](const auto& asked) { return asked.second == nullptr; });
  compilingQueue->drop();
  compiler->cancel();
}

}  // namespace loom::workbench
