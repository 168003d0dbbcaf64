#include "core/model/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace loom::model {
namespace {

using device::Memory;

// Clocks of all multiprocessors' work → microseconds on the busiest one.
double microseconds(double clocks, const KernelModel& m, const Device& d) {
  auto sms = d.value(Quantity::Multiprocessors), clock = d.value(Quantity::ClockMhz);
  if (!sms || !clock) return 0;
  double blocks = double(m.accesses.kernel->blocks());
  return clocks * std::ceil(blocks / *sms) / blocks / *clock;
}

// Conflicts of one shared buffer's loads or stores. Rows that lie 16 bytes further apart start in other banks.
void conflicts(const KernelModel& m, const Device& d, const Fitted& f, std::vector<Advice>& out) {
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i) {
    const Access& a = m.accesses.accesses[i];
    const AccessCost& c = m.count.accesses[i];
    if (c.conflicts <= 0) continue;
    Advice advice;
    advice.code = "bank_conflicts";
    advice.subject = a.buffer->name;
    advice.access = int(i);
    advice.microseconds = microseconds(c.conflicts * f.clocksPerWavefront, m, d);
    advice.numbers = {{"ways", double(c.most)}, {"conflicts", c.conflicts}, {"microseconds", advice.microseconds}};
    advice.message = fmt::format("{}-way bank conflicts where {} is {} cost about {:.1f} µs", c.most, a.buffer->name,
                                 a.write ? "written" : "read", advice.microseconds);
    if (const auto padding = paddingOf(*m.accesses.kernel, a)) advice.step = padding->step;
    out.push_back(std::move(advice));
  }
}

// Global requests that touch several times the sectors that their bytes need.
void scattered(const KernelModel& m, const Device& d, const Fitted& f, std::vector<Advice>& out) {
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i) {
    const Access& a = m.accesses.accesses[i];
    const AccessCost& c = m.count.accesses[i];
    if (a.memory != Memory::Global || c.sectors <= 0) continue;
    double needed = std::max(1.0, c.bytes / c.requests / layout::kSectorBytes);
    if (c.mean() < 4 * needed) continue;
    Advice advice;
    advice.code = "scattered_access";
    advice.subject = a.buffer->name;
    advice.access = int(i);
    advice.microseconds = microseconds((c.lines - c.requests) * f.clocksPerLine, m, d);
    advice.numbers = {{"sectors", c.mean()}, {"needed", needed}, {"microseconds", advice.microseconds}};
    advice.message =
        fmt::format("a warp's {} of {} touches {:.1f} sectors where {:.1f} would do: neighbouring lanes are far apart",
                    a.write ? "store" : "load", a.buffer->name, c.mean(), needed);
    out.push_back(std::move(advice));
  }
}

// Arithmetic that a few lanes of each warp do for all.
void idle(const KernelModel& m, std::vector<Advice>& out) {
  for (std::size_t i = 0; i < m.accesses.work.size(); ++i) {
    const Work& w = m.accesses.work[i];
    const AccessCost& c = m.count.work[i];
    if (w.flops <= 0 || c.executions <= 0 || m.accesses.kernel->threads() < 32) continue;
    double lanes = c.lanes / c.executions;
    if (lanes > 16) continue;
    Advice advice;
    advice.code = "idle_lanes";
    advice.subject = w.blockName;
    advice.numbers = {{"lanes", lanes}};
    advice.message = fmt::format("{:.0f} of 32 lanes work in {}: no loop around it is bound to the others' axis", lanes,
                                 w.blockName.empty() ? "the kernel" : w.blockName);
    out.push_back(std::move(advice));
  }
}

void fewBlocks(const KernelModel& m, const Device& d, std::vector<Advice>& out) {
  if (!m.waves || m.waves->busyMultiprocessors <= 0 || m.waves->busyMultiprocessors > 0.9) return;
  Advice advice;
  advice.code = "few_blocks";
  advice.numbers = {{"blocks", double(m.waves->blocks)}, {"multiprocessors", *d.value(Quantity::Multiprocessors)}};
  advice.message = fmt::format("{} blocks leave {:.0f} of {:.0f} multiprocessors idle: smaller tiles make more blocks",
                               m.waves->blocks, *d.value(Quantity::Multiprocessors) - double(m.waves->blocks),
                               *d.value(Quantity::Multiprocessors));
  if (m.estimate) advice.microseconds = m.estimate->microseconds * (1 - m.waves->busyMultiprocessors);
  advice.numbers["microseconds"] = advice.microseconds;
  out.push_back(std::move(advice));
}

}  // namespace

std::optional<RowPadding> paddingOf(const device::Kernel& kernel, const Access& access) {
  for (const device::Allocation& s : kernel.allocations) {
    if (s.buffer != access.buffer || s.extents.size() < 2) continue;
    const std::int64_t row = s.strides.size() == s.extents.size() ? s.strides[s.strides.size() - 2] : s.extents.back();
    const std::int64_t offset = std::max(1, 16 / access.bytes);
    const bool padded = row != s.extents.back();
    if (padded || row <= 1 || !std::has_single_bit(std::uint64_t(row))) continue;
    return RowPadding{row, row + offset,
                      fmt::format("sch.storage_align(block=\"{}\", buffer_index=0, axis=-2, factor={}, offset={})",
                                  access.buffer->name, row, offset)};
  }
  return std::nullopt;
}

std::vector<Advice> adviceOn(const KernelModel& m, const Device& d, const Fitted& f) {
  std::vector<Advice> out;
  conflicts(m, d, f, out);
  scattered(m, d, f, out);
  idle(m, out);
  fewBlocks(m, d, out);
  for (Advice& a : out)
    if (m.estimate) a.numbers["predicted"] = m.estimate->microseconds;
  std::stable_sort(out.begin(), out.end(),
                   [](const Advice& a, const Advice& b) { return a.microseconds > b.microseconds; });
  return out;
}

}  // namespace loom::model
