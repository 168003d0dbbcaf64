#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/tune/loop_menu.h"

namespace loom::session {

/// The body of a pipelined loop, that is, a loop whose iterations overlap: its statements and the annotations that say
/// when each is executed.
struct StagedBody {
  /// A loop or block right below the pipelined loop.
  struct Statement {
    int row = 0;       ///< index in LoopNest::rows
    ir::Id id;         ///< id of the loop or block
    std::string name;  ///< name of the first block in the statement
    /// Its entries in `stage` and `order` are [first, first + count): one, or three for a loop that is pipelined
    /// itself.
    std::size_t first = 0, count = 1;
  };
  ir::Id loop;                        ///< id of the pipelined loop
  std::vector<Statement> statements;  ///< in program order
  /// Values of the loop's annotations: the pipeline stage, and the place in the order of execution, of each entry of a
  /// statement; and the stages whose copies are asynchronous, ascending.
  std::vector<int> stage, order, asyncs;
  bool annotatesAsync = false;  ///< whether the loop has the annotation of asynchronous stages

  /// Returns the number of stages: one more than the last stage; 0 if there are no statements.
  int stages() const;
  /// Returns the stage of a statement; of one with three entries, the stage of the first.
  int stageOf(const Statement& statement) const { return stage[statement.first]; }
  /// Returns whether the copies of stage `of` are asynchronous.
  bool isAsync(int of) const;
  /// Returns the statement that is, or contains, the loop or block `id`; null if there is none.
  const Statement* find(const LoopNest& nest, ir::Id id) const;
};

/// Returns the body of the pipelined loop that is the row's parent, or else that the row itself is. `row` is an index
/// into `nest.rows`, the loops and blocks of the program. Returns nothing for other rows and for numbers that are no
/// index, and if the annotations don't fit the body.
std::optional<StagedBody> stagedBodyOf(const LoopNest& nest, int row);

/// Returns the body with a statement moved to another stage; its place in the order stays. `statement` is an index into
/// `body.statements`. If the statement has three entries, its other two stages move by as much, but not below 0. Stages
/// are then renumbered so that the first one with a statement is 0. If the copies of the statement were asynchronous
/// and it is alone in its new stage, they stay asynchronous. Returns nothing if `stage` is negative, or if the body
/// would be the same.
std::optional<StagedBody> movedToStage(const StagedBody& body, std::size_t statement, int stage);
/// Returns the body with a statement moved one place earlier or later in the order of execution. `statement` is an
/// index into `body.statements`. If the statement has three entries, only its first one moves (earlier), or its last
/// one (later). Returns nothing if the statement is already the first, or the last.
std::optional<StagedBody> movedInOrder(const StagedBody& body, std::size_t statement, bool earlier);
/// Returns the body with the copies of a stage made asynchronous or not (`async`). Returns nothing if they are so
/// already, or if there is no such stage.
std::optional<StagedBody> withAsync(const StagedBody& body, int stage, bool async);

/// Returns a menu entry with the title `text`, whose steps (calls of schedule primitives) turn the body `from` into
/// `to`: for each annotation that differs, `unannotate` if the loop has the annotation, and `annotate` if the new value
/// isn't empty; no steps if nothing differs. The user undoes all steps of an entry at once (tune::linesOf).
tune::MenuEntry stageSteps(const StagedBody& from, const StagedBody& to, std::string text);

/// Returns why the steps of an entry of `stageSteps` (at least one) are illegal in `state`, or why the resulting
/// program can't be lowered to a kernel although the program of `state` can. Returns nothing if neither is so. Takes
/// some milliseconds, because both programs are lowered.
std::optional<Error> stageRefusal(const schedule::State& state, const schedule::Environment& environment,
                                  const tune::MenuEntry& entry);

}  // namespace loom::session
