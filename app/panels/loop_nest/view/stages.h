#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/tune/loop_menu.h"

namespace loom::session {

/// The statements of a loop whose iterations overlap, as its annotations say.
struct StagedBody {
  struct Statement {
    int row = 0;                       ///< in LoopNest::rows
    ir::Id id;                         ///< of the loop or block
    std::string name;                  ///< of the first block in it
    std::size_t first = 0, count = 1;  ///< its entries in `stage` and `order`: three where its own iterations overlap
  };
  ir::Id loop;
  std::vector<Statement> statements;      ///< in program order
  std::vector<int> stage, order, asyncs;  ///< values of the three annotations
  bool annotatesAsync = false;            ///< whether the loop has the annotation of asynchronous stages

  int stages() const;  ///< one more than the last stage
  int stageOf(const Statement& statement) const { return stage[statement.first]; }
  bool isAsync(int of) const;
  /// Returns the statement whose row, or a row in it, has this id; null for others.
  const Statement* find(const LoopNest& nest, ir::Id id) const;
};

/// Returns the body of the loop with overlapping iterations that a row is, or stands right below; nothing for other
/// rows, and where the annotations don't fit the body.
std::optional<StagedBody> stagedBodyOf(const LoopNest& nest, int row);

/// Return the body as it would be after an edit; nothing where there is nothing to change.
/// A statement goes to another stage and keeps its place in the order. Stages are counted from the first that has a
/// statement; a statement whose copies were asynchronous stays so where it is alone in its stage.
std::optional<StagedBody> movedToStage(const StagedBody& body, std::size_t statement, int stage);
/// Returns the body with a statement executed one place earlier or later among those that are executed together;
/// nothing if it is the first or the last of them.
std::optional<StagedBody> movedInOrder(const StagedBody& body, std::size_t statement, bool earlier);
/// Returns the body with the copies of a stage asynchronous or not; nothing if they are so already, or if there is no
/// such stage.
std::optional<StagedBody> withAsync(const StagedBody& body, int stage, bool async);

/// Returns the steps that make one body of the other: for each annotation that differs, unannotate where the loop has
/// it, and annotate. They are one entry of a menu (tune::linesOf), hence one action to undo.
tune::MenuEntry stageSteps(const StagedBody& from, const StagedBody& to, std::string text);

/// Returns why the steps can't be taken, or why what they make is no kernel any more though the state is one. Lowers
/// the program, so it takes some milliseconds.
std::optional<Error> stageRefusal(const schedule::State& state, const schedule::Environment& environment,
                                  const tune::MenuEntry& entry);

}  // namespace loom::session
