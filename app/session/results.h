#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/session/model_device.h"
#include "app/session/programs.h"
#include "core/document/bench.h"

namespace loom::session {

/// The measured times of the states of the open target (lesson, document or function): those measured here, those found
/// in the database of results (gpu::ResultDatabase), and those that were recorded and come with Tileloom. A state is
/// the program after some steps of its schedule, given by its index in the history. Pointers and references that the
/// functions return are valid until the next Session::poll or `reset`.
class Results {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Results(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, const Documents& documents)
      : jobs_(jobs), tools_(tools), device_(device), programs_(programs), documents_(documents) {}

  /// Returns the result of a state, or why it has none. Returns null until the state's stored results have been looked
  /// up.
  const document::KnownTime* timed(int node) const;
  /// Returns the measurement of a state; null if the state was not measured, or if its kernel failed or was wrong.
  const gpu::Outcome* measured(int node) const;
  /// Returns what `timed` returns for all states that have been looked up, by state.
  const std::map<int, document::KnownTime>& all() const { return timed_; }
  /// Returns whether a device was chosen for the model and some of the known times were taken on another GPU.
  bool areFromAnotherDevice() const;
  /// Returns the time of the vendor's library for the matrix product that the function computes. If kernels of some
  /// states round their factors (float32 to tf32), it is the time of a product with factors rounded alike. Returns
  /// nothing if that time isn't known, or if the function is no matrix product.
  const std::optional<document::VendorLine>& vendor() const { return vendor_; }
  /// Returns whether the kernel of a state keeps as many digits of its factors as the product of `vendor` does, so that
  /// both times are comparable; false while the state's program hasn't been made. Says nothing if `vendor` is nothing.
  bool multipliesAsVendor(int node) const;
  /// Returns the matrix product that the function computes; nothing if it computes something else.
  const std::optional<gpu::Matmul>& matmul() const { return matmul_; }
  /// Returns whether that product can have other sizes (gpu::resizableProduct): not if it is batched or has a vector.
  bool hasOtherSizes() const { return hasOtherSizes_; }
  /// Returns `matmul` as the kernels of the states that were looked up multiply it: if some keep fewer digits of the
  /// factors than the type has (tf32), with their gpu::Matmul::factorDigits.
  std::optional<gpu::Matmul> multiplied() const;

  /// Starts measuring states in the background; an empty `nodes` stands for all states. States with a result that
  /// doesn't come with Tileloom, failures included, are measured again only with `again`. Nothing happens without a
  /// device to measure on (DeviceStatus::here), and states are skipped that are deleted, alone or with one that they
  /// follow from, that are no kernel, or whose program has not been made yet. A later Session::poll takes the times in,
  /// for `timed` and `measured`, and makes Session::revision grow.
  void measure(std::vector<int> nodes, bool again = false);
  /// Starts looking up the stored results of states whose programs are new.
  void lookUp(const std::vector<Programs::Fresh>& fresh);

  /// Finds out which matrix product the open function computes, for `matmul`, and drops `vendor`, which `lookUp` and
  /// `measure` find anew. To be called after another target was opened or other sizes were chosen.
  void recognize();
  /// Drops all times, because the history is another one.
  void reset() { timed_.clear(); }

 private:
  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  const Documents& documents_;
  std::map<int, document::KnownTime> timed_;
  void setVendor(const std::optional<document::VendorLine>& line, int digits);
  std::optional<document::VendorLine> vendor_;
  int vendorDigits_ = 0;  ///< gpu::Matmul::factorDigits of the product that `vendor_` was timed for
  std::optional<gpu::Matmul> matmul_;
  bool hasOtherSizes_ = false;
  mutable std::uint64_t othersAt_ = 0;  ///< Jobs::revision when `others_` was computed
  mutable bool others_ = false;
};

}  // namespace loom::session
