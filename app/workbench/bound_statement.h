#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/workbench/derived.h"
#include "app/workbench/thread_binding.h"
#include "app/workbench/touch_view.h"

namespace loom::workbench {

/// One statement of a state: who is looked at, what they touch, who else touches a clicked element, and the same
/// statement in the state compared with.
struct BoundStatement {
  using Element = std::pair<std::int64_t, std::int64_t>;  ///< row and column in the buffer

  // What is asked for.
  std::shared_ptr<const Derived> from;
  std::shared_ptr<const ThreadBinding> binding;
  BindingChoice choice;
  std::optional<Element> element;          ///< clicked
  std::optional<model::Scope> countedBy;   ///< whose touches of each element are counted; none: nobody's
  std::shared_ptr<const Derived> against;  ///< null: nothing is compared

  // What follows from it.
  BindingView view;
  std::optional<Result<model::Owners>> owners;          ///< of `element`
  std::optional<TouchView> touches;                     ///< of `countedBy`
  std::shared_ptr<const ThreadBinding> againstBinding;  ///< kept from choice to choice
  std::optional<BindingView> againstView;               ///< none where the other state has no such statement

  /// Fills in what follows; some 100 ms: for the background.
  void work();
};

bool hasKernel(const Derived& derived);
/// Of the state's first kernel; null: it has none.
std::shared_ptr<const ThreadBinding> bindingOf(const std::shared_ptr<const Derived>& derived,
                                               std::vector<model::Probed> probed = {});

}  // namespace loom::workbench
