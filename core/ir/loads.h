// What expressions and statements read of buffers.
#pragma once
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// Return all loads in e or s, each as often as it occurs, in the order in which Visitor (visit.h) meets them: a load
// before those in its indices, those in a stored value before those in the indices of the store. The loads in blocks'
// bindings, predicates and regions (T.reads, T.writes) are among them, those in annotations and in buffers' shapes
// aren't. Empty if there are none, or for null. The pointers are valid as long as e or s.
std::vector<const LoadNode*> loadsIn(const Expr& e);
std::vector<const LoadNode*> loadsIn(const Stmt& s);

// Returns whether there is a load in e.
bool readsMemory(const Expr& e);

}  // namespace loom::ir
