#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/session/model_device.h"
#include "app/session/programs.h"
#include "core/document/bench.h"

namespace loom::session {

/// What was measured of the open target's states, here or where results were recorded.
class Results {
 public:
  Results(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, const Documents& documents)
      : jobs_(jobs), tools_(tools), device_(device), programs_(programs), documents_(documents) {}

  /// Returns what is known of a state's time. Null until its known results have been looked up.
  const document::KnownTime* timed(int node) const;
  /// Returns the measurement of a state; null if it was not measured.
  const gpu::Outcome* measured(int node) const;
  const std::map<int, document::KnownTime>& all() const { return timed_; }
  /// Returns whether times that are known of this program's states were taken on another device than the chosen one.
  bool areFromAnotherDevice() const;
  /// Returns the vendor library's time for the same product; none where it is not known or the function is no product.
  const std::optional<document::VendorLine>& vendor() const { return vendor_; }
  /// Returns the product that the function computes; none where it computes something else.
  const std::optional<gpu::Matmul>& matmul() const { return matmul_; }

  /// Measures states, all of the tree where `nodes` is empty. What is known already is measured only with `again`.
  /// Nothing happens without a device, and to states that are no kernels or whose programs are not there yet.
  void measure(std::vector<int> nodes, bool again = false);
  /// Looks up what is known of states whose programs are new.
  void lookUp(const std::vector<Programs::Fresh>& fresh);

  /// Finds out what product the open function computes.
  void recognize();
  /// Forgets the times; the target's history is another one.
  void reset() { timed_.clear(); }

 private:
  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  const Documents& documents_;
  std::map<int, document::KnownTime> timed_;
  std::optional<document::VendorLine> vendor_;
  std::optional<gpu::Matmul> matmul_;
  mutable std::uint64_t othersAt_ = 0;  ///< Jobs::revision that `others_` is of
  mutable bool others_ = false;
};

}  // namespace loom::session
