// The list of TensorIR's storage scopes whose buffers are operands of tensor cores, spread over the registers of a
// group of threads.
#pragma once
#include <span>
#include <string_view>

#include "core/layout/fragment.h"

namespace loom::layout {

// A storage scope whose buffers are spread over the registers of a warp or a warpgroup.
struct FragmentScope {
  std::string_view name;  // "wmma.matrix_a"
  Operand operand;        // the matrix whose tiles a buffer in this scope holds
  int rank;               // TVM's rank of the scope in the memory hierarchy; a larger one is nearer to the arithmetic
  // Whether buffers of the scope become fragment objects with operations of their own (core/device/operations); else
  // they become an array in each lane (core/lower, warp_registers).
  bool operations;
  // Returns the name that the scopes of one kind of matrix product share: "wmma" for "wmma.matrix_a", "wgmma" for
  // "local.wgmma".
  std::string_view family() const {
    const std::size_t dot = name.find('.');
    return name.substr(0, dot) == "local" ? name.substr(dot + 1) : name.substr(0, dot);
  }
};

// Returns all such scopes: TVM's by ascending rank, then Tileloom's own "local.wgmma", which has TVM's rank of local
// memory.
std::span<const FragmentScope> fragmentScopes();
// Returns the entry of a scope; null if its buffers aren't fragments.
const FragmentScope* findFragmentScope(std::string_view scope);
inline bool isFragmentScope(std::string_view scope) { return findFragmentScope(scope) != nullptr; }
// Returns the scope for an operand of a family (FragmentScope::family); empty if there is none.
std::string_view scopeOf(std::string_view family, Operand operand);

}  // namespace loom::layout
