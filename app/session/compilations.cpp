#include "app/session/compilations.h"

#include <algorithm>

#include "app/session/background_value.h"
#include "core/document/devices.h"

namespace loom::session {

namespace {
// At a time: what waits can still be overtaken by the state that the user goes to.
constexpr std::size_t kBatch = 4;
}  // namespace

const Result<compile::Binary>* Compilations::of(int node) const {
  const auto found = binaries_.find(node);
  return found == binaries_.end() ? nullptr : &found->second;
}

void Compilations::want(int node) {
  const auto program = programs_.known(node);
  if (noCompiler_ || !program || program->kernel.problem || binaries_.count(node) != 0) return;
  if (!wanted_.insert(node).second) return;
  waiting_.push_back(node);
  ++total_;
}

std::string Compilations::architectureFor(const std::string& wanted) const {
  return wanted.empty() ? tools_.compiler->architecture() : wanted;
}

void Compilations::compileSome() {
  if (!device_.status().known || compiling_ > 0 || waiting_.empty()) return;
  auto now = std::find(waiting_.begin(), waiting_.end(), documents_.history().current());
  if (now != waiting_.end()) std::rotate(waiting_.begin(), now, now + 1);
  const std::size_t count = std::min(kBatch, waiting_.size());
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (std::size_t i = 0; i < count; ++i) states.emplace_back(waiting_[i], programs_.known(waiting_[i]));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  compiling_ = static_cast<int>(count);
  jobs_[Queue::kCompilations].submit([this, states, target = jobs_.target(), round = round_,
                                      here = device_.architecture(), finishHere = device_.finisher()] {
    if (const auto& found = tools_.compiler->compiler(); !found) {
      const bool cancelled = found.error().code == "Cancelled";
      jobs_.finishFor(target, [this, cancelled, round, why = found.error()] {
        if (!cancelled) problem_ = why;
        if (round == round_) end(!cancelled);
      });
      return;
    }
    std::vector<compile::Text> sources;
    for (const auto& [node, program] : states) sources.emplace_back(program->kernel.source);
    tools_.compiler->compileAll(sources, architectureFor(here),
                                [&](std::size_t i, const Result<compile::Binary>& binary) {
                                  finishHere([this, node = states[i].first, binary, round] {
                                    if (round == round_) {
                                      --compiling_;
                                      ++done_;
                                    }
                                    if (!binary && binary.error().code == "Cancelled") {
                                      wanted_.erase(node);  // asked again when the user comes to it
                                    } else {
                                      binaries_.insert_or_assign(node, binary);
                                    }
                                  });
                                });
  });
}

Compilations::Progress Compilations::progress() {
  if (compiling_ == 0 && waiting_.empty()) done_ = total_ = 0;
  return {done_, total_};
}

void Compilations::end(bool forGood) {
  noCompiler_ = noCompiler_ || forGood;
  // Also those of batches that never began: nobody else would compile them.
  std::erase_if(wanted_, [this](int node) { return !binaries_.contains(node); });
  std::erase_if(ptxWanted_, [this](int node) { return !ptx_.contains(node); });
  waiting_.clear();
  compiling_ = done_ = total_ = 0;
  ++round_;
  programs_.giveUp();
}

void Compilations::drop() {
  std::erase_if(fragments_, [](const auto& asked) { return asked.second == nullptr; });
  jobs_[Queue::kCompilations].drop();
  tools_.compiler->cancel();
}

void Compilations::cancel() {
  drop();
  end(false);
}

void Compilations::reset() {
  cancel();
  jobs_.discard(std::exchange(binaries_, {}));
  jobs_.discard(std::exchange(ptx_, {}));
  ptxWanted_.clear();
  fragments_.clear();
  wanted_.clear();
}

void Compilations::restart() {
  reset();
  for (const auto& [node, program] : programs_.all()) want(node);
}

const Result<PtxText>* Compilations::ptx(int node) {
  if (auto found = ptx_.find(node); found != ptx_.end()) return &found->second;
  const auto program = programs_.known(node);
  if (!program || !device_.status().known || noCompiler_ || program->kernel.problem) return nullptr;
  if (!ptxWanted_.insert(node).second) return nullptr;
  jobs_[Queue::kCompilations].submit(
      [this, node, finishHere = device_.finisher(), program, here = device_.architecture()] {
        auto text = tools_.compiler->ptx(program->kernel.source, architectureFor(here));
        finishHere([this, node, program, text = std::move(text)] {
          const bool stale = programs_.known(node) != program;
          if (stale || (!text && text.error().code == "Cancelled")) {
            ptxWanted_.erase(node);
          } else {
            ptx_.insert_or_assign(node, text ? Result<PtxText>(PtxText{*text, {}}) : Failure(text.error()));
          }
        });
      });
  return nullptr;
}

std::shared_ptr<const FragmentLayout> Compilations::fragment(const model::FragmentKind& kind) {
  if (auto found = fragments_.find(kind.kernelName()); found != fragments_.end()) return found->second;
  if (!device_.status().known) return nullptr;
  fragments_.emplace(kind.kernelName(), nullptr);
  jobs_[Queue::kCompilations].submitFirst([this, kind, finishHere = device_.finisher(), here = device_.architecture(),
                                           making = std::make_shared<PendingJob>()] {
    document::Bench& compiler = *tools_.compiler;
    const std::string architecture = architectureFor(here);
    auto compile = [&](const std::string& text) -> Result<ProbeCode> {
      const auto& with = compiler.compiler();
      if (!with) return Failure(with.error());
      auto binary = compiler.compile(text, architecture);
      if (!binary) return Failure(binary.error());
      const auto& tools = compiler.toolkit();
      if (!tools) return Failure(tools.error());
      auto sass = compile::disassemble(*tools, *binary, true);
      if (!sass) return Failure(sass.error());
      return ProbeCode{std::move(*sass), with->name()};
    };
    auto known = std::make_shared<const FragmentLayout>(
        fragmentOn(architecture, kind, document::knownProbes(tools_.devices->sources()), compile));
    finishHere([this, kind, known, making] {
      if (!known->layout && known->layout.error().code == "Cancelled") {
        fragments_.erase(kind.kernelName());
      } else {
        fragments_[kind.kernelName()] = known;
      }
    });
  });
  return nullptr;
}

}  // namespace loom::session
