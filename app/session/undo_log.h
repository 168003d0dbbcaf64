#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/problem.h"
#include "core/document/history.h"

namespace loom::session {

/// The description of what undo takes back, or redo does again, for a menu.
struct UndoLabel {
  /// kGo: another state became current. kApply: steps were applied. kRemove: states were deleted. kEdit: a step of the
  /// past was edited. kMark: the labels of a state were changed.
  enum class Kind { kGo, kApply, kRemove, kEdit, kMark };
  Kind kind = Kind::kGo;
  int number = 0;    ///< number of the state concerned; for kGo, of the state that undo or redo goes to
  std::string line;  ///< the step of that state; empty for kGo and for the start
  int states = 0;    ///< kRemove: number of deleted states; else 0
  Message title{};   ///< kApply: of several steps that were applied as one; else empty
};

/// The labels that the user has given to a state.
struct StateLabels {
  std::string name, note;
  bool pinned = false;
  friend bool operator==(const StateLabels&, const StateLabels&) = default;
};

/// Something that the user did and can undo.
struct UndoEntry {
  using Kind = UndoLabel::Kind;
  Kind kind = Kind::kGo;
  int before = 0, after = 0;  ///< the current state before and after it
  int node = 0;               ///< the state that was deleted, edited or marked; kApply: the last state that was made
  bool walk = false;          ///< kGo: whether it was a step to a neighbour, which the next such step joins
  std::shared_ptr<const document::History> older{}, newer{};  ///< kEdit: the histories; `node` is an index into `newer`
  StateLabels marksBefore{}, marksAfter{};                    ///< kMark
  /// If states were hidden or revealed: History::removed before and after.
  std::optional<std::pair<std::vector<int>, std::vector<int>>> removed{};
  int states = 0;                ///< kRemove: number of deleted states
  std::vector<Problem> broke{};  ///< kEdit: the refusals of later steps
  int number = 0;                ///< number of the state `node`; 0 for kGo
  std::string line{};            ///< the step of that state; empty for kGo and the start
  Message title{};               ///< kApply: as UndoLabel::title

  /// Returns whether it changed the history, and not only which state is current.
  bool changesTree() const { return removed || kind == Kind::kEdit || kind == Kind::kMark; }
  void noteRemoved(const std::vector<int>& was, const std::vector<int>& is) {
    if (was != is) removed.emplace(was, is);
  }
};

/// What can be undone and what can be redone. The next entry to undo or redo is the last of each.
struct UndoLog {
  std::vector<UndoEntry> undo, redo;

  /// Adds an entry, and fills in the number and the step of its state from `history`. After this, nothing can be
  /// redone.
  void push(UndoEntry entry, const document::History& history) {
    if (entry.kind != UndoEntry::Kind::kGo) {
      const document::Node& of = (entry.newer ? *entry.newer : history).node(entry.node);
      entry.number = of.number;
      if (of.step() != nullptr) entry.line = of.step()->source;
    }
    undo.push_back(std::move(entry));
    redo.clear();
  }
  void clear() {
    undo.clear();
    redo.clear();
  }
};

}  // namespace loom::session
