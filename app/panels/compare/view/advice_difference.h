#pragma once

#include <vector>

#include "core/model/advice.h"

namespace loom::session {

/// Returns the advice in `of`, the performance model's advice on one program, that `other`, the advice on another,
/// lacks, in the order of `of`. Two pieces count as the same if their codes (what costs time, "bank_conflicts") are
/// equal, and their subjects (buffer or block, or none) too. Advice with the code "busiest" is left out, since nearly
/// every kernel has some. Of several pieces in `of` that count as the same only the first is returned.
std::vector<model::Advice> adviceOnlyIn(const std::vector<model::Advice>& of, const std::vector<model::Advice>& other);

}  // namespace loom::session
