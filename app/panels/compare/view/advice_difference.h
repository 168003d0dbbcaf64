#pragma once

#include <vector>

#include "core/model/advice.h"

namespace loom::session {

/// Returns the advice in `of` that `other`, the advice on another state, lacks: with another code, or with the same code
/// on another subject (buffer or block). Advice with the code "busiest" is left out, since every state has some. Of
/// several pieces with one code and subject only the first is returned.
std::vector<model::Advice> adviceOnlyIn(const std::vector<model::Advice>& of, const std::vector<model::Advice>& other);

}  // namespace loom::session
