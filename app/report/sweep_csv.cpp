#include <vector>

#include "app/report/csv_fields.h"
#include "app/report/report.h"
#include "core/document/time_rows.h"

namespace loom::report {

namespace {

using tune::SweptNote;
using tune::SweptSize;
using tune::SweptState;

const char* statusOf(const SweptState& state) {
  if (state.refusal) return "refused";
  if (state.kernel && state.kernel->problem) return "no kernel";
  if (state.timed.result && state.executed() && state.timed.measured()) return "executed on the CPU";
  if (state.timed.result) return gpu::statusName(state.timed.result->outcome.status);
  return state.predicted ? "predicted" : "not measured";
}

// Guards, padding and what went wrong, one after another.
std::string remarks(const SweptSize& size, const SweptState& state) {
  std::string all;
  auto add = [&](const std::string& one) { all += (all.empty() ? "" : "; ") + one; };
  for (const SweptNote& note : notesOf(size, state)) {
    switch (note.kind) {
      case SweptNote::Kind::kGuards:
        add(note.what.empty() ? fmt::format("{} guarded", note.block)
                              : fmt::format("{} guarded: {} % of its runs work", note.block, note.what));
        break;
      case SweptNote::Kind::kExtra: add(fmt::format("{} times the FLOP of the product", note.what)); break;
      default: add(note.what);
    }
  }
  return all;
}

void row(std::string& out, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) out += (i > 0 ? "," : "") + quoted(fields[i]);
  out += "\n";
}

}  // namespace

std::string csv(const tune::Sweep& sweep, const document::History& history) {
  std::string out;
  row(out, {"m",
            "n",
            "k",
            "input",
            "output",
            "step",
            "node",
            "line",
            "status",
            "time_us",
            "low_us",
            "high_us",
            "tflops",
            "origin",
            "device",
            "date",
            "vendor_share",
            "predicted_us",
            "predicted_tflops",
            "predicted_from",
            "predicted_for",
            "peak",
            "peak_tflops",
            "registers",
            "spill_bytes",
            "refused_step",
            "refused_line",
            "remarks"});
  for (const SweptSize& size : sweep.sizes) {
    const gpu::Matmul& p = size.product;
    const std::vector<std::string> head{std::to_string(p.m), std::to_string(p.n), std::to_string(p.k), p.input.str(),
                                        p.output.str()};
    const std::optional<document::TimeOn> vendor = document::timeOn(size.vendor);
    auto add = [&](std::vector<std::string> fields) {
      fields.insert(fields.begin(), head.begin(), head.end());
      fields.resize(28);
      row(out, fields);
    };
    if (size.problem) {
      std::vector<std::string> fields(23);
      fields[3] = size.problem->code, fields[22] = size.problem->message;
      add(fields);
    }
    for (const SweptState& s : size.states) {
      const document::Node& node = history.node(s.node);
      const gpu::Outcome* o = s.measured();
      const auto share = document::ratioOf(vendor, o ? document::timeOn(s.timed) : std::nullopt);
      auto timed = [&](double us) { return o ? fmt::format("{}", us) : std::string(); };
      add({std::to_string(s.number),
           std::to_string(s.node),
           node.step() ? node.step()->source : "",
           statusOf(s),
           o ? timed(o->timing.median) : "",
           o ? timed(o->timing.low) : "",
           o ? timed(o->timing.high) : "",
           o ? timed(size.tflops(o->timing.median)) : "",
           s.timed.result ? gpu::originName(s.timed.result->origin) : "",
           s.timed.device,
           s.timed.result ? s.timed.result->date : "",
           share ? fmt::format("{}", *share) : "",
           s.predicted ? fmt::format("{}", s.predicted->microseconds) : "",
           s.predicted ? fmt::format("{}", size.tflops(s.predicted->microseconds)) : "",
           s.predicted ? (s.predicted->asCompiled ? "machine code" : "the program") : "",
           s.predicted ? sweep.device : "",
           s.peak ? s.peak->name : "",
           s.peak ? fmt::format("{}", s.peak->rate.value) : "",
           count(s.registers),
           count(s.spillBytes),
           s.refusal ? std::to_string(s.refusedNumber) : "",
           s.refusal ? s.refusal->line : "",
           remarks(size, s)});
    }
    if (size.vendor && size.vendor->outcome.available) {
      const gpu::Timing& t = size.vendor->outcome.timing;
      add({"", "", "cuBLASLt " + size.vendor->outcome.version, "measured", fmt::format("{}", t.median),
           fmt::format("{}", t.low), fmt::format("{}", t.high), fmt::format("{}", size.tflops(t.median)),
           gpu::originName(size.vendor->origin), size.vendor->device, size.vendor->date, "1"});
    }
  }
  return out;
}

}  // namespace loom::report
