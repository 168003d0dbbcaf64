// Records the trace that Playback draws while a run of blocks with roles goes on (role_run.cpp).
#pragma once
#include "core/model/role_groups.h"
#include "core/model/role_trace.h"

namespace loom::model {

// The recorder of one run.
class RoleRecorder {
 public:
  // `trace` receives what happens while the first block lives; if it is null, nothing is recorded. Both must outlive
  // this object.
  RoleRecorder(const device::Kernel& kernel, RoleTrace* trace) : kernel_(kernel), trace_(trace) {}

  // Records a span; nothing once the first block has ended.
  void note(const RoleSpan& span) {
    if (trace_ != nullptr && !ended_) trace_->spans.push_back(span);
  }
  // Records what a warpgroup did from `from` to `to`, unless that took no time. `s` is null for what no statement says.
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
  // Returns the span with the phase of a slot that it is of, counted without the one that counts as ended at first.
  RoleSpan ofPhase(RoleSpan span, int barrier, int slot, std::int64_t phase) const {
    span.barrier = barrier;
    span.slot = slot;
    span.phase = int(phase) - (kernel_.mbarriers[std::size_t(barrier)].open ? 1 : 0);
    return span;
  }

  // Ends the recording when the first block ends, at `clocks`. The multiprocessor runs `blocks` in all, `resident` at a
  // time.
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
