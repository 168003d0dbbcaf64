// Structural equality and hashing. Two programs are structurally equal if they differ only in ids and in the names and
// identity of the variables and buffers that they define. Blocks and functions must have the same names.
#pragma once
#include <string>

#include "core/ir/stmt.h"

namespace loom::ir {

// Return whether two things are structurally equal. Variables and buffers defined outside of them are equal only if
// they are the same object.
bool structuralEqual(const Expr& a, const Expr& b);
bool structuralEqual(const Stmt& a, const Stmt& b);
bool structuralEqual(const Function& a, const Function& b);
bool structuralEqual(const Annotations& a, const Annotations& b);
bool structuralEqual(const AnnotationValue& a, const AnnotationValue& b);
bool structuralEqual(const BufferRegion& a, const BufferRegion& b);

// Returns a hash of an expression; structurally equal expressions have the same hash.
std::size_t structuralHash(const Expr& e);
// Hashes expressions for unordered containers, by structure.
struct ExprHash {
  std::size_t operator()(const Expr& e) const { return structuralHash(e); }
};
// Compares expressions for unordered containers, by structure.
struct ExprEqual {
  bool operator()(const Expr& a, const Expr& b) const { return structuralEqual(a, b); }
};

}  // namespace loom::ir
