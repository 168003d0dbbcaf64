#include "core/model/binding.h"

#include <fmt/format.h>

namespace loom::model {
namespace {

Message nothingHides(const std::string& subject, double percent) {
  if (subject == nameOf(Track::Copy))
    return message("for {:.0f} % of a block's time nothing hides global memory, its latency or its queue", percent);
  if (subject == nameOf(Track::Shared))
    return message("for {:.0f} % of a block's time nothing hides shared memory, its latency or its queue", percent);
  if (subject == "tensor") return message("for {:.0f} % of a block's time only the tensor cores are at work", percent);
  if (subject == nameOf(Track::Arithmetic))
    return message("for {:.0f} % of a block's time only arithmetic goes on", percent);
  if (subject == nameOf(Track::Issue))
    return message("for {:.0f} % of a block's time only instructions are issued", percent);
  return message("for {:.0f} % of its time a block only waits", percent);
}

Message wordsOf(const Roof& roof) {
  if (roof.name == "memory") return message("device memory");
  if (roof.name == "l2") return verbatim("L2");
  if (roof.name == "shared") return message("shared memory");
  return verbatim(roof.name);
}

// The roof that allows the kernel the least, and how much of it the predicted time reaches.
Message withRoof(Message what, const KernelModel& model) {
  const Roofline& roofline = model.roofline;
  if (roofline.lowest < 0 || roofline.flops <= 0 || model.estimate->microseconds <= 0)
    return message("What binds: {}", std::move(what));
  const Roof& roof = roofline.roofs[std::size_t(roofline.lowest)];
  const double reached = roofline.flops / model.estimate->microseconds * 1e-6;
  const double percent = 100 * reached / roof.tflops;
  // A rate that was measured with loads of threads is no bound for blocks that ask for the same bytes at once.
  if (roof.name == "l2" && percent >= 100.5)
    return message(
        "What binds: {}; the predicted time is {:.0f} % past the measured rate of the lowest roof, {}: what blocks ask "
        "for at once comes once",
        std::move(what), percent - 100, wordsOf(roof));
  return message("What binds: {}; the lowest roof is {}: the predicted time reaches {} % of it", std::move(what),
                 wordsOf(roof), percent < 1 ? "<1" : fmt::format("{:.0f}", percent));
}

}  // namespace

std::optional<Binding> bindingOf(const KernelModel& model) {
  if (!model.timeline || !model.estimate) return std::nullopt;
  const Budget budget = budgetOf(*model.timeline, -1);
  if (budget.clocks <= 0) return std::nullopt;
  Binding binding;
  binding.subject = "waits";
  double most = 0;
  for (double waits : budget.waits) most += waits;
  for (int i = 0; i < kTracks; ++i) {
    const double adds = budget.exposed[std::size_t(i)] + budget.waits[std::size_t(i)];  // as Playback tells it
    if (adds <= most) continue;
    most = adds;
    binding.subject = nameOf(Track(i));
  }
  if (most <= 0) return std::nullopt;
  if (binding.subject == nameOf(Track::Arithmetic) && model.timeline->unit == Unit::Tensor) binding.subject = "tensor";
  binding.percent = 100 * most / budget.clocks;
  binding.microseconds = (model.estimate->microseconds - model.estimate->launchMicroseconds) * most / budget.clocks;
  binding.sentence = withRoof(nothingHides(binding.subject, binding.percent), model);
  return binding;
}

}  // namespace loom::model
