#pragma once

#include <memory>
#include <optional>

#include "app/session/described_device.h"
#include "app/session/options.h"
#include "core/compile/compile.h"
#include "core/document/bench.h"
#include "core/document/stalls.h"

namespace loom::session {

/// What jobs work with. Each tool belongs to the thread of one queue, but for `DeviceCache` and `Bench::cancel`, which
/// any thread may use.
struct Tools {
  explicit Tools(const Options& options);

  /// Of `Queue::kBench`: measures, and knows results. It has neither before `ModelDevice::status` is known.
  std::unique_ptr<document::Bench> bench;
  /// Of `Queue::kCompilations`: compiles alone.
  std::unique_ptr<document::Bench> compiler;
  /// Of `Queue::kModels`: the disassembler; none until it was looked for.
  std::optional<Result<compile::Toolkit>> toolkit;
  std::optional<document::StallStore> stallStore;
  /// The figures of devices.
  const std::shared_ptr<DeviceCache> devices;
};

}  // namespace loom::session
