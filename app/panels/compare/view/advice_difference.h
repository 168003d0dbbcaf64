#pragma once

#include <vector>

#include "core/model/advice.h"

namespace loom::session {

/// What is said of one state and not of the other: another thing, or the same of another buffer or block. Not what is
/// busiest, which something always is. Each once.
std::vector<model::Advice> adviceOnlyIn(const std::vector<model::Advice>& of, const std::vector<model::Advice>& other);

}  // namespace loom::session
