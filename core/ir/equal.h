// Structural equality and hashing: the same program up to the names and identity of bound variables and buffers.
#pragma once
#include <string>

#include "core/ir/stmt.h"

namespace loom::ir {

// Returns whether two expressions are structurally equal. Free variables are equal only to themselves.
bool structuralEqual(const Expr& a, const Expr& b);
bool structuralEqual(const Stmt& a, const Stmt& b);
bool structuralEqual(const Function& a, const Function& b);
bool structuralEqual(const Annotations& a, const Annotations& b);
bool structuralEqual(const AnnotationValue& a, const AnnotationValue& b);
bool structuralEqual(const BufferRegion& a, const BufferRegion& b);

// Returns a hash that agrees with `structuralEqual` of expressions.
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
