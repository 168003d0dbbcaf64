#include "core/model/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

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

constexpr double kPast = 100.5;  // percent of a roof that are more than all of it, but for rounding

// The roof that allows the kernel the least, and how much of it the predicted time reaches.
Message withRoof(Message what, const KernelModel& model) {
  const Roofline& roofline = model.roofline;
  if (roofline.lowest < 0 || roofline.flops <= 0 || model.estimate->microseconds <= 0)
    return message("What binds: {}", std::move(what));
  const auto percentOf = [&](const Roof& r) {
    return 100 * roofline.flops / model.estimate->microseconds * 1e-6 / r.tflops;
  };
  const auto timeOf = [&](const Roof& r) { return roofline.flops / r.tflops * 1e-6; };
  const Roof& roof = roofline.roofs[std::size_t(roofline.lowest)];
  const double percent = percentOf(roof);
  // The roof has every byte come from memory once a launch; times are of launches that follow each other, and what L2
  // still holds doesn't come again. Memory then bounds nothing, and the next roof does.
  if (roof.name == "memory" && percent >= kPast) {
    const Roof* next = nullptr;
    for (const Roof& other : roofline.roofs)
      if (&other != &roof && (next == nullptr || other.tflops < next->tflops)) next = &other;
    // What lies beyond the next one's rate, too, is bounded by neither.
    if (next == nullptr || percentOf(*next) >= kPast)
      return message(
          "What binds: {}; device memory is no roof here, as the L2 cache still holds much of what the launch before "
          "has read",
          std::move(what));
    return message(
        "What binds: {}; the L2 cache still holds much of what the launch before has read, so that the lowest roof is "
        "{}: at its full rate {:.3g} of the predicted {:.3g} µs, {:.0f} % (from device memory everything would take "
        "{:.3g} µs)",
        std::move(what), wordsOf(*next), timeOf(*next), model.estimate->microseconds, percentOf(*next), timeOf(roof));
  }
  // A rate that was measured with loads of threads is no bound for blocks that ask for the same bytes at once.
  if (roof.name == "l2" && percent >= kPast)
    return message(
        "What binds: {}; the predicted time is {:.0f} % past the measured rate of the lowest roof, {}: what blocks ask "
        "for at once comes once",
        std::move(what), percent - 100, wordsOf(roof));
  // Roofs stand at the full clock, those of links to L2 and memory at clocks of their own.
  if (model.estimate->powerBound && roof.name != "l2" && roof.name != "memory")
    return message(
        "What binds: {}; the predicted time reaches {:.0f} % of the lowest roof, {} (without the power limit)",
        std::move(what), percent, wordsOf(roof));
  return message("What binds: {}; the lowest roof is {}: at its full rate {:.3g} of the predicted {:.3g} µs, {} %",
                 std::move(what), wordsOf(roof), timeOf(roof), model.estimate->microseconds,
                 percent < 1 ? "<1" : fmt::format("{:.0f}", percent));
}

// What binds, for which share of the time, 0 to 1, and a sentence about it without the roof.
struct Share {
  std::string subject;
  double share = 0;
  Message words;
  std::string also = "";  // what binds as much
};

// Of warps with roles all parts work side by side: what binds is the busiest part if it hardly ever pauses, and else
// what warps wait for. A part that is busy for less leaves room for the others to take longer.
constexpr double kHardlyPauses = 0.85;
constexpr double kAlike = 0.02;  // of the time

Share ofRoles(const RoleRun& run) {
  const auto share = [&](double clocks) { return std::min(1.0, clocks / run.clocks); };
  const double tensor = share(run.use.tensor), copy = share(run.use.copy), shared = share(run.use.shared);
  const double busiest = std::max({tensor, copy, shared});
  // Playback shows products for as long as they take, also where shared memory holds them up; here is what they need.
  const double products = 100 * tensor;
  if (busiest < kHardlyPauses)
    return {"waits", 1 - tensor,
            message("warps wait: at the full rate of tensor cores products would take only {:.0f} % of the time",
                    products)};
  // What differs by less than the model can tell binds as much; products are what all the rest is for.
  if (busiest - tensor < kAlike && busiest > tensor)
    return {"tensor", tensor,
            message("products take {:.0f} % of the time at the full rate of tensor cores, {} {:.0f} %: both bind",
                    products, busiest == shared ? message("shared memory") : message("the copy engine"), 100 * busiest),
            nameOf(busiest == shared ? Track::Shared : Track::Copy)};
  if (busiest == tensor)
    return {"tensor", tensor, message("products take {:.0f} % of the time at the full rate of tensor cores", products)};
  if (busiest == shared)
    return {nameOf(Track::Shared), shared,
            message("shared memory is busy for {:.0f} % of the time; products take {:.0f} % at the full rate of tensor "
                    "cores",
                    100 * shared, products)};
  return {nameOf(Track::Copy), copy,
          message("the copy engine brings boxes from L2 for {:.0f} % of the time; products take {:.0f} % at the full "
                  "rate of tensor cores",
                  100 * copy, products)};
}

