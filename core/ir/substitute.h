// Replaces variables and buffers in programs. Results are not simplified. Null expressions and statements stay null.
#pragma once
#include <functional>
#include <unordered_map>

#include "core/ir/stmt.h"

namespace loom::ir {

// The expression that replaces each variable.
using VarMap = std::unordered_map<const VarNode*, Expr>;

// A function that returns the replacement of a variable; null to keep the variable.
using VarReplacement = std::function<Expr(const VarNode*)>;

// Return the argument with each use of a variable of the map replaced by the map's expression, which must have the
// variable's dtype. Where a loop, a let or a block's iterator declares the variable, it stays, so the map names
// variables that are declared outside, or the caller changes the declaration, too. Nodes are rebuilt without folding,
// as TVM's Substitute does: the shape of the tree stays as written; loops and blocks keep their ids. Buffers whose
// shape, strides or offset use a replaced variable, or whose data variable is replaced by another variable, are
// replaced by new ones (with the same Id), and so is every use of them; a data variable that is replaced by another
// expression stays the buffer's.
Expr substitute(const Expr& e, const VarMap& map);
Expr substitute(const Expr& e, const VarReplacement& map);
Stmt substitute(const Stmt& s, const VarMap& map);
Range substitute(const Range& r, const VarMap& map);
BufferRegion substitute(const BufferRegion& r, const VarMap& map);
std::vector<Range> substitute(const std::vector<Range>& region, const VarMap& map);

// The buffer that replaces each buffer.
using BufferMap = std::unordered_map<const BufferNode*, Buffer>;
// Return the argument with every use of a key of `map` replaced by one of its value: loads, stores, regions, views
// (match_buffer), allocations, and uses of its data variable in expressions. Other buffers with that data variable
// stay. Indices and regions stay as they are, so both buffers should have the same dtype and number of dimensions.
Stmt replaceBuffers(const Stmt& s, const BufferMap& map);
Block replaceBuffers(const Block& b, const BufferMap& map);

}  // namespace loom::ir
