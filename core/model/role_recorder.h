// Records the trace of a simulated run of blocks whose warps have roles (some load tiles, others multiply), which the
// panel Playback draws. The trace (RoleTrace) is a list of spans, each of which says what warps, the copy engine or
// tensor cores did from one time to another.
#pragma once
#include "core/model/role_groups.h"
#include "core/model/role_trace.h"

namespace loom::model {

// The recorder of one run.
class RoleRecorder {
 public:
  // `trace` receives what happens while the first block lives, with times from the run's begin, when that block begins;
  // if it is null, nothing is recorded. Both must outlive this object; the trace refers to statements of the kernel,
  // which must live as long.
  RoleRecorder(const device::Kernel& kernel, RoleTrace* trace) : kernel_(kernel), trace_(trace) {}

  // Records a span, unless the first block has ended.
  void note(const RoleSpan& span) {
    if (trace_ != nullptr && !ended_) trace_->spans.push_back(span);
  }
  // Records what the warpgroup `g` did from `from` to `to`, in clocks, unless that took no time. `s` is the step whose
  // statement caused it; null if there is none.
  void note(RoleSpan::Does does, const WarpGroup& g, double from, double to, const RoleStep* s = nullptr) {
    if (to > from) note(spanOf(does, g, from, to, s));
  }
  // Returns a span with the warpgroup, its block and the statement filled in.
  RoleSpan spanOf(RoleSpan::Does does, const WarpGroup& g, double from, double to, const RoleStep* s = nullptr) const {
    RoleSpan span;
    span.does = does;
    span.block = g.block->number;
    span.group = g.number;
    span.from = from;
    span.to = to;
    span.statement = s != nullptr ? s->statement : nullptr;
    return span;
  }
  // Returns the span with the mbarrier (an index into the kernel's), slot and phase that it belongs to filled in.
  // `phase` is the number of the phase from 0. If a slot of the mbarrier is free at first (open), phase 0 counts as
  // ended when the block begins; in the span, it gets the number −1 and the phases after it those from 0 on.
  RoleSpan ofPhase(RoleSpan span, int barrier, int slot, std::int64_t phase) const {
    span.barrier = barrier;
    span.slot = slot;
    span.phase = int(phase) - (kernel_.mbarriers[std::size_t(barrier)].open ? 1 : 0);
    return span;
  }

  // Ends the recording. To be called once, when the first block ends, `clocks` after its begin. The multiprocessor runs
  // `blocks` blocks in all, `resident` of them at a time.
  void finish(double clocks, int blocks, int resident) {
    if (trace_ == nullptr) return;
    ended_ = true;
    trace_->clocks = clocks;
    trace_->blocks = blocks;
    trace_->resident = resident;
  }

 private:
  const device::Kernel& kernel_;
  RoleTrace* trace_ = nullptr;
  bool ended_ = false;
};

}  // namespace loom::model
