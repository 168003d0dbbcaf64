#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/touch_counts.h"
#include "app/session/program.h"

namespace loom::session {

/// Which of the things in the pictures touch an element.
struct AccessingThreads {
  std::vector<std::int64_t> blocks, warps;  ///< ascending; warps of the chosen block
  std::uint32_t lanes = 0;                  ///< of the chosen warp; none of a wmma tile, which is the warp's
};

/// What the chosen block, warp and lane touch of another buffer of the chosen statement.
struct StatementBuffer {
  int access = 0;  ///< of `ThreadBinding::accesses`
  BufferRows shape;
  std::int64_t blockElements = 0, warpElements = 0, laneElements = 0;
  TouchedPicture touched;
};

/// One statement of a state: who is looked at, what they touch, who else touches a clicked element, and the same
/// statement in the state compared with.
struct BoundStatement {
  using Element = std::pair<std::int64_t, std::int64_t>;  ///< row and column in the buffer

  // What is asked for.
  std::shared_ptr<const Program> from;
  std::shared_ptr<const ThreadBinding> binding;
  BindingChoice choice;
  std::optional<Element> element;          ///< clicked
  std::optional<model::Scope> countedBy;   ///< whose touches of each element are counted; none: nobody's
  std::shared_ptr<const Program> against;  ///< null: nothing is compared

  // What follows from it.
  BindingView view;
  std::vector<StatementBuffer> buffers;                 ///< the others that the statement reads and writes
  std::optional<Result<model::Touchers>> owners;        ///< of `element`
  AccessingThreads marks;                               ///< of `owners`
  std::optional<TouchView> touches;                     ///< of `countedBy`
  std::shared_ptr<const ThreadBinding> againstBinding;  ///< kept from choice to choice
  std::optional<BindingView> againstView;               ///< none where the other state has no such statement

  /// Fills in what follows; some 100 ms: for the background.
  void work();
};

/// The element that somebody has written, "[5, 77]", "5 77": its row and column. None: these aren't two numbers of the
/// buffer's.
std::optional<BoundStatement::Element> elementFrom(std::string_view text, const BufferRows& shape);

/// Whether its statements stand on threads: those of a kernel, or of one that only lacks its tensor intrinsics.
bool hasThreads(const Program& program);
/// Of the state's first kernel; null: its statements don't stand on threads.
std::shared_ptr<const ThreadBinding> bindingOf(const std::shared_ptr<const Program>& program);

}  // namespace loom::session
