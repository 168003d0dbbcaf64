#include "core/layout/fragment_scope.h"

#include <array>

namespace loom::layout {

std::span<const FragmentScope> fragmentScopes() {
  // TVM 0.22, StorageRank.
  static constexpr std::array<FragmentScope, 7> kScopes{{
      {"wmma.matrix_a", Operand::A, 4, true},
      {"wmma.matrix_b", Operand::B, 5, true},
      {"wmma.accumulator", Operand::Accumulator, 6, true},
      {"m16n8k8.matrixA", Operand::A, 9, false},
      {"m16n8k8.matrixB", Operand::B, 10, false},
      {"m16n8k8.matrixC", Operand::Accumulator, 11, false},
      // Ours: TVM takes the scope for local memory with a tag, of its rank.
      {"local.wgmma", Operand::Accumulator, 3, true},
  }};
  return kScopes;
}

const FragmentScope* findFragmentScope(std::string_view scope) {
  for (const FragmentScope& row : fragmentScopes())
    if (row.name == scope) return &row;
  return nullptr;
}

std::string_view scopeOf(std::string_view family, Operand operand) {
  for (const FragmentScope& row : fragmentScopes())
    if (row.family() == family && row.operand == operand) return row.name;
  return {};
}

}  // namespace loom::layout
