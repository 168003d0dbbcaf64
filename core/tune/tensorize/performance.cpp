#include "core/tune/tensorize/performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/ir/packed.h"
#include "core/tune/rules/built.h"

namespace loom::tune {
namespace {

constexpr int kAsyncSince = 80;  // compute capability, times ten, with copies past registers (PTX ISA, cp.async)

// Whether every copy to shared memory moves at least 4 bytes at once, the least that cp.async does.
bool copiesInWords(const Tensorization& t) {
  return std::ranges::none_of(std::array{0, 1}, [&](int n) {
    return ir::bytesOf(t.matrices.rows[std::size_t(n)].buffer->dtype, t.threads.vectors[std::size_t(n)]) < 4;
  });
}

class List {
 public:
  List(const document::History& history, const Tensorization& passes, const schedule::Environment& environment,
       const model::Device* device, const TensorizeRequest& request)
      : start_(history.node(passes.at).state),
        nest_(startOf(history, passes, environment)),
        t_(passes),
        environment_(environment),
        device_(device),
        request_(request),
        product_(passes.pattern.product) {
    request_.tile = t_.pattern.tile.shape;
    request_.plan = t_.threads.plan;
  }

  Performance run() {
    Performance all;
    const std::string own = linesOf(t_.threads.plan);
    all.microseconds = timeOf(own).value_or(std::nullopt);
    for (const SpeedupRow& row : speedupRows()) {
      SpeedupReport report;
      report.speedup = row.speedup;
      report.request = request_;
      switch (row.speedup) {
        case Speedup::TunedTiles: tune(report, all.microseconds); break;
        case Speedup::VectorCopies: copy(report); break;
        case Speedup::DoubleBuffer: overlap(report, own); break;
        case Speedup::StorageAlign: align(report, own); break;
        case Speedup::VirtualThreads: divide(report); break;
      }
      all.steps.push_back(std::move(report));
    }
    return all;
  }

 private:
  std::int64_t extent(int iterator) const { return product_.extents[std::size_t(iterator)]; }

  // The lines of the passes with another division, and what stands after them.
  std::string linesOf(const WarpPlan& plan) const {
    Tensorization t = t_;
    if (plan != t_.threads.plan) {
      // Of a plain nest: the lines begin there.
      t.threads = unifyThreads(nest_, nest_, product_, t_.matrices, t_.pattern.tile, device_, plan);
      if (!succeeded(t.threads.outcome)) return {};
    }
    return t.linesUpTo(4) + (t_.further.empty() ? "" : "\n" + t_.further);
  }
  // The predicted microseconds of the kernel that lines make; nothing without a device. Fails where they make none.
  Result<std::optional<double>> timeOf(const std::string& lines) const {
    const auto made = madeByLines(start_, lines, environment_);
    if (!made) return Failure(made.error());
    if (!device_) return std::optional<double>();
    const auto time = predictedTime(made->kernel, *device_);
    return time ? std::optional(*time) : std::nullopt;
  }
  // Gives the report these lines, if they make a kernel; else it says why not.
  void offer(SpeedupReport& report, const std::string& lines, Message verdict) const {
    const auto time = timeOf(lines);
    if (!time) {
      report.verdict = schedule::refusalWords(time.error(), lines);
      return;
    }
    report.verdict = std::move(verdict);
    report.lines = lines;
    report.microseconds = *time;
  }
  void append(SpeedupReport& report, const std::string& own, std::string added, Message verdict) const {
    report.added = std::move(added);
    offer(report, own + "\n" + report.added, std::move(verdict));
    if (report.lines.empty()) report.added.clear();
  }

  void tune(SpeedupReport& report, std::optional<double> now) const {
    if (!device_ || !now) {
      report.verdict = message("No device is known whose time could be predicted.");
      return;
    }
    double best = *now;
    const auto plans = warpPlans(product_, t_.matrices, t_.pattern.tile);
    for (const WarpPlan& plan : plans) {
      if (plan == t_.threads.plan) continue;
      std::string lines = linesOf(plan);
      const auto time = timeOf(lines);
      if (!time || !*time || **time >= best) continue;
      best = **time;
      report.lines = std::move(lines);
      report.request.plan = plan;
      report.microseconds = best;
    }
    report.done = report.lines.empty();
    const WarpPlan& plan = *report.request.plan;
    report.verdict = message(
        "{} × {} warps a block, each with {} × {} tiles, {} tiles of k at a time: the fastest of {} "
        "that fit, as predicted.",
        plan.warpsM, plan.warpsN, plan.tilesM * plan.virtualM, plan.tilesN, plan.tilesK, plans.size());
  }

