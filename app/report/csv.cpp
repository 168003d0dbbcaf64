#include "app/report/csv_fields.h"
#include "app/report/report.h"

namespace loom::report {
std::string csv(const Report& report) {
  std::string out =
      "step,node,parent,chapter,line,time_us,low_us,high_us,times_previous,times_first,vendor_share,registers,"
      "spill_bytes,shared_bytes,status,origin,device,date\n";
  for (const Chapter& chapter : report.chapters) {
    for (int index : chapter.steps) {
      const Step& s = report.steps[std::size_t(index)];
      const gpu::Outcome* o = s.result ? &s.result->outcome : nullptr;
      const std::string status = s.problem ? s.problem->code : o ? gpu::statusName(o->status) : "not measured";
      auto quartile = [&](double value) { return s.microseconds ? fmt::format("{}", value) : std::string(); };
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", s.number, s.node, count(s.parent),
                         quoted(chapter.title), quoted(s.source), number(s.microseconds),
                         o ? quartile(o->timing.low) : "", o ? quartile(o->timing.high) : "", number(s.overPrevious),
                         number(s.overFirst), number(s.vendorShare), count(s.registers), count(s.spillBytes),
                         count(s.sharedBytes), quoted(status), o ? gpu::originName(s.result->origin) : "",
                         quoted(s.device), s.result ? quoted(s.result->date) : "");
    }
  }
  if (report.vendor) {
    const gpu::Timing& t = report.vendor->outcome.timing;
    out +=
        fmt::format(",,,,{},{},{},{},,,1,,,,measured,{},{},{}\n", quoted("cuBLASLt " + report.vendor->outcome.version),
                    t.median, t.low, t.high, gpu::originName(report.vendor->origin), quoted(report.vendor->device),
                    quoted(report.vendor->date));
  }
  return out;
}

}  // namespace loom::report
