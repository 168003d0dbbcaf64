// Tables keyed by variable that keep the order in which the variables were added, so that results derived from them
// don't depend on addresses of nodes.
#pragma once
#include <utility>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::arith {

// A small map from variable to T, in the order of adding. A variable is its node: two of one name are two. Look-up is a
// linear search, because loop nests are short.
template <class T>
class VarTable {
 public:
  using Entry = std::pair<ir::Var, T>;

  VarTable() = default;
  VarTable(std::initializer_list<Entry> entries) {
    for (auto& [var, value] : entries) set(var, value);
  }
  // Sets the value of a variable. A known variable keeps its place in the order.
  void set(const ir::Var& var, T value) {
    if (auto* old = find(var.get()))
      *old = std::move(value);
    else
      entries_.emplace_back(var, std::move(value));
  }
  // Returns the place of a variable's value; null if it is unknown. Adding another variable ends the pointer's life.
  T* find(const ir::VarNode* var) {
    for (auto& [key, value] : entries_)
      if (key.get() == var) return &value;
    return nullptr;
  }
  const T* find(const ir::VarNode* var) const { return const_cast<VarTable*>(this)->find(var); }
  const T* find(const ir::Var& var) const { return find(var.get()); }
  bool contains(const ir::VarNode* var) const { return find(var) != nullptr; }
  bool contains(const ir::Var& var) const { return contains(var.get()); }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
};

// The domains of iterators: var in [min, min + extent).
using VarRanges = VarTable<ir::Range>;

}  // namespace loom::arith
