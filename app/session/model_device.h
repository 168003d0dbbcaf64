#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/jobs.h"
#include "app/session/options.h"
#include "app/session/tools.h"
#include "core/gpu/driver.h"
#include "core/model/device.h"

namespace loom::session {

/// The device that results come from, and the one that was chosen for the model.
struct DeviceStatus {
  bool known = false;                   ///< false until the first look is done
  std::optional<gpu::DeviceInfo> here;  ///< measured on
  std::string recorded, recordedDate;   ///< device and date of shipped results; empty: none
  std::optional<Error> problem;         ///< why there is no device here
  std::string chosen;                   ///< name of the model's, `ModelDevice::choose`; empty: none is
};

/// Returns the device that the model answers for: the chosen one, else the GPU here, else the one that the shipped
/// results are of, else an H200.
std::string modelledDevice(const DeviceStatus& status);

/// The device that the model answers for. Times that are known stay those of the device that they were taken on.
class ModelDevice {
 public:
  /// Looks for devices in the background.
  ModelDevice(const Options& options, Jobs& jobs, Tools& tools);

  const DeviceStatus& status() const { return status_; }
  /// Returns the devices that the model can answer for: those of assets/devices, and the GPU here where it has no file
  /// there. Empty until they are read.
  const std::vector<model::Device>& devices() const { return devices_; }
  /// Returns the figures of all devices, for background work.
  const std::shared_ptr<DeviceCache>& cache() const { return tools_.devices; }
  /// Returns the figures of the modelled device, or an error where it is not described. Null until the first model is
  /// made.
  std::shared_ptr<const Result<model::Device>> figures() const { return figures_; }
  void setFigures(std::shared_ptr<const Result<model::Device>> figures) { figures_ = std::move(figures); }
  /// Has the model answer for one of `devices`, by its name, until the session ends or another is chosen. An empty name
  /// stands for the GPU here, else for the device that the recorded times are of. Returns false, and changes nothing,
  /// for the name that is chosen already and for one that is not described. Only `Session::chooseDevice` calls this.
  bool choose(const std::string& name);
  /// Returns whether a time that was taken on `device` may stand against what the model says, since it is the model's
  /// own.
  bool comparesWith(const std::string& device) const { return device == modelledDevice(status_); }
  /// Returns what programs are compiled for: the chosen device's architecture, else that of the GPU here, "sm_90a";
  /// empty without either.
  std::string architecture() const;

  /// Grows when another device is chosen or figures are measured: results of jobs from before are out of date. Any
  /// thread may read it.
  std::uint64_t generation() const { return generation_; }
  /// Ends the generation; what is known of the device is asked for anew.
  void beginGeneration();
  /// Returns a function that has `take` run on the UI thread unless another target was opened, or the generation has
  /// ended, since this call.
  std::function<void(std::function<void()> take)> finisher();

  struct Ceilings {
    bool underWay = false;
    int done = 0, of = 0;          ///< kernels
    std::optional<Error> problem;  ///< why the last measurement failed, or why its results were not kept
    std::string measured;          ///< date of what the GPU's own kernels have shown of it; empty: nothing is known
  };
  const Ceilings& ceilings() const { return ceilings_; }
  /// Has small kernels show what the GPU here reaches, and where it keeps the elements of wmma's fragments. Keeps that
  /// in the data folder, for later windows and the command line, and begins a generation. Nothing happens without a
  /// GPU.
  void measureCeilings();
  /// Returns whether measured ceilings have come since the last call.
  bool takeMeasured() { return std::exchange(measured_, false); }
  /// Returns what is wrong with the results that the bench found, once.
  std::vector<Message> takeRemarks() { return std::exchange(remarks_, {}); }

 private:
  static std::string measuredOn(const document::DeviceSources& sources);

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  DeviceStatus status_;
  std::vector<model::Device> devices_;
  std::shared_ptr<const Result<model::Device>> figures_;
  std::string chosenArchitecture_;
  Ceilings ceilings_;
  bool measured_ = false;
  std::vector<Message> remarks_;
  std::atomic<std::uint64_t> generation_ = 0;
};

}  // namespace loom::session