  void copy(SpeedupReport& report) const {
    report.done = true;
    const auto bytes = [&](int n) {
      return ir::bytesOf(t_.matrices.rows[std::size_t(n)].buffer->dtype, t_.threads.vectors[std::size_t(n)]);
    };
    const auto name = [&](int n) { return t_.matrices.rows[std::size_t(n)].buffer->name; };
    report.verdict = message("{} is copied {} bytes at once, {} {}: as many as lie side by side, up to 16.", name(0),
                             bytes(0), name(1), bytes(1));
  }

  void overlap(SpeedupReport& report, const std::string& own) const {
    report.done = t_.further.find("software_pipeline_stage") != std::string::npos;
    const std::int64_t steps = extent(product_.k) / (t_.threads.plan.tilesK * t_.pattern.tile.shape.k);
    if (steps < 2) {
      report.verdict = message("There is one step along k: no copy could go on beside products.");
      return;
    }
    const bool async = (!device_ || device_->major * 10 + device_->minor >= kAsyncSince) && copiesInWords(t_);
    const Message verdict =
        async ? message(
                    "The tiles of the next of {} steps along k are copied past registers while this one's are "
                    "multiplied, into a second place in shared memory.",
                    steps)
              : message(
                    "The tiles of the next of {} steps along k are copied through registers while this one's are "
                    "multiplied, into a second place in shared memory.",
                    steps);
    if (report.done) {
      report.verdict = verdict;
      return;
    }
    append(report, own,
           std::string("sch.annotate(k_step, \"software_pipeline_stage\", [0, 0, 1])\n"
                       "sch.annotate(k_step, \"software_pipeline_order\", [0, 1, 2])") +
               (async ? "\nsch.annotate(k_step, \"software_pipeline_async_stages\", [0])" : ""),
           verdict);
  }

  void align(SpeedupReport& report, const std::string& own) const {
    report.done = t_.further.find("sch.storage_align(a_shared") != std::string::npos;
    // Rows lie an odd multiple of 16 bytes apart, so that those which a warp reads together begin in other banks.
    const int bits = product_.element.bits, pad = 128 / bits, whole = 2 * pad;
    const std::int64_t k = t_.threads.plan.tilesK * t_.pattern.tile.shape.k;
    if (k % whole != 0) {
      report.done = true;
      report.verdict =
          message("Rows in shared memory lie {} bytes apart, an odd multiple of 16 already.", k * bits / 8);
      return;
    }
    const Message verdict = message(
        "Rows in shared memory lie {} bytes apart instead of {}: those of a tile begin in "
        "other banks.",
        (k + pad) * bits / 8, k * bits / 8);
    if (report.done) {
      report.verdict = verdict;
      return;
    }
    append(report, own,
           fmt::format("sch.storage_align(a_shared, 0, -2, {0}, {1})\nsch.storage_align(b_shared, 0, -2, {0}, {1})",
                       whole, pad),
           verdict);
  }

  void divide(SpeedupReport& report) const {
    report.done = t_.threads.plan.virtualM > 1;
    const auto plan = withVirtualThreads(t_.threads.plan);
    if (report.done || !plan) {
      report.verdict = report.done ? message("A warp's tiles along m are those of {} virtual threads, which share b.",
                                             t_.threads.plan.virtualM)
                                   : message("A warp has {} tiles along m: no half of them for a virtual thread.",
                                             t_.threads.plan.tilesM);
      return;
    }
    report.request.plan = plan;
    offer(report, linesOf(*plan),
          message("A warp's tiles along m are those of {} virtual threads, which share b.", plan->virtualM));
  }

  const schedule::State& start_;  // that the lines begin at
  const schedule::State nest_;    // that has the product as a plain nest
  const Tensorization& t_;
  const schedule::Environment& environment_;
  const model::Device* device_;
  TensorizeRequest request_;
  const MatrixProduct& product_;
};

}  // namespace

const std::array<SpeedupRow, 5>& speedupRows() {
  static const std::array<SpeedupRow, 5> kRows{{
      {Speedup::TunedTiles, "tuned_tiles", message("Tuned tiles")},
      {Speedup::VectorCopies, "vector_copies", message("Vector copies")},
      {Speedup::DoubleBuffer, "double_buffer", message("Double buffer")},
      {Speedup::StorageAlign, "storage_align", message("Storage align")},
      {Speedup::VirtualThreads, "virtual_threads", message("Virtual threads")},
  }};
  return kRows;
}

Performance performanceOf(const document::History& history, const Tensorization& passes,
                          const schedule::Environment& environment, const model::Device* device,
                          const TensorizeRequest& request) {
  return List(history, passes, environment, device, request).run();
}

}  // namespace loom::tune
