#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/described_device.h"
#include "app/session/options.h"
#include "core/compile/compile.h"
#include "core/document/bench.h"
#include "core/document/stalls.h"

namespace loom::session {

/// The tools that background jobs use. A Bench compiles kernels, measures them in a worker process and looks up stored
/// results. None of the tools is thread-safe, so each belongs to the thread that runs the jobs of one `Queue` (jobs.h),
/// except that any thread may use `devices` and call `Bench::cancel`, of `bench` only as said there.
struct Tools {
  /// Makes the tools without starting a worker or reading a file. `options` needn't outlive the call.
  explicit Tools(const Options& options);

  /// For the thread of `Queue::kBench`: measures and looks up results. Until `ModelDevice::status` (model_device.h) is
  /// known, nobody may use it, not even to cancel: that queue's first job puts the bench with the session's options in
  /// its place. Afterwards it is never replaced.
  std::unique_ptr<document::Bench> bench;
  /// For the thread of `Queue::kCompilations`: compiles, and does nothing else.
  std::unique_ptr<document::Bench> compiler;
  /// For the thread of `Queue::kModels`: where the disassembler is, or why there is none (compile::findToolkit), and
  /// the stored samples of what warps wait for (StallSamples). Each is nothing until a job needs and fills it.
  std::optional<Result<compile::Toolkit>> toolkit;
  std::optional<document::StallStore> stallStore;
  /// The file of measured results that a search with workers adds to; empty: none. Constant.
  std::filesystem::path database;
  /// The command that starts a worker on this machine, for a profiler; empty: there is none. Constant.
  std::string localWorkerCommand;
  /// The figures of devices (peak rates, cache sizes, latencies); never null.
  const std::shared_ptr<DeviceCache> devices;
};

}  // namespace loom::session
