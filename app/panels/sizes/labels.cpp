// What is known of a state at a size, in words.
#include <fmt/format.h>

#include "app/panels/performance/words.h"
#include "app/panels/sizes/page.h"
#include "app/panels/sizes/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"
#include "core/tune/size_sweep.h"

namespace loom::panels {

namespace words = text::sizes;
using tune::Sweep;
using tune::SweptNote;
using tune::SweptSize;
using tune::SweptState;
using window::Look;

SweptThroughput throughputOf(const SweptSize& size, const SweptState& state) {
  SweptThroughput of;
  if (const gpu::Outcome* measured = state.measured()) of.measured = size.tflops(measured->timing.median);
  if (state.predicted) of.predicted = size.tflops(state.predicted->microseconds);
  return of;
}

SweptThroughput modelledOf(const Sweep& sweep, const SweptSize& size, const SweptState& state) {
  SweptThroughput of = throughputOf(size, state);
  if (!sweep.device.empty() && state.timed.device != sweep.device) of.measured.reset();
  return of;
}

double vendorTime(const SweptSize& size) {
  return size.vendor && size.vendor->outcome.available ? size.vendor->outcome.timing.median : 0;
}

window::Tone toneOf(const session::Session& session, int node) {
  using window::Tone;
  return node == session.navigation().current() ? Tone::kText
         : node == session.comparison().node()  ? Tone::kChanged
                                                : Tone::kTextSecond;
}

bool fails(const SweptState& state) {
  const bool ran = state.timed.result.has_value();
  return state.refusal || (state.kernel && state.kernel->problem) || state.compileProblem ||
         (ran && !state.timed.measured());
}

namespace {

std::string remark(const Look& look, const SweptState& state, const SweptNote& note) {
  using Kind = SweptNote::Kind;
  const std::string what = look.tell(note.what);
  switch (note.kind) {
    case Kind::kRefused: return say(look, words::kRefused, state.refusedNumber, what);
    case Kind::kNoKernel: return say(look, words::kNotKernel, what);
    case Kind::kNotCompiled: return say(look, words::kNotCompiled, what);
    case Kind::kWrong: return say(look, words::kWrong, what);
    case Kind::kTooSlow: return say(look, words::kTooLong, what);
    case Kind::kFailed: return say(look, words::kFailed, what);
    case Kind::kGuards:
      return note.what.empty() ? say(look, words::kGuarded, note.block)
                               : say(look, words::kGuardedShare, note.block, note.what);
    case Kind::kExtra: return say(look, words::kExtra, note.what);
    case Kind::kUnpredicted: break;
  }
  return say(look, words::kUnpredicted, what);
}

}  // namespace

std::vector<std::string> remarksOn(const Look& look, const SweptSize& size, const SweptState& state) {
  std::vector<std::string> all;
  for (const SweptNote& note : tune::notesOf(size, state)) all.push_back(remark(look, state, note));
  if (state.executed() && state.timed.measured()) all.emplace_back(look.say(words::kChecked));
  return all;
}

std::string peakText(const Look& look, const SweptState& state) {
  const SweptState::Peak& peak = *state.peak;
  return say(look, words::kPeakOf, peak.name, figureText(peak.rate.value), rateWord(look, peak.rate)) + "\n" +
         peak.rate.source + (peak.rate.other.empty() ? "" : "\n" + peak.rate.other);
}

std::string sweptTip(const PanelContext& context, const Sweep& sweep, const SweptSize& size, const SweptState& state) {
  const Look& look = context.look;
  const gpu::Matmul& product = size.product;
  std::string tip =
      fmt::format("{} × {} × {}, {}/{}\n{}", product.m, product.n, product.k, product.input.str(), product.output.str(),
                  stateLabel(look, context.session->navigation().history(), state.node));
  auto add = [&](const std::string& line) { tip += "\n" + line; };
  if (const gpu::Outcome* measured = state.measured()) {
    const gpu::Timing& t = measured->timing;
    add(fmt::format("{}, {} TFLOP/s", timeText(t.median), figureText(size.tflops(t.median))));
    add(say(look, text::performance::kQuartiles, figureText(t.low), figureText(t.high), t.samples));
    add(originText(look, state.timed));
  }
  if (state.predicted) {
    const text::Text& from =
        state.predicted->asCompiled ? text::performance::kFromCode : text::performance::kFromProgram;
    add(named(look, say(look, words::kPredictedFor, sweep.device),
              fmt::format("{} ({})", timeText(state.predicted->microseconds), look.say(from))));
  }
  if (state.peak) add(peakText(look, state));
  if (state.registers >= 0) add(say(look, words::kResources, state.registers, state.spillBytes));
  for (const std::string& line : remarksOn(look, size, state)) add(line);
  if (state.refusal) add(state.refusal->line);
  return tip;
}

}  // namespace loom::panels
