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

/// The devices that a session deals with. `here` is measured on; predictions are for `modelledDevice`. A target is the
/// opened lesson, document or function; its states are the program after each schedule step.
struct DeviceStatus {
  bool known = false;                   ///< whether the search for devices has ended; until then nothing else is set
  std::optional<gpu::DeviceInfo> here;  ///< the device that states are measured on; nothing: `problem` says why
  std::string recorded, recordedDate;   ///< device and day of the results that come with the program; empty: none
  std::optional<Error> problem;         ///< why there is no device here
  std::string chosen;                   ///< name of the device chosen for the model; empty: none was chosen
};

/// Returns the device that predictions are for: the name of the chosen one, or else of the GPU here, or else of the one
/// that the recorded results are of, for instance "NVIDIA H200"; or, if there is none of these, the id "h200".
/// DeviceCache::of takes both.
std::string modelledDevice(const DeviceStatus& status);

/// The device that the cost model makes predictions for. Measured times stay those of the device that they were taken
/// on. Functions are for the UI thread unless they say otherwise.
class ModelDevice {
 public:
  /// Starts looking for devices in the background. The arguments must outlive this object.
  ModelDevice(const Options& options, Jobs& jobs, Tools& tools);

  /// Returns what is known of the devices.
  const DeviceStatus& status() const { return status_; }
  /// Returns the devices that can be chosen: those of assets/devices, and the GPU here if it has no file there. Empty
  /// until they have been read.
  const std::vector<model::Device>& devices() const { return devices_; }
  /// Returns the cache that gives background work the figures of any device.
  const std::shared_ptr<DeviceCache>& cache() const { return tools_.devices; }
  /// Returns the figures of the model's device, or an error if it has no description. Null until the first model of the
  /// present `generation` is made.
  std::shared_ptr<const Result<model::Device>> figures() const { return figures_; }
  /// Sets what `figures` returns; to be called in a function that `finisher` runs, so that figures of an earlier
  /// generation don't come in.
  void setFigures(std::shared_ptr<const Result<model::Device>> figures) { figures_ = std::move(figures); }
  /// Chooses one of `devices` by its name. An empty name undoes the choice. Returns false, and changes nothing, if the
  /// name is chosen already or is not among `devices`. Only `Session::chooseDevice` may call this; it then begins a new
  /// generation.
  bool choose(const std::string& name);
  /// Returns whether a time that was taken on the device with the name `device` is comparable with predictions, because
  /// `modelledDevice` returns that device's name or, once `devices` have been read, its id.
  bool comparesWith(const std::string& device) const;
  /// Returns the architecture that programs are compiled for, "sm_90a": that of the chosen device, or else of the GPU
  /// here; empty if there is neither.
  std::string architecture() const;

  /// Returns the number of the present generation: the time for which the model's device and its figures stay the same.
  /// The session calls `beginGeneration` after another device was chosen or ceilings (the rates that a GPU reaches)
  /// were measured; results of jobs of earlier generations are out of date. Any thread may call this.
  std::uint64_t generation() const { return generation_; }
  /// Begins a new generation: `generation` grows, and `figures` returns null until a model is made anew.
  void beginGeneration();
  /// Returns a function that a job uses to hand over its results: it makes `take` run on the UI thread, unless another
  /// target was opened or a new generation has begun since `finisher` was called. `finisher` is called on the UI thread
  /// before the job is submitted; any thread may call the function that it returns, as long as this object exists.
  std::function<void(std::function<void()> take)> finisher();

  /// The state of the measurement of ceilings.
  struct Ceilings {
    bool underWay = false;
    int done = 0, of = 0;          ///< small kernels that were run, and all of them
    std::optional<Error> problem;  ///< why the last measurement failed, or why its results could not be saved
    std::string measured;          ///< day of the last measurement of the GPU here; empty: there is none
  };
  /// Returns the state of the measurement of ceilings.
  const Ceilings& ceilings() const { return ceilings_; }
  /// Starts small kernels that measure which rates the GPU here reaches, and where it keeps the elements of wmma
  /// fragments. The results are saved in the data folder, for later windows and for the command line; if that fails,
  /// only this session has them. Once there are results, saved or not, `takeMeasured` returns true. Nothing happens
  /// without a GPU, or while such a measurement is under way.
  void measureCeilings();
  /// Returns whether a measurement of ceilings has given new figures since the last call; the caller then begins a new
  /// generation.
  bool takeMeasured() { return std::exchange(measured_, false); }
  /// Returns the remarks, since the last call, on files of stored results and of devices that can't be used.
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
