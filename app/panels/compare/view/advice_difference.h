#pragma once

#include <vector>

#include "core/model/advice.h"

namespace loom::session {

/// Returns the advice in `of`, the performance model's advice on one program, that `other`, the advice on another,
/// lacks: each piece whose code (what costs time, "bank_conflicts") and subject (buffer or block) no single piece in
/// `other` has both. Advice with the code "busiest" is left out, since nearly every kernel has some. Of several pieces
/// with one code and subject only the first is returned.
std::vector<model::Advice> adviceOnlyIn(const std::vector<model::Advice>& of, const std::vector<model::Advice>& other);

}  // namespace loom::session
