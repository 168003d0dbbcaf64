#include "app/session/stall_samples.h"

namespace loom::session {

document::StallStore& StallSamples::store() {
  const auto& data = options_.dataFolder;
  if (!tools_.stallStore) tools_.stallStore.emplace(options_.assets, data.empty() ? data : data / "profiles");
  return *tools_.stallStore;
}

// Looked up, and put beside the machine code where there is something, in the models' thread.
void StallSamples::want(int node) {
  const auto program = programs_.known(node);
  const DeviceStatus& device = device_.status();
  if (!program || !device.known || program->kernel.problem) return;
  Sampled& slot = sampled_[node];
  if (slot.from != program) {
    slot = {program, nullptr, nullptr, nullptr};
    const bool gpu = device.here && !device.here->cpu;
    jobs_[Queue::kModels].submit(
        [this, node, target = jobs_.target(), program, here = gpu ? device.here->name : std::string()] {
          const document::StateStalls file = store().find(program->kernel.key, here);
          jobs_.finishFor(target, [this, node, program, file] { take(node, program, file, std::nullopt); });
        });
  }
  if (!slot.file) return;
  const auto model = models_.of(node, ModelBasis::kMachineCode);
  if (!model || !model->machine || slot.machine == model->machine) return;
  const auto machine = model->machine;
  slot.machine = machine;
  jobs_[Queue::kModels].submit(
      [this, node, machine, target = jobs_.target(), program, file = slot.file, chosen = device.chosen] {
        document::StallResult made = document::knownStalls(file, *machine, program->kernel.source.text);
        if (made.problem && !chosen.empty() && chosen != file->device)
          made.problem =
              fail("OtherDevice", message("the samples are of {}, the machine code is for {}", file->device, chosen),
                   Forbids::Input)
                  .value();
        auto shared = std::make_shared<const document::StallResult>(std::move(made));
        jobs_.finishFor(target, [this, node, machine, file, shared] {
          Sampled& slot = sampled_[node];
          if (slot.machine == machine && slot.file == file) slot.made = shared;
        });
      });
}

void StallSamples::take(int node, const std::shared_ptr<const Program>& from, document::StateStalls file,
                        const std::optional<Error>& problem) {
  Sampled& slot = sampled_[node];
  if (slot.from != from) return;
  if (file) {
    slot.file = std::move(file);
    slot.machine = nullptr;  // to be put beside it
  } else {
    document::StallResult made = slot.made ? *slot.made : document::StallResult{};
    made.problem = problem;
    slot.made = std::make_shared<const document::StallResult>(std::move(made));
  }
}

std::shared_ptr<const document::StallResult> StallSamples::of(int node) {
  want(node);
  const auto found = sampled_.find(node);
  if (found == sampled_.end()) return nullptr;
  const auto program = programs_.known(node);
  return program && program == found->second.from ? found->second.made : nullptr;
}

const Result<std::string>* StallSamples::sampler() {
  const DeviceStatus& device = device_.status();
  if (!samplerAsked_ && device.known) {
    samplerAsked_ = true;
    Result<gpu::DeviceInfo> here = fail("NoDevice", message("the CUDA driver reports no device"), Forbids::Environment);
    if (device.problem) here = Failure(*device.problem);
    if (device.here) here = *device.here;
    jobs_[Queue::kModels].submit([this, here] {
      const auto found = document::stallSampler(here, options_.bench.localWorkerCommand);
      const auto said = found ? Result<std::string>("ncu " + found->version) : Failure(found.error());
      jobs_.finish([this, said] { sampler_ = said; });
    });
  }
  return sampler_ ? &*sampler_ : nullptr;
}

// In the bench's thread, so that no measurement runs beside it.
void StallSamples::sample(int node) {
  auto slot = sampled_.find(node);
  if (!device_.status().here || slot == sampled_.end() || !slot->second.from) return;
  ++jobs_.measuring;
  sampling_ = {};
  jobs_[Queue::kBench].submit(
      [this, node, target = jobs_.target(), from = slot->second.from, product = results_.matmul(),
       label = std::to_string(documents_.history().node(node).number), stop = sampling_.get_token()] {
        document::StallRequest request;
        request.label = label;
        request.kernel = &from->kernel;
        request.matmul = product;
        request.workerCommand = options_.bench.localWorkerCommand;
        auto made = document::sampleStalls(
            *tools_.bench, request, [this](const Message& what) { jobs_.setProgress(what); }, stop);
        jobs_.setProgress({});
        jobs_.finish([this] { --jobs_.measuring; });
        if (!made) {
          jobs_.finishFor(target, [this, node, from, why = made.error()] {
            if (why.code != "Cancelled") take(node, from, nullptr, why);
          });
          return;
        }
        const auto file = std::make_shared<const profile::ProfileFile>(std::move(made->file));
        jobs_[Queue::kModels].submit([this, node, target, from, file] {
          // Where it can't be written it lives as long as the window.
          (void)store().put(file);
          jobs_.finishFor(target, [this, node, from, file] { take(node, from, file, std::nullopt); });
        });
      });
}

void StallSamples::reset() { jobs_.discard(std::exchange(sampled_, {})); }

void StallSamples::followDevice() {
  for (auto& [node, slot] : sampled_) {
    slot.machine = nullptr;
    if (slot.file) slot.made = nullptr;
  }
}

}  // namespace loom::session
