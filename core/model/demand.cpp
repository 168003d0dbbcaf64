#include "core/model/demand.h"

#include "core/model/estimate.h"

namespace loom::model {
namespace {

// FLOP a clock of one multiprocessor on tensor cores.
double tensorRate(const KernelAccesses& k, const Device& d) {
  bool half = false, integer = false;
  for (const Work& w : k.work) {
    if (w.tensorFlops <= 0) continue;
    half |= w.halfAccumulator;
    integer |= w.dtype.isIntegral();
  }
  Quantity q = integer ? Quantity::MmaS8Tops : half ? Quantity::MmaF16F16Tflops : Quantity::MmaF16F32Tflops;
  auto peak = d.value(q);
  if (!peak && half) peak = d.value(Quantity::MmaF16F32Tflops);
  auto sms = d.value(Quantity::Multiprocessors), clock = d.value(Quantity::ClockMhz);
  return peak && sms && clock ? *peak * 1e6 / *sms / *clock : 0;
}

}  // namespace

Demand& Demand::operator+=(const Demand& more) {
  instructions += more.instructions, lines += more.lines, wavefronts += more.wavefronts;
  fma += more.fma, half += more.half, tensor += more.tensor, barriers += more.barriers;
  return *this;
}

Demand Demand::operator*(double f) const {
  return {instructions * f, lines * f, wavefronts * f, fma * f, half * f, tensor * f, barriers * f};
}

PipeRates pipeRates(const KernelAccesses& k, const Device& device, const Fitted& f) {
  PipeRates r;
  r.schedulers = device.value(Quantity::SubPartitions).value_or(4);
  r.fmaPerClock = device.value(Quantity::Fp32FlopPerClock).value_or(256) / 64;  // warp instructions
  r.tensorFlopPerClock = tensorRate(k, device);
  r.instruction = f.issueSlack / r.schedulers;
  r.line = f.clocksPerLine;
  r.wavefront = f.clocksPerWavefront;
  r.fma = 1 / r.fmaPerClock;
  r.half = 2 / r.fmaPerClock;
  r.tensor = r.tensorFlopPerClock > 0 ? 4096 / r.tensorFlopPerClock : 0;
  r.barrier = f.clocksPerBarrier;
  return r;
}

}  // namespace loom::model
