#include <fmt/format.h>

#include <algorithm>

#include "app/session/parts.h"
#include "core/document/file.h"

namespace loom::workbench {

void Workbench::Parts::finish(std::function<void()> take) {
  {
    std::lock_guard lock(mutex);
    done.push_back(std::move(take));
  }
  if (options.wake) options.wake();
}

void Workbench::Parts::finishFor(std::uint64_t target, std::function<void()> take) {
  finish([this, target, take = std::move(take)] {
    if (opened == target) take();
  });
}

std::optional<Error> Workbench::Parts::ready() {
  if (intrinsicsReady) return std::nullopt;
  auto library = intrin::Library::load(options.assets / "intrinsics");
  if (!library) return library.error();
  intrinsics = std::move(*library);
  intrinsicsReady = true;
  return std::nullopt;
}

void Workbench::Parts::say(const std::string& what) {
  {
    std::lock_guard lock(mutex);
    progress = what;
  }
  if (options.wake) options.wake();
}

void Workbench::Parts::derive(int node) {
  if (!target || programs.count(node) != 0 || !asked.insert(node).second) return;
  auto input = std::make_shared<ProgramInput>(programInput(target->history, node));
  deriving->submit([this, input, node, tag = opened, round = compileRound] {
    auto made = programOf(*input, options.views);
    finishFor(tag, [this, node, made, round] {
      programs[node] = made;
      untimed.push_back(node);
      if (round == compileRound) {
        givenUp.erase(node);
      } else {
        givenUp.insert(node);
      }
    });
  });
}

void Workbench::Parts::wantDerived(int node) {
  constexpr std::size_t kMost = 2000;  // states derived unasked; of larger histories the others when they are shown
  if (programs.size() + underived.size() < kMost) underived.push_back(node);
}

void Workbench::Parts::deriveSome() {
  constexpr std::size_t kAhead = 16;
  while (!underived.empty() && asked.size() < programs.size() + kAhead) {
    derive(underived.front());
    underived.pop_front();
  }
}

// Known results, in one job for all states that became ready together, and their resources.
void Workbench::Parts::fetchKnownResults() {
  if (untimed.empty()) return;
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (int node : std::exchange(untimed, {})) states.emplace_back(node, programs[node]);
  benching->submit([this, states, tag = opened, product = matmul] {
    std::map<int, document::KnownTime> known;
    for (const auto& [node, d] : states) known[node] = bench->known(d->kernel);
    auto line = product ? bench->knownVendor(*product) : std::nullopt;
    finishFor(tag, [this, known, line] {
      for (const auto& [node, t] : known) timed[node] = t;
      if (line) vendor = line;
    });
  });
  for (const auto& [node, d] : states) {
    if (givenUp.erase(node) == 0) wantCompiled(node);
  }
}

void Workbench::measure(std::vector<int> nodes, bool again) {
  Parts& p = *parts_;
  if (!p.target || !p.device.here) return;
  if (nodes.empty()) {
    for (const auto& [node, d] : p.programs) nodes.push_back(node);
  }
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (int node : nodes) {
    auto d = p.programs.find(node);
    if (d == p.programs.end() || d->second->kernel.problem || history().node(node).deleted) continue;
    const document::KnownTime* known = timed(node);
    const bool here = known && known->result && known->result->origin != gpu::ResultOrigin::Recorded;
    if (!here || again) states.emplace_back(node, d->second);
  }
  if (states.empty()) return;
  std::vector<int> numbers;  // of the steps: what progress names
  for (const auto& [node, d] : states) numbers.push_back(history().node(node).number);
  ++p.measuring;
  p.benching->submit([parts = &p, states, numbers, again, tag = p.opened, product = p.matmul] {
    std::vector<document::Bench::Request> requests;
    for (std::size_t i = 0; i < states.size(); ++i) {
      requests.push_back({std::to_string(numbers[i]), &states[i].second->kernel});
    }
    parts->bench->setAgain(again);
    auto measured = parts->bench->measure(requests, product, [parts](const std::string& what) { parts->say(what); });
    auto line = product ? parts->bench->knownVendor(*product) : std::nullopt;
    parts->say("");
    parts->finish([parts, states, tag, measured, line] {
      --parts->measuring;
      if (parts->opened != tag) return;
      if (line) parts->vendor = line;
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (measured) {
          parts->timed[states[i].first] = (*measured)[i];
        } else if (!parts->timed[states[i].first].result) {
          parts->timed[states[i].first].problem = measured.error();
        }
      }
    });
  });
}

