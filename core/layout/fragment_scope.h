// The scopes of TensorIR whose buffers are operands of tensor cores, spread over the registers of a group of threads:
// the one list of them, for schedules, kernels, models and pictures.
#pragma once
#include <span>
#include <string_view>

#include "core/layout/fragment.h"

namespace loom::layout {

// A storage scope whose buffers are spread over the registers of a warp or a warpgroup.
struct FragmentScope {
  std::string_view name;  // "wmma.matrix_a"
  Operand operand;        // the matrix whose tiles a buffer in this scope holds
  int rank;               // among all scopes, as TVM orders them
  // Whether core/device/operations has a family of fragments for it; else buffers become arrays of each lane
  // (core/lower, warp_registers).
  bool operations;
  // Returns what the names of the scopes of one product have in common: "wmma"; "wgmma" for "local.wgmma".
  std::string_view family() const {
    const std::size_t dot = name.find('.');
    return name.substr(0, dot) == "local" ? name.substr(dot + 1) : name.substr(0, dot);
  }
};

// Returns all scopes, by rank.
std::span<const FragmentScope> fragmentScopes();
// Returns the row of this scope; null for scopes of other memory.
const FragmentScope* findFragmentScope(std::string_view scope);
inline bool isFragmentScope(std::string_view scope) { return findFragmentScope(scope) != nullptr; }
// Returns the name of the scope of a family's operand; empty if there is none.
std::string_view scopeOf(std::string_view family, Operand operand);

}  // namespace loom::layout
