#include <algorithm>

#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/performance.h"
#include "app/report/csv_fields.h"
#include "app/report/report.h"

namespace loom::report {
namespace {

// What the model says of a state; empty fields where it says nothing: its device, the predicted time and what it is
// made of, blocks on a multiprocessor and what limits them, bytes over the links, the worst bank conflict.
std::string modelFields(const Step& step) {
  if (!step.model) return ",,,,,,,";
  const session::PerformanceView& p = session::performanceOf(*step.model);
  auto bytes = [&](session::Traffic link) {
    const auto& known = p.bytes[std::size_t(link)];
    return known ? fmt::format("{}", known->value) : std::string();
  };
  int ways = 0;
  for (const session::MemoryBuffer& b : session::memoryOf(*step.model).buffers) ways = std::max(ways, b.ways);
  return fmt::format(
      "{},{},{},{},{},{},{},{}", quoted(p.device), p.estimate ? fmt::format("{}", p.estimate->microseconds) : "",
      !p.estimate              ? ""
      : p.estimate->asCompiled ? "machine code"
                               : "program as written",
      p.occupancy ? std::to_string(p.occupancy->blocks) : "", p.occupancy ? nameOf(p.occupancy->limiter) : "",
      bytes(session::Traffic::kL2), bytes(session::Traffic::kShared), ways > 0 ? std::to_string(ways) : "");
}

}  // namespace

std::string csv(const Report& report) {
  std::string out =
      "step,node,parent,chapter,line,time_us,low_us,high_us,times_previous,times_first,vendor_share,registers,"
      "spill_bytes,shared_bytes,status,origin,device,date,tflops,modelled_device,predicted_us,predicted_from,"
      "blocks_per_multiprocessor,limited_by,l2_traffic_bytes,shared_traffic_bytes,bank_conflict_ways\n";
  for (const Chapter& chapter : report.chapters) {
    for (int index : chapter.steps) {
      const Step& s = report.steps[std::size_t(index)];
      const gpu::Outcome* o = s.result ? &s.result->outcome : nullptr;
      const std::string status = s.problem ? s.problem->code : o ? gpu::statusName(o->status) : "not measured";
      auto quartile = [&](double value) { return s.microseconds ? fmt::format("{}", value) : std::string(); };
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", s.number, s.node,
                         count(s.parent), quoted(chapter.title), quoted(s.source), number(s.microseconds),
                         o ? quartile(o->timing.low) : "", o ? quartile(o->timing.high) : "", number(s.overPrevious),
                         number(s.overFirst), number(s.vendorShare), count(s.registers), count(s.spillBytes),
                         count(s.sharedBytes), quoted(status), o ? gpu::originName(s.result->origin) : "",
                         quoted(s.device), s.result ? quoted(s.result->date) : "", number(s.tflops()), modelFields(s));
    }
  }
  if (report.vendor) {
    const gpu::Timing& t = report.vendor->outcome.timing;
    out +=
        fmt::format(",,,,{},{},{},{},,,1,,,,measured,{},{},{},,,,,,,,,\n",
                    quoted("cuBLASLt " + report.vendor->outcome.version), t.median, t.low, t.high,
                    gpu::originName(report.vendor->origin), quoted(report.vendor->device), quoted(report.vendor->date));
  }
  return out;
}

}  // namespace loom::report