void Workbench::cancel() {
  Parts& p = *parts_;
  endPreview();
  endReplay();
  endSweep();
  p.deriving->drop();
  if (p.compared) p.compared->from = nullptr;  // its marks may be among what is dropped
  p.asked.clear();
  p.underived.clear();
  for (const auto& [node, d] : p.programs) p.asked.insert(node);
  p.opening = false;
  ++p.orders;
  p.sampling.request_stop();
  if (p.device.known) p.bench->cancel();  // before, its thread is still making it
  if (p.proposing.stop) {                 // as far as it came; not begun anew at this state
    p.proposing.stop->flag = true;
    p.proposing.stop->source.request_stop();
  }
  p.dropCompiling();
  p.endCompiling(false);
  p.dropChecking();
}

bool Workbench::poll() {
  Parts& p = *parts_;
  std::vector<std::function<void()>> done;
  std::string progress;
  {
    std::lock_guard lock(p.mutex);
    done.swap(p.done);
    progress = p.progress;
  }
  for (const auto& take : done) take();
  if (p.target && !done.empty() && p.options.measureAll && p.device.here) {
    std::vector<int> fresh;
    for (int node : p.untimed) fresh.push_back(node);
    if (!fresh.empty()) measure(std::move(fresh));
  }
  p.deriveSome();
  p.fetchKnownResults();
  p.markCompared();
  p.compileSome();
  p.checkCurrent();
  if (p.proposing.from && p.target && p.proposing.from != program(current())) p.endProposing();
  if (p.autosaveDue && p.target && !p.options.dataFolder.empty()) {
    p.autosaveDue = false;
    p.deriving->submitLasting([parts = &p, file = p.autosaveFile(), text = document::writeDocument(*p.target)] {
      parts->lockAutosave();
      auto done = document::writeFile(file, text);
      // The next step tries again; the first failure is told, the ones after it would only repeat it.
      parts->finish([parts, file, done] {
        if (!done && !parts->autosaveFails) parts->written = Written{file, done.error()};
        parts->autosaveFails = !done;
      });
    });
  }
  if (p.compiling == 0 && p.uncompiled.empty()) p.compileDone = p.compileTotal = 0;
  const int sizes = p.sweep && p.sweep->running ? int(p.sweep->sizes.size()) : 0;
  int swept = 0;
  for (int i = 0; i < sizes; ++i) swept += p.sweep->sizes[std::size_t(i)].jobs == 0;
  BackgroundStatus now;
  now.kind = p.opening            ? BackgroundStatus::Kind::kOpening
             : p.measuring > 0    ? BackgroundStatus::Kind::kMeasuring
             : swept < sizes      ? BackgroundStatus::Kind::kSweeping
             : p.compileTotal > 0 ? BackgroundStatus::Kind::kCompiling
                                  : BackgroundStatus::Kind::kNone;
  now.busy = now.kind != BackgroundStatus::Kind::kNone;
  now.cancellable = now.busy;
  if (now.kind == BackgroundStatus::Kind::kMeasuring) now.text = progress;
  if (now.kind == BackgroundStatus::Kind::kSweeping) now.text = fmt::format("size {} of {}", swept + 1, sizes);
  if (now.kind == BackgroundStatus::Kind::kCompiling) {
    now.text = fmt::format("state {} of {}", std::min(p.compileDone + 1, p.compileTotal), p.compileTotal);
  }
  const bool moved = !done.empty() || now.text != p.activity.text || now.kind != p.activity.kind;
  p.activity = now;
  if (!done.empty()) {
    ++p.revision;
    p.refreshProblems();
  }
  return moved;
}

}  // namespace loom::workbench
