#include "core/model/rate.h"

#include <fmt/format.h>

#include <cmath>

namespace loom::model {
namespace {

std::optional<Quantity> measuredTwin(Quantity quantity) {
  switch (quantity) {
    case Quantity::MemoryGbPerS: return Quantity::MemoryGbPerSMeasured;
    case Quantity::Fp32Tflops: return Quantity::Fp32TflopsMeasured;
    default: return std::nullopt;
  }
}

bool isBytes(Quantity quantity) { return quantity == Quantity::MemoryGbPerS; }

}  // namespace

std::optional<Rate> rateOf(const Device& device, Quantity quantity) {
  const Figure* stated = device.find(quantity);
  const auto twin = measuredTwin(quantity);
  if (const Figure* seen = twin ? device.find(*twin) : nullptr) {
    return Rate{seen->value, seen->source, true,
                stated
                    ? fmt::format("{:g} {}: {}", stated->value, isBytes(quantity) ? "GB/s" : "TFLOP/s", stated->source)
                    : std::string()};
  }
  if (!stated) return std::nullopt;
  return Rate{stated->value, stated->source, stated->source.rfind("measured", 0) == 0, ""};
}

std::optional<Rate> sharedRateOf(const Device& device) {
  const Figure* perClock = device.find(Quantity::SharedBytesPerClock);
  const auto clock = device.value(Quantity::ClockMhz), sms = device.value(Quantity::Multiprocessors);
  if (!perClock || !clock || !sms) return std::nullopt;
  const double stated = perClock->value * *clock * *sms / 1000;
  std::string source = fmt::format("{:g} bytes a clock of each multiprocessor; {}", perClock->value, perClock->source);
  if (const Figure* seen = device.find(Quantity::SharedGbPerSMeasured))
    return Rate{seen->value, seen->source, true, fmt::format("{:g} GB/s: {}", std::round(stated), source)};
  return Rate{stated, std::move(source), false, ""};
}

}  // namespace loom::model
