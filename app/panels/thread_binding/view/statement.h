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

// The chosen block, warp and lane are those of BoundStatement::choice.

/// The blocks, warps and lanes of the threads in ElementThreads::all, which may be only a part of those that access the
/// element. They are marked in the pictures.
struct AccessingThreads {
  /// Numbers of blocks in the grid, and of warps in the chosen block, ascending.
  std::vector<std::int64_t> blocks, warps;
  std::uint32_t lanes = 0;  ///< bit l: lane l of the chosen warp; 0 for a wmma tile, which the warp accesses as a whole
};

/// What the chosen block, warp and lane access of another buffer of the chosen statement, or of the same one in the
/// other direction (read or write).
struct StatementBuffer {
  int access = 0;    ///< index into the accesses of `ThreadBinding::accesses`
  BufferRows shape;  ///< the buffer as a matrix
  /// Numbers of different elements that the chosen block, warp and lane access.
  std::int64_t blockElements = 0, warpElements = 0, laneElements = 0;
  TouchedPicture touched;  ///< the elements of the buffer that they access
};

/// Everything that the panel Thread binding shows of one statement of a kernel: what the chosen thread accesses, who
/// else accesses a clicked element, and the same statement in the state compared with (the program after other schedule
/// steps). The first members are the query; `work` fills in the others, the answer.
struct BoundStatement {
  using Element = std::pair<std::int64_t, std::int64_t>;  ///< row and column in the buffer

  // The query.
  std::shared_ptr<const Program> from;           ///< the program of the statement
  std::shared_ptr<const ThreadBinding> binding;  ///< its thread binding; not null
  BindingChoice choice;                          ///< the chosen access, block, thread and iterations, all within the
                                                 ///< bounds of the kernel (ThreadBinding::clamped)
  std::optional<Element> element;                ///< the clicked element, within the buffer; nothing: none
  std::optional<model::Scope> countedBy;   ///< the scope whose accesses to each element are counted; nothing: none
  std::shared_ptr<const Program> against;  ///< the program compared with; null: none

  // The answer (of which `againstBinding` may be given).
  BindingView view;                                     ///< what `choice` accesses
  std::vector<StatementBuffer> buffers;                 ///< the other buffers and directions of the statement, except
                                                        ///< for those whose elements can't be computed
  std::optional<Result<model::ElementThreads>> owners;  ///< the threads that access `element`; nothing: no `element`
  AccessingThreads marks;                               ///< the blocks, warps and lanes of `owners`; none without
  std::optional<TouchView> touches;  ///< the counts for `countedBy`; nothing: none, or they can't be counted
  /// Thread binding of `against`. `work` makes it if it is null and `against` has threads. The caller copies it into
  /// the next query with the same `against`, so that it is made only once.
  std::shared_ptr<const ThreadBinding> againstBinding;
  /// What the same block and thread access by the same statement of `against`, with no iteration fixed; nothing: no
  /// program is compared with, or that one has no such statement.
  std::optional<BindingView> againstView;

  /// Fills in the answer. Requires `binding`. Takes some 100 ms, so it must run on a background thread.
  void work();
};

/// Returns the row and column of an element that the user typed, "[5, 77]" or "5 77". Returns nothing if the text isn't
/// two numbers within the buffer.
std::optional<BoundStatement::Element> elementFrom(std::string_view text, const BufferRows& shape);

/// Returns whether it is known which thread executes each statement: the program is a kernel, or lowering has made a
/// draft of it (lower::draft): a kernel that no GPU can run, but whose statements read and write what the program says.
bool hasThreads(const Program& program);
/// Returns the thread binding of the program's first kernel; null if `hasThreads` is false or there is no program.
std::shared_ptr<const ThreadBinding> bindingOf(const std::shared_ptr<const Program>& program);

}  // namespace loom::session