// Of phases: what is exposed or waited for longest. Nothing if no clock is.
std::optional<Share> ofPhases(const Timeline& timeline) {
  const Budget budget = budgetOf(timeline, -1);
  if (budget.clocks <= 0) return std::nullopt;
  std::string subject = "waits";
  double most = 0;
  for (double waits : budget.waits) most += waits;
  for (int i = 0; i < kTracks; ++i) {
    const double adds = budget.exposed[std::size_t(i)] + budget.waits[std::size_t(i)];  // as Playback tells it
    if (adds <= most) continue;
    most = adds;
    subject = nameOf(Track(i));
  }
  if (most <= 0) return std::nullopt;
  if (subject == nameOf(Track::Arithmetic) && timeline.unit == Unit::Tensor) subject = "tensor";
  const double share = most / budget.clocks;
  // Where L2 limits copies, they run beside what is shorter than they: that doesn't hide them, but neither is it idle.
  if (subject == nameOf(Track::Copy) && budget.uncovered < 0.99 * budget.exposed[int(Track::Copy)])
    return Share{subject, share,
                 message("for {:.0f} % of a block's time copies from L2 go on, and what goes on beside them is shorter",
                         100 * share)};
  return Share{subject, share, nothingHides(subject, 100 * share)};
}

bool uses(const std::string& subject, const std::string& pipe) {
  const auto isOneOf = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return pipe == name; });
  };
  if (subject == nameOf(Track::Copy)) return isOneOf({"copy engine", "memory instructions", "l2", "memory"});
  if (subject == nameOf(Track::Shared)) return isOneOf({"shared", "memory instructions", "cluster"});
  if (subject == nameOf(Track::Arithmetic)) return isOneOf({"fp32", "fp16"});
  if (subject == nameOf(Track::Issue))
    return isOneOf({"issue", "integer", "integer products", "instruction cache", "barrier"});
  return pipe == subject;
}

}  // namespace

int pipeOf(const std::string& subject, const Estimate& estimate) {
  int longest = -1;
  for (int i = 0; i < int(estimate.pipes.size()); ++i) {
    const PipeClocks& p = estimate.pipes[std::size_t(i)];
    // With roles, what is left of L2 are stores.
    if (!uses(subject, p.pipe) || (estimate.roles && p.pipe == "l2")) continue;
    if (longest < 0 || p.clocks > estimate.pipes[std::size_t(longest)].clocks) longest = i;
  }
  return longest;
}

std::optional<Binding> bindingOf(const KernelModel& model) {
  if (!model.timeline || !model.estimate) return std::nullopt;
  const Estimate& estimate = *model.estimate;
  const bool hasRoles = estimate.roles && estimate.roles->clocks > 0;
  std::optional<Share> binds = hasRoles ? ofRoles(*estimate.roles) : ofPhases(*model.timeline);
  if (!binds) return std::nullopt;
  const double device = estimate.microseconds - estimate.launchMicroseconds;
  if (estimate.startMicroseconds > device) {
    const std::int64_t blocks = model.accesses.kernel->blocks();
    return Binding{"waits", "", 100 * estimate.startMicroseconds / estimate.microseconds, estimate.startMicroseconds,
                   message("What binds: {} blocks are started one after the other, which takes {:.3g} of the predicted "
                           "{:.3g} µs",
                           blocks, device + estimate.startMicroseconds, estimate.microseconds)};
  }
  return Binding{binds->subject, binds->also, 100 * binds->share, device * binds->share,
                 withRoof(std::move(binds->words), model)};
}

}  // namespace loom::model
