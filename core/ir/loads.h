// What expressions and statements read of buffers.
#pragma once
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// Return all loads in e or s, those in indices and conditions included, in the order of the text: each occurrence, and
// a load before those in its indices. The pointers are valid as long as e or s.
std::vector<const LoadNode*> loadsIn(const Expr& e);
std::vector<const LoadNode*> loadsIn(const Stmt& s);

// Returns whether there is a load in e.
bool readsMemory(const Expr& e);

}  // namespace loom::ir
