#include "app/session/sweep_run.h"

#include <utility>

namespace loom::session {

void SweepRun::start(tune::SweepRequest request) {
  if (documents_.target() == nullptr || !device_.status().known || request.nodes.empty() || request.sizes.empty())
    return;
  end();
  sweep_.emplace();
  for (gpu::ProductSize& size : request.sizes) {
    const auto& matmul = results_.matmul();
    if (matmul && size.input.isVoid()) size.input = matmul->input;
    if (matmul && size.output.isVoid()) size.output = matmul->output;
    tune::SweptSize waiting;
    waiting.product.m = size.m, waiting.product.n = size.n, waiting.product.k = size.k;
    waiting.product.input = size.input, waiting.product.output = size.output;
    waiting.jobs = 1;
    sweep_->sizes.push_back(std::move(waiting));
  }
  sweep_->running = true;
  sweep_->request = request;
  const auto history = std::make_shared<const document::History>(documents_.history());
  for (std::size_t i = 0; i < request.sizes.size(); ++i) {
    jobs_[Queue::kModels].submit([this, target = jobs_.target(), order = order_.load(), i, history,
                                  nodes = request.nodes, environment = documents_.environment(),
                                  size = request.sizes[i], name = modelledDevice(device_.status())] {
      if (order_ != order) return;
      tune::SweptSize made = tune::sweptSize(*history, nodes, size, environment);
      const auto device = tools_.devices->of(name);
      for (tune::SweptState& state : made.states) {
        if (order_ != order) return;
        predict(state, *device);
      }
      finish(target, order, [this, i, name, made = std::move(made)](tune::Sweep& sweep) {
        sweep.device = name;
        sweep.sizes[i] = made;
        compile(i);
        measure(i);
      });
    });
  }
  jobs_.touch();
}

void SweepRun::finish(std::uint64_t target, std::uint64_t order, std::function<void(tune::Sweep&)> take) {
  jobs_.finishFor(target, [this, order, take = std::move(take)] {
    if (order_ != order || !sweep_) return;
    take(*sweep_);
    sweep_->running = false;
    for (const tune::SweptSize& size : sweep_->sizes) sweep_->running |= size.jobs > 0;
  });
}

void SweepRun::compile(std::size_t i) {
  tune::SweptSize& size = sweep_->sizes[i];
  std::vector<std::shared_ptr<const document::KernelText>> kernels;  // by state; null: none to compile
  bool any = false;
  for (const tune::SweptState& state : size.states) {
    kernels.push_back(state.kernel && !state.kernel->problem ? state.kernel : nullptr);
    any |= kernels.back() != nullptr;
  }
  if (compilations_.hasNoCompiler() || !any) return;
  ++size.jobs;
  jobs_[Queue::kCompilations].submit([this, i, kernels, target = jobs_.target(), order = order_.load(),
                                      name = modelledDevice(device_.status()), here = device_.architecture()] {
    if (order_ != order) return;
    if (!tools_.compiler->compiler()) {
      finish(target, order, [i](tune::Sweep& sweep) { --sweep.sizes[i].jobs; });
      return;
    }
    std::vector<compile::Text> sources;
    for (const auto& k : kernels)
      if (k) sources.emplace_back(k->source);
    auto binaries = std::make_shared<const std::vector<Result<compile::Binary>>>(
        tools_.compiler->compileAll(sources, compilations_.architectureFor(here)));
    jobs_[Queue::kModels].submit(
        [this, i, kernels, binaries, target, order, name] { model(i, kernels, *binaries, target, order, name); });
  });
}

// With what they were compiled to. Modelling thread.
void SweepRun::model(std::size_t i, const std::vector<std::shared_ptr<const document::KernelText>>& kernels,
                     const std::vector<Result<compile::Binary>>& binaries, std::uint64_t target, std::uint64_t order,
                     const std::string& name) {
  const auto device = tools_.devices->of(name);
  auto& toolkit = tools_.toolkit;
  if (!toolkit) toolkit = compile::findToolkit(compile::defaultSearchPath());
  std::vector<tune::SweptState> made(kernels.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < kernels.size(); ++s) {
    if (!kernels[s]) continue;
    if (order_ != order) return;
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
  finish(target, order, [i, made = std::move(made)](tune::Sweep& sweep) {
    tune::SweptSize& size = sweep.sizes[i];
    --size.jobs;
    for (std::size_t s = 0; s < made.size(); ++s) size.states[s].takeCompiled(made[s]);
  });
}

void SweepRun::measure(std::size_t i) {
  tune::SweptSize& size = sweep_->sizes[i];
  std::vector<std::shared_ptr<const document::KernelText>> kernels;
  std::vector<std::string> labels;
  bool any = false;
  for (const tune::SweptState& state : size.states) {
    kernels.push_back(state.kernel && !state.kernel->problem ? state.kernel : nullptr);
    labels.push_back(std::to_string(state.number));
    any |= kernels.back() != nullptr;
  }
  if (!any && size.problem) return;
  const auto& here = device_.status().here;
  const bool runs = any && sweep_->request.measure && here && (!here->cpu || tune::checkedOnCpu(size.product));
  ++size.jobs;
  if (runs) ++jobs_.measuring;
  jobs_[Queue::kBench].submit(
      [this, i, kernels, labels, runs, product = size.product, target = jobs_.target(), order = order_.load()] {
        auto ended = std::make_shared<std::vector<document::KnownTime>>(kernels.size());
        std::vector<document::Bench::Request> requests;
        std::vector<std::size_t> slots;
        for (std::size_t s = 0; s < kernels.size() && order_ == order; ++s) {
          if (!kernels[s]) continue;
          (*ended)[s] = tools_.bench->known(*kernels[s]);
          requests.push_back({labels[s], kernels[s].get()});
          slots.push_back(s);
        }
        if (runs && order_ == order) {
          const std::string at = gpu::sizeText({product.m, product.n, product.k, {}, {}});
          tools_.bench->setAgain(false);
          auto measured = tools_.bench->measure(
              requests, product, [&](const Message& what) { jobs_.setProgress(message("{}, {}", at, what)); });
          jobs_.setProgress({});
          for (std::size_t r = 0; r < slots.size(); ++r) {
            if (measured) {
              (*ended)[slots[r]] = (*measured)[r];
            } else if (!(*ended)[slots[r]].result) {
              (*ended)[slots[r]].problem = measured.error();
            }
          }
        }
        auto line = tools_.bench->knownVendor(product);
        jobs_.finish([this, runs] {
          if (runs) --jobs_.measuring;
        });
        finish(target, order, [i, ended, line](tune::Sweep& sweep) {
          tune::SweptSize& size = sweep.sizes[i];
          --size.jobs;
          size.vendor = line;
          for (std::size_t s = 0; s < ended->size(); ++s) size.states[s].timed = (*ended)[s];
        });
      });
}

void SweepRun::end() {
  ++order_;
  if (!sweep_) return;
  sweep_->cancelled |= sweep_->running;
  sweep_->running = false;
  for (tune::SweptSize& size : sweep_->sizes) size.jobs = 0;
  jobs_.touch();
}

void SweepRun::reset() {
  ++order_;
  jobs_.discard(std::exchange(sweep_, std::nullopt));
}

}  // namespace loom::session
