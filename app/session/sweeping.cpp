// A sweep over sizes, size by size: replayed and modelled, compiled, modelled again, measured. What is finished shows
// at once; the UI thread decides what comes next.
#include <fmt/format.h>

#include "app/session/parts.h"

namespace loom::workbench {

void Workbench::sweep(tune::SweepRequest request) {
  Parts& p = *parts_;
  if (!p.target || !p.device.known || request.nodes.empty() || request.sizes.empty()) return;
  endSweep();
  p.sweep.emplace();
  for (gpu::ProductSize& size : request.sizes) {
    if (p.matmul && size.input.isVoid()) size.input = p.matmul->input;
    if (p.matmul && size.output.isVoid()) size.output = p.matmul->output;
    tune::SweptSize waiting;
    waiting.product.m = size.m, waiting.product.n = size.n, waiting.product.k = size.k;
    waiting.product.input = size.input, waiting.product.output = size.output;
    waiting.jobs = 1;
    p.sweep->sizes.push_back(std::move(waiting));
  }
  p.sweep->running = true;
  p.sweep->request = request;
  const auto history = std::make_shared<const document::History>(p.target->history);
  for (std::size_t i = 0; i < request.sizes.size(); ++i) {
    p.modelling->submit([parts = &p, tag = p.opened, order = p.sweepOrder.load(), i, history, nodes = request.nodes,
                         environment = p.environment, size = request.sizes[i], name = modelledDevice(p.device)] {
      if (parts->sweepOrder != order) return;
      tune::SweptSize made = tune::sweptSize(*history, nodes, size, environment);
      const auto device = parts->described->of(name);
      for (tune::SweptState& state : made.states) {
        if (parts->sweepOrder != order) return;
        predict(state, *device);
      }
      parts->finishSweep(tag, order, [parts, i, name, made = std::move(made)](tune::Sweep& sweep) {
        sweep.device = name;
        sweep.sizes[i] = made;
        parts->compileSwept(i);
        parts->measureSwept(i);
      });
    });
  }
  ++p.revision;
}

void Workbench::Parts::finishSweep(std::uint64_t tag, std::uint64_t order, std::function<void(tune::Sweep&)> take) {
  finishFor(tag, [this, order, take = std::move(take)] {
    if (sweepOrder != order || !sweep) return;
    take(*sweep);
    sweep->running = false;
    for (const tune::SweptSize& size : sweep->sizes) sweep->running |= size.jobs > 0;
  });
}

void Workbench::Parts::compileSwept(std::size_t i) {
  tune::SweptSize& size = sweep->sizes[i];
  std::vector<std::shared_ptr<const document::KernelText>> kernels;  // by state; null: none to compile
  bool any = false;
  for (const tune::SweptState& state : size.states) {
    kernels.push_back(state.kernel && !state.kernel->problem ? state.kernel : nullptr);
    any |= kernels.back() != nullptr;
  }
  if (noCompiler || !any) return;
  ++size.jobs;
  compilingQueue->submit([this, i, kernels, tag = opened, order = sweepOrder.load(), name = modelledDevice(device),
                          here = architecture()] {
    if (sweepOrder != order) return;
    if (!compiler->compiler()) {
      finishSweep(tag, order, [i](tune::Sweep& sweep) { --sweep.sizes[i].jobs; });
      return;
    }
    std::vector<std::string> sources;
    for (const auto& k : kernels)
      if (k) sources.push_back(k->source.text);
    auto binaries =
        std::make_shared<const std::vector<Result<compile::Binary>>>(compiler->compileAll(sources, compiledFor(here)));
    modelling->submit(
        [this, i, kernels, binaries, tag, order, name] { modelSwept(i, kernels, *binaries, tag, order, name); });
  });
}

// With what they were compiled to. Modelling thread.
void Workbench::Parts::modelSwept(std::size_t i,
                                  const std::vector<std::shared_ptr<const document::KernelText>>& kernels,
                                  const std::vector<Result<compile::Binary>>& binaries, std::uint64_t tag,
                                  std::uint64_t order, const std::string& name) {
  const auto device = described->of(name);
  if (!toolkit) toolkit = compile::findToolkit(compile::defaultSearchPath());
  std::vector<tune::SweptState> made(kernels.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < kernels.size(); ++s) {
    if (!kernels[s]) continue;
    if (sweepOrder != order) return;
    const auto& binary = binaries[next++];
    if (!binary) {
      made[s].compileProblem = binary.error();
      continue;
    }
    made[s].kernel = kernels[s];
    const Result<std::string> sass =
        *toolkit ? compile::disassemble(**toolkit, *binary) : Result<std::string>(Failure(toolkit->error()));
    tune::predict(made[s], *device, &*binary, &sass);
  }
  finishSweep(tag, order, [i, made = std::move(made)](tune::Sweep& sweep) {
    tune::SweptSize& size = sweep.sizes[i];
    --size.jobs;
    for (std::size_t s = 0; s < made.size(); ++s) {
      tune::SweptState& state = size.states[s];
      if (made[s].compileProblem) state.compileProblem = made[s].compileProblem;
      if (!made[s].kernel) continue;
      state.registers = made[s].registers;
      state.spillBytes = made[s].spillBytes;
      if (made[s].predicted) state.predicted = made[s].predicted;
    }
  });
}

void Workbench::Parts::measureSwept(std::size_t i) {
  tune::SweptSize& size = sweep->sizes[i];
  std::vector<std::shared_ptr<const document::KernelText>> kernels;
  std::vector<std::string> labels;
  bool any = false;
  for (const tune::SweptState& state : size.states) {
    kernels.push_back(state.kernel && !state.kernel->problem ? state.kernel : nullptr);
    labels.push_back(std::to_string(state.number));
    any |= kernels.back() != nullptr;
  }
  if (!any && size.problem) return;
  const bool runs =
      any && sweep->request.measure && device.here && (!device.here->cpu || tune::checkedOnCpu(size.product));
  ++size.jobs;
  if (runs) ++measuring;
  benching->submit([this, i, kernels, labels, runs, product = size.product, tag = opened, order = sweepOrder.load()] {
    auto ended = std::make_shared<std::vector<document::KnownTime>>(kernels.size());
    std::vector<document::Bench::Request> requests;
    std::vector<std::size_t> slots;
    for (std::size_t s = 0; s < kernels.size() && sweepOrder == order; ++s) {
      if (!kernels[s]) continue;
      (*ended)[s] = bench->known(*kernels[s]);
      requests.push_back({labels[s], kernels[s].get()});
      slots.push_back(s);
    }
    if (runs && sweepOrder == order) {
      const std::string at = gpu::sizeText({product.m, product.n, product.k, {}, {}});
      bench->setAgain(false);
      auto measured = bench->measure(requests, product, [&](const std::string& what) { say(at + ", " + what); });
      say("");
      for (std::size_t r = 0; r < slots.size(); ++r) {
        if (measured) {
          (*ended)[slots[r]] = (*measured)[r];
        } else if (!(*ended)[slots[r]].result) {
          (*ended)[slots[r]].problem = measured.error();
        }
      }
    }
    auto line = bench->knownVendor(product);
    finish([this, runs] {
      if (runs) --measuring;
    });
    finishSweep(tag, order, [i, ended, line](tune::Sweep& sweep) {
      tune::SweptSize& size = sweep.sizes[i];
      --size.jobs;
      size.vendor = line;
      for (std::size_t s = 0; s < ended->size(); ++s) size.states[s].timed = (*ended)[s];
    });
  });
}

void Workbench::endSweep() {
  Parts& p = *parts_;
  ++p.sweepOrder;
  if (!p.sweep) return;
  p.sweep->cancelled |= p.sweep->running;
  p.sweep->running = false;
  for (tune::SweptSize& size : p.sweep->sizes) size.jobs = 0;
  ++p.revision;
}

const tune::Sweep* Workbench::sweep() const { return parts_->sweep ? &*parts_->sweep : nullptr; }
const SweepChoice& Workbench::sweepChoice() const { return parts_->sweepChoice; }

void Workbench::chooseSweep(SweepChoice choice) { parts_->sweepChoice = std::move(choice); }

}  // namespace loom::workbench
