#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/ir/result.h"

namespace loom::tune {

/// A function that returns the value that a name stands for; nothing if the name is unknown.
using ValueOfName = std::function<std::optional<std::int64_t>(std::string_view)>;

/// Returns the value of an expression over names and whole numbers with + - * // %, a sign - and parentheses. Operators
/// bind as in Python, division rounds down, and a remainder has the sign of the divisor. Fails with `SketchError`: a
/// name that has no value, a division by 0, a value beyond 64 bits on the way, or a text that is no expression, such as
/// an empty one.
Result<std::int64_t> evaluated(std::string_view expression, const ValueOfName& value);

/// Returns whether a character may occur in a name in an expression: a letter, a digit, `_` or `.`. A name begins with
/// a letter.
bool isOfName(char c);

}  // namespace loom::tune
