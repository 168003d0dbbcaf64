#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/problem.h"
#include "core/document/history.h"

namespace loom::session {

/// What undo takes back, or redo does again, as a menu names it.
struct UndoLabel {
  enum class Kind { kGo, kApply, kRemove, kEdit, kMark };
  Kind kind = Kind::kGo;
  int number = 0;  ///< of the state: kGo: where it leads; kMark: whose name, note or pin; else applied, removed, edited
  std::string line;  ///< the state's step; empty for kGo, and for the start
  int states = 0;    ///< kRemove: that went with it, itself included
};

/// What the user says of a state.
struct StateLabels {
  std::string name, note;
  bool pinned = false;
  friend bool operator==(const StateLabels&, const StateLabels&) = default;
};

/// What the user did and can undo.
struct UndoEntry {
  using Kind = UndoLabel::Kind;
  Kind kind = Kind::kGo;
  int before = 0, after = 0;                                  ///< current states
  int node = 0;                                               ///< removed, edited or marked; kApply: the last applied
  bool walk = false;                                          ///< kGo: by steps to a neighbour; the next one joins it
  std::shared_ptr<const document::History> older{}, newer{};  ///< kEdit; `node` is the newer's
  StateLabels marksBefore{}, marksAfter{};                    ///< kMark
  /// Where it hid or revealed states: those that were and are deleted.
  std::optional<std::pair<std::vector<int>, std::vector<int>>> removed{};
  int states = 0;                ///< kRemove: how many
  std::vector<Problem> broke{};  ///< kEdit: refusals of steps that follow
  int number = 0;                ///< of `node`, but for kGo
  std::string line{};            ///< its step

  bool changesTree() const { return removed || kind == Kind::kEdit || kind == Kind::kMark; }
  void noteRemoved(const std::vector<int>& was, const std::vector<int>& is) {
    if (was != is) removed.emplace(was, is);
  }
};

/// What was done, and what was undone, the last entry at the end of each.
struct UndoLog {
  std::vector<UndoEntry> undo, redo;

  /// Adds what was done, with the name of its state in `history`. Nothing of what was undone can be redone after it.
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
